/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of patches: what is said of all of one kind. The words for a kind
 * that is no guard stand here and in the patch itself (struct patch, does and
 * pays), so that one more kind is one more entry.
 */
#ifndef NOCHARGE_KIND_H
#define NOCHARGE_KIND_H

struct kind {
	const char *name; /* as in series.json */
	/* the subject, the best first; FEATURE and FUNCTION stand for names */
	const char *subject[3];
	/* how its findings are found; NULL: by what is left in the off state */
	const char *found;
	/* why same-when-on and same-when-off do not apply; NULL: they do */
	const char *same_on, *same_off;
};

/* NULL for a name that is none's. */
const struct kind *kind_find(const char *name);

#endif
