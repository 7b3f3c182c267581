/* SPDX-License-Identifier: GPL-2.0-only */
/* What the three rules about guards have in common. */
#ifndef NOCHARGE_CHECKS_GUARD_H
#define NOCHARGE_CHECKS_GUARD_H

#include "sink.h"

/* Report every verdict of @kind that is not told with its cause. */
void guard_report(struct model *model, struct sink *sink,
		  enum verdict_rule kind, const char *rule,
		  const char *(*message)(struct model *model,
					 const struct verdict *v));

/* "a store to", "a call of": the operation and its name, for people. */
const char *guard_operation(struct model *model, const struct left *left);

#endif
