/* SPDX-License-Identifier: GPL-2.0-only */
/* A function's kernel-doc stays with its public name. */
#ifndef NOCHARGE_KERNELDOC_H
#define NOCHARGE_KERNELDOC_H

#include "git.h"
#include "plan.h"

/*
 * Move the kernel-doc comment about rename->name that stands right above the
 * function, which is called rename->inner now, to the inline function of that
 * name in the header. Does nothing where there is no such comment. Returns 0,
 * or -1 with @err set.
 */
int kerneldoc_move(struct git *git, const struct rename *rename,
		   struct err *err);

#endif
