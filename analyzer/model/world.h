/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One configuration in one state: the feature in and off, in and on, or out.
 * Summaries are made when they are asked for and kept until world_forget();
 * those of the round before are taken again where nothing changed for them.
 */
#ifndef NOCHARGE_WORLD_H
#define NOCHARGE_WORLD_H

#include "event.h"

/*
 * WORLD_ROOT: on, and the root group is the only one. Nothing is taken to be
 * true of the feature's fields, and a group that may be NULL or root is taken
 * for root where it is compared with that: what follows is work for root.
 */
enum world_state { WORLD_OFF, WORLD_ON, WORLD_OUT, WORLD_ROOT };

/* A value that the rules give to a variable, a key or one field of one. */
struct given {
	struct global_symbol *global;
	const char *field; /* the field's own name, or NULL */
	struct value value;
};

/* A limit that cut a walk, or facts that are damaged: never silent. */
struct cut {
	const struct function *fn;
	const char *why;
};

struct world {
	enum world_state state;
	struct program *program;
	const struct rules *rules;
	struct facts_off *facts;   /* of WORLD_OFF; of WORLD_ROOT, without any */
	struct map table; /* global_symbol of a callback table */
	struct map root_global;    /* global_symbol that points to root */
	struct map root_field;     /* "record.field": struct value */
	struct map root_array;     /* "record.field": struct enumerator */
	struct map same;           /* "record.member": "record.field" */
	struct given *given;
	uint32_t ngiven;

	/* what was walked */
	struct arena *arena;
	struct summary **memo;     /* by function->index */
	uint32_t *nmemo;
	struct summary **old;      /* the same, of the round before */
	struct facts_set changed;  /* what is no more as it was then */
	unsigned round, checks;
	size_t nmade, nkept;       /* since nothing was kept; now */
	struct event *event;       /* of the walks under way */
	uint32_t nevent, event_cap;
	struct env *spare;
	unsigned depth;            /* of walks within walks */
	unsigned nesting;          /* of nodes within nodes, in all walks */
	struct cut *cut;
	uint32_t ncut, cut_cap;
	bool *trace;               /* explain: lines of the outermost walk */
};

struct world *world_new(struct program *program, enum world_state state,
			struct facts_off *facts, struct arena *arena);
void world_free(struct world *world);
/* A new round: facts have changed, and those in @facts->changed alone. */
void world_forget(struct world *world);

/*
 * What @fn does when called with @arg. Never NULL; ->walking if it is being
 * made further up, and then only fn and arg are to be looked at.
 */
struct summary *world_summary(struct world *world, struct function *fn,
			      const struct argument *arg, uint32_t narg);

/* The same where a caller has already tested for the off state. */
struct summary *world_summary_tested(struct world *world, struct function *fn,
				     const struct argument *arg,
				     uint32_t narg, bool tested);

/*
 * Walk @fn once more and note in @seen which of its lines are reached:
 * seen[line - func->start_line].
 */
void world_trace(struct world *world, struct function *fn,
		 const struct argument *arg, uint32_t narg, bool *seen);

/* Is the root group the only one there is? */
static inline bool world_root_only(const struct world *world)
{
	return world->state == WORLD_OFF || world->state == WORLD_ROOT;
}

/* What is known of any pointer to @record in this state. */
struct value world_pointer(const struct world *world, const char *record);

/* reuse.c: a summary of the round before that still holds, or NULL. */
struct summary *world_reuse(struct world *world, const struct function *fn,
			    const struct argument *arg, uint32_t narg,
			    uint32_t hash, bool tested);
/* The summary of this round for such arguments, if there is one. */
struct summary *world_find(const struct world *world,
			   const struct function *fn,
			   const struct argument *arg, uint32_t narg,
			   uint32_t hash, bool tested);
bool argument_equal(const struct argument *a, const struct argument *b);
/* With what decided the values. */
bool argument_same(const struct argument *a, const struct argument *b);

/* A walk of @fn was cut: never silent, and told once. */
void world_cut(struct world *world, const struct function *fn,
	       const char *why);

/* Arguments of which only the types are known; lives with the summaries. */
struct argument *world_any_arguments(struct world *world,
				     const struct function *fn);

#endif
