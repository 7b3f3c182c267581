// SPDX-License-Identifier: GPL-2.0-only
#include "batch_search.h"

static bool is_number(const struct node *node, int64_t number)
{
	return node->kind == N_INT && node->value == number;
}

struct slice {
	int64_t most;
	const struct node *whole; /* what it is at most besides, or NULL */
	const struct node *at;    /* where that is said */
};

static bool slice_of(const struct node *scope, const struct node *node,
		   struct slice *slice, unsigned depth);

/* "a < b ? a : b", either way round, with a number for one of them. */
static bool least_of(const struct node *scope, const struct node *node,
		     struct slice *slice, unsigned depth)
{
	const struct node *cond = syntax_bare(node->kid[0]);
	const struct node *a, *b;
	struct slice other;

	if (!cond || cond->kind != N_BINARY || !node->kid[1])
		return false;
	a = node->kid[1];
	b = node->kid[2];
	if (cond->op == OP_GT || cond->op == OP_GE) {
		if (!syntax_equal(cond->kid[0], b) ||
		    !syntax_equal(cond->kid[1], a))
			return false;
	} else if (cond->op == OP_LT || cond->op == OP_LE) {
		if (!syntax_equal(cond->kid[0], a) ||
		    !syntax_equal(cond->kid[1], b))
			return false;
	} else {
		return false;
	}
	if (!slice_of(scope, a, slice, depth)) {
		const struct node *swap = a;

		a = b;
		b = swap;
		if (!slice_of(scope, a, slice, depth))
			return false;
	}
	if (slice->whole || slice_of(scope, b, &other, depth))
		return false;
	/* the temporaries of a macro */
	for (unsigned i = 0; i < BATCH_DEPTH; i++) {
		struct syntax_values values = { 0 };

		b = syntax_bare(b);
		if (!b || b->kind != N_LOCAL || scope->kind != N_STMTEXPR)
			break;
		syntax_values(scope, b->name, &values);
		if (values.n != 1 || !values.value ||
		    values.at->kind != N_DECL)
			break;
		b = values.value;
	}
	slice->whole = b;
	return b != NULL;
}

/* "x = whole; if (x > number) x = number;" */
static bool clipped(const struct node *node, const char *name,
		    struct slice *slice)
{
	const struct node *cond, *then;

	if (node->kind == N_IF && !node->kid[2] && node->kid[1]) {
		cond = syntax_bare(node->kid[0]);
		then = node->kid[1];
		while (then && (then->kind == N_EXPR ||
				then->kind == N_BLOCK) && then->nkid == 1)
			then = then->kid[0];
		if (cond && cond->kind == N_BINARY && cond->op == OP_GT &&
		    syntax_is_local(cond->kid[0], name) && then &&
		    then->kind == N_ASSIGN && then->op == OP_SET &&
		    syntax_is_local(then->kid[0], name) &&
		    syntax_equal(cond->kid[1], then->kid[1]) &&
		    syntax_bare(then->kid[1])->kind == N_INT) {
			slice->most = syntax_bare(then->kid[1])->value;
			slice->at = node;
			return true;
		}
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && clipped(node->kid[i], name, slice))
			return true;
	return false;
}

/* The first of two values that a local is given. */
static const struct node *first_value(const struct node *node,
				      const char *name)
{
	const struct node *found = NULL;

	if (node->kind == N_DECL && node->name == name && node->kid[0])
		return node->kid[0];
	if (node->kind == N_ASSIGN && node->op == OP_SET &&
	    syntax_is_local(node->kid[0], name))
		return node->kid[1];
	for (uint32_t i = 0; i < node->nkid && !found; i++)
		if (node->kid[i])
			found = first_value(node->kid[i], name);
	return found;
}

static bool slice_of(const struct node *scope, const struct node *node,
		   struct slice *slice, unsigned depth)
{
	struct syntax_values values = { 0 };

