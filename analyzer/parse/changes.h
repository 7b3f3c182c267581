/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How two texts of one header differ, as far as its includers can tell: what
 * functions do is their own affair, and stands in the facts of the header.
 */
#ifndef NOCHARGE_CHANGES_H
#define NOCHARGE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/arena.h"

struct changes {
	struct arena *arena;
	const char **name; /* see header_changes() */
	size_t n, cap;
	bool includes; /* they do not include the same */
};

/*
 * True if @a and @b differ in functions and declarations alone, or in what
 * they include, which @changes then tells. A file that includes them says the
 * same with both, unless it names what is declared in one of them only, or
 * otherwise in the other, or unless something else is included on the whole:
 * those names are added to @changes. False where a macro, a type or a
 * condition differs, or where that is not certain.
 */
bool header_changes(struct changes *changes, const char *a, size_t alen,
		    const char *b, size_t blen);

/* Does @text have one of the names as a word? */
bool changes_named(const struct changes *changes, const char *text,
		   size_t len);

#endif
