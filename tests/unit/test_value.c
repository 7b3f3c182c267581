// SPDX-License-Identifier: GPL-2.0-only
/* Abstract values: joins, comparisons, arithmetic as the target does it. */
#include "model/value.h"
#include "tap.h"

static struct value number(int64_t n)
{
	return value_const(n, MARK_SOURCE, NULL);
}

static struct value off(int64_t n)
{
	return value_const(n, MARK_FACT, "fact");
}

static struct value root(void)
{
	struct value v = value_object(OBJECT_ROOT, NULL);

	v.mark = MARK_FACT;
	return v;
}

static void joins(void)
{
	static const int a, b;
	bool lost = false;
	struct value v;

	v = value_join(number(0), off(0), NULL);
	tap_ok(v.kind == V_CONST && v.mark == MARK_FACT,
	       "equal values join to the stronger mark");
	v = value_join(off(0), root(), NULL);
	tap_ok(v.kind == V_NULL_OR_ROOT, "NULL and root join to either");
	v = value_join(v, root(), NULL);
	tap_ok(v.kind == V_NULL_OR_ROOT, "either takes in root");
	v = value_join(v, number(7), NULL);
	tap_ok(v.kind == V_UNKNOWN, "either and a number are unknown");
	v = value_join(value_object(OBJECT_GLOBAL, &a),
		       value_object(OBJECT_GLOBAL, &b), &lost);
	tap_ok(v.kind == V_OBJECT && v.object == OBJECT_ANY && lost,
	       "two objects join to some object, and what they were is lost");
	lost = false;
	v = value_join(value_object(OBJECT_GLOBAL, &a),
		       value_object(OBJECT_GLOBAL, &a), &lost);
	tap_ok(v.id == &a && !lost, "one object joined with itself stays");
}

static void truths(void)
{
	tap_ok(value_truth(off(0)) == 0, "NULL is false");
	tap_ok(value_truth(root()) == 1, "root is true");
	tap_ok(value_truth(VALUE_UNKNOWN) == -1, "unknown is neither");
	tap_ok(value_binary(OP_EQ, false, root(), off(0)).number == 0 &&
	       value_binary(OP_EQ, false, root(), off(0)).kind == V_CONST,
	       "root is not NULL");
	tap_ok(value_binary(OP_EQ, false, root(), root()).number == 1,
	       "root is root: there is one");
	tap_ok(value_binary(OP_NE, false, value_object(OBJECT_ANY, NULL),
			    value_object(OBJECT_ANY, NULL)).kind == V_UNKNOWN,
	       "two objects may be one");
}

static void arithmetic(void)
{
	struct value v;

	v = value_binary(OP_AND, false, off(0), VALUE_UNKNOWN);
	tap_ok(v.kind == V_CONST && !v.number && v.mark == MARK_FACT,
	       "no bit of zero is set, and the mark stays");
	v = value_binary(OP_OR, false, VALUE_UNKNOWN, off(1));
	tap_ok(value_truth(v) == 1 && v.kind != V_CONST &&
	       v.mark == MARK_FACT, "a set bit stays set, and so the mark");
	v = value_binary(OP_OR, false, off(0), VALUE_UNKNOWN);
	tap_ok(value_truth(v) == -1, "no set bit says nothing");
	v = value_binary(OP_LT, true, number(-1), number(1));
	tap_ok(v.number == 0, "unsigned: all ones is not below one");
	v = value_binary(OP_LT, false, number(-1), number(1));
	tap_ok(v.number == 1, "signed: minus one is below one");
	v = value_binary(OP_LT, true, VALUE_UNKNOWN, number(0));
	tap_ok(v.kind == V_CONST && !v.number,
	       "unsigned: nothing is below zero");
	v = value_binary(OP_DIV, false, number(1), number(0));
	tap_ok(v.kind == V_UNKNOWN, "a division by zero is unknown");
	v = value_binary(OP_DIV, false, number(INT64_MIN), number(-1));
	tap_ok(v.kind == V_UNKNOWN, "a division that overflows is unknown");
	v = value_binary(OP_SHL, false, number(1), number(64));
	tap_ok(v.kind == V_UNKNOWN, "a shift too far is unknown");
	v = value_binary(OP_SHR, false, number(-8), number(1));
	tap_ok(v.number == -4, "a signed shift keeps the sign");
	v = value_binary(OP_SHR, true, number(-1), number(63));
	tap_ok(v.number == 1, "an unsigned shift does not");
	v = value_binary(OP_ADD, false, number(INT64_MAX), number(1));
	tap_ok(v.number == INT64_MIN, "a sum wraps");
	tap_ok(value_cast(number(0x1ff), 8, true).number == 0xff,
	       "a cast cuts");
	tap_ok(value_cast(number(0xff), 8, false).number == -1,
	       "a signed cast extends");
	tap_ok(value_cast(number(5), 0, false).number == 5 &&
	       value_cast(number(5), 64, false).number == 5,
	       "a cast to all bits changes nothing");
	tap_ok(value_unary(OP_NOT, root()).number == 0, "not root is false");
	tap_ok(value_unary(OP_NEG, number(INT64_MIN)).number == INT64_MIN,
	       "a negation wraps");
}

int main(void)
{
	joins();
	truths();
	arithmetic();
	return tap_done();
}
