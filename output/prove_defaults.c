// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which state a kernel boots into, where a patch changes that: with and
 * without the option and each parameter, and both in both orders. What is
 * off by default must be off as the parameter makes it: the same kernel's
 * operations take as many instructions.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "measure.h"
#include "prove.h"

#define PROGRAM  "output/defaults"
#define ARCHIVE  "defaults.cpio"
#define COUNTED  "output/measure"
#define COUNTING "counting.cpio"

#define SECONDS 900
#define MEMORY  256
#define MEMORY_COUNTED 512

/*
 * What stands on a command line: E for on, D for off, L and M for the same in a
 * list; all controllers off (X) and on (A) in one list, as /proc/cgroups has
 * them, by the older names where a controller has two.
 */
static const char *const ways[] = {
	"", "E", "D", "ED", "DE", "DL", "EM", "X", "XA", "AX",
};

struct defaults {
	struct prove *prove;
	size_t state;
	const struct rules *rules;
	struct arena *arena;
	struct kernels kernels;
	struct names trouble;
	const char *name;     /* of the controller, in both parameters */
	struct names all;     /* controllers that there are */
	struct boot_kernel without, with; /* the option */
	struct strbuf *log;
	size_t nboot;
};

static void set(struct prove_result *result, enum prove_verdict verdict,
		const char *why)
{
	result->verdict = verdict;
	result->why = why;
}

static const char *all_names(const struct defaults *d)
{
	const char *text = d->name;

	for (size_t i = 0; i < d->all.n; i++)
		if (strcmp(d->all.name[i], d->name))
			text = arena_printf(d->arena, "%s,%s", d->all.name[i],
					    text);
	return text;
}

/* The words of a way, and the state that they must lead to. */
static const char *append_of(const struct defaults *d, const char *way,
			     bool *on)
{
	const char *text = "", *enable = d->rules->asked.boot;

	for (; *way; way++) {
		const bool up = strchr("ELA", *way);
		const char *word = up ? enable : d->rules->off;
		const char *list = strchr("LM", *way) ?
			arena_printf(d->arena, "nobody,%s", d->name) :
			strchr("XA", *way) ? all_names(d) : NULL;

		if (list)
			word = arena_printf(d->arena, "%.*s=%s",
				(int)strcspn(word, "="), word, list);
		*on = up;
		text = arena_printf(d->arena, "%s%s%s", text,
				    *text ? " " : "", word);
	}
	return text;
}

/* The number behind "@start" at the beginning of a line, or @none. */
static long number(const struct strbuf *text, const char *start, long none)
{
	const char *at = text->len ? text->buf : "";
	size_t len = strlen(start);

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, start, len))
			return strtol(at + len, NULL, 10);
	return none;
}

static const char *line_of(const struct defaults *d, const struct strbuf *text,
			   const char *start)
{
	const char *at = text->len ? text->buf : "";

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, start, strlen(start)))
			return arena_printf(d->arena, "%.*s",
					    (int)strcspn(at, "\r\n"), at);
	return NULL;
}

/*
 * "controller NAME N" of each. The first boot is asked for nothing: what it has
 * is all that there is. What @way names all of has to be @on.
 */
static const char *judge_all(struct defaults *d, const struct strbuf *text,
			     const char *way, bool on)
{
	static const char start[] = "controller ";
	const char *at = text->len ? text->buf : "";
	const bool first = !d->all.n, each = *way && strchr("XA", *way);

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const char *name = at + sizeof(start) - 1;
		size_t len;

		if (strncmp(at, start, sizeof(start) - 1))
			continue;
		len = strcspn(name, " \n");
		if (first)
			names_add(&d->all, arena_strndup(d->arena, name, len),
				  d->arena);
		if (each && strtol(name + len, NULL, 10) != on)
			return arena_printf(d->arena, "all are to be %s, and "
				"'%.*s' is not", on ? "on" : "off", (int)len,
				name);
	}
	return d->all.n ? NULL : "/proc/cgroups lists no controller";
}

/* What is wrong with a boot that was to be in the state @on, or NULL. */
static const char *judge(struct defaults *d, const struct boot_log *log,
			 const char *way, bool on, const struct err *err)
{
	static const char *const where[] = {
		"state listed ", "state unified ", "state legacy ",
	};
	const char *place, *line = boot_trouble(&log->console, &d->trouble,
						d->arena, &place);

	if (line)
		return arena_printf(d->arena, "the kernel's log says \"%s\"%s"
				    "%s", line, place ? " after " : "",
				    place ? place : "");
	line = line_of(d, &log->numbers, "failed ");
	if (line)
		return line;
	if (!line_of(d, &log->numbers, "end"))
		return err->text ? arena_printf(d->arena, "%s", err->text) :
			log->console.len ? "it ends early" :
			"the kernel does not boot: its log is empty";
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		long n = number(&log->numbers, where[i], -2);

		if (n != on)
			return arena_printf(d->arena, "it is to be %s, and "
				"'%s' is %ld", on ? "on" : "off",
				where[i], n);
	}
	line = judge_all(d, &log->numbers, way, on);
	if (line)
		return line;
	/* a boot without any pressure shows nothing */
	if (number(&log->numbers, "pressure pgscan_kswapd ", 0) +
	    number(&log->numbers, "pressure pgscan_direct ", 0) <= 0 ||
	    number(&log->numbers, "pressure pswpin ", 0) <= 0)
		return "there was no pressure on memory, or nothing came back "
		       "from swap";
	return NULL;
}

