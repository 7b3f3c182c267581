/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A patch series in the form of git format-patch, made of a plan.
 *
 * Every edit is made by spatch on a copy of the file in a repository of our
 * own; a patch whose edits do not all take hold is tried in its other form,
 * or its findings are left alone. The user's tree is only read.
 */
#ifndef NOCHARGE_SERIES_H
#define NOCHARGE_SERIES_H

#include "plan.h"
#include "../analyzer/base/err.h"

struct options;

struct series {
	struct plan *plan;
	struct tree *tree;
	const struct config *in;
	const struct rules *rules;
	const struct kernel_rules *kernel;
	const char *dir;          /* where it goes; made if it is not there */
	const char *author;       /* "Name <address>" */
	const char *rules_path, *config_path; /* the second may be NULL */
	const char *tool_version;
	const struct options *options; /* to analyse what came of it */
	struct names asked;       /* ids of the findings that it is for */
	unsigned top;             /* 0: all */
	bool trust_tree;          /* send.cmd is wanted, too */
	struct arena *arena;
	/* results */
	const char *unsent;       /* why there is no send.cmd, or NULL */
	size_t nwritten;          /* patches */
};

/*
 * What can be known of a series before there is a plan: is @author of the
 * right form, may @dir be written and is it not in @tree, are the programs
 * there that make it? Nothing is made. Returns 0, or -1 with @err set.
 */
int series_ready(const char *author, const char *dir, const char *tree,
		 struct arena *arena, struct err *err);

/*
 * Write the series. The plan's patches are what was written afterwards, and
 * its left are all that were not. A series that is in the directory already
 * is replaced as a whole; anything else that is there is left. Returns 0, or
 * -1 with @err set and the directory as it was.
 */
int series_write(struct series *series, struct err *err);

#endif
