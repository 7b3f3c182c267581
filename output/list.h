/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry points as a table.
 */
#ifndef NOCHARGE_LIST_H
#define NOCHARGE_LIST_H

#include "../analyzer/model/finding.h"
#include "out.h"

/* One line for each entry point of @report, in its order, and how many. */
void list_report(struct out *out, const struct report *report);

#endif
