/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Residue: what a function does in the off state that its stub, or the same
 * function without the feature, does not do.
 */
#ifndef NOCHARGE_RESIDUE_H
#define NOCHARGE_RESIDUE_H

#include "analysis.h"

struct left {
	const struct event *event;
	const struct function *in;     /* whose statement it is */
	uint8_t flags;
	double freq;
	/* inlined functions that it came through, the outermost first */
	struct function **through;
	uint32_t nthrough;
	struct function *callee;       /* of a call, or NULL */
	enum op_kind op;
	uint32_t own_line;             /* where the function itself is */
	bool test;                     /* an EV_TEST, not an operation */
};

struct residue {
	struct left *left;
	uint32_t n;
	uint32_t guard;        /* the first test that dominates; n: none */
	bool any_test;
	bool recursed, cut;    /* something was not followed */
	struct left *stub;     /* operations that the stub does too */
	uint32_t nstub;
};

/* In the analysis' arena; made at each call. */
struct residue *residue_of(const struct model *model, struct function *fn);

/* A test of the off state is on the main path, not in an arm, and spares work. */
static inline bool left_dominates(const struct left *left)
{
	return left->test &&
	       !(left->flags & (EVENT_NESTED | EVENT_COLD | EVENT_IDLE));
}

#endif
