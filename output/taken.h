/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that no function may be given: they stand somewhere in the tree. */
#ifndef NOCHARGE_TAKEN_H
#define NOCHARGE_TAKEN_H

#include "../analyzer/base/arena.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/tree/tree.h"

/*
 * Every identifier that starts with "__" or "do_" in a .c or .h file of
 * @tree, but for those below @exclude: to be asked with interned(). Never
 * NULL; what cannot be read has none.
 */
struct strtab *taken_names(const struct tree *tree,
			   const struct names *exclude, struct arena *arena);

#endif
