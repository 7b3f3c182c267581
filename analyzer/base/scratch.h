/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of this run's own. It is locked while it is in use: what a run
 * that was killed left behind is held by nobody, and the next run that makes
 * one in the same place removes it.
 */
#ifndef NOCHARGE_SCRATCH_H
#define NOCHARGE_SCRATCH_H

#include "err.h"

struct scratch {
	char *dir; /* absolute if @parent was; malloc'd; NULL: none */
	int lock;
};

/*
 * A new, empty one in @parent (NULL: TMPDIR, or else /tmp). Returns 0, or -1
 * with @err set and nothing to remove.
 */
int scratch_make(struct scratch *scratch, const char *parent,
		 struct err *err);
/* With all that is in it; nothing is done where there is none. */
void scratch_remove(struct scratch *scratch);

#endif
