/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Flags of an object and the statistics that go with them. Which functions
 * keep statistics is in the rules; which flag belongs to which of them is
 * said by the functions that do both: they ask for the flag's old value while
 * they change it, and come to the statistics afterwards with the same object.
 */
#ifndef NOCHARGE_ACCOUNT_H
#define NOCHARGE_ACCOUNT_H

#include "analysis.h"

/* A change of a flag and the statistics that go with it, of one object. */
struct accounted {
	struct function *fn;          /* where the flag is changed */
	const struct node *change;    /* by this call */
	const struct function *flag;  /* of this function of a header */
	const struct node *call;      /* in fn: of counts, or of by */
	const struct function *by;    /* who calls counts: fn, or its callee */
	const struct function *counts;
	uint32_t line;                /* where, in by->file */
	/*
	 * A function that does both. For one that does both itself: what it
	 * could call instead, defined where the statistics are.
	 */
	const struct accounted *helper;
	bool again;                   /* fn does only what helper does */
	struct accounted *next;
};

/*
 * What is split between two functions or done again far from the helper that
 * does it, in the order of functions; one for each flag and function. Lives in
 * the model's arena, and so do the bodies that it points into. What is split
 * and yet kept together, by the feature's own functions around both as in the
 * function that does both, is not split, but may be done again.
 */
struct accounted *account_splits(struct model *model);

/* Does the function call nothing but what its helper or @by calls? */
bool account_repeats(struct model *model, const struct accounted *accounted);

/* Where the function says what its helper's body says, given the object. */
enum account_form {
	ACCOUNT_OTHER,
	ACCOUNT_IF,    /* in one "if", or in that and under one more condition */
	ACCOUNT_TAIL,  /* from the "if" of the change to its end */
};

/* *@last: the last line of that, if it does; it begins with the change. */
enum account_form account_same(const struct accounted *accounted,
			       uint32_t *last);

/*
 * A function that only one of both calls, and *@who: the helper, or who does
 * it now. NULL if they do it in another way only.
 */
const char *account_differs(struct model *model,
			    const struct accounted *accounted,
			    const struct function **who);

#endif
