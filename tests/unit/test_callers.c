// SPDX-License-Identifier: GPL-2.0-only
/* Which text holds a call of what is looked for, by way of whom. */
#include "base/rules.h"
#include "callers.h"
#include "tap.h"

static const char *name[] = { "pool_charge", "pool_*_charge" };
static const char *record[] = { "item" };
static const struct names names = { name, 2 }, records = { record, 1 };

static struct callers *callers;
static bool more;

static bool look(const char *text)
{
	more = false;
	return callers_look(callers, text, strlen(text), &more);
}

static bool give(const char *text)
{
	more = false;
	return callers_give(callers, text, strlen(text), &more);
}

int main(void)
{
	callers = callers_new(&names, &records);
	callers_begin(callers);
	tap_ok(!look("int f(struct item *i)\n{\n\treturn pool_add(i);\n}\n"),
	       "a call of another function");
	tap_ok(!look("int pool_charge(struct item *item);\n"),
	       "a prototype is no call");
	tap_ok(look("int f(int n)\n{\n\treturn pool_charge(new(n));\n}\n"),
	       "a call");
	tap_ok(!more, "its function is handed no object");
	tap_ok(look("int g(void)\n{\n\treturn pool_new_charge(x);\n}\n"),
	       "a call of what a pattern says");
	tap_ok(look("struct item *h(int n)\n{\n\tpool_charge(n);\n}\n") && !more,
	       "a function that gives an object back is handed none");
	tap_ok(look("int add(struct list *l,\n\tstruct item *i)\n{\n"
		    "\treturn pool_charge(i);\n}\n") && more,
	       "a function that hands on what it is given");
	tap_ok(look("int k(void)\n{\n\treturn add(l, new());\n}\n") && !more,
	       "a call of that one");
	tap_ok(look("#define ADD(l, i) add(l, i)\n") && more,
	       "so is a macro that calls it");
	tap_ok(look("int m(void)\n{\n\treturn ADD(l, new());\n}\n") && !more,
	       "a use of that");
	tap_ok(look("int n(void)\n{\n\tx = made(1);\n\treturn add(l, x);\n}\n"),
	       "a call with what another function has given");
	tap_ok(!give("struct item *other(int n)\n{\n\treturn 0;\n}\n"),
	       "a function that gives what nobody charges");
	tap_ok(!give("struct item *made(int n);\n"),
	       "a prototype of one whose result is charged");
	tap_ok(give("static struct item *made(int n)\n{\n\treturn deep(n);\n}\n") &&
	       more, "its definition, which asks for another");
	tap_ok(give("struct item *\ndeep(int n)\n{\n\treturn 0;\n}\n") && !more,
	       "that one, with its name in a line of its own");
	tap_ok(!give("int made(struct item *i)\n{\n\treturn 0;\n}\n") &&
	       !give("struct item") && !give("struct item *made") &&
	       !give("struct item *made("), "what is no function that gives one");
	callers_free(callers);
	return tap_done();
}
