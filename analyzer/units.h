/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files are parsed. Derived from the tree's text, not listed:
 *
 * 1. Words of the feature: what headers declare only under an #if that names
 *    an option which differs between the feature in and out (functions with
 *    their stubs, fields, globals, macros, enumerators), the options
 *    themselves, and the names in the rules. A name that some header also
 *    declares outside of such an #if is no word.
 * 2. Closed over header functions and macros that use a word, because they
 *    carry it into files that never name it. A word in more than one file of
 *    WORD_SHARE is too common to say anything and is dropped; one whose
 *    carriers together are in so many files is kept, but not carried.
 * 3. Units: the files that have a word, or an identifier that contains the
 *    name of the feature or of its group, because they decide what is live;
 *    and those that define a function of a hot root, because they decide what
 *    is hot; and those that call what charges an object, directly or through
 *    functions that hand on the one that they are given, and those that make
 *    one, because they decide what comes before that (callers.h).
 *
 * Of a tree with a view (tree_replace()) it is the tree on disk that is asked,
 * and the view's own units are added: what is chosen, and with it every key in
 * the cache, does not change with a patch.
 *
 * Text is scanned for this, fast and coarsely; ctext.h says how. The result
 * is kept in the cache under what stat(2) says of every file looked into.
 * What is left out is counted with its reason.
 */
#ifndef NOCHARGE_UNITS_H
#define NOCHARGE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rules.h"
#include "tree/tree.h"

struct cache;
struct report;

struct units_input {
	struct tree *tree;
	const struct rules *rules;
	const struct kernel_rules *kernel;
	/* options that differ between the feature in and out */
	const struct names *option;
	/* every file that Makefiles name */
	const struct unit *unit;
	size_t nunit;
	struct cache *cache; /* or NULL */
	struct arena *arena;
	struct strtab *strings;
};

struct unit_set {
	const char **unit; /* sorted, relative, interned */
	size_t n;
	const char **word; /* sorted: what the feature is called in the text */
	size_t nword;
	uint64_t headers; /* of the names of all headers */
};

/* Files that matter, whether their gate is on or not. */
void units_derive(struct unit_set *set, const struct units_input *input);

/*
 * Keep of @set what is built according to @unit, sorted by path, and tell
 * @report how many files are built and why the others are left out.
 */
void units_select(struct unit_set *set, const struct unit *unit,
		  size_t nunit, const struct kernel_rules *kernel,
		  struct arena *arena, struct report *report);

/* The unit of that path in a sorted list, or NULL. */
const struct unit *unit_find(const struct unit *unit, size_t nunit,
			     const char *path);

#endif
