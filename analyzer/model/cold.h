/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults of functions that are on no hot path themselves: flags that they
 * raise for hot paths to trip over, and memory that they keep.
 */
#ifndef NOCHARGE_COLD_H
#define NOCHARGE_COLD_H

#include "verdict.h"

/* Both only turn verdicts that are on no hot path into VERDICT_MISSING. */
void find_raised(struct model *model);
void find_memory(struct model *model);

#endif
