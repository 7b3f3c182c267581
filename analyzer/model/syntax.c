// SPDX-License-Identifier: GPL-2.0-only
#include "syntax.h"

const struct node *syntax_bare(const struct node *node)
{
	while (node && node->kind == N_CAST)
		node = node->kid[0];
	return node;
}

bool syntax_loops(const struct node *node)
{
	const struct node *cond;

	if (node->kind != N_LOOP)
		return false;
	cond = syntax_bare(node->kid[1]);
	return node->op != LOOP_DO || !cond || cond->kind != N_INT ||
	       cond->value;
}

const char *syntax_callee(const struct node *node)
{
	const struct node *callee;

	if (node->kind != N_CALL)
		return NULL;
	callee = syntax_bare(node->kid[0]);
	return callee && callee->kind == N_FUNC ? callee->name : NULL;
}

static bool has_name(const struct node *node)
{
	switch (node->kind) {
	case N_LOCAL: case N_GLOBAL: case N_FUNC: case N_FIELD:
	case N_FIELDINIT: case N_DECL: case N_GOTO: case N_LABEL:
		return true;
	default:
		return false;
	}
}

bool syntax_equal(const struct node *a, const struct node *b)
{
	a = syntax_bare(a);
	b = syntax_bare(b);
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind || a->op != b->op || a->nkid != b->nkid)
		return false;
	if (has_name(a) ? a->name != b->name : a->value != b->value)
		return false;
	for (uint32_t i = 0; i < a->nkid; i++)
		if (!syntax_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

bool syntax_uses(const struct node *node, const char *name)
{
	if (!node)
		return false;
	if (node->kind == N_LOCAL && node->name == name)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (syntax_uses(node->kid[i], name))
			return true;
	return false;
}

const struct node *syntax_change(const struct node *scope,
				 const struct node *what, enum node_op op)
{
	const struct node *found = NULL;

	if (scope->kind == N_ASSIGN && scope->op == op &&
	    syntax_equal(scope->kid[0], what))
		return scope;
	for (uint32_t i = 0; i < scope->nkid && !found; i++)
		if (scope->kid[i])
			found = syntax_change(scope->kid[i], what, op);
	return found;
}

/* Addresses that are only compared, as macros do to compare types. */
static bool compares_addresses(const struct node *node)
{
	const struct node *a, *b;

	if (node->kind != N_BINARY || (node->op != OP_EQ && node->op != OP_NE))
		return false;
	a = syntax_bare(node->kid[0]);
	b = syntax_bare(node->kid[1]);
	return a && b && a->kind == N_ADDR && b->kind == N_ADDR;
}

void syntax_values(const struct node *scope, const char *name,
		   struct syntax_values *values)
{
	const struct node *to = scope->nkid ? syntax_bare(scope->kid[0])
					    : NULL;

	if (scope->kind == N_DECL && scope->name == name && scope->kid[0]) {
		values->n++;
		values->value = scope->kid[0];
		values->at = scope;
	} else if ((scope->kind == N_ASSIGN || scope->kind == N_ADDR) && to &&
		   to->kind == N_LOCAL && to->name == name) {
		values->n++;
		values->value = scope->kind == N_ASSIGN &&
				scope->op == OP_SET ? scope->kid[1] : NULL;
		values->at = scope;
	}
	if (compares_addresses(scope))
		return;
	for (uint32_t i = 0; i < scope->nkid; i++)
		if (scope->kid[i])
			syntax_values(scope->kid[i], name, values);
}

uint32_t syntax_last_line(const struct node *node)
{
	uint32_t last = node->line;

	for (uint32_t i = 0; i < node->nkid; i++) {
		uint32_t line = node->kid[i] ?
				syntax_last_line(node->kid[i]) : 0;

		if (line > last)
			last = line;
	}
	return last;
}

const struct node *syntax_calls(const struct node *node,
				bool (*look)(void *data,
					     const struct node *call),
				void *data)
{
	const struct node *found = NULL;

	if (!node)
		return NULL;
	if (node->kind == N_CALL && look(data, node))
		return node;
	for (uint32_t i = 0; i < node->nkid && !found; i++)
		found = syntax_calls(node->kid[i], look, data);
	return found;
}
