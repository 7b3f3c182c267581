// SPDX-License-Identifier: GPL-2.0-only
#include "env.h"

#include <stdlib.h>
#include <string.h>

#include "../base/err.h"

static void scan(struct scope *scope, const struct node *node,
		 struct map *labels)
{
	if (node->kind == N_LABEL || node->kind == N_CASE)
		scope->labels = true;
	if (node->kind == N_LABEL)
		map_put(labels, node->name, (void *)node);
	if (node->kind == N_GOTO && !strcmp(node->name, "?"))
		scope->computed_goto = true;
	if (node->kind == N_GOTO && map_get(labels, node->name)) {
		/* grows at the powers of two */
		if (!(scope->nbackward & (scope->nbackward - 1))) {
			const char **more = ARENA_ARRAY(scope->arena,
				const char *,
				scope->nbackward ? scope->nbackward * 2 : 1);

			if (scope->nbackward)
				memcpy(more, scope->backward,
				       scope->nbackward * sizeof(*more));
			scope->backward = more;
		}
		scope->backward[scope->nbackward++] = node->name;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			scan(scope, node->kid[i], labels);
}

struct scope *scope_of(struct program *program, struct function *fn)
{
	struct scope *scope = fn->scope;
	struct map labels = { .arena = program->arena };
	struct node *body;

	if (scope)
		return scope;
	scope = ARENA_NEW(program->arena, struct scope);
	scope->arena = program->arena;
	fn->scope = scope;
	body = facts_body(fn->func);
	if (body)
		scan(scope, body, &labels);
	return scope;
}

static uint32_t *place(struct scope *scope, const char *name, uint32_t parent)
{
	uint64_t hash = ((uint64_t)(uintptr_t)name ^
			 ((uint64_t)parent << 40)) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(hash >> 32) & (scope->table_size - 1);

	while (scope->table[i]) {
		const struct slot *slot = &scope->slot[scope->table[i] - 1];

		if (slot->name == name && slot->parent == parent)
			break;
		i = (i + 1) & (scope->table_size - 1);
	}
	return &scope->table[i];
}

static void grow(struct scope *scope)
{
	struct slot *slot = scope->slot;
	uint32_t i;

	scope->slot_cap = scope->slot_cap ? scope->slot_cap * 2 : 16;
	scope->slot = ARENA_ARRAY(scope->arena, struct slot, scope->slot_cap);
	if (scope->nslot)
		memcpy(scope->slot, slot, scope->nslot * sizeof(*slot));
	scope->table_size = scope->slot_cap * 2;
	scope->table = ARENA_ARRAY(scope->arena, uint32_t, scope->table_size);
	for (i = 0; i < scope->nslot; i++)
		*place(scope, scope->slot[i].name, scope->slot[i].parent) =
			i + 1;
}

static uint32_t find(struct scope *scope, const char *name, uint32_t parent,
		     const char *record)
{
	uint32_t *at;

	if (scope->nslot == scope->slot_cap)
		grow(scope);
	at = place(scope, name, parent);
	if (*at)
		return *at - 1;
	if (scope->nslot >= SLOTS_MAX)
		return NO_SLOT;
	scope->slot[scope->nslot] = (struct slot){
		.name = name, .parent = parent, .record = record ? record : "",
		.param = NO_SLOT,
	};
	*at = ++scope->nslot;
	return scope->nslot - 1;
}

uint32_t scope_local(struct scope *scope, const char *name,
		     const char *record)
{
	uint32_t slot = find(scope, name, NO_SLOT, record);

	/* named before it was declared: after a jump over its declaration */
	if (slot != NO_SLOT && record && *record)
		scope->slot[slot].record = record;
	return slot;
}

uint32_t scope_child(struct scope *scope, uint32_t parent, const char *field,
		     const char *record)
{
	uint32_t slot = find(scope, field, parent, record);

	if (slot != NO_SLOT)
		scope->slot[slot].param = scope->slot[parent].param;
	return slot;
}

uint32_t scope_pointee(struct scope *scope, uint32_t param_slot,
		       uint32_t param)
{
	uint32_t slot = find(scope, "*", param_slot, "");

	if (slot != NO_SLOT) {
		scope->slot[slot].pointee = true;
		scope->slot[slot].param = param;
	}
	return slot;
}

bool scope_below(const struct scope *scope, uint32_t slot, uint32_t above)
{
	while (slot != above) {
		if (slot == NO_SLOT || scope->slot[slot].pointee)
			return false;
		slot = scope->slot[slot].parent;
	}
	return true;
}

struct env *env_new(struct env **spare)
{
	struct env *env = *spare;

	if (env) {
		*spare = env->next;
		env->n = 0;
		env->dead = env->tested = false;
		env->tested_at = 0;
		return env;
	}
	return xcalloc(1, sizeof(*env));
}

static void reserve(struct env *env, uint32_t n)
{
	if (n <= env->cap)
		return;
	env->cap = n < 16 ? 16 : n * 2;
	env->v = xrealloc(env->v, env->cap * sizeof(*env->v));
}

struct env *env_copy(struct env **spare, const struct env *env)
{
	struct env *copy = env_new(spare);

	reserve(copy, env->n);
	if (env->n)
		memcpy(copy->v, env->v, env->n * sizeof(*env->v));
	copy->n = env->n;
	copy->dead = env->dead;
	copy->tested = env->tested;
	copy->tested_at = env->tested_at;
	return copy;
}

void env_drop(struct env **spare, struct env *env)
{
	if (!env)
		return;
	env->next = *spare;
	*spare = env;
}

void env_move(struct env **spare, struct env *to, struct env *from)
{
	struct env old = *to;

	*to = *from;
	to->next = NULL;
	*from = old;
	env_drop(spare, from);
}

struct env *env_take(struct env **spare, struct env *env)
{
	struct env *taken = env_new(spare), old = *taken;

	*taken = *env;
	*env = old;
	env->n = 0;
	env->dead = false;
	return taken;
}

void env_free_all(struct env **spare)
{
	struct env *env;

	while ((env = *spare)) {
		*spare = env->next;
		free(env->v);
		free(env);
	}
}

void env_set(struct env *env, uint32_t slot, struct value v)
{
	if (slot == NO_SLOT)
		return;
	if (slot >= env->n) {
		if (v.kind == V_NONE)
			return;
		reserve(env, slot + 1);
		while (env->n <= slot)
			env->v[env->n++] = VALUE_NONE;
	}
	env->v[slot] = v;
}
