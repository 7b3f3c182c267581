// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which state a kernel boots into, where a patch changes that: with and
 * without the option and each parameter, and both in both orders. What is
 * off by default must be off as the parameter makes it: the same kernel's
 * operations take as many instructions, give or take what they differ by from
 * one command line to another that leads to the same state.
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
 * What stands on a command line: E for on, D for off, L for on in a list, N
 * for off of what there is not, which changes no state.
 */
static const char *const ways[] = { "", "E", "D", "ED", "DE", "DL" };

struct defaults {
	struct prove *prove;
	size_t state;
	const struct rules *rules;
	struct arena *arena;
	struct kernels kernels;
	struct names trouble;
	const char *name;     /* of the controller, in both parameters */
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

/* The words of a way, and the state that they must lead to. */
static const char *append_of(const struct defaults *d, const char *way,
			     bool *on)
{
	const char *text = "", *enable = d->rules->asked.boot;

	for (; *way; way++) {
		const char *word = *way == 'E' ? enable : d->rules->off;

		if (*way == 'L')
			word = arena_printf(d->arena, "%.*s=nobody,%s",
				(int)strcspn(enable, "="), enable, d->name);
		if (*way == 'N')
			word = arena_printf(d->arena, "%.*s=nobody",
				(int)strcspn(word, "="), d->rules->off);
		else
			*on = *way != 'D';
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

/* What is wrong with a boot that was to be in the state @on, or NULL. */
static const char *judge(struct defaults *d, const struct boot_log *log,
			 bool on, const struct err *err)
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
	why = ours ? err.text : judge(d, &log, on, &err);
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

/* Ways to be off by being told, and by default; more where the first differ. */
static const char *const told_ways[] = { "D", "ED", "DD" };
static const char *const off_ways[] = { "", "N", "NN" };
#define WAYS 3

static void range(const struct measure_state *state, size_t n, size_t i,
		  double *low, double *high)
{
	*low = *high = state[0].cell[i].n;
	for (size_t k = 1; k < n; k++) {
		double at = state[k].cell[i].n;

		if (!state[k].cell[i].there)
			continue;
		*low = at < *low ? at : *low;
		*high = at > *high ? at : *high;
	}
}

/*
 * Do the numbers of operation @i of @n boots each overlap? How memory lies, and
 * so what some take, differs from one command line to another.
 */
static bool overlap(const struct measure_state *off,
		    const struct measure_state *told, size_t n, size_t i)
{
	double low[2], high[2], least = measure_least(&told[0].cell[i]);

	range(off, n, i, &low[0], &high[0]);
	range(told, n, i, &low[1], &high[1]);
	return low[0] <= high[1] + least && low[1] <= high[0] + least;
}

/* How many operations are the same off by default and by the parameter. */
static bool compare(struct defaults *d, size_t *n, struct prove_result *result)
{
	struct operations operations;
	struct measure_state off[WAYS] = { 0 }, told[WAYS] = { 0 };
	struct names problems = { 0 };
	struct err err = { 0 };
	size_t bad = 0;
	bool on;

	if (operations_load(&operations, d->arena, &err) ||
	    boot_guest(&d->kernels.boot, COUNTING, COUNTED, NULL, 0, &err)) {
		set(result, PROVE_NOT_RUN, prove_printf(d->prove, "%s",
							err.text));
		err_clear(&err);
		return false;
	}
	for (size_t k = 0; k < WAYS && (!k || bad < operations.n); k++) {
		const char *by = append_of(d, off_ways[k], &on);
		const char *as = append_of(d, told_ways[k], &on);

		if (!count(d, by, &off[k], &problems, &operations, result) ||
		    !count(d, as, &told[k], &problems, &operations, result))
			return false;
		bad = operations.n;
		*n = 0;
		for (size_t i = operations.n; i-- > 0;) {
			if (!off[0].cell[i].there || !told[0].cell[i].there)
				continue;
			++*n;
			strbuf_addf(d->log, "%s: %.2f with '%s', %.2f with "
				    "'%s'\n", operations.item[i].name,
				    off[k].cell[i].n, by, told[k].cell[i].n,
				    as);
			if (!overlap(off, told, k + 1, i))
				bad = i;
		}
	}
	if (bad < operations.n)
		set(result, PROVE_FAIL, prove_printf(d->prove, "%s takes "
			"%.1f instructions off by default and %.1f with %s",
			operations.item[bad].title, off[0].cell[bad].n,
			told[0].cell[bad].n, d->rules->off));
	else if (!*n)
		set(result, PROVE_NOT_RUN, "nothing could be counted");
	return bad == operations.n && *n;
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
	size_t same = 0;

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
	    !compare(d, &same, result))
		return;
	set(result, PROVE_PASS, prove_printf(d->prove, "%zu boots with and "
		"without the option are in the state that was asked for, "
		"under pressure on memory; off by default, %zu operations take "
		"as many instructions as with %s, or differ by no more than "
		"they do from one command line to another", d->nboot, same,
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
