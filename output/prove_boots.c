// SPDX-License-Identifier: GPL-2.0-only
/* Kernels of the states of a series, built and booted once each. */
#include "prove_boots.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define PROGRAM "output/boot"
#define ARCHIVE "guest.cpio"

#define SECONDS 1800
#define MEMORY  256

/* How each other boot of a kernel differs from the plain one, the first. */
static const struct {
	unsigned shift, less, pad;
} ways[BOOTS_OTHER + 1] = {
	{ 0, 0, 0 }, { 1, 16, 150 }, { 0, 6, 37 }, { 2, 11, 411 },
};

/* The first of @rules that has books, with all that a boot needs. */
static int find_rules(struct prove *prove, struct prove_boots *boots,
		      struct err *err)
{
	for (size_t i = 0; i < prove->nside; i++) {
		struct err none = { 0 };

		if (!prove->side[i].in)
			continue;
		boots->account_rules = account_rules_load(
			prove->side[i].rules->feature, boots->arena, &none);
		if (boots->account_rules) {
			boots->rules = prove->side[i].rules;
			return 0;
		}
		if (none.status != STATUS_INCOMPLETE || i + 2 >= prove->nside)
			err_set(err, none.status, "%s", none.text);
		err_clear(&none);
		if (err->text)
			return -1;
	}
	return err_set(err, STATUS_INCOMPLETE, "there are no rules");
}

static int prepare(struct prove *prove, struct prove_boots *boots,
		   struct err *err)
{
	struct boot_file file = { .path = "group" };

	if (strcmp(prove->tree->arch, "x86"))
		return err_set(err, STATUS_INCOMPLETE, "only kernels for x86 "
			       "are booted");
	boots->source.options = boot_text(boots->arena, "config", err);
	if (!boots->source.options || find_rules(prove, boots, err) ||
	    boot_words(boots->arena, "append", &boots->append, err) ||
	    boot_words(boots->arena, "trouble", &boots->trouble, err) ||
	    !boot_emulator(&boots->boot, err))
		return -1;
	boots->source.any = &boots->rules->symbols;
	file.data = boots->account_rules->guest;
	file.len = strlen(file.data);
	return boot_guest(&boots->boot, ARCHIVE, PROGRAM, &file, 1, err);
}

/* Never NULL; with its failure set, nothing can be booted. */
struct prove_boots *boots_get(struct prove *prove)
{
	const size_t n = prove->npatch + 1;
	struct prove_boots *boots;
	struct err err = { 0 };

	pthread_mutex_lock(&prove->lock);
	boots = prove->boots;
	if (!boots) {
		boots = ARENA_NEW(prove->arena, struct prove_boots);
		pthread_mutex_init(&boots->lock, NULL);
		prove->boots = boots;
	}
	pthread_mutex_unlock(&prove->lock);
	pthread_mutex_lock(&boots->lock);
	if (boots->arena)
		return boots;
	boots->arena = arena_new();
	boots->boot = (struct boot){
		.arena = boots->arena, .work = prove->work,
		.cache = prove->cache, .interrupted = prove->interrupted,
		.jobs = prove->jobs, .cc = prove->cc.name[prove->cc.n - 1],
	};
	boots->source = (struct boot_source){
		.tree = arena_printf(boots->arena, "%s/boot.tree",
				     prove->work),
		.build = "boot.build",
	};
	boots->how.memory = MEMORY;
	boots->how.seconds = SECONDS;
	boots->kernel = ARENA_ARRAY(boots->arena, struct boot_kernel, n);
	for (size_t i = 0; i < NMODE; i++)
		boots->plain[i] = ARENA_ARRAY(boots->arena, struct booted *,
					      n);
	if (prepare(prove, boots, &err))
		boots->failure = prove_printf(prove, "%s", err.text);
	err_clear(&err);
	return boots;
}

void prove_boots_free(struct prove *prove)
{
	struct prove_boots *boots = prove->boots;

	if (!boots || !boots->arena)
		return;
	for (size_t m = 0; m < NMODE; m++) {
		for (size_t i = 0; i <= prove->npatch + BOOTS_OTHER; i++) {
			struct booted *booted = i <= prove->npatch ?
				boots->plain[m][i] :
				boots->other[m][i - prove->npatch - 1];

			if (booted)
				strbuf_release(&booted->console);
			if (booted)
				strbuf_release(&booted->seen);
		}
	}
	arena_free(boots->arena);
}

/* Bring the farm into the state whose kernel is to be built. */
struct turn {
	struct prove *prove;
	struct prove_boots *boots;
	size_t state;
};

static int turn_farm(void *data, struct err *err)
{
	const struct turn *turn = data;
	struct prove_boots *boots = turn->boots;
	int ret = boots->farmed ?
		prove_farm_switch(turn->prove, boots->source.tree,
				  boots->state, turn->state, err) :
		prove_farm_make(turn->prove, boots->source.tree, turn->state,
				err);

	boots->farmed = true;
	boots->state = turn->state;
	return ret;
}

/* Of all that a build reads of the tree in @state. */
static uint64_t content(const struct prove *prove, size_t state)
{
	uint64_t sum = prove->content;

	for (size_t i = 0; i < prove->nfile; i++) {
		const struct prove_file *file = &prove->file[i];
		uint64_t hash = prove_version(file, state)->hash;

		/* files that are as they were are in the content already */
		if (hash != prove_version(file, 0)->hash)
			sum += XXH3_64bits_withSeed(file->path,
						    strlen(file->path), hash);
	}
	return sum;
}

