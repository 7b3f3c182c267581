/* SPDX-License-Identifier: GPL-2.0-only */
/* A function's kernel-doc stays with its public name. */
#ifndef NOCHARGE_KERNELDOC_H
#define NOCHARGE_KERNELDOC_H

#include "git.h"

/*
 * Move the kernel-doc comment about @function out of @source, where its
 * definition has another name now, to the inline function of that name in
 * @header. Does nothing where there is no such comment. Returns 0, or -1 with
 * @err set.
 */
int kerneldoc_move(struct git *git, const char *source, const char *header,
		   const char *function, struct err *err);

#endif
