/* SPDX-License-Identifier: GPL-2.0-only */
/* One semantic patch run on one file by Coccinelle's spatch. */
#ifndef NOCHARGE_SPATCH_H
#define NOCHARGE_SPATCH_H

#include "plan.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/strbuf.h"

/*
 * Run @edit on @path, in place, in directory @dir. The options of the
 * semantic patch's own "// Options:" line are given to spatch. Returns 1 if
 * the file changed, 0 if it did not (spatch says nothing about a function
 * that it cannot parse), or -1: with *@failed set, spatch took too long or
 * failed, with what it said, and the file may be anything; else with @err.
 */
int spatch_run(const struct edit *edit, const char *dir, const char **failed,
	       struct arena *arena, struct err *err);

#endif