/* NULL, or why there is no kernel of @state. */
const char *boots_kernel(struct prove *prove, struct prove_boots *boots,
			       size_t state, struct strbuf *log)
{
	struct turn turn = { prove, boots, state };
	struct boot_kernel *kernel = &boots->kernel[state];
	struct strbuf said = STRBUF_INIT;
	const char *why = NULL;
	struct err err = { 0 };

	if (kernel->image)
		return NULL;
	boots->source.content = content(prove, state);
	if (boot_kernel(&boots->boot, &boots->source, turn_farm, &turn,
			kernel, &said, &err)) {
		struct strbuf text = STRBUF_INIT;

		/* files as the tree calls them */
		strbuf_addstr(&text, err.text);
		prove_shorten(&text, boots->source.tree);
		why = prove_printf(prove, "%s", text.buf);
		strbuf_release(&text);
		boots->broken = err.status == STATUS_PROOF;
		kernel->image = NULL;
		if (said.len)
			strbuf_addf(log, "make:\n%s\n", said.buf);
	}
	strbuf_release(&said);
	err_clear(&err);
	return why;
}

const char *boots_rebuild(struct prove *prove, struct prove_boots *boots,
			  struct strbuf *log)
{
	struct cache *cache = boots->boot.cache;
	const char *why = NULL;

	if (boots->kernel[0].cached) {
		boots->boot.cache = NULL;
		boots->kernel[0].image = NULL;
		why = boots_kernel(prove, boots, 0, log);
		boots->boot.cache = cache;
	}
	return why;
}

/* What is wrong with what was booted, by its logs. */
static const char *judge(struct prove *prove, struct prove_boots *boots,
			 const struct booted *booted, const struct err *err)
{
	const char *where, *line = boot_trouble(&booted->console,
						&boots->trouble, boots->arena,
						&where);
	const struct accounts *accounts = &booted->accounts;

	if (line)
		return prove_printf(prove, "the kernel's log says \"%s\"%s%s",
				    line, where ? " after " : "",
				    where ? where : "");
	if (accounts->failed.n)
		return prove_printf(prove, "%s", accounts->failed.name[0]);
	if (accounts->ended)
		return NULL;
	if (!booted->console.len)
		return "the kernel does not boot: its log is empty";
	return prove_printf(prove, "%s; the last step is %s", err->text ?
			    err->text : "it ends early", accounts->last);
}

/* What of the functions of the patch that makes @state is to be watched. */
const char *boots_watch(struct prove *prove, struct prove_boots *boots,
			    size_t state, const char *name)
{
	const struct names *functions = &prove->patch[state - 1].functions;
	struct strbuf map = STRBUF_INIT, ranges = STRBUF_INIT;
	const char *copy = NULL, *path;
	struct err err = { 0 };

	path = arena_printf(boots->arena, "%s/%s", prove->work,
			    boots->kernel[state].map);
	if (!strbuf_read_file(&map, path, &err))
		for (size_t i = 0; i < functions->n; i++) {
			const char *each = functions->name[i];

			/* a static one may be "name@file" */
			if (!name || !strcmp(name, each))
				boot_find(&map, arena_printf(boots->arena,
					  "%.*s", (int)strcspn(each, "@"),
					  each), &ranges);
		}
	if (ranges.len)
		copy = arena_strdup(boots->arena, ranges.buf);
	strbuf_release(&map);
	strbuf_release(&ranges);
	err_clear(&err);
	return copy;
}

const struct booted *boots_run(struct prove *prove,
				    struct prove_boots *boots, size_t state,
				    enum boot_mode mode, size_t other)
{
	struct booted **place = other ? &boots->other[mode][other - 1] :
		&boots->plain[mode][state], *booted = *place;
	struct boot_how how = boots->how;
	struct err err = { 0 };
	struct strbuf append = STRBUF_INIT;
	struct boot_log log;

	if (booted)
		return booted;
	*place = booted = ARENA_NEW(boots->arena, struct booted);
	strbuf_addf(&append, "NOCHARGE_PAD=%u", ways[other].pad);
	for (size_t i = 0; i < boots->append.n; i++)
		strbuf_addf(&append, " %s", boots->append.name[i]);
	if (mode == MODE_OFF)
		strbuf_addf(&append, " %s NOCHARGE_OFF=1", boots->rules->off);
	how.append = append.buf;
	how.shift = ways[other].shift;
	how.memory -= ways[other].less;
	if (state && mode == MODE_ON)
		how.watch = boots_watch(prove, boots, state, NULL);
	boot_run(&boots->boot, &boots->kernel[state], ARCHIVE, &how, &log,
		 &err);
	strbuf_release(&append);
	booted->console = log.console;
	booted->seen = log.seen;
	booted->command = log.command;
	accounts_read(&booted->accounts, &log.numbers, boots->account_rules,
		      boots->arena);
	strbuf_release(&log.numbers);
	/* what takes too long is the kernel's fault, all else is not */
	if (err.text && (err.status != STATUS_INCOMPLETE ||
			 *prove->interrupted))
		booted->failure = prove_printf(prove, "%s", err.text);
	else
		booted->trouble = judge(prove, boots, booted, &err);
	err_clear(&err);
	return booted;
}

