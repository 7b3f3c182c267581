// SPDX-License-Identifier: GPL-2.0-only
#include "changed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../output/git.h"
#include "../output/gitread.h"
#include "base/strbuf.h"
#include "patch_read.h"

static void add_file(struct side_view *view, const char *tree,
		     const char *path, const char *text, size_t len,
		     struct arena *arena)
{
	GROW_LIST(arena, view->file, view->n, view->cap);
	view->file[view->n++] = (struct memfile){
		.path = arena_printf(arena, "%s/%s", tree, path),
		.text = arena_strndup(arena, text, len), .len = len,
	};
}

static void add_path(struct changed_tree *changed, const char *path,
		     struct arena *arena)
{
	for (size_t i = 0; i < changed->npath; i++)
		if (!strcmp(changed->path[i], path))
			return;
	GROW_LIST(arena, changed->path, changed->npath, changed->path_cap);
	changed->path[changed->npath++] = path;
}

/* Files of other kinds are nothing to the analysis. */
static bool is_plain(const char *tree, const char *path, struct arena *arena)
{
	char *full = arena_printf(arena, "%s/%s", tree, path), *real;
	bool plain;

	/* of what is not there it is the folder that counts */
	while (!(real = realpath(full, NULL)) && errno == ENOENT &&
	       strlen(full) > strlen(tree))
		*strrchr(full, '/') = '\0';
	plain = real && !strcmp(real, full);
	free(real);
	return plain;
}

struct viewing {
	struct side_view *view;
	const char *tree;
	struct arena *arena;
};

static int view_one(void *data, const char *path, const char *text,
		    size_t len)
{
	const struct viewing *v = data;

	add_file(v->view, v->tree, path, text, len, v->arena);
	return 0;
}

/* The tree's files as they were in @commit, where they differ. */
static int view_commit(struct changed_tree *changed, struct side_view *view,
		       struct git *git, const char *tree, const char *commit,
		       struct err *err)
{
	struct viewing viewing = { view, tree, git->arena };
	struct strbuf list = STRBUF_INIT;
	const char **path = NULL;
	size_t n = 0, cap = 0;
	int ret = gitread_differ(git, tree, commit, &list, err);

	for (size_t at = 0; !ret && at < list.len; ) {
		const char *one = arena_strdup(git->arena, list.buf + at);

		at += strlen(one) + 1;
		if (strchr(one, '\n') || !is_plain(tree, one, git->arena))
			continue;
		GROW_LIST(git->arena, path, n, cap);
		path[n++] = one;
	}
	strbuf_release(&list);
	changed->path = path;
	changed->npath = n;
	return ret ? ret : gitread_files(git, commit, path, n, view_one,
					 &viewing, err);
}

static int since(struct changed_tree *changed, struct git *git,
		 const char *tree, const char *rev, struct err *err)
{
	const char *commit = gitread_commit(git, tree, rev, err);

	changed->what = arena_printf(git->arena, "what changed since '%s'",
				     rev);
	if (!commit || git_borrow(git, tree, err))
		return -1;
	return view_commit(changed, &changed->before, git, tree, commit, err);
}

static int read_input(struct strbuf *text, const char *path, struct err *err)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char part[65536];
	size_t n;
	bool bad;

	if (!file)
		return err_set(err, STATUS_USAGE, "'%s': %s", path,
			       strerror(errno));
	while ((n = fread(part, 1, sizeof(part), file)) > 0 &&
	       text->len <= PATCH_LIMIT)
		strbuf_add(text, part, n);
	bad = ferror(file);
	if (file != stdin)
		fclose(file);
	if (bad)
		return err_set(err, STATUS_USAGE, "'%s' cannot be read", path);
	if (text->len > PATCH_LIMIT)
		return err_set(err, STATUS_USAGE, "'%s' is refused: it is "
			       "larger than %u MB", path, PATCH_LIMIT >> 20);
	if (!text->len)
		return err_set(err, STATUS_USAGE, "'%s' is empty", path);
	if (memchr(text->buf, 0, text->len))
		return err_set(err, STATUS_USAGE, "'%s' is refused: it has "
			       "bytes that are 0", path);
	return 0;
}

