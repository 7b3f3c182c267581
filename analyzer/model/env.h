/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places of a function (scope) and what is in them at one point of a
 * walk (env).
 *
 * A place is a local, a field of a local aggregate, or what a pointer
 * parameter points to. Places are numbered as they are met and the numbers
 * stay with the function; an env that is older than a number has nothing
 * there.
 */
#ifndef NOCHARGE_ENV_H
#define NOCHARGE_ENV_H

#include "program.h"
#include "value.h"

#define NO_SLOT UINT32_MAX
/* No function of a kernel has as many; a made-up one may. */
#define SLOTS_MAX 4096

struct slot {
	const char *name;   /* the local's, or "record.field" */
	const char *record; /* what it points to, or "" */
	uint32_t parent;    /* NO_SLOT for a local */
	bool pointee;       /* what the parameter `parent` points to */
	uint32_t param;     /* of a pointee, and of the fields in it */
};

struct scope {
	struct arena *arena;
	struct slot *slot;
	uint32_t nslot, slot_cap;
	uint32_t *table;    /* open addressing: slot + 1 */
	uint32_t table_size;
	bool labels;        /* has a label or a case */
	bool scanned;
	const char **backward; /* labels that are jumped back to, each time */
	uint32_t nbackward;
	bool computed_goto;
};

/* The scope of @fn, made at the first call. */
struct scope *scope_of(struct program *program, struct function *fn);
/* NO_SLOT when there are too many. */
uint32_t scope_local(struct scope *scope, const char *name,
		     const char *record);
uint32_t scope_child(struct scope *scope, uint32_t parent, const char *field,
		     const char *record);
uint32_t scope_pointee(struct scope *scope, uint32_t param_slot,
		       uint32_t param);
/* Is @slot @above, or a field in it? */
bool scope_below(const struct scope *scope, uint32_t slot, uint32_t above);

struct env {
	struct value *v;
	uint32_t n, cap;
	bool dead;         /* a statement expression left the function */
	bool tested;       /* on: a test of the off state dominates */
	uint32_t tested_at; /* its line; 0: in a caller */
	struct env *next;  /* of the spare ones */
};

/* From and to a list of spare ones, as walks make and drop many. */
struct env *env_new(struct env **spare);
struct env *env_copy(struct env **spare, const struct env *env);
void env_drop(struct env **spare, struct env *env);
/* What is in @from takes the place of what was in @to; @from is gone. */
void env_move(struct env **spare, struct env *to, struct env *from);
/* What is in @env, in a new one; @env is left empty. */
struct env *env_take(struct env **spare, struct env *env);
void env_free_all(struct env **spare);

static inline struct value env_get(const struct env *env, uint32_t slot)
{
	return slot < env->n ? env->v[slot] : VALUE_NONE;
}

void env_set(struct env *env, uint32_t slot, struct value v);

#endif
