/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an operation costs, roughly in instructions and their price.
 *
 * A load is free where the question is whether work is left: a finding is
 * about calls, stores, atomics and loops, and a compiler moves loads. It is
 * counted where findings are ranked.
 */
#ifndef NOCHARGE_COST_H
#define NOCHARGE_COST_H

#include <stdint.h>

enum op_kind {
	OP_KIND_LOAD,   /* through a pointer */
	OP_KIND_GLOAD,  /* of a variable */
	OP_KIND_PERCPU,
	OP_KIND_STORE,
	OP_KIND_ASM,
	OP_KIND_HEAVY,  /* an asm that locks, fences or masks interrupts */
	OP_KIND_CALL,
	OP_KIND_ICALL,
	OP_KIND_LOOP,
	OP_KINDS
};

/* Work that makes a finding. */
#define COST_FINDING 4

static inline unsigned cost_work(enum op_kind kind)
{
	static const uint8_t cost[OP_KINDS] = {
		[OP_KIND_STORE] = 2, [OP_KIND_ASM] = 1, [OP_KIND_HEAVY] = 4,
		[OP_KIND_CALL] = 4, [OP_KIND_ICALL] = 6, [OP_KIND_LOOP] = 4,
	};

	return cost[kind];
}

/* The same where findings are ranked. */
static inline unsigned cost_rank(enum op_kind kind)
{
	unsigned work = cost_work(kind);

	return work ? work : 1;
}

const char *op_kind_text(enum op_kind kind);

#endif
