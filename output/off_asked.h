/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What may have asked for something that a function does not do any more.
 */
#ifndef NOCHARGE_OFF_ASKED_H
#define NOCHARGE_OFF_ASKED_H

#include "../analyzer/model/effect.h"

/*
 * A load, in @before and not in @after, of memory that only the feature has
 * and that live code sets: what hangs on it may be wanted in the off state.
 * NULL if there is none, which means that nobody asked.
 *
 * What stands in an arm of a condition that needs memory of the feature which
 * nobody sets is not asked for either, and its loads do not count.
 */
const struct seen_load *off_asked(const struct model *model,
				  const struct effects *before,
				  const struct effects *after);

#endif
