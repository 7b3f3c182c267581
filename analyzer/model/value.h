/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Abstract values: what is known of an expression in one state of the kernel.
 *
 * A value also says who decided it (its mark) and by which fact, so that a
 * condition can be told to be a test of the off state, and a reader can be
 * told why.
 */
#ifndef NOCHARGE_VALUE_H
#define NOCHARGE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../parse/facts.h"

enum value_kind {
	V_NONE,         /* nothing was ever stored: the place's default */
	V_CONST,
	V_OBJECT,       /* a pointer that is not NULL */
	V_NULL_OR_ROOT, /* NULL or the root group */
	V_UNKNOWN,
};

/* The larger mark wins where two values decide together. */
enum mark {
	MARK_SOURCE, /* the source text says so in every state */
	MARK_FACT,   /* a fact of the off state says so */
	MARK_GUARD,  /* what the guard predicate reads says so */
};

enum object_kind {
	OBJECT_ANY,
	OBJECT_ROOT,   /* the root group */
	OBJECT_GLOBAL, /* id: struct global_symbol */
	OBJECT_FUNC,   /* id: struct function */
	OBJECT_FIELD,  /* some object's field; id: struct fact */
	OBJECT_SELF,   /* what the node id evaluates to */
	/*
	 * slot: a place of the function that is walked. An unknown value may
	 * have it too: a pointer parameter that may be NULL.
	 */
	OBJECT_SLOT,
};

struct value {
	uint8_t kind, mark, object;
	uint32_t slot;
	union {
		int64_t number;
		const void *id;
	};
	const char *because; /* name of the fact that decided, or NULL */
};

#define VALUE_NONE    ((struct value){ .kind = V_NONE })
#define VALUE_UNKNOWN ((struct value){ .kind = V_UNKNOWN })

static inline struct value value_const(int64_t number, enum mark mark,
				       const char *because)
{
	return (struct value){ .kind = V_CONST, .mark = (uint8_t)mark,
			       .number = number, .because = because };
}

static inline struct value value_object(enum object_kind object,
					const void *id)
{
	return (struct value){ .kind = V_OBJECT, .object = (uint8_t)object,
			       .id = id };
}

static inline bool value_is_zero(struct value v)
{
	return v.kind == V_CONST && !v.number;
}

static inline bool value_is_root(struct value v)
{
	return v.kind == V_OBJECT && v.object == OBJECT_ROOT;
}

/* Names a place that a store through the pointer would reach. */
static inline bool value_has_identity(struct value v)
{
	return (v.kind == V_OBJECT || v.kind == V_UNKNOWN) &&
	       (v.object == OBJECT_GLOBAL || v.object == OBJECT_FIELD ||
		v.object == OBJECT_SLOT);
}

/* Equal in all but `because`. */
bool value_equal(struct value a, struct value b);

/*
 * What is known if it is one of the two. *@lost is set if an identity got
 * lost on the way; @lost may be NULL.
 */
struct value value_join(struct value a, struct value b, bool *lost);

/* 1, 0, or -1 for unknown. */
int value_truth(struct value v);

/* The value with at least the mark of @by. */
struct value value_marked(struct value v, struct value by);

/* Arithmetic of N_UNARY and N_BINARY but for && || and the comma. */
struct value value_unary(enum node_op op, struct value v);
struct value value_binary(enum node_op op, bool is_unsigned, struct value a,
			  struct value b);
/* To @bits bits (0: unchanged). */
struct value value_cast(struct value v, unsigned bits, bool is_unsigned);

/* "0", "NULL" for @pointer, "the root group", "unknown"; static or @buf. */
const char *value_text(struct value v, bool pointer, char buf[32]);

#endif
