// SPDX-License-Identifier: GPL-2.0-only
#include "value.h"

#include <inttypes.h>
#include <stdio.h>

bool value_equal(struct value a, struct value b)
{
	if (a.kind != b.kind || a.mark != b.mark)
		return false;
	switch (a.kind) {
	case V_CONST:
		return a.number == b.number;
	case V_OBJECT:
	case V_UNKNOWN:
		if (a.object != b.object)
			return false;
		return a.object == OBJECT_SLOT ? a.slot == b.slot
					       : a.id == b.id;
	default:
		return true;
	}
}

static bool same_thing(struct value a, struct value b)
{
	a.mark = b.mark;
	return value_equal(a, b);
}

/* NULL, the root group, or either. */
static bool null_or_root(struct value v)
{
	return value_is_zero(v) || value_is_root(v) ||
	       v.kind == V_NULL_OR_ROOT;
}

struct value value_join(struct value a, struct value b, bool *lost)
{
	struct value stronger = a.mark >= b.mark ? a : b, v;

	if (same_thing(a, b))
		return stronger;
	if (lost && (value_has_identity(a) || value_has_identity(b)))
		*lost = true;
	v = (struct value){ .kind = V_UNKNOWN, .mark = stronger.mark,
			    .because = stronger.because };
	if (a.kind == V_OBJECT && b.kind == V_OBJECT)
		v.kind = V_OBJECT;
	else if (null_or_root(a) && null_or_root(b))
		v.kind = V_NULL_OR_ROOT;
	else
		return VALUE_UNKNOWN;
	return v;
}

int value_truth(struct value v)
{
	if (v.kind == V_CONST)
		return v.number != 0;
	return v.kind == V_OBJECT ? 1 : -1;
}

struct value value_marked(struct value v, struct value by)
{
	if (by.mark > v.mark) {
		v.mark = by.mark;
		v.because = by.because;
	}
	return v;
}

struct value value_unary(enum node_op op, struct value v)
{
	int truth;

	switch (op) {
	case OP_NOT:
		truth = value_truth(v);
		if (truth < 0)
			return VALUE_UNKNOWN;
		return value_const(!truth, v.mark, v.because);
	case OP_NEG:
		if (v.kind == V_CONST)
			return value_const((int64_t)(0 - (uint64_t)v.number),
					   v.mark, v.because);
		break;
	case OP_COMPL:
		if (v.kind == V_CONST)
			return value_const(~v.number, v.mark, v.because);
		break;
	default:
		break;
	}
	return VALUE_UNKNOWN;
}

static bool divide(enum node_op op, bool is_unsigned, int64_t x, int64_t y,
		   int64_t *out)
{
	if (!y || (x == INT64_MIN && y == -1))
		return false;
	if (is_unsigned)
		*out = (int64_t)(op == OP_DIV ? (uint64_t)x / (uint64_t)y
					      : (uint64_t)x % (uint64_t)y);
	else
		*out = op == OP_DIV ? x / y : x % y;
	return true;
}

static bool compare(enum node_op op, bool is_unsigned, int64_t x, int64_t y)
{
	bool less = is_unsigned ? (uint64_t)x < (uint64_t)y : x < y;

	switch (op) {
	case OP_LT: return less;
	case OP_GE: return !less;
	case OP_GT: return !less && x != y;
	case OP_LE: return less || x == y;
	case OP_EQ: return x == y;
	default:    return x != y;
	}
}

/* Both sides are numbers: false if the result is not to be known. */
static bool calculate(enum node_op op, bool is_unsigned, int64_t x, int64_t y,
		      int64_t *out)
{
	uint64_t a = (uint64_t)x, b = (uint64_t)y;

	switch (op) {
	case OP_ADD: *out = (int64_t)(a + b); return true;
	case OP_SUB: *out = (int64_t)(a - b); return true;
	case OP_MUL: *out = (int64_t)(a * b); return true;
	case OP_AND: *out = x & y; return true;
	case OP_OR:  *out = x | y; return true;
	case OP_XOR: *out = x ^ y; return true;
	case OP_DIV: case OP_REM:
		return divide(op, is_unsigned, x, y, out);
	case OP_SHL:
		if (b > 63)
			return false;
		*out = (int64_t)(a << b);
		return true;
	case OP_SHR:
		if (b > 63)
			return false;
		if (is_unsigned || x >= 0)
			*out = (int64_t)(a >> b);
		else
			*out = (int64_t)~(~a >> b);
		return true;
	case OP_LT: case OP_GT: case OP_LE: case OP_GE: case OP_EQ: case OP_NE:
		*out = compare(op, is_unsigned, x, y);
		return true;
	default:
		return false;
	}
}

