// SPDX-License-Identifier: GPL-2.0-only
/* A configuration in one state, and the summaries that were asked for. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "../base/rules.h"
#include "walk.h"

/* Split "global.field" of the rules; false if the program has no such. */
static bool find_given(struct program *p, const struct known_value *known,
		       struct given *given)
{
	const char *dot = strchr(known->name, '.');
	const char *name = dot ?
		intern_n(p->strings, known->name, (size_t)(dot - known->name)) :
		intern(p->strings, known->name);

	given->global = map_get(&p->globals, name);
	given->field = dot ? intern(p->strings, dot + 1) : NULL;
	return given->global;
}

static void add_given(struct world *w, const struct known_value *known,
		      size_t n, enum mark mark)
{
	for (size_t i = 0; i < n; i++) {
		struct given *given = &w->given[w->ngiven];
		int64_t value = known[i].value;

		if (!find_given(w->program, &known[i], given))
			continue;
		/* what the guard reads when the feature is on */
		if (w->state != WORLD_OFF)
			value = !value;
		given->value = value_const(value, mark,
					   intern(w->program->strings,
						  known[i].name));
		w->ngiven++;
	}
}

static void add_names(struct world *w, const struct rules *rules)
{
	struct program *p = w->program;
	size_t i;

	for (i = 0; i < rules->table.n; i++) {
		struct global_symbol *g = map_get(&p->globals,
			intern(p->strings, rules->table.name[i]));

		if (g)
			map_put(&w->table, g, g);
	}
	for (i = 0; i < rules->root.n; i++) {
		struct global_symbol *g = map_get(&p->globals,
			intern(p->strings, rules->root.name[i]));

		if (g)
			map_put(&w->root_global, g, g);
	}
	for (i = 0; i < rules->nroot_field; i++) {
		const struct known_value *known = &rules->root_field[i];
		struct value *v = ARENA_NEW(p->arena, struct value);
		const char *name = intern(p->strings, known->name);

		/* only what is zero tells root from another group */
		*v = value_const(known->value,
				 known->value ? MARK_SOURCE : MARK_FACT, name);
		map_put(&w->root_field, name, v);
	}
	for (i = 0; i < rules->nroot_array; i++) {
		const struct root_array *array = &rules->root_array[i];
		struct enumerator *e = map_get(&p->enumerators,
			intern(p->strings, array->index));

		if (e)
			map_put(&w->root_array,
				intern(p->strings, array->field), e);
	}
	for (i = 0; i < rules->nsame; i++)
		map_put(&w->same, intern(p->strings, rules->same[i].member),
			(void *)intern(p->strings, rules->same[i].field));
}

struct world *world_new(struct program *program, enum world_state state,
			struct facts_off *facts, struct arena *arena)
{
	struct world *w = ARENA_NEW(arena, struct world);
	const struct rules *rules = program->rules;

	w->state = state;
	w->program = program;
	w->rules = rules;
	w->facts = facts;
	w->table.arena = w->root_global.arena = w->root_field.arena =
		w->root_array.arena = w->same.arena = arena;
	w->memo = ARENA_ARRAY(arena, struct summary *, program->nfunction);
	w->nmemo = ARENA_ARRAY(arena, uint32_t, program->nfunction);
	w->old = ARENA_ARRAY(arena, struct summary *, program->nfunction);
	w->round = 1;
	w->arena = arena_new();
	w->given = ARENA_ARRAY(arena, struct given,
			       rules->nguard + rules->nknown);
	if (state != WORLD_OUT)
		add_given(w, rules->guard, rules->nguard, MARK_GUARD);
	if (state == WORLD_OFF)
		add_given(w, rules->known, rules->nknown, MARK_FACT);
	if (world_root_only(w))
		add_names(w, rules);
	return w;
}

/* So many summaries may be dead for one that is not. */
#define WASTE 4

void world_forget(struct world *w)
{
	bool keep = w->facts && w->nmade <= w->nkept * WASTE;
	struct summary **memo = w->memo;

	if (!keep) {
		arena_free(w->arena);
		w->arena = arena_new();
		w->nmade = 0;
		memset(w->memo, 0, w->program->nfunction * sizeof(*w->memo));
	}
	for (uint32_t i = 0; i < w->program->nfunction; i++)
		for (struct summary *s = memo[i]; s; s = s->next)
			s->before = s->next;
	w->memo = w->old;
	w->old = memo;
	memset(w->memo, 0, w->program->nfunction * sizeof(*w->memo));
	memset(w->nmemo, 0, w->program->nfunction * sizeof(*w->nmemo));
	if (w->facts)
		w->changed = w->facts->changed;
	w->nkept = 0;
	w->round++;
}

void world_free(struct world *w)
{
	if (!w)
		return;
	arena_free(w->arena);
	free(w->event);
	env_free_all(&w->spare);
	free(w->cut);
}

