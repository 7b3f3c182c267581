/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tree before and after a change, without touching it: the files that differ
 * on either side, each to be laid over it as in tree_replace(). The change is
 * a patch (--patch) or what was done since a revision (--since).
 */
#ifndef NOCHARGE_CHANGED_H
#define NOCHARGE_CHANGED_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "options.h"
#include "tree/tree.h"

/* The largest patch or mailbox that is read. */
#define PATCH_LIMIT (32u << 20)

struct side_view {
	struct memfile *file;
	size_t n, cap;
};

struct changed_tree {
	const char *what;             /* "the patch", "what changed since 'X'" */
	struct side_view before, after;
	const char **path;            /* files that the change is in */
	size_t npath, path_cap;
};

/*
 * What @options ask for of @tree. Returns 0, or -1 with @err set and named
 * what is refused or does not apply. Lives in @arena.
 */
int changed_read(struct changed_tree *changed, const char *tree,
		 const struct options *options, struct arena *arena,
		 struct err *err);

#endif
