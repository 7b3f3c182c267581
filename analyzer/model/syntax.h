/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions about a body as it stands, without evaluating it: for rules that
 * are about what code says, not about what it does in some state.
 *
 * Nodes belong to whoever decoded them; where one may be NULL, NULL is
 * nothing.
 */
#ifndef NOCHARGE_SYNTAX_H
#define NOCHARGE_SYNTAX_H

#include <stdbool.h>

#include "../parse/facts.h"

/* @node, which may be NULL, without casts around it. */
const struct node *syntax_bare(const struct node *node);

static inline bool syntax_is_local(const struct node *node, const char *name)
{
	node = syntax_bare(node);
	return node && node->kind == N_LOCAL && node->name == name;
}

/* Is @node a loop? What a macro does while (0) is none. */
bool syntax_loops(const struct node *node);

/* The name of the function that @node calls, or NULL. */
const char *syntax_callee(const struct node *node);

/* Both NULL, or the same but for lines, columns and casts? */
bool syntax_equal(const struct node *a, const struct node *b);

/* Is the local @name named in @node, which may be NULL? */
bool syntax_uses(const struct node *node, const char *name);

/*
 * The assignment in @scope that changes @what by @op: "x += n" for OP_ADD,
 * "x++" for OP_INC; or NULL.
 */
const struct node *syntax_change(const struct node *scope,
				 const struct node *what, enum node_op op);

/* What a local is given in some scope: every "x = ..." and initialiser. */
struct syntax_values {
	const struct node *value; /* the last one, or NULL */
	const struct node *at;    /* where it stands */
	uint32_t n;               /* other changes and "&x" count too */
};

void syntax_values(const struct node *scope, const char *name,
		   struct syntax_values *values);

/* Of what is in @node; a brace that ends it stands further down. */
uint32_t syntax_last_line(const struct node *node);

/*
 * Every call in @node, which may be NULL, in the order of the text. Stops
 * where @look says so and returns that call.
 */
const struct node *syntax_calls(const struct node *node,
				bool (*look)(void *data,
					     const struct node *call),
				void *data);

#endif
