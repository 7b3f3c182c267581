/* SPDX-License-Identifier: GPL-2.0-only */
/* A last look at patches before they are written out. */
#ifndef NOCHARGE_SERIES_CHECK_H
#define NOCHARGE_SERIES_CHECK_H

#include "git.h"
#include "plan.h"

struct options;

/*
 * Analyse @tree with all that is in the repository of @git in place of its
 * own files (@file, @nfile of them), and say of each of the @n patches in
 * @why what is wrong with it: it changes what the off state does, or does not
 * take away what it is for. NULL: nothing. The texts live in @git's arena.
 * Returns 0, or -1 with @err set.
 */
int series_check(struct git *git, const char *tree,
		 const struct options *options, const char *const *file,
		 size_t nfile, const struct patch *const *patch, size_t n,
		 const char **why, struct err *err);

#endif
