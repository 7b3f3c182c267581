/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A C file without what is in functions that an edit is not about, and back:
 * spatch takes most of its time to read these, and leaves them as they are.
 */
#ifndef NOCHARGE_FOLD_H
#define NOCHARGE_FOLD_H

#include <stddef.h>

#include "../analyzer/base/arena.h"

struct fold {
	const char **body; /* what was taken out */
	size_t n;
};

/*
 * @text with a single call in every body in which, and in whose head, none of
 * the @n words stands. Only of functions as the kernel writes them, with '{'
 * and '}' on lines of their own and no directive inside.
 */
char *fold_make(const char *text, const char *const *word, size_t n,
		struct fold *fold, struct arena *arena);

/* Put them back. NULL if one is not there just once. */
char *fold_undo(const char *text, const struct fold *fold,
		struct arena *arena);

#endif
