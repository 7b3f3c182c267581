/* SPDX-License-Identifier: GPL-2.0-only */
/* A last look at patches before they are written out. */
#ifndef NOCHARGE_SERIES_CHECK_H
#define NOCHARGE_SERIES_CHECK_H

#include "git.h"
#include "plan.h"

struct options;

/*
 * Analyse @tree with all that is committed in @git in place of its own files
 * (@file, @nfile of them), and say of each of the @n patches, made by these
 * commits, in @why what is wrong with it: it changes what the off state does,
 * or does not take away what it is for. NULL: nothing. Where the tree cannot
 * be analysed any more, or where all that is wrong is that something is
 * reported that was not, only the first patch with which that is so is told:
 * take it out and ask again. The texts live in @git's arena. Returns 0, or -1
 * with @err set.
 */
int series_check(struct git *git, const char *tree,
		 const struct options *options, const char *const *file,
		 size_t nfile, const struct patch *const *patch,
		 const char *const *commit, size_t n, const char **why,
		 struct err *err);

#endif
