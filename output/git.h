/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * git in a repository of our own.
 *
 * It holds the few files that a series touches, is made in a temporary
 * directory, and knows nothing of the user: no configuration but our own, no
 * hooks, templates, attributes or signatures. git is never run on the user's
 * tree; what is wanted of that is read as text, or asked of its objects alone.
 */
#ifndef NOCHARGE_GIT_H
#define NOCHARGE_GIT_H

#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/scratch.h"
#include "../analyzer/base/strbuf.h"

struct git {
	struct scratch scratch;
	const char *dir;        /* absolute: the scratch directory's */
	struct arena *arena;
	const char **env;       /* for process_run() */
	const char *name, *email, *date; /* of author and committer */
};

/* Is @author "Name <address>"? Returns 0, or -1 with @err set. */
int git_author_check(const char *author, struct arena *arena,
		     struct err *err);

/*
 * A new, empty repository in TMPDIR. @author is "Name <address>", @date what
 * git reads, both NULL where nothing is committed by us. Returns 0, or -1
 * with @err set and nothing to release.
 */
int git_init(struct git *git, const char *author, const char *date,
	     struct arena *arena, struct err *err);
/* Remove it. */
void git_release(struct git *git);

/*
 * Run git with @argv (without "git"), @input on its standard input or NULL.
 * Its output is appended to @out, which may be NULL. Returns 0, or -1 with
 * @err set to the first line of what it complained of.
 */
int git_run(struct git *git, const char *const *argv, const char *input,
	    struct strbuf *out, struct err *err);

/*
 * Write @text to @path, relative, with the folders that it needs. Returns 0,
 * or -1 with @err set, as do the next two.
 */
int git_put(struct git *git, const char *path, const char *text, size_t len,
	    struct err *err);
/* Append the file at @path, relative, to @out. */
int git_get(struct git *git, const char *path, struct strbuf *out,
	    struct err *err);
/* All that was put, as one commit with @message. */
int git_commit(struct git *git, const char *message, struct err *err);

/* The id of what was committed last, in the arena, or NULL with @err set. */
char *git_commit_id(struct git *git, struct err *err);

/*
 * The user's "Name <address>" from the environment or their own
 * configuration, never that of a tree; NULL if there is none.
 */
char *git_identity(struct arena *arena);

/* Where the .git of @tree is, or would be; a worktree's is elsewhere. */
const char *git_folder(const char *tree, struct arena *arena);

/* The commit that @tree's .git says is checked out, read as text, or NULL. */
char *git_head(const char *tree, struct arena *arena);

/*
 * Let @git read the objects of @tree, absolute, beside its own: commits by
 * their id, and nothing else. Returns 0, or -1 with @err set.
 */
int git_borrow(struct git *git, const char *tree, struct err *err);

/*
 * What "git patch-id --stable" says of the text @patch, in the arena; NULL
 * with @err set where it has no diff.
 */
char *git_patch_id(struct git *git, const char *patch, struct err *err);

#endif
