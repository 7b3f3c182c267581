/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of a function stays with its public name. */
#ifndef NOCHARGE_KERNELDOC_H
#define NOCHARGE_KERNELDOC_H

#include "git.h"
#include "plan.h"

/*
 * Move the comment about rename->name, kernel-doc or not, that stands right
 * above the function, which is called rename->inner now, to the inline
 * function of that name in the header. Does nothing where there is no such
 * comment. Returns 0, or -1 with @err set.
 */
int kerneldoc_move(struct git *git, const struct rename *rename,
		   struct err *err);

#endif