/*
 * One kernel in one way; false with @result. What ends early for a reason of
 * ours has shown nothing.
 */
static bool boot_one(struct defaults *d, const struct boot_kernel *kernel,
		     const char *option, bool on, const char *way,
		     struct prove_result *result)
{
	const char *append = append_of(d, way, &on), *why;
	const struct boot_how how = {
		.append = append, .memory = MEMORY, .seconds = SECONDS,
	};
	struct boot_log log = { 0 };
	struct err err = { 0 };
	bool ours;

	boot_run(&d->kernels.boot, kernel, ARCHIVE, &how, &log, &err);
	ours = err.text && (err.status != STATUS_INCOMPLETE ||
			    *d->prove->interrupted);
	why = ours ? err.text : judge(d, &log, way, on, &err);
	if (why) {
		set(result, ours ? PROVE_NOT_RUN : PROVE_FAIL,
		    prove_printf(d->prove, "option %s, booted with '%s': %s",
				 option, append, why));
		strbuf_addf(d->log, "option %s, '%s': %s\n\n%s\n%s\n", option,
			    append, log.command ? log.command : "",
			    log.numbers.len ? log.numbers.buf : "",
			    log.console.len ? log.console.buf : "");
	}
	d->nboot += !why;
	err_clear(&err);
	boot_log_release(&log);
	return !why;
}

static bool boot_all(struct defaults *d, const struct boot_kernel *kernel,
		     const char *option, bool on, struct prove_result *result)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!boot_one(d, kernel, option, on, ways[i], result))
			return false;
	return true;
}

/* --- instructions --- */

static bool count(struct defaults *d, const char *append,
		  struct measure_state *state, struct names *problems,
		  const struct operations *operations,
		  struct prove_result *result)
{
	const struct boot_how how = {
		.append = append, .memory = MEMORY_COUNTED,
		.seconds = SECONDS,
	};
	struct boot_log log = { 0 };
	struct err err = { 0 };
	bool good;

	state->cell = ARENA_ARRAY(d->arena, struct cell, operations->n);
	boot_run(&d->kernels.boot, &d->with, COUNTING, &how, &log, &err);
	good = measure_log(state, operations, &log.numbers, &log.counts,
			   problems, d->arena);
	if (!good)
		set(result, PROVE_NOT_RUN, prove_printf(d->prove,
			"counting with '%s': %s", append,
			err.text ? err.text : "it ends early"));
	err_clear(&err);
	boot_log_release(&log);
	return good;
}

/*
 * The same number of instructions, or what cannot be told apart from that:
 * where repetitions of one boot differ, ranges that meet. mmap() of a file is
 * such a one. Of 246 functions that it runs, those that differ are the slow
 * paths of slabs: maple tree nodes come back by RCU, many at once, and when
 * that is, and so which slab they find, changes from one repetition to the
 * next by three times and more what it does from one command line to the
 * other. All else is the same to within measure_least(), on one command line each.
 */
static bool same(const struct cell *off, const struct cell *told)
{
	const double by = off->n - told->n, least = measure_least(told);

	return (by <= least && by >= -least) ||
		(off->low <= told->high && told->low <= off->high);
}

/* How many operations are the same off by default and by the parameter. */
static bool compare(struct defaults *d, size_t *n, struct prove_result *result)
{
	struct operations operations;
	struct measure_state off = { 0 }, told = { 0 };
	struct names problems = { 0 };
	struct err err = { 0 };
	bool good = true;

	if (operations_load(&operations, d->arena, &err) ||
	    boot_guest(&d->kernels.boot, COUNTING, COUNTED, NULL, 0, &err)) {
		set(result, PROVE_NOT_RUN, prove_printf(d->prove, "%s",
							err.text));
		err_clear(&err);
		return false;
	}
	if (!count(d, "", &off, &problems, &operations, result) ||
	    !count(d, d->rules->off, &told, &problems, &operations, result))
		return false;
	for (size_t i = 0; i < operations.n && good; i++) {
		const struct cell *a = &off.cell[i], *b = &told.cell[i];

		if (!a->there || !b->there)
			continue;
		++*n;
		good = same(a, b);
		if (!good)
			set(result, PROVE_FAIL, prove_printf(d->prove, "%s "
				"takes %.1f instructions off by default and "
				"%.1f with %s", operations.item[i].title, a->n,
				b->n, d->rules->off));
	}
	if (!*n)
		set(result, PROVE_NOT_RUN, "nothing could be counted");
	return good && *n;
}

