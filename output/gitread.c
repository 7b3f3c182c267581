// SPDX-License-Identifier: GPL-2.0-only
#include "gitread.h"

#include <stdlib.h>
#include <string.h>

/* Run @argv with @more put in front of the environment's end. */
static int run_with(struct git *git, const char *const *more, size_t nmore,
		    const char *const *argv, struct strbuf *out,
		    struct err *err)
{
	struct git with = *git;
	size_t n = 0;

	while (git->env[n])
		n++;
	with.env = ARENA_ARRAY(git->arena, const char *, n + nmore + 1);
	memcpy(with.env, git->env, n * sizeof(*git->env));
	memcpy(with.env + n, more, nmore * sizeof(*more));
	return git_run(&with, argv, NULL, out, err);
}

char *gitread_commit(struct git *git, const char *tree, const char *rev,
		     struct err *err)
{
	const char *const argv[] = {
		"rev-parse", "--verify", "-q", "--end-of-options",
		arena_printf(git->arena, "%s^{commit}", rev), NULL
	};
	const char *const env[] = {
		arena_printf(git->arena, "GIT_DIR=%s",
			     git_folder(tree, git->arena)),
		"GIT_NO_LAZY_FETCH=1",
	};
	struct strbuf out = STRBUF_INIT;
	struct err why = { 0 };
	char *commit = NULL;

	if (!run_with(git, env, 2, argv, &out, &why) && out.len > 40)
		commit = arena_strndup(git->arena, out.buf,
				       strcspn(out.buf, "\n"));
	else
		err_set(err, STATUS_USAGE, "'%s' is no revision of the git of "
			"'%s'", rev, tree);
	err_clear(&why);
	strbuf_release(&out);
	return commit;
}

int gitread_differ(struct git *git, const char *tree, const char *commit,
		   struct strbuf *out, struct err *err)
{
	const char *const differ[] = {
		"diff-index", "-z", "--name-only", "--no-renames",
		"--ignore-submodules=all", "--no-ext-diff", commit, "--", NULL
	};
	/* what nobody told git of matters where it can be compiled */
	const char *const others[] = {
		"ls-files", "-z", "--others", "--exclude-per-directory="
		".gitignore", "--", "*.c", "*.h", "*Makefile", "*Kbuild",
		"*Kconfig*", NULL
	};
	const char *const env[] = {
		arena_printf(git->arena, "GIT_INDEX_FILE=%s/index",
			     git_folder(tree, git->arena)),
		arena_printf(git->arena, "GIT_WORK_TREE=%s", tree),
		"GIT_NO_LAZY_FETCH=1",
	};

	return run_with(git, env, 3, differ, out, err) ||
	       run_with(git, env, 3, others, out, err) ? -1 : 0;
}

int gitread_files(struct git *git, const char *commit,
		  const char *const *path, size_t n,
		  int (*each)(void *data, const char *path, const char *text,
			      size_t len),
		  void *data, struct err *err)
{
	const char *const argv[] = { "cat-file", "--batch", NULL };
	struct strbuf ask = STRBUF_INIT, out = STRBUF_INIT;
	const char *at, *end;
	int ret = 0;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&ask, "%s:%s\n", commit, path[i]);
	if (n)
		ret = git_run(git, argv, ask.buf, &out, err);
	at = out.buf;
	end = at ? at + out.len : at;
	for (size_t i = 0; i < n && !ret; i++) {
		const char *line = at, *eol = at ? memchr(at, '\n',
						(size_t)(end - at)) : NULL;
		size_t len = 0;

		if (!eol) {
			ret = err_set(err, STATUS_USAGE, "git tells nothing "
				      "of '%s' in '%s'", path[i], commit);
			break;
		}
		at = eol + 1;
		/* "HASH blob SIZE", and the text; or "NAME missing" */
		line += strcspn(line, " ");
		if (!strncmp(line, " blob ", 6)) {
			len = strtoul(line + 6, NULL, 10);
			if (len >= (size_t)(end - at))
				len = (size_t)(end - at) - 1;
		}
		ret = each(data, path[i], at, len);
		at += len + (*line == ' ' && line[1] == 'b');
	}
	strbuf_release(&out);
	strbuf_release(&ask);
	return ret;
}

char *gitread_find(struct git *git, const char *tree, const char *patch)
{
	const char *head = git_head(tree, git->arena), *id;
	const char *const log[] = {
		"log", "-p", "-n", "200", "--no-merges", "--full-index",
		"--no-ext-diff", "--no-textconv", head, "--", NULL
	};
	const char *const ids[] = { "patch-id", "--stable", NULL };
	struct strbuf all = STRBUF_INIT, list = STRBUF_INIT;
	struct err err = { 0 };
	char *commit = NULL, *at;

	id = head ? git_patch_id(git, patch, &err) : NULL;
	if (id && !git_run(git, log, NULL, &all, &err) && all.len &&
	    !git_run(git, ids, all.buf, &list, &err) && list.len) {
		at = strstr(list.buf, id);
		if (at)
			commit = arena_strndup(git->arena, at + strlen(id) + 1,
					       strcspn(at + strlen(id) + 1,
						       "\n"));
	}
	err_clear(&err);
	strbuf_release(&list);
	strbuf_release(&all);
	return commit;
}
