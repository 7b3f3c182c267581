// SPDX-License-Identifier: GPL-2.0-only
#include "statement.h"

#include <inttypes.h>
#include <string.h>

static void name_text(const struct node *node, struct strbuf *out)
{
	const char *name = node->name ? node->name : "";

	switch (node->kind) {
	case N_LOCAL: case N_DECL:
		strbuf_add(out, name, strcspn(name, "#"));
		break;
	case N_GLOBAL: case N_FUNC: case N_FIELD: case N_FIELDINIT:
	case N_GOTO: case N_LABEL:
		strbuf_addstr(out, name);
		break;
	case N_INT:
		strbuf_addf(out, "%" PRId64, node->value);
		break;
	default:
		break;
	}
}

void statement_text(const struct node *node, struct strbuf *out)
{
	if (!node) {
		strbuf_addch(out, '-');
		return;
	}
	strbuf_addf(out, "(%s", node_kind_name((enum node_kind)node->kind));
	if (node->op)
		strbuf_addf(out, " %s", node_op_name((enum node_op)node->op));
	strbuf_addch(out, ' ');
	name_text(node, out);
	/* a body is not part of the statement that heads it */
	for (uint32_t i = 0; i < node->nkid; i++) {
		if (node->kind == N_IF && i)
			break;
		if (node->kind == N_LOOP && i == 3)
			break;
		if (node->kind == N_SWITCH && i)
			break;
		statement_text(node->kid[i], out);
	}
	strbuf_addch(out, ')');
}
