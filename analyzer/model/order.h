/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In what order things happen to an object that is charged, such as a page:
 * flags of it are written behind a barrier, it is charged, others get to see
 * it. Seen on paths, with the feature on, through callees that are handed the
 * object or give it back.
 */
#ifndef NOCHARGE_ORDER_H
#define NOCHARGE_ORDER_H

#include "analysis.h"

/* The bit of a flag that is no constant. */
#define FLAG_UNKNOWN ((uint64_t)1 << 63)

/* A write of an object's flag that a barrier comes before. */
struct order_write {
	const struct function *fn;      /* who holds it */
	const struct node *call;        /* there */
	const char *callee;             /* what writes */
	const struct function *fence;   /* where the barrier is */
	uint32_t fence_line;
	uint64_t bits;
};

/* One call on the way to a charge; the last one charges. */
struct order_step {
	const struct function *fn;
	const struct node *call;
	const char *callee;
	const struct order_step *inner; /* in the callee, or NULL */
	uint64_t reads;                 /* flags read since @fn was entered */
};

/* A charge that a path comes to after the write, the object still unseen. */
struct order_pair {
	const struct order_write *write;
	const struct order_step *charge; /* from where both are in sight */
	bool shows; /* what is called for the charge makes it visible, too */
};

/* Sorted by place; one for each write. They live in the model's arena. */
const struct order_pair *model_order(struct model *model, size_t *n);

#endif
