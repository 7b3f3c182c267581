// SPDX-License-Identifier: GPL-2.0-only
#include "batch_search.h"

#include "effect.h"
#include "peek.h"

struct bounds {
	struct batch_search *search;
	struct peek peek[BATCH_DEPTH];
	unsigned depth;
	int open;      /* sections */
	bool yields;
	bool opened;   /* one was, at some time */
};

static bool count_bounds(void *data, const struct node *call)
{
	struct bounds *b = data;
	const struct kernel_rules *kernel = b->search->model->kernel;
	const char *name = syntax_callee(call);
	struct function *fn;
	enum effect_kind kind;

	if (!name)
		return false;
	if (names_match(&kernel->yield, name)) {
		b->yields = true;
		return false;
	}
	if (effect_section(kernel, name, &kind) >= 0) {
		b->open += kind == EFFECT_OPEN ? 1 : -1;
		b->opened |= b->open > 0;
		return false;
	}
	fn = program_function(b->search->in, name, b->search->fn->file);
	if (fn && fn->header && b->depth < BATCH_DEPTH) {
		struct node *body = peek_body(&b->peek[b->depth++], fn->func);
		bool opened = b->opened;
		int open = b->open;

		(void)syntax_calls(body, count_bounds, b);
		/* what it closes again is its own */
		b->opened = opened || b->open > open;
		b->depth--;
	}
	return false;
}

/* Sections and yields of @node, but for sections in loops inside of it. */
static void add_bounds(struct bounds *b, const struct node *node,
		       const struct node *stop, bool *stopped)
{
	if (node == stop)
		*stopped = true;
	if (*stopped)
		return;
	if (node->kind == N_CALL) {
		(void)count_bounds(b, node);
	} else if (syntax_loops(node) && !stop) {
		struct bounds inner = { .search = b->search };

		(void)syntax_calls(node, count_bounds, &inner);
		b->yields |= inner.yields;
		for (unsigned i = 0; i < BATCH_DEPTH; i++)
			peek_done(&inner.peek[i]);
		return;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			add_bounds(b, node->kid[i], stop, stopped);
}

/*
 * The batch bounds how long a lock is held or how long nobody else runs, as
 * far as the code says so: a section is opened in the loop or is open around
 * it, or the loop lets others run.
 */
bool batch_is_bounded(struct batch_search *search, const struct node *loop)
{
	struct bounds b = { .search = search };
	bool stopped = false, bounded;

	add_bounds(&b, search->body, loop, &stopped);
	bounded = b.open > 0;
	b.open = 0;
	b.opened = b.yields = false;
	stopped = false;
	for (uint32_t i = 0; i < loop->nkid; i++)
		if (loop->kid[i])
			add_bounds(&b, loop->kid[i], NULL, &stopped);
	bounded |= b.opened || b.yields;
	for (unsigned i = 0; i < BATCH_DEPTH; i++)
		peek_done(&b.peek[i]);
	return bounded;
}


/* --- what the callee holds --- */

struct holding {
	struct bounds bounds;
	const struct node *loop;
	bool behind;
	int least; /* sections open behind the loop, counted from its end */
};

static bool goes_over(const struct node *node, const char *array)
{
	if (!node)
		return false;
	if (node->kind == N_INDEX && syntax_is_local(node->kid[0], array))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (goes_over(node->kid[i], array))
			return true;
	return false;
}

static const struct node *find_loop(const struct node *node,
				    const char *array)
{
	const struct node *found = NULL;

	if (syntax_loops(node) && goes_over(node->kid[3], array))
		return node;
	for (uint32_t i = 0; i < node->nkid && !found; i++)
		if (node->kid[i])
			found = find_loop(node->kid[i], array);
	return found;
}

static void look_behind(struct holding *h, const struct node *node)
{
	if (node == h->loop) {
		h->behind = true;
		return;
	}
	if (h->behind && node->kind == N_CALL) {
		(void)count_bounds(&h->bounds, node);
		if (h->bounds.open < h->least)
			h->least = h->bounds.open;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			look_behind(h, node->kid[i]);
}

/* "++n == 32" */
static bool counts_up(const struct node *node)
{
	if (!node)
		return false;
	if (node->kind == N_BINARY &&
	    (node->op == OP_EQ || node->op == OP_GE || node->op == OP_GT)) {
		const struct node *n = syntax_bare(node->kid[0]);
		const struct node *most = syntax_bare(node->kid[1]);

		if (n && n->kind == N_ASSIGN && n->op == OP_INC && most &&
		    most->kind == N_INT)
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (counts_up(node->kid[i]))
			return true;
	return false;
}

/* A section is closed after so many elements. */
static bool lets_go(struct holding *h, const struct node *node)
{
	if (node->kind == N_IF && node->kid[1] && counts_up(node->kid[0])) {
		h->bounds.open = 0;
		(void)syntax_calls(node->kid[1], count_bounds, &h->bounds);
		if (h->bounds.open < 0 || h->bounds.yields)
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && lets_go(h, node->kid[i]))
			return true;
	return false;
}

enum batch_hold batch_hold(struct model *model, const struct batched *callee)
{
	struct batch_search search = {
		.model = model, .in = model->feature->in,
		.fn = (struct function *)callee->by,
		.body = facts_body(callee->by->func),
	};
	struct holding h = { .bounds = { .search = &search } };
	enum batch_hold hold = BATCH_FREE;

	if (!callee->array || !search.body)
		return BATCH_FREE;
	h.loop = find_loop(search.body, callee->array);
	if (!h.loop)
		return BATCH_FREE;
	look_behind(&h, search.body);
	if (h.least < 0)
		hold = lets_go(&h, h.loop) ? BATCH_LETS_GO : BATCH_HOLDS;
	for (unsigned i = 0; i < BATCH_DEPTH; i++)
		peek_done(&h.bounds.peek[i]);
	return hold;
}
