// SPDX-License-Identifier: GPL-2.0-only
/* A flag write goes behind the charge, with the comment that it has. */
#include <ctype.h>
#include <string.h>

#include "../analyzer/model/order.h"
#include "planner.h"

/* A statement is in so many lines at most, and its comment. */
#define STATEMENT_LINES 4
#define COMMENT_LINES 40

static const char *line_of(struct planner *p, const char *text, uint32_t line)
{
	return line ? source_lines(text, line, line, p->arena) : NULL;
}

static const char *skip_blank(const char *line)
{
	return line + strspn(line, " \t");
}

static bool ends_with(const char *line, const char *end)
{
	size_t len = strlen(line), n = strlen(end);

	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len >= n && !strncmp(line + len - n, end, n);
}

/* The first line of the comment that ends above @line; @line for none. */
static uint32_t comment_above(struct planner *p, const char *text,
			      uint32_t line)
{
	const char *above = line_of(p, text, line - 1);
	uint32_t first = line;

	if (!above || !ends_with(above, "*/"))
		return line;
	while (above && first > 1 && line - first < COMMENT_LINES) {
		above = line_of(p, text, --first);
		if (above && strstr(above, "/*"))
			/* one that begins behind code is about that */
			return !strncmp(skip_blank(above), "/*", 2) ? first :
			       line;
	}
	return line;
}

/* The line with the end of the statement that begins @line; 0: it is odd. */
static uint32_t statement_end(struct planner *p, const char *text,
			      const char *callee, uint32_t line)
{
	const char *s = line_of(p, text, line);
	size_t len = strlen(callee);

	if (!s || strncmp(skip_blank(s), callee, len) ||
	    skip_blank(s)[len] != '(')
		return 0;
	for (uint32_t i = line; i < line + STATEMENT_LINES; i++) {
		s = line_of(p, text, i);
		if (!s || strchr(s, '{') || strchr(s, '#'))
			return 0;
		if (ends_with(s, ";"))
			return i;
		/* a comment behind it is part of it */
		if (strchr(s, ';'))
			return ends_with(s, "*/") ? i : 0;
	}
	return 0;
}

const char *plan_charge_order(struct planner *p, const struct remedy *r,
			      struct patch *patch)
{
	const struct order_pair *pair = model_order_of(p->in->model,
						       r->finding);
	const char *text = planner_text(p, r->fn->file, p->in->in);
	const char *charge, *write;
	struct order_move *move;
	struct edit *edit;
	uint32_t first, last;

	if (!pair || !text)
		return "what it is about is not seen any more";
	move = model_order_move(p->in->model, pair);
	if (move->prevents)
		return move->prevents;
	charge = order_charge(pair, move->into ? move->into->name :
			      r->fn->name);
	write = pair->write->callee;
	last = statement_end(p, text, write, move->from);
	if (!last)
		return "the write is no plain statement in the source";
	first = comment_above(p, text, move->from);
	patch->kind = "charge-order";
	patch->saves = 0; /* no instructions */
	patch->function = r->fn->name;
	edit = planner_edit(p, patch, "charge-order", r->fn->file);
	edit->held = source_lines(text, first, last, p->arena);
	edit->held_line = first;
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "write", PLAN_HELD);
	planner_name(edit, "charge", charge);
	if (move->into) {
		edit->form = "into";
		planner_name(edit, "callee", move->into->name);
		edit->back = arena_printf(p->arena, "%s%.*s%s(%s);",
			first < move->from ? arena_printf(p->arena, "%s\n",
				source_lines(text, first, move->from - 1,
					     p->arena)) : "",
			(int)strspn(line_of(p, text, move->from), " \t"),
			line_of(p, text, move->from), write, move->object);
	}
	patch->does = arena_printf(p->arena,
		"Call %s() first, and write the flag where that has "
		"succeeded%s. Until then nobody sees the object, so there is "
		"nobody for the barrier to order anything for, and nothing "
		"on the way reads the flag. Where it fails, or the function "
		"leaves before, the object is given up without the flag, "
		"which nobody looks at.", charge, move->into ?
		arena_printf(p->arena, ", in %s(), which nobody else calls",
			     move->into->name) : "");
	patch->pays = arena_printf(p->arena,
		"No instruction is saved, and where instructions are counted "
		"a barrier costs nothing: there is no figure of this change "
		"here. %s", rules_published(p->in->rules, r->finding->rule));
	return NULL;
}
