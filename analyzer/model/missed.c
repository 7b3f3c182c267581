// SPDX-License-Identifier: GPL-2.0-only
#include "missed.h"

#include <string.h>

/* Rounds in which one more function may be found to be reached. */
#define ROUNDS_MAX 64

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

/*
 * Who runs. What runs once at boot, before anybody uses the group, reads what
 * it has made itself and not what others store later; but it asks for work
 * and hands out functions that run ever after.
 */
struct reach {
	bool *alive, *boot, *cut;
};

static bool runs(const struct reach *reach, uint32_t index)
{
	return reach->alive[index] || reach->boot[index];
}

/* Does somebody who runs hand the item to a call? */
static bool is_queued(const struct missed *m, const struct reach *reach,
		      const char *item)
{
	struct program *in = m->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct summary *s = m->model->off->memo[i];

		if (!runs(reach, i))
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
		       const struct reach *reach, uint32_t index)
{
	const struct function *fn = m->model->feature->in->function[index];
	const struct liveness *live = &m->model->live[index];
	bool is_work = false;

	for (size_t i = 0; i < work->n; i++) {
		if (work->item[i].fn != fn)
			continue;
		is_work = true;
		if (is_queued(m, reach, work->item[i].name))
			return true;
	}
	for (uint32_t i = 0; i < live->nin; i++) {
		uint32_t from = live->in[i]->from->index;

		/* to be made the work of an item is not to run */
		if (live->in[i]->taken ? runs(reach, from) && !is_work :
		    reach->alive[from])
			return true;
	}
	return !live->nin && live->via && !is_work &&
	       runs(reach, live->via->index);
}

static bool is_called_at_boot(const struct missed *m,
			      const struct reach *reach, uint32_t index)
{
	const struct liveness *live = &m->model->live[index];

	for (uint32_t i = 0; i < live->nin; i++)
		if (!live->in[i]->taken &&
		    reach->boot[live->in[i]->from->index])
			return true;
	return false;
}

/* Who is reached without going through what is taken away. */
static void find_gone(struct missed *m, struct function *const *fn, size_t n)
{
	struct program *in = m->model->feature->in;
	struct reach reach = {
		.alive = ARENA_ARRAY(m->arena, bool, in->nfunction),
		.boot = ARENA_ARRAY(m->arena, bool, in->nfunction),
		.cut = ARENA_ARRAY(m->arena, bool, in->nfunction),
	};
	struct work_items work = { 0 };
	bool changed = true;

	find_work(m, &work);
	for (size_t i = 0; i < n; i++)
		reach.cut[fn[i]->index] = true;
	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct liveness *live = &m->model->live[i];

		if (reach.cut[i])
			continue;
		if (live->callback && live->callback->boot)
			reach.boot[i] = true;
		else
			reach.alive[i] = live->root || live->callback;
	}
	for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
		changed = false;
		for (uint32_t i = 0; i < in->nfunction; i++) {
			if (reach.cut[i])
				continue;
			if (!reach.alive[i] &&
			    is_reached(m, &work, &reach, i))
				reach.alive[i] = changed = true;
			if (!reach.boot[i] &&
			    is_called_at_boot(m, &reach, i))
				reach.boot[i] = changed = true;
		}
	}
	m->gone = ARENA_ARRAY(m->arena, bool, in->nfunction);
	/* a search that was given up takes nobody for gone */
	for (uint32_t i = 0; i < in->nfunction; i++)
		m->gone[i] = !reach.alive[i] && (!changed || reach.cut[i]);
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
	    to->local || !to->leaf || done_by(stub, effect) ||
	    /* who else reads a field that all have is not told by its name */
	    !map_get(&m->model->feature->fields, to->leaf))
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

bool *missed_unreached(const struct model *model, struct arena *arena)
{
	struct missed m = { .model = model, .arena = arena };

	find_gone(&m, NULL, 0);
	return m.gone;
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
