// SPDX-License-Identifier: GPL-2.0-only
/* Batches that are taken apart: pass all of them. */
#include <string.h>

#include "../analyzer/model/batch.h"
#include "../analyzer/model/syntax.h"
#include "planner.h"

/* What stands above the place where the callee lets go of its lock. */
#define LET_GO "whoever waits for the lock shall not wait for all of them"

static const struct batch_break *find_break(struct planner *p,
					    const struct remedy *r)
{
	const struct batch_break *at;

	if (!p->batch)
		p->batch = batch_breaks(p->in->model);
	for (at = p->batch; at; at = at->next)
		if (at->fn == r->fn && at->line == r->finding->line &&
		    at->column == r->finding->column)
			return at;
	return NULL;
}

/* What the facts tell apart in one function has one name in its text. */
static bool is_plain(const char *name)
{
	return !name || !strchr(name, '#');
}

static bool used_behind(const struct node *node, const struct node *loop,
			const char *name, bool *behind)
{
	if (node == loop) {
		*behind = true;
		return false;
	}
	if (*behind && node->kind == N_LOCAL && node->name == name)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && used_behind(node->kid[i], loop, name,
						behind))
			return true;
	return false;
}

/* A loop in the loop, which does something for each element of a part. */
static const struct node *inner_loop(const struct node *node)
{
	const struct node *found = NULL;

	for (uint32_t i = 0; i < node->nkid && !found; i++) {
		const struct node *kid = node->kid[i];

		if (kid)
			found = syntax_loops(kid) ? kid : inner_loop(kid);
	}
	return found;
}

/* What the text must be like for spatch to change nothing else; or NULL. */
static const char *no_shape(struct planner *p, const struct batch_break *at)
{
	const struct node *body = facts_body(at->fn->func), *inner;
	const char *const name[] = { at->cursor, at->left };

	if (at->whole->fn != at->called)
		return "what is done with each element in between must be "
		       "looked at before all of them are given up at once";
	if (at->whole->list || at->whole->count != 1)
		return arena_printf(p->arena, "the array and its length are "
				    "not the first arguments of '%s'",
				    at->called->name);
	if (at->loop->op == LOOP_DO)
		return "it is a do loop, which Coccinelle does not take away";
	if (!is_plain(at->part) || !is_plain(at->cursor) ||
	    !is_plain(at->left))
		return "it has two variables of one name";
	for (size_t i = 0; i < 2; i++) {
		bool behind = false;

		if (name[i] && used_behind(body, at->loop, name[i], &behind))
			return arena_printf(p->arena, "'%s' is used behind "
					    "the loop", name[i]);
	}
	if (planner_comments(p, at->fn->file, at->loop->line,
			     syntax_last_line(at->loop)))
		return "the comments in the loop would go with it";
	inner = inner_loop(at->loop);
	if (inner && (syntax_uses(inner->kid[3], at->part) ||
		      syntax_uses(inner->kid[3], at->left)))
		return "what it does for each element looks at how many are "
		       "in a part";
	return NULL;
}

/* Does @file see the constant that says for how many a lock is held? */
static bool sees_limit(struct planner *p, const struct function *fn)
{
	const struct facts *facts = fn->func->facts;
	const char *limit = p->in->kernel->lock_batch;
	const char *define;

	if (!limit)
		return false;
	define = arena_printf(p->arena, "#define %s", limit);
	for (uint32_t i = 0; i < facts->ndep; i++) {
		const char *text = planner_text(p, facts->dep[i], p->in->in);
		const char *s = text ? strstr(text, define) : NULL;

		if (s && strchr(" \t(", s[strlen(define)]))
			return true;
	}
	return false;
}

/* The callee must let go of its lock, which small batches made it do. */
static const char *let_go(struct planner *p, const struct batch_break *at,
			  struct patch *patch)
{
	const struct batched *whole = at->whole;
	struct edit *edit;

	if (batch_hold(p->in->model, whole) != BATCH_HOLDS) {
		patch->does = arena_printf(p->arena,
			"Pass all of it to %s() at once.", at->called->name);
		return NULL;
	}
	if (!sees_limit(p, whole->by))
		return arena_printf(p->arena, "'%s' holds a lock for as long "
			"as it goes over the array, and small batches bound "
			"that", whole->by->name);
	edit = planner_edit(p, patch, "batch-break", whole->by->file);
	edit->form = "hold";
	edit->once = LET_GO;
	planner_name(edit, "fn", whole->by->name);
	planner_name(edit, "array", whole->array);
	planner_name(edit, "limit", p->in->kernel->lock_batch);
	patch->does = arena_printf(p->arena,
		"Pass all of it to %s() at once. That %s() holds its lock "
		"for no more than %u elements was only so because no more "
		"were passed: let go of it there after %s.",
		at->called->name, whole->by->name, at->most,
		p->in->kernel->lock_batch);
	return NULL;
}

const char *plan_batch(struct planner *p, const struct remedy *r,
		       struct patch *patch)
{
	const struct batch_break *at = find_break(p, r);
	const char *why;
	struct edit *edit;

	if (!at)
		return "its place is not known any more";
	why = no_shape(p, at);
	if (!why)
		why = let_go(p, at, patch);
	if (why)
		return why;
	patch->kind = "batch-break";
	edit = planner_edit(p, patch, patch->kind, r->fn->file);
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "whole", at->called->name);
	planner_name(edit, "part", at->part);
	planner_name(edit, "cursor", at->cursor);
	planner_name(edit, "left", at->left);
	patch->pays = arena_printf(p->arena, "An empty array is passed as "
		"well now, and %s() has nothing to do with it then.",
		at->called->name);
	return NULL;
}
