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

