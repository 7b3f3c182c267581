// SPDX-License-Identifier: GPL-2.0-only
#include "missed.h"

#include <string.h>

/* Rounds in which one more function may be found to be reached. */
#define ROUNDS_MAX 64

/*
 * Runs by itself. Who makes the group, which is not there yet when it is
 * called, reads what it has made itself and not what others store later.
 */
static bool starts(const struct liveness *live)
{
	const struct callback *callback = live->callback;

	if (callback)
		return !callback->narg || callback->arg[0] != ARG_NULL;
	return live->root;
}

/* A function that runs when an item that it was made the work of is queued. */
struct work_item {
	const struct function *fn;
	const char *name;
};

struct work_items {
	struct work_item *item;
	size_t n, cap;
};

static void find_work(struct missed *m, struct work_items *work)
{
	struct program *in = m->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct summary *s = m->model->off->memo[i];

		for (; s; s = s->next)
			for (uint32_t k = 0; k < s->nevent; k++) {
				const struct event *event = &s->event[k];

				if (event->kind != EV_WORK || !event->fn)
					continue;
				GROW_LIST(m->arena, work->item, work->n,
					  work->cap);
				work->item[work->n++] = (struct work_item){
					event->fn, event->name,
				};
			}
	}
}

/* Does somebody who is reached hand the item to a call? */
static bool is_queued(const struct missed *m, const bool *alive,
		      const char *item)
{
	struct program *in = m->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct summary *s = m->model->off->memo[i];

		if (!alive[i])
			continue;
		for (; s; s = s->next)
			for (uint32_t k = 0; k < s->nevent; k++)
				if (s->event[k].kind == EV_NAMED &&
				    s->event[k].name == item)
					return true;
	}
	return false;
}

static bool is_reached(const struct missed *m, const struct work_items *work,
		       const bool *alive, uint32_t index)
{
	const struct function *fn = m->model->feature->in->function[index];
	const struct liveness *live = &m->model->live[index];
	bool is_work = false;

	for (size_t i = 0; i < work->n; i++) {
		if (work->item[i].fn != fn)
			continue;
		is_work = true;
		if (is_queued(m, alive, work->item[i].name))
			return true;
	}
	for (uint32_t i = 0; i < live->nin; i++)
		/* to be made the work of an item is not to run */
		if (alive[live->in[i]->from->index] &&
		    !(is_work && live->in[i]->taken))
			return true;
	return !live->nin && live->via && !is_work &&
	       alive[live->via->index];
}

/* Who is reached without going through what is taken away. */
static void find_gone(struct missed *m, struct function *const *fn, size_t n)
{
	struct program *in = m->model->feature->in;
	bool *alive = ARENA_ARRAY(m->arena, bool, in->nfunction);
	bool *cut = ARENA_ARRAY(m->arena, bool, in->nfunction);
	struct work_items work = { 0 };
	bool changed = true;

	find_work(m, &work);
	for (size_t i = 0; i < n; i++)
		cut[fn[i]->index] = true;
	for (uint32_t i = 0; i < in->nfunction; i++)
		alive[i] = starts(&m->model->live[i]) && !cut[i];
	for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
		changed = false;
		for (uint32_t i = 0; i < in->nfunction; i++) {
			if (alive[i] || cut[i] ||
			    !is_reached(m, &work, alive, i))
				continue;
			alive[i] = changed = true;
		}
	}
	m->gone = ARENA_ARRAY(m->arena, bool, in->nfunction);
	for (uint32_t i = 0; i < in->nfunction; i++)
		m->gone[i] = !alive[i];
}

static bool loads(const struct event *event, const char *name)
{
	if (event->name != name)
		return false;
	return event->kind == EV_NAMED || event->kind == EV_GLOBAL ||
	       (event->kind == EV_OP && (event->op == OP_KIND_LOAD ||
					 event->op == OP_KIND_GLOAD));
}

/* Who else reads @name when it is off, or NULL. */
static const struct function *reader(const struct missed *m,
				     const char *name)
{
	struct program *in = m->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct liveness *live = &m->model->live[i];
		const struct summary *s = m->model->off->memo[i];

		if (m->gone[i] || (!live->live && !live->inlined))
			continue;
		for (; s; s = s->next)
			for (uint32_t k = 0; k < s->nevent; k++)
				if (loads(&s->event[k], name))
					return in->function[i];
	}
	return NULL;
}

static bool done_by(const struct effects *stub, const struct effect *effect)
{
	for (size_t i = 0; stub && i < stub->n; i++)
		if (!strcmp(stub->effect[i].text, effect->text))
			return true;
	return false;
}

static bool is_missed(struct missed *m, const struct effects *stub,
		      const struct effect *effect)
{
	const struct memory *to = &effect->to;
	const struct function *by;

	if ((effect->kind != EFFECT_STORE && effect->kind != EFFECT_ASM) ||
	    to->local || !to->leaf || done_by(stub, effect))
		return false;
	m->file = effect->frame->s->fn->file;
	m->line = effect->event->line;
	by = reader(m, interned(m->model->strings, to->leaf));
	if (!by)
		return false;
	m->what = arena_printf(m->model->arena, "it stores to '%s', which "
			       "'%s' reads in the off state too", to->leaf,
			       by->name);
	return true;
}

static struct effects *stub_effects(const struct missed *m,
				    const struct function *fn)
{
	struct function *stub = fn->stays ? NULL : fn->other;

	if (!stub)
		return NULL;
	return effects_of(m->model, m->model->out,
			  world_summary(m->model->out, stub,
					world_any_arguments(m->model->out,
							    stub),
					stub->func->nparam), m->arena);
}

bool missed_any(struct missed *m, struct model *model,
		struct function *const *fn, size_t n)
{
	*m = (struct missed){ .model = model, .arena = arena_new() };
	find_gone(m, fn, n);
	for (size_t i = 0; i < n && !m->what; i++) {
		const struct effects *stub = stub_effects(m, fn[i]);
		const struct effects *effects;

		effects = effects_of(model, model->off,
				     model_judged(model, fn[i]), m->arena);
		for (size_t k = 0; k < effects->n && !m->what; k++)
			is_missed(m, stub, &effects->effect[k]);
	}
	arena_free(m->arena);
	m->arena = NULL;
	m->gone = NULL;
	return m->what;
}

void missed_sections(struct model *model, struct function *fn, int *net)
{
	struct arena *arena = arena_new();
	const struct effects *effects;

	memset(net, 0, model->kernel->nsection * sizeof(*net));
	effects = effects_of(model, model->off, model_judged(model, fn),
			     arena);
	for (size_t i = 0; i < effects->n; i++) {
		const struct effect *effect = &effects->effect[i];

		if (effect->flags & EVENT_MAYBE)
			continue;
		if (effect->kind == EFFECT_OPEN)
			net[effect->section]++;
		else if (effect->kind == EFFECT_CLOSE)
			net[effect->section]--;
	}
	arena_free(arena);
}
