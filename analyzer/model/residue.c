// SPDX-License-Identifier: GPL-2.0-only
#include "residue.h"

#include <string.h>

/* Operations of the stub, by kind and name, that are still to be found. */
struct done {
	const char *name;
	uint8_t op;
	bool cold;
	uint32_t times;
	struct done *next;
};

struct stub {
	struct arena *arena;
	struct done **table;
	size_t size;
};

static struct done **slot(struct stub *stub, uint8_t op, const char *name)
{
	uint64_t hash = ((uint64_t)(uintptr_t)name + op) *
			0x9e3779b97f4a7c15u;

	return &stub->table[(hash >> 32) & (stub->size - 1)];
}

/* Both ways of calling are one operation, under one name. */
static bool operation(const struct event *event, uint8_t *op)
{
	switch (event->kind) {
	case EV_OP:
	case EV_CALL:
		*op = event->op;
		return true;
	default:
		return false;
	}
}

static bool add_done(void *data, const struct event_at *at)
{
	struct stub *stub = data;
	bool cold = at->flags & EVENT_COLD;
	struct done *done, **first;
	uint8_t op;

	if (!operation(at->event, &op))
		return true;
	first = slot(stub, op, at->event->name);
	for (done = *first; done; done = done->next)
		if (done->op == op && done->name == at->event->name &&
		    done->cold == cold)
			break;
	if (!done) {
		done = ARENA_NEW(stub->arena, struct done);
		done->op = op;
		done->name = at->event->name;
		done->cold = cold;
		done->next = *first;
		*first = done;
	}
	done->times++;
	return true;
}

/*
 * What is done under unlikely() is found under unlikely() first; what is not
 * can only be found where the stub does it as a matter of course.
 */
static bool take_away(struct stub *stub, uint8_t op, const char *name,
		      bool cold)
{
	struct done *done, *found = NULL;

	for (done = *slot(stub, op, name); done; done = done->next) {
		if (done->op != op || done->name != name || !done->times ||
		    (done->cold && !cold))
			continue;
		found = done;
		if (done->cold == cold)
			break;
	}
	if (found)
		found->times--;
	return found;
}

struct collect {
	const struct model *model;
	struct function *fn;
	struct residue *residue;
	struct stub *stub;
	struct arena *arena;
	uint32_t cap, stub_cap;
};

static void through(struct collect *c, struct left *left,
		    const struct event_at *at)
{
	const struct event_at *up;
	uint32_t n = 0;

	for (up = at->up; up; up = up->up)
		n++;
	left->nthrough = n;
	left->through = ARENA_ARRAY(c->arena, struct function *, n);
	for (up = at->up; up; up = up->up)
		left->through[--n] = up->event->fn;
}

/* Grows at the powers of two. */
static struct left *add(struct collect *c, struct left **list, uint32_t *n,
			uint32_t *cap)
{
	struct left *more;

	if (*n == *cap) {
		*cap = *cap ? *cap * 2 : 16;
		more = ARENA_ARRAY(c->arena, struct left, *cap);
		if (*n)
			memcpy(more, *list, *n * sizeof(*more));
		*list = more;
	}
	return &(*list)[(*n)++];
}

static bool names(const struct func *func, const char *name)
{
	for (uint32_t i = 0; i < func->nref; i++)
		if (func->ref[i] == name)
			return true;
	return false;
}

/*
 * A stub can be a macro: then there is no such function without the feature,
 * and who calls it does something by itself.
 */
static bool callers_do(const struct model *model, const struct function *fn,
		       const char *name)
{
	const struct liveness *live = &model->live[fn->index];
	bool some = false;

	for (uint32_t i = 0; i < live->nin; i++) {
		const struct function *from = live->in[i]->from;

		if (live->in[i]->taken || !from->other ||
		    names(from->func, name))
			continue;
		if (!names(from->other->func, name))
			return false;
		some = true;
	}
	return some;
}

static bool done_by_stub(struct collect *c, const struct event_at *at,
			 uint8_t op)
{
	const struct event_at *outer = at;

	if (c->fn->other)
		return take_away(c->stub, op, at->event->name,
				 at->flags & EVENT_COLD);
	while (outer->up)
		outer = outer->up;
	return (outer->event->kind == EV_CALL ||
		outer->event->kind == EV_INLINE) &&
	       (!outer->event->fn || !outer->event->fn->differs) &&
	       callers_do(c->model, c->fn, outer->event->name);
}

static bool collect(void *data, const struct event_at *at)
{
	struct collect *c = data;
	struct residue *r = c->residue;
	const struct event *event = at->event;
	const struct event_at *outer = at;
	bool test = event->kind == EV_TEST;
	struct left *left;
	uint8_t op = 0;

	if (at->in->recursed)
		r->recursed = true;
	if (at->in->cut)
		r->cut = true;
	if (!test && !operation(event, &op))
		return true;
	if (!test && done_by_stub(c, at, op))
		left = add(c, &r->stub, &r->nstub, &c->stub_cap);
	else
		left = add(c, &r->left, &r->n, &c->cap);
	while (outer->up)
		outer = outer->up;
	*left = (struct left){
		.event = event, .in = at->in->fn, .flags = at->flags,
		.freq = at->freq, .op = op, .test = test,
		.callee = event->kind == EV_CALL ? event->fn : NULL,
		.own_line = outer->event->line,
	};
	through(c, left, at);
	return true;
}

struct residue *residue_of(const struct model *model, struct function *fn)
{
	struct residue *r = ARENA_NEW(model->arena, struct residue);
	struct stub stub = { .arena = model->arena, .size = 256 };
	struct collect c = { .model = model, .fn = fn, .residue = r,
			     .stub = &stub, .arena = model->arena };
	bool whole = true;

	stub.table = ARENA_ARRAY(model->arena, struct done *, stub.size);
	if (fn->other)
		whole = events_each(world_summary(model->out, fn->other,
				world_any_arguments(model->out, fn->other),
				fn->other->func->nparam), add_done, &stub);
	if (!events_each(model_judged(model, fn), collect, &c) || !whole) {
		world_cut(model->off, fn, "it does more than is looked at");
		r->cut = true;
	}
	r->guard = r->n;
	for (uint32_t i = 0; i < r->n; i++) {
		r->any_test |= r->left[i].test;
		if (r->guard == r->n && left_dominates(&r->left[i]))
			r->guard = i;
	}
	return r;
}