	node = syntax_bare(node);
	if (!node || depth > BATCH_DEPTH)
		return false;
	switch (node->kind) {
	case N_INT:
		*slice = (struct slice){ .most = node->value };
		return true;
	case N_LOCAL:
		syntax_values(scope, node->name, &values);
		if (values.n == 1 && values.value) {
			if (!slice_of(scope, values.value, slice, depth + 1))
				return false;
			slice->at = values.at;
			return true;
		}
		*slice = (struct slice){ .most = 0 };
		if (values.n != 2 || !clipped(scope, node->name, slice))
			return false;
		slice->whole = syntax_bare(first_value(scope, node->name));
		return slice->whole != NULL;
	case N_STMTEXPR:
		if (!node->nkid || !node->kid[node->nkid - 1])
			return false;
		scope = node;
		node = node->kid[node->nkid - 1];
		return node->kind == N_EXPR &&
		       slice_of(scope, node->kid[0], slice, depth + 1);
	case N_COND:
		return least_of(scope, node, slice, depth + 1);
	default:
		return false;
	}
}

/* What @call advances by in @loop, or by one where that is what it takes. */
static const struct node *advanced(const struct node *loop,
				   const struct node *what,
				   const struct node *part, enum node_op op)
{
	const struct node *change = syntax_change(loop, what, op);

	if (change && syntax_equal(change->kid[1], part))
		return change;
	if (!is_number(syntax_bare(part), 1))
		return NULL;
	return syntax_change(loop, what, op == OP_ADD ? OP_INC : OP_DEC);
}

/* The local that says where in the array the next call begins, or NULL. */
static const char *find_cursor(const struct node *loop,
			       const struct node *list,
			       const struct node *part)
{
	const struct node *cursor = syntax_bare(list);

	if (cursor && cursor->kind == N_ADDR)
		cursor = syntax_bare(cursor->kid[0]);
	if (cursor && (cursor->kind == N_INDEX ||
		       (cursor->kind == N_BINARY && cursor->op == OP_ADD)))
		cursor = syntax_bare(cursor->kid[1]);
	if (!cursor || cursor->kind != N_LOCAL ||
	    !advanced(loop, cursor, part, OP_ADD))
		return NULL;
	return cursor->name;
}

/*
 * Is all of it there from the start? It is counted down by what was done, or
 * a limit for the cursor.
 */
static bool whole_at_hand(const struct node *loop, const struct slice *slice,
			  const struct node *part, const char *cursor,
			  const char **left)
{
	const struct node *whole = syntax_bare(slice->whole);
	const struct node *cond = syntax_bare(loop->kid[1]);

	*left = NULL;
	if (!whole)
		return cond && cond->kind == N_BINARY &&
		       cond->op == OP_LT && syntax_is_local(cond->kid[0], cursor);
	if (whole->kind == N_BINARY && whole->op == OP_SUB)
		return syntax_is_local(whole->kid[1], cursor);
	if (!advanced(loop, whole, part, OP_SUB))
		return false;
	if (whole->kind == N_LOCAL)
		*left = whole->name;
	return true;
}

static void look_at_call(struct batch_search *search, const struct node *call,
			 const struct node *loop)
{
	const char *name = syntax_callee(call);
	const struct batched *to = name ? batch_find(search, name) : NULL;
	const struct node *part, *at;
	const char *cursor, *left;
	struct slice slice = { 0 };

	if (!to || to->list + 1 >= call->nkid || to->count + 1 >= call->nkid)
		return;
	part = call->kid[to->count + 1];
	if (!slice_of(loop, part, &slice, 0) || slice.most < 1 ||
	    slice.most > BATCH_SMALL)
		return;
	cursor = find_cursor(loop, call->kid[to->list + 1], part);
	if (!cursor || !whole_at_hand(loop, &slice, part, cursor, &left) ||
	    batch_is_bounded(search, loop))
		return;
	at = slice.at ? slice.at : call;
	part = syntax_bare(part);
	batch_add(search, &(struct batch_break){
		.called = to->fn, .whole = to, .call = call, .loop = loop,
		.line = at->line, .column = at->column,
		.most = (unsigned)slice.most,
		.part = part->kind == N_LOCAL ? part->name : NULL,
		.cursor = cursor, .left = left,
	});
}

static void look_for_cuts(struct batch_search *search, const struct node *node,
			  const struct node *loop)
{
	if (syntax_loops(node))
		loop = node;
	else if (node->kind == N_CALL && loop)
		look_at_call(search, node, loop);
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			look_for_cuts(search, node->kid[i], loop);
}

void batch_look_for_cuts(struct batch_search *search)
{
	look_for_cuts(search, search->body, NULL);
}