/* The tree's file into the scratch repository, where it is not yet. */
static int fetch(struct changed_tree *changed, struct git *git,
		 const char *tree, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	for (size_t i = 0; i < changed->npath; i++)
		if (!strcmp(changed->path[i], path))
			return 0;
	if (!is_plain(tree, path, git->arena))
		return err_set(err, STATUS_USAGE, "the patch is refused: '%s' "
			       "goes through a symbolic link of the tree",
			       path);
	add_path(changed, path, git->arena);
	if (access(arena_printf(git->arena, "%s/%s", tree, path), F_OK))
		return 0;
	if (strbuf_read_file(&text, arena_printf(git->arena, "%s/%s", tree,
						 path), err))
		ret = -1;
	else
		ret = git_put(git, path, text.buf ? text.buf : "", text.len,
			      err);
	strbuf_release(&text);
	return ret;
}

static int apply_one(struct changed_tree *changed, struct git *git,
		     const char *tree, const struct patch_text *patch,
		     struct err *err)
{
	const char *const argv[] = { "apply", "--whitespace=nowarn", "-",
				     NULL };
	struct err why = { 0 };

	for (size_t i = 0; i < patch->npath; i++)
		if (fetch(changed, git, tree, patch->path[i], err))
			return -1;
	if (!git_run(git, argv, patch->text, NULL, &why))
		return 0;
	err_set(err, STATUS_USAGE, "'%s' does not apply: %s", patch->name,
		why.text ? why.text : "unknown reason");
	err_clear(&why);
	return -1;
}

/*
 * A patch that was applied already and committed: the tree before and after
 * that commit.
 */
static bool is_commit(struct changed_tree *changed, struct git *git,
		      const char *tree, const struct patch_text *patch)
{
	const char *commit, *parent;
	struct err err = { 0 };
	bool found = false;

	if (git_borrow(git, tree, &err))
		goto out;
	commit = gitread_find(git, tree, patch->text);
	if (!commit)
		goto out;
	parent = arena_printf(git->arena, "%s^", commit);
	found = !view_commit(changed, &changed->after, git, tree, commit,
			     &err) &&
		!view_commit(changed, &changed->before, git, tree, parent,
			     &err);
	/* what is different in both was not changed by it */
	changed->path = patch->path;
	changed->npath = patch->npath;
out:
	err_clear(&err);
	return found;
}

static int apply(struct changed_tree *changed, struct git *git,
		 const char *tree, const char *from, struct err *err)
{
	struct patch_list list = { 0 };
	struct strbuf text = STRBUF_INIT;
	int ret = read_input(&text, from, err);

	if (!ret)
		ret = patch_read(&list, git, strcmp(from, "-") ? from :
				 "standard input", &text, err);
	strbuf_release(&text);
	for (size_t i = 0; i < list.n && !ret; i++)
		ret = apply_one(changed, git, tree, &list.patch[i], err);
	if (ret && list.n == 1 && is_commit(changed, git, tree,
					    &list.patch[0])) {
		err_clear(err);
		return 0;
	}
	for (size_t i = 0; i < changed->npath && !ret; i++) {
		struct strbuf now = STRBUF_INIT;
		struct err gone = { 0 };

		/* a file that is removed is empty: nothing reads it */
		if (git_get(git, changed->path[i], &now, &gone))
			now.len = 0;
		err_clear(&gone);
		add_file(&changed->after, tree, changed->path[i],
			 now.buf ? now.buf : "", now.len, git->arena);
		strbuf_release(&now);
	}
	return ret;
}

int changed_read(struct changed_tree *changed, const char *tree,
		 const struct options *options, struct arena *arena,
		 struct err *err)
{
	char *root = realpath(tree, NULL);
	struct git git;
	int ret;

	*changed = (struct changed_tree){ .what = "the patch" };
	if (!root)
		return err_set(err, STATUS_USAGE, "'%s': %s", tree,
			       strerror(errno));
	tree = arena_strdup(arena, root);
	free(root);
	if (git_init(&git, NULL, NULL, arena, err))
		return -1;
	ret = options->since ? since(changed, &git, tree, options->since, err)
			     : apply(changed, &git, tree, options->patch, err);
	git_release(&git);
	return ret;
}
