/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the walk of one function: shared by walk*.c and nobody else.
 *
 * walk_statement() takes an env and gives back the one after the statement,
 * or NULL where it is not reached. walk_value() works on the env that it is
 * given. An env has one owner at a time.
 */
#ifndef NOCHARGE_WALK_H
#define NOCHARGE_WALK_H

#include "env.h"
#include "world.h"

/* Limits that only made-up code reaches; reaching one is told. */
#define WALK_NODES_DEEP 3000
#define WALK_CALLS_DEEP 250
#define WALK_EVENTS 100000
/* More argument lists than this for one function are taken as one. */
#define WALK_CONTEXTS 96

/* A loop or switch that break, continue and case belong to. */
struct flow {
	struct flow *up;
	bool loop;
	uint32_t ncleanup;     /* of the walk where it begins */
	struct env *left;      /* joined at break */
	struct env *again;     /* joined at continue */
	/* a switch: */
	const struct env *enter; /* NULL: it is not reached */
	struct value value;
	bool matches;          /* some case is the value */
};

struct pending {
	const char *label;
	struct env *env;
};

struct walk {
	struct world *world;
	struct program *program;
	struct function *fn;
	struct scope *scope;
	const char *file;
	struct summary *summary;
	struct env *exit;      /* joined at returns */
	struct value ret;
	struct flow *flow;
	struct pending *pending;
	uint32_t npending, pending_cap;
	uint32_t base;         /* of its events in the world's */
	const struct node *at;
	uint32_t line;
	unsigned nested, left, loops;
	unsigned exits;        /* returns and jumps so far */
	struct value decided;  /* by the state, before the point reached */
	bool muted;            /* addresses go to the feature's own table */
	bool cold;
	double freq;
	struct used *used;     /* summaries that it is made from */
	uint32_t nused, used_cap;
	uint32_t escapes;
	bool *escaped;         /* by slot */
	uint32_t nescaped;
	const struct node **cleanup; /* calls due where scopes are left */
	uint32_t ncleanup, cleanup_cap;
	bool returned, recursed;
	const char *cut;
};

/* Where a value can be. */
enum place_kind {
	PLACE_SLOT,
	PLACE_GLOBAL,
	PLACE_FIELD, /* of some object */
	PLACE_OTHER,
};

struct place {
	enum place_kind kind;
	uint32_t slot;
	struct global_symbol *global; /* itself, or what the field is in */
	const char *name;             /* "record.field", or for messages */
	const struct field *field;
	struct fact *fact;            /* of the field or variable */
	struct fact *within;          /* of what it is in */
	bool root;                    /* in the root group's object */
	struct value pointer;         /* it is reached through; or V_NONE */
	bool loads;                   /* reading it is a load */
	bool element;                 /* of an array */
	bool local;                   /* somewhere in a local */
	bool own;                     /* or in one of a function further up */
	const char *record;           /* what it points to, or "" */
};

/*
 * walk.c: fill in @s, of which fn, arg, narg and tested are set. A cut is
 * told to the world.
 */
void walk_run(struct world *world, struct summary *s);
struct event *walk_emit(struct walk *w, enum event_kind kind,
			const char *name);
const struct value *walk_keep(struct walk *w, struct value v);
void walk_op(struct walk *w, enum op_kind op, const char *name);
void walk_test(struct walk *w, struct env *env, struct value v);
void walk_write(struct walk *w, struct fact *fact, struct value v);
struct env *walk_merge(struct walk *w, struct env *a, struct env *b);
/* What a value names may be stored to behind the walk's back. */
void walk_escape(struct walk *w, struct env *env, struct value v);
/*
 * The same for code that the feature cannot matter in: it may keep an object,
 * but names none of the feature's fields in it.
 */
void walk_lend(struct walk *w, struct env *env, struct value v);
/* What is known of the field that @slot is, of any object; or NULL. */
struct fact *walk_slot_fact(const struct walk *w, uint32_t slot);
void walk_forget(struct walk *w, struct env *env, uint32_t slot);
void walk_forget_assigned(struct walk *w, struct env *env,
			  const struct node *node);
/* The same for what stands between @label and the jumps back to it. */
void walk_forget_cycle(struct walk *w, struct env *env, const char *label);
struct value walk_pointer(const struct walk *w, const char *record);

/* Is the fact worth anything? The summary hangs on it from now on. */
static inline bool walk_holds(const struct walk *w, const struct fact *fact)
{
	if (fact)
		facts_set_add(&w->summary->reads, fact);
	return fact_holds(fact);
}

/* The walk has come to @node. */
static inline void walk_arrive(struct walk *w, const struct node *node)
{
	const struct func *func = w->fn->func;

	if (!node->line)
		return;
	w->line = node->line;
	w->at = node;
	if (w->world->trace && w->world->depth == 1 &&
	    node->line >= func->start_line && node->line <= func->end_line)
		w->world->trace[node->line - func->start_line] = true;
}

static inline struct env *walk_copy(struct walk *w, const struct env *env)
{
	return env_copy(&w->world->spare, env);
}

static inline void walk_drop(struct walk *w, struct env *env)
{
	env_drop(&w->world->spare, env);
}

/* walk_stmt.c */
struct env *walk_statement(struct walk *w, const struct node *s,
			   struct env *env);
/*
 * Make the calls that are due where the scopes are left that began when there
 * were @n of them. They stay due until walk->ncleanup is set back.
 */
struct env *walk_leave_scopes(struct walk *w, uint32_t n, struct env *env);

/* walk_expr.c */
struct value walk_value(struct walk *w, const struct node *e,
			struct env *env);
/* @truth holds for @e: what does that say of the places in it? */
void walk_refine(struct walk *w, const struct node *e, bool truth,
		 struct env *env);
/* The record that the value of @e points to, by its type; or "". */
const char *walk_type(struct walk *w, const struct node *e);
/* What becomes of a value when it is stored in a pointer to @record. */
struct value walk_typed(struct walk *w, const char *record,
			const struct node *e, struct value v);
const struct node *walk_strip(const struct node *e);
/* The constant that @e is, of a case label. */
bool walk_constant(struct walk *w, const struct node *e, int64_t *out);

/* walk_place.c */
/* Is the place a local, or by its argument one of a function further up? */
bool walk_is_own(const struct walk *w, uint32_t slot);
struct place walk_place(struct walk *w, const struct node *e,
			struct env *env);
struct value walk_read(struct walk *w, const struct place *p,
		       struct env *env);
void walk_store(struct walk *w, const struct place *p, struct env *env,
		struct value v);
struct value walk_address(struct walk *w, const struct place *p);
void walk_check_null(struct walk *w, struct value v, const char *name);
/* Stores what an initialiser says into @slot (NO_SLOT: nowhere known). */
void walk_init(struct walk *w, const struct node *init, uint32_t slot,
	       struct env *env);
/* All fields of the feature in @record may have been stored to. */
void walk_write_record(struct walk *w, const char *record);

/* walk_call.c */
struct value walk_call(struct walk *w, const struct node *e,
		       struct env *env);

#endif
