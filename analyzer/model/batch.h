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

/*
 * In the order of functions and calls, and in the model's arena; bodies are
 * decoded where they may matter.
 */
struct batch_break *batch_breaks(struct model *model);

#endif
