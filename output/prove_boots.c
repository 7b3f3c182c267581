// SPDX-License-Identifier: GPL-2.0-only
/* Kernels of the states of a series, built and booted once each. */
#include "prove_boots.h"

#include <stdlib.h>
#include <string.h>

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
	boots->kernels.source.options = boot_options(boots->arena,
						     boots->kernels.boot.arch,
						     "accounts", err);
	if (!boots->kernels.source.options || find_rules(prove, boots, err) ||
	    boot_words(boots->arena, "append", &boots->append, err) ||
	    boot_words(boots->arena, "trouble", &boots->trouble, err) ||
	    !boot_emulator(&boots->kernels.boot, err))
		return -1;
	boots->kernels.source.any = &boots->rules->symbols;
	file.data = boots->account_rules->guest;
	file.len = strlen(file.data);
	return boot_guest(&boots->kernels.boot, ARCHIVE, PROGRAM, &file, 1, err);
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
	kernels_init(&boots->kernels, prove, "boot",
		     prove->cc.name[prove->cc.n - 1], boots->arena);
	boots->how.memory = MEMORY;
	boots->how.seconds = SECONDS;
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
			    boots->kernels.kernel[state].map);
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
	boot_run(&boots->kernels.boot, &boots->kernels.kernel[state], ARCHIVE, &how, &log,
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

