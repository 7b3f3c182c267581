// SPDX-License-Identifier: GPL-2.0-only
#include "series_check.h"

#include <string.h>

#include "../analyzer/options.h"
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
	struct off_proof proof;

	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		finding[what.nfinding++] = f->id;
		/* a variable does nothing */
		if (patch->remedy[i]->fn)
			function[what.nfunction++] = f->function;
	}
	off_prove(before, after, &what, &proof, arena);
	if (!proof.same.pass)
		return proof.same.why;
	return proof.still;
}

int series_check(struct git *git, const char *tree,
		 const struct options *options, const char *const *file,
		 size_t nfile, const struct patch *const *patch, size_t n,
		 const char **why, struct err *err)
{
	struct off_state *before, *after = NULL;
	struct memfile *memfile = read_files(git, tree, file, nfile, err);

	if (!memfile)
		return -1;
	before = off_state_new(tree, options, NULL, 0, err);
	if (before)
		after = off_state_new(tree, options, memfile, nfile, err);
	for (size_t i = 0; after && i < n; i++)
		why[i] = judge(before, after, patch[i], git->arena);
	if (before)
		off_state_free(before);
	if (!after)
		return -1;
	off_state_free(after);
	return 0;
}
