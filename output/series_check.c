// SPDX-License-Identifier: GPL-2.0-only
#include "series_check.h"

#include <string.h>

#include "../analyzer/interrupt.h"
#include "../analyzer/options.h"
#include "kind.h"
#include "prove_off.h"

static struct memfile *read_files(struct git *git, const char *tree,
				  const char *const *file, size_t n,
				  struct err *err)
{
	struct memfile *memfile = ARENA_ARRAY(git->arena, struct memfile, n);

	for (size_t i = 0; i < n; i++) {
		struct strbuf text = STRBUF_INIT;

		if (git_get(git, file[i], &text, err))
			return NULL;
		memfile[i] = (struct memfile){
			.path = arena_printf(git->arena, "%s/%s", tree,
					     file[i]),
			.text = arena_strndup(git->arena,
					      text.buf ? text.buf : "",
					      text.len),
			.len = text.len,
		};
		strbuf_release(&text);
	}
	return memfile;
}

static const char *judge(const struct off_state *before,
			 const struct off_state *after,
			 const struct patch *patch, struct arena *arena)
{
	const char **function = ARENA_ARRAY(arena, const char *,
					    patch->nremedy);
	const char **finding = ARENA_ARRAY(arena, const char *,
					   patch->nremedy);
	struct off_patch what = { .function = function, .finding = finding };
	const struct kind *kind = kind_find(patch->kind);
	struct off_proof proof;

	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		finding[what.nfinding++] = f->id;
		/* a variable does nothing, and a key is told by a boot */
		if (patch->remedy[i]->fn && !(kind && kind->same_off) &&
		    strcmp(patch->kind, "static-key"))
			function[what.nfunction++] = f->function;
	}
	off_prove(before, after, &what, &proof, arena);
	if (proof.same.applies && !proof.same.pass)
		return proof.same.why;
	return proof.still;
}

/* One look at many commits. */
struct looking {
	struct git *git;
	const char *tree;
	const struct options *options;
	const char *const *file;
	size_t nfile;
	const struct off_state *before;
};

/*
 * The tree with the first @n of the commits. NULL with *@why set if it cannot
 * be analysed as the plain one can, or with @err set.
 */
static struct off_state *look(struct looking *l, const char *const *commit,
			      size_t n, const char **why, struct err *err)
{
	const char *const to[] = { "checkout", "-q", "-f", commit[n - 1],
				   NULL };
	const char *const back[] = { "checkout", "-q", "-f", "series", NULL };
	struct off_state *state = NULL;
	struct memfile *memfile;
	struct err failed = { 0 };

	*why = NULL;
	if (git_run(l->git, to, NULL, NULL, err))
		return NULL;
	memfile = read_files(l->git, l->tree, l->file, l->nfile, err);
	if (git_run(l->git, back, NULL, NULL, err) || !memfile)
		return NULL;
	state = off_state_new(l->tree, l->options, memfile, l->nfile,
			      &failed);
	if (interrupt_signal()) {
		if (state)
			off_state_free(state);
		state = NULL;
		err_set(err, STATUS_INCOMPLETE, "interrupted");
	} else if (state && off_state_rules(state) !=
		   off_state_rules(l->before)) {
		off_state_free(state);
		state = NULL;
		err_set(err, STATUS_USAGE, "the rules were changed meanwhile: "
			"begin again");
	} else if (!state) {
		*why = arena_strdup(l->git->arena, failed.text);
	} else {
		*why = off_state_lost(l->before, state, l->git->arena);
		if (*why) {
			off_state_free(state);
			state = NULL;
		}
	}
	err_clear(&failed);
	return state;
}

/*
 * The first patch with which the tree cannot be analysed any more, or that
 * brings a finding which is there after the last, too.
 */
static int find_first(struct looking *l, const char *const *commit, size_t n,
		      const char **why, struct err *err)
{
	size_t good = 0, bad = n;
	const char *last = why[n - 1], *text;

	why[n - 1] = NULL;
	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;
		struct off_state *state = look(l, commit, middle, &text, err);

		if (state)
			text = off_state_brings(l->before, state,
						l->git->arena);
		else if (!text)
			return -1;
		off_state_free(state);
		if (text) {
			bad = middle;
			last = text;
		} else {
			good = middle;
		}
	}
	why[bad - 1] = last;
	return 0;
}

int series_check(struct git *git, const char *tree,
		 const struct options *options, const char *const *file,
		 size_t nfile, const struct patch *const *patch,
		 const char *const *commit, size_t n, const char **why,
		 struct err *err)
{
	struct looking l = { git, tree, options, file, nfile, NULL };
	struct off_state *before, *after;
	bool wrong = false;
	int ret = 0;

	before = off_state_new(tree, options, NULL, 0, err);
	if (!before)
		return -1;
	l.before = before;
	after = look(&l, commit, n, &why[n - 1], err);
	if (after) {
		for (size_t i = 0; i < n; i++) {
			why[i] = judge(before, after, patch[i], git->arena);
			wrong |= why[i] != NULL;
		}
		/* one that is wrong may be why others look new */
		if (!wrong)
			why[n - 1] = off_state_brings(before, after,
						      git->arena);
		off_state_free(after);
	}
	if (!wrong && why[n - 1])
		ret = find_first(&l, commit, n, why, err);
	else if (!after)
		ret = -1;
	off_state_free(before);
	return ret;
}
