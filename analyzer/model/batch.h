/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that take an array and its length and hand what they gather of
 * it to the feature at once, and loops that call them with little of what
 * they have. Both are known by what the code does with cursor and count,
 * never by names.
 */
#ifndef NOCHARGE_BATCH_H
#define NOCHARGE_BATCH_H

#include "analysis.h"

/* More elements than this at once are no small batch. */
#define BATCH_SMALL 64

/* Who takes all at once. */
struct batched {
	const struct function *fn;
	uint32_t list, count;          /* parameters, from 0; of a list: none */
	const struct function *by;     /* who hands it over: fn, or its callee */
	const char *array;             /* in by: what it goes over; or NULL */
	const struct function *handed; /* the feature's, which gets it all */
	uint32_t line;                 /* of that call, in by->file */
	struct batched *next;
};

struct batch_break {
	struct function *fn;
	const struct function *called;
	const struct batched *whole; /* takes all; may be what is called */
	const struct node *call, *loop;
	uint32_t line, column;       /* where few are taken of many */
	unsigned most;               /* elements in one call */
	/*
	 * Locals: what tells how many are in a call (NULL: a number), what is
	 * advanced by that, and what is left to do, if it is counted down.
	 */
	const char *part, *cursor, *left;
	struct batch_break *next;
};

enum batch_hold {
	BATCH_FREE,    /* no lock is held from one element to the next */
	BATCH_LETS_GO, /* one is, for so many elements at most */
	BATCH_HOLDS,   /* one is, for all of them if need be */
};

/* What a callee that hands over an array does while it goes over it. */
enum batch_hold batch_hold(struct model *model, const struct batched *callee);

/*
 * In the order of functions and calls, and in the model's arena; bodies are
 * decoded where they may matter.
 */
struct batch_break *batch_breaks(struct model *model);

#endif
