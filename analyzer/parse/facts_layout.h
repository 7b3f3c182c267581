/* SPDX-License-Identifier: GPL-2.0-only */
/* What the writer and the reader of facts must agree on. */
#ifndef NOCHARGE_FACTS_LAYOUT_H
#define NOCHARGE_FACTS_LAYOUT_H

#include <string.h>

#include <xxhash.h>

#include "facts.h"

/* More than the largest unit could need; offsets fit in 32 bits. */
#define FACTS_MAX_BYTES ((size_t)1 << 30)

struct facts_head {
	char magic[4];
	uint32_t format;
	uint64_t len; /* of what follows */
	uint64_t sum;
};

static inline void facts_head_make(struct facts_head *head, const void *rest,
				   size_t len)
{
	memcpy(head->magic, "nchf", 4);
	head->format = FACTS_FORMAT;
	head->len = len;
	head->sum = XXH3_64bits(rest, len);
}

/* The first byte of a node: its kind, and what follows. */
#define NODE_KIND   0x3f
#define NODE_PLACED 0x40 /* line and column */
#define NODE_RECORD 0x80
#define NODE_ABSENT 0x3f /* a NULL kid */
/* The second byte: its op. */
#define NODE_OP     0x1f
#define NODE_FLAGS  0x20

_Static_assert(N_KINDS <= NODE_ABSENT, "a kind does not fit");
_Static_assert(OPS <= NODE_OP + 1, "an op does not fit");

static inline bool node_has_name(unsigned kind)
{
	switch (kind) {
	case N_LOCAL: case N_GLOBAL: case N_FUNC: case N_FIELD:
	case N_FIELDINIT: case N_DECL: case N_GOTO: case N_LABEL:
		return true;
	}
	return false;
}

static inline bool node_has_value(unsigned kind)
{
	return kind == N_INT || kind == N_CAST;
}

/* Kinds that may have any number of kids say how many. */
static inline bool node_fixed_kids(unsigned kind)
{
	switch (kind) {
	case N_CALL: case N_STMTEXPR: case N_INIT: case N_OTHER:
	case N_BLOCK: case N_ASM:
		return false;
	}
	return true;
}

static inline uint32_t node_kids(unsigned kind)
{
	switch (kind) {
	case N_FIELD: case N_DEREF: case N_ADDR: case N_UNARY: case N_CAST:
	case N_FIELDINIT: case N_EXPR: case N_RETURN: case N_LABEL:
		return 1;
	case N_INDEX: case N_BINARY: case N_ASSIGN: case N_SWITCH:
	case N_CASE: case N_DECL:
		return 2;
	case N_COND: case N_IF:
		return 3;
	case N_LOOP:
		return 4;
	}
	return 0;
}

/* A kid that may be NULL. */
static inline bool node_may_lack(unsigned kind, uint32_t kid)
{
	switch (kind) {
	case N_DECL: case N_RETURN: case N_LOOP:
		return true;
	case N_CASE:
		return kid == 0;
	case N_COND:
		return kid == 1;
	case N_IF:
		return kid == 2;
	}
	return false;
}

#endif
