/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits of the root group that are read on hot paths, with the feature on,
 * though they mean nothing there.
 */
#ifndef NOCHARGE_LIMIT_H
#define NOCHARGE_LIMIT_H

#include "analysis.h"

struct limit {
	const struct event *load;    /* NULL: there is none */
	const struct function *in;   /* who reads it */
	const struct function *from; /* the hot function that leads there */
	double heat;                 /* of that */
	bool up;                     /* every one is read on the way up */
	const char *group;           /* the parameter that goes up, or NULL */
};

/*
 * By function->index: what those read who give nothing back for it,
 * themselves or by helpers. In the model's arena.
 */
struct limit *model_limits(struct model *model);

/*
 * The function that says of a group whether it is root, and that only; NULL
 * if there is none.
 */
const struct function *model_root_test(const struct model *model);

#endif
