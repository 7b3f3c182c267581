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

/*
 * Sorted by place; one for each write. They live in the model's arena, and
 * are looked for once.
 */
const struct order_pair *model_order(struct model *model, size_t *n);

/*
 * The write of @pair behind the statement that leaves when the charge failed:
 * may it go there? That may be in a callee that nobody else calls. What was looked at stands in `step`: what is handed the
 * object on the way, on every path that begins with the write, and where a
 * path leaves before the new place.
 */
struct order_move {
	const char *prevents;    /* why it may not, or NULL */
	uint32_t from, to;       /* lines: of the write; the end of what it passes */
	/* the static callee that charges, and where @to is, or NULL */
	const struct function *into;
	const char *object;      /* what that calls the object */
	struct why *step;
	size_t nstep;
};

/*
 * What function @fn calls for the charge: what charges, or who leads there and
 * shows the object to nobody.
 */
const char *order_charge(const struct order_pair *pair, const char *fn);

/*
 * Does @fn, of any program, call what writes in @pair, and what charges
 * before that?
 */
bool order_writes_after(const struct function *fn,
			const struct order_pair *pair);

/* The pair that a finding was made of, or NULL. */
struct finding;
const struct order_pair *model_order_of(struct model *model,
					const struct finding *finding);

/* It lives in the model's arena. */
struct order_move *model_order_move(struct model *model,
				    const struct order_pair *pair);

#endif
