/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts held against findings: which function costs something with the
 * feature off that no finding is on, and which finding on a path that was
 * measured costs nothing.
 */
#ifndef NOCHARGE_AGAINST_H
#define NOCHARGE_AGAINST_H

#include "../analyzer/model/model.h"
#include "findings.h"
#include "measure.h"
#include "out.h"

struct against {
	size_t uncovered; /* functions of operations */
	size_t idle;      /* findings of high confidence that cost nothing */
};

/*
 * Tell it in @out. @model says who is inlined where; NULL: only functions of
 * the findings' own names are known. -1 with @err if out or off is not in
 * @measure.
 */
int against_tell(const struct measure *measure, const struct finding_set *set,
		 struct model *model, struct arena *arena, struct out *out,
		 struct against *result, struct err *err);

/*
 * A symbol without what a compiler put behind the function's name: .isra,
 * .constprop, .part, .cold, .llvm and their numbers. In @arena.
 */
const char *function_of_symbol(const char *symbol, struct arena *arena);

#endif
