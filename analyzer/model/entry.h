/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry points: the functions through which the rest of the kernel meets the
 * feature, each with its stub and the state of its guard.
 */
#ifndef NOCHARGE_ENTRY_H
#define NOCHARGE_ENTRY_H

#include "verdict.h"

/* Sorted by name and file; they live in the model's arena. */
struct entry_point *model_entries(struct model *model, size_t *n);

/* INTERFACE's word for the state of a function's guard. */
const char *entry_state(struct model *model, struct function *fn);

#endif
