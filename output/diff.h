/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two sets of findings side by side. A finding is the same where its id is,
 * which neither lines nor file names change.
 */
#ifndef NOCHARGE_DIFF_H
#define NOCHARGE_DIFF_H

#include "findings.h"
#include "out.h"

/*
 * Tell what is new, gone and at another place; diff_text() also says how many
 * on standard error. All return how many are new. @arena is for the work.
 */
size_t diff_text(struct out *out, const struct finding_set *old,
		 const struct finding_set *new, struct arena *arena);
size_t diff_json(struct out *out, const struct finding_set *old,
		 const struct finding_set *new, struct arena *arena);
/* All of both, as "new", "absent" and "unchanged". */
size_t diff_sarif(struct out *out, const struct finding_set *old,
		  const struct finding_set *new, bool github,
		  struct arena *arena);

#endif