/* --- kernels --- */

static bool build(struct defaults *d, const char *options,
		  const char *option, struct boot_kernel *kernel,
		  struct prove_result *result)
{
	const char *why;

	d->kernels.source.options = options;
	d->kernels.kernel[d->state].image = NULL;
	why = kernels_get(&d->kernels, d->state, d->log);
	if (why)
		set(result, d->kernels.broken ? PROVE_FAIL : PROVE_NOT_RUN,
		    prove_printf(d->prove, "option %s: %s", option, why));
	*kernel = d->kernels.kernel[d->state];
	return !why;
}

/* A tree that does not build by itself shows nothing of a patch. */
static bool builds_without(struct defaults *d, const char *options,
			   struct prove_result *result)
{
	const char *why;

	if (result->verdict != PROVE_FAIL)
		return false;
	d->kernels.source.options = options;
	why = kernels_get(&d->kernels, 0, d->log);
	if (why)
		set(result, PROVE_NOT_RUN, prove_printf(d->prove,
			"without the patch: %s", why));
	return !why;
}

static bool prepare(struct defaults *d, struct prove_result *result)
{
	struct boot_file file = { .path = "name" };
	const char *equals = strchr(d->rules->off, '=');
	struct err err = { 0 };
	bool good;

	d->name = equals ? equals + 1 : "";
	file.data = d->name;
	file.len = strlen(d->name);
	good = !boot_words(d->arena, "trouble", &d->trouble, &err) &&
		boot_emulator(&d->kernels.boot, &err) &&
		!boot_guest(&d->kernels.boot, ARCHIVE, PROGRAM, &file, 1,
			    &err);
	if (!good)
		set(result, PROVE_NOT_RUN, prove_printf(d->prove, "%s",
							err.text));
	err_clear(&err);
	return good;
}

static void run(struct defaults *d, const struct prove_patch *patch,
		struct prove_result *result)
{
	const bool option = !strcmp(patch->kind, "default-off");
	const char *plain, *n, *y;
	struct err err = { 0 };
	size_t n_same = 0;

	plain = boot_options(d->arena, d->kernels.boot.arch, "measure", &err);
	if (!plain)
		set(result, PROVE_NOT_RUN, prove_printf(d->prove, "%s",
							err.text));
	err_clear(&err);
	if (!plain || !prepare(d, result))
		return;
	n = arena_printf(d->arena, "%s\n# CONFIG_%s is not set\n", plain,
			 d->rules->asked.option);
	y = arena_printf(d->arena, "%s\nCONFIG_%s=y\n", plain,
			 d->rules->asked.option);
	d->kernels.source.any = &d->rules->symbols;
	if (!build(d, option ? n : plain, "n", &d->without, result) ||
	    (option && !build(d, y, "y", &d->with, result))) {
		builds_without(d, plain, result);
		return;
	}
	if (!boot_all(d, &d->without, "n", true, result))
		return;
	if (!option) {
		set(result, PROVE_PASS, prove_printf(d->prove, "%zu boots are "
			"in the state that was asked for, under pressure on "
			"memory", d->nboot));
		return;
	}
	if (!boot_all(d, &d->with, "y", false, result) ||
	    !compare(d, &n_same, result))
		return;
	set(result, PROVE_PASS, prove_printf(d->prove, "%zu boots with and "
		"without the option are in the state that was asked for, "
		"under pressure on memory; off by default, %zu operations take "
		"as many instructions as with %s", d->nboot, n_same,
		d->rules->off));
}

/* The rules with a default, of which the series is. */
static const struct rules *rules_of(const struct prove *prove)
{
	for (size_t i = 0; i < prove->nside; i++)
		if (prove->side[i].in && prove->side[i].rules->asked.option)
			return prove->side[i].rules;
	return NULL;
}

void prove_defaults(struct prove *prove, size_t k, struct prove_result *result,
		    struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	struct defaults d = {
		.prove = prove, .state = k + 1, .rules = rules_of(prove),
		.log = log,
	};

	if (!names_have(&patch->rules, "default-on")) {
		set(result, PROVE_NOT_APPLICABLE, "it does not change which "
		    "state a kernel boots into");
		return;
	}
	if (!d.rules) {
		set(result, PROVE_NOT_RUN, "the rules do not say what asks "
		    "for the feature");
		return;
	}
	if (!prove->trust_tree) {
		set(result, PROVE_NOT_RUN, "kbuild runs the tree's own code: "
		    "it needs --trust-tree");
		return;
	}
	if (strcmp(prove->tree->arch, "x86")) {
		set(result, PROVE_NOT_RUN, "only kernels for x86 are booted");
		return;
	}
	d.arena = arena_new();
	kernels_init(&d.kernels, prove, prove_printf(prove, "defaults.%zu", k),
		     prove->cc.name[prove->cc.n - 1], d.arena);
	run(&d, patch, result);
	arena_free(d.arena);
}