void world_cut(struct world *w, const struct function *fn,
		      const char *why)
{
	for (uint32_t i = 0; i < w->ncut; i++)
		if (w->cut[i].fn == fn)
			return;
	if (w->ncut == w->cut_cap) {
		w->cut_cap = w->cut_cap ? w->cut_cap * 2 : 16;
		w->cut = xrealloc(w->cut, w->cut_cap * sizeof(*w->cut));
	}
	w->cut[w->ncut++] = (struct cut){ .fn = fn, .why = why };
}

struct value world_pointer(const struct world *w, const char *record)
{
	return w->facts ? fact_of_pointer(w->facts, record, NULL)
			: VALUE_UNKNOWN;
}

struct argument *world_any_arguments(struct world *w,
				     const struct function *fn)
{
	const struct func *func = fn->func;
	struct argument *arg = ARENA_ARRAY(w->arena, struct argument,
					   func->nparam);

	for (uint32_t i = 0; i < func->nparam; i++)
		arg[i].value = world_pointer(w, func->param[i].record);
	return arg;
}

void world_trace(struct world *world, struct function *fn,
		 const struct argument *arg, uint32_t narg, bool *seen)
{
	struct summary *s = ARENA_NEW(world->arena, struct summary);

	s->fn = fn;
	s->arg = arg;
	s->narg = narg;
	s->ret = VALUE_UNKNOWN;
	world->trace = seen;
	world->depth++;
	walk_run(world, s);
	world->depth--;
	world->trace = NULL;
}

bool argument_equal(const struct argument *a, const struct argument *b)
{
	if (!value_equal(a->value, b->value) || a->nknown != b->nknown ||
	    a->own != b->own)
		return false;
	for (uint32_t i = 0; i < a->nknown; i++)
		if (a->known[i].field != b->known[i].field ||
		    !value_equal(a->known[i].value, b->known[i].value))
			return false;
	return true;
}

bool argument_same(const struct argument *a, const struct argument *b)
{
	if (!argument_equal(a, b) || a->value.because != b->value.because)
		return false;
	for (uint32_t i = 0; i < a->nknown; i++)
		if (a->known[i].value.because != b->known[i].value.because)
			return false;
	return true;
}

static uint32_t hash_arguments(const struct argument *arg, uint32_t narg)
{
	uint64_t hash = narg;

	for (uint32_t i = 0; i < narg; i++) {
		const struct value *v = &arg[i].value;
		uint64_t part = v->kind | (uint64_t)v->mark << 8 |
				(uint64_t)v->object << 16 |
				(uint64_t)arg[i].nknown << 24 |
				(uint64_t)arg[i].own << 63;

		if (v->kind == V_CONST)
			part ^= (uint64_t)v->number * 0xff51afd7ed558ccdu;
		else if (v->object != OBJECT_ANY && v->object != OBJECT_SLOT)
			part ^= (uint64_t)(uintptr_t)v->id;
		hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 32);
}

struct summary *world_find(const struct world *world,
			   const struct function *fn,
			   const struct argument *arg, uint32_t narg,
			   uint32_t hash, bool tested)
{
	struct summary *s;
	uint32_t i;

	for (s = world->memo[fn->index]; s; s = s->next) {
		if (s->hash != hash || s->narg != narg ||
		    s->tested != tested)
			continue;
		for (i = 0; i < narg && argument_equal(&s->arg[i], &arg[i]);)
			i++;
		if (i == narg)
			return s;
	}
	return NULL;
}

struct summary *world_summary(struct world *world, struct function *fn,
			      const struct argument *arg, uint32_t narg)
{
	return world_summary_tested(world, fn, arg, narg, false);
}

struct summary *world_summary_tested(struct world *world, struct function *fn,
				     const struct argument *arg,
				     uint32_t narg, bool tested)
{
	struct summary *s;
	struct argument *keep;
	uint32_t hash;

	if (narg > fn->func->nparam)
		narg = fn->func->nparam;
	hash = hash_arguments(arg, narg);
	s = world_find(world, fn, arg, narg, hash, tested);
	if (!s && world->nmemo[fn->index] >= WALK_CONTEXTS) {
		narg = fn->func->nparam;
		arg = world_any_arguments(world, fn);
		hash = hash_arguments(arg, narg);
		s = world_find(world, fn, arg, narg, hash, tested);
	}
	if (!s)
		s = world_reuse(world, fn, arg, narg, hash, tested);
	if (s)
		return s;
	s = ARENA_NEW(world->arena, struct summary);
	keep = ARENA_ARRAY(world->arena, struct argument, narg);
	if (narg)
		memcpy(keep, arg, narg * sizeof(*keep));
	s->fn = fn;
	s->arg = keep;
	s->narg = narg;
	s->hash = hash;
	s->tested = tested;
	s->next = world->memo[fn->index];
	s->ret = VALUE_UNKNOWN;
	s->walking = true;
	s->round = world->round;
	world->nmade++;
	world->nkept++;
	world->memo[fn->index] = s;
	world->nmemo[fn->index]++;
	world->depth++;
	walk_run(world, s);
	world->depth--;
	s->walking = false;
	return s;
}
