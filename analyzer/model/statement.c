// SPDX-License-Identifier: GPL-2.0-only
#include "statement.h"

#include <inttypes.h>
#include <string.h>

/* More locals than this are not told apart in one statement. */
#define LOCALS_MAX 32

struct locals {
	const char *name[LOCALS_MAX];
	unsigned n;
};

/* Locals are known by the order in which the statement comes to them. */
static unsigned number(struct locals *locals, const char *name)
{
	unsigned i;

	for (i = 0; i < locals->n; i++)
		if (!strcmp(locals->name[i], name))
			break;
	if (i == locals->n && i < LOCALS_MAX)
		locals->name[locals->n++] = name;
	return i;
}

static void name_text(const struct node *node, struct locals *locals,
		      struct strbuf *out)
{
	const char *name = node->name ? node->name : "";

	switch (node->kind) {
	case N_LOCAL: case N_DECL:
		strbuf_addf(out, "$%u", number(locals, name));
		break;
	case N_GLOBAL: case N_FUNC: case N_FIELD: case N_FIELDINIT:
		strbuf_addstr(out, name);
		break;
	case N_INT:
		strbuf_addf(out, "%" PRId64, node->value);
		break;
	default:
		break;
	}
}

static void add_text(const struct node *node, struct locals *locals,
		     struct strbuf *out)
{
	if (!node) {
		strbuf_addch(out, '-');
		return;
	}
	strbuf_addf(out, "(%s", node_kind_name((enum node_kind)node->kind));
	if (node->op)
		strbuf_addf(out, " %s", node_op_name((enum node_op)node->op));
	strbuf_addch(out, ' ');
	name_text(node, locals, out);
	/* a body is not part of the statement that heads it */
	for (uint32_t i = 0; i < node->nkid; i++) {
		if (node->kind == N_IF && i)
			break;
		if (node->kind == N_LOOP && i == 3)
			break;
		if (node->kind == N_SWITCH && i)
			break;
		if (node->kind == N_DECL && i && !node->kid[i])
			break;
		add_text(node->kid[i], locals, out);
	}
	strbuf_addch(out, ')');
}

void statement_text(const struct node *node, struct strbuf *out)
{
	struct locals locals = { .n = 0 };

	add_text(node, &locals, out);
}
