/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tree's git knows, by reading alone: its objects through a repository
 * of our own (git_borrow()), its names of revisions and its index. Nothing is
 * written, no hook, filter or monitor of its configuration is run, and nothing
 * is fetched.
 */
#ifndef NOCHARGE_GITREAD_H
#define NOCHARGE_GITREAD_H

#include "git.h"

/* The commit that @rev is in @tree, in the arena; NULL with @err set. */
char *gitread_commit(struct git *git, const char *tree, const char *rev,
		     struct err *err);
/*
 * Files of @tree as they lie there that differ from @commit, or are in one of
 * both only: to @out, each with a NUL behind it.
 */
int gitread_differ(struct git *git, const char *tree, const char *commit,
		   struct strbuf *out, struct err *err);
/*
 * Give each of @path, which have no newline, as it is in @commit to @each; the
 * text of one that is not there is empty. @each returns 0 to go on.
 */
int gitread_files(struct git *git, const char *commit,
		  const char *const *path, size_t n,
		  int (*each)(void *data, const char *path, const char *text,
			      size_t len),
		  void *data, struct err *err);
/*
 * The commit of the last 200 of @tree that has the diff of @patch, in the
 * arena; or NULL.
 */
char *gitread_find(struct git *git, const char *tree, const char *patch);

#endif