/* Are two pointers the same object? 1, 0 or -1. */
static int same_object(struct value a, struct value b)
{
	if (a.kind == V_OBJECT && value_is_zero(b))
		return 0;
	if (b.kind == V_OBJECT && value_is_zero(a))
		return 0;
	if (a.kind != V_OBJECT || b.kind != V_OBJECT || a.object != b.object)
		return -1;
	switch (a.object) {
	case OBJECT_ROOT:
		return 1; /* the group record has one instance */
	case OBJECT_GLOBAL: case OBJECT_FUNC:
		return a.id == b.id;
	case OBJECT_SLOT:
		return a.slot == b.slot ? 1 : -1;
	default:
		return -1;
	}
}

struct value value_binary(enum node_op op, bool is_unsigned, struct value a,
			  struct value b)
{
	struct value stronger = a.mark >= b.mark ? a : b;
	int64_t out;
	int same;

	if (a.kind == V_CONST && b.kind == V_CONST) {
		if (!calculate(op, is_unsigned, a.number, b.number, &out))
			return VALUE_UNKNOWN;
		return value_const(out, stronger.mark, stronger.because);
	}
	switch (op) {
	case OP_EQ: case OP_NE:
		same = same_object(a, b);
		if (same < 0)
			break;
		return value_const((same == 1) == (op == OP_EQ),
				   stronger.mark, stronger.because);
	case OP_AND: case OP_MUL:
		if (value_is_zero(a))
			return a;
		if (value_is_zero(b))
			return b;
		break;
	case OP_SHL: case OP_SHR: case OP_DIV: case OP_REM:
		if (value_is_zero(a))
			return a;
		break;
	case OP_OR:
		/* not zero, whatever the other is: not more than that */
		if ((a.kind == V_CONST && a.number) ||
		    (b.kind == V_CONST && b.number)) {
			struct value set = a.kind == V_CONST ? a : b;

			return (struct value){ .kind = V_OBJECT,
					       .mark = set.mark,
					       .because = set.because };
		}
		/* fall through */
	case OP_ADD:
		if (value_is_zero(a))
			return b;
		/* fall through */
	case OP_SUB:
		if (value_is_zero(b))
			return a;
		/*
		 * container_of(): still an object. What is merely known not
		 * to be zero may be a number.
		 */
		if (a.kind == V_OBJECT && a.object != OBJECT_ANY &&
		    a.object != OBJECT_SLOT && b.kind == V_CONST) {
			a.object = OBJECT_ANY;
			a.id = NULL;
			return a;
		}
		break;
	case OP_LT: /* nothing unsigned is below zero */
		if (is_unsigned && value_is_zero(b))
			return value_const(0, b.mark, b.because);
		break;
	case OP_GE:
		if (is_unsigned && value_is_zero(b))
			return value_const(1, b.mark, b.because);
		break;
	case OP_GT:
		if (is_unsigned && value_is_zero(a))
			return value_const(0, a.mark, a.because);
		break;
	case OP_LE:
		if (is_unsigned && value_is_zero(a))
			return value_const(1, a.mark, a.because);
		break;
	default:
		break;
	}
	return VALUE_UNKNOWN;
}

struct value value_cast(struct value v, unsigned bits, bool is_unsigned)
{
	uint64_t n;

	if (v.kind != V_CONST || !bits || bits >= 64)
		return v;
	n = (uint64_t)v.number & (((uint64_t)1 << bits) - 1);
	if (!is_unsigned && n >> (bits - 1))
		n |= ~(((uint64_t)1 << bits) - 1);
	v.number = (int64_t)n;
	return v;
}

const char *value_text(struct value v, bool pointer, char buf[32])
{
	switch (v.kind) {
	case V_CONST:
		if (pointer && !v.number)
			return "NULL";
		snprintf(buf, 32, "%" PRId64, v.number);
		return buf;
	case V_OBJECT:
		return v.object == OBJECT_ROOT ? "the root group" : "not NULL";
	case V_NULL_OR_ROOT:
		return "NULL or the root group";
	default:
		return "unknown";
	}
}
