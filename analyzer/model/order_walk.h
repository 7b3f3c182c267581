/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The paths through one function, for order.h: shared by order_*.c and nobody
 * else.
 *
 * A path (struct path) is what is known at one point of one way to get there.
 * Several are kept side by side (struct paths); equal ones are one. A list
 * owns its paths, and who is handed a path or a list owns it.
 */
#ifndef NOCHARGE_ORDER_WALK_H
#define NOCHARGE_ORDER_WALK_H

#include "order_flags.h"

#define ORDER_PATHS 24 /* side by side; more become fewer */
#define ORDER_FEWER 8  /* in a function that has taken long already */
/* Limits; reaching one is told. */
#define ORDER_SLOTS 128
#define ORDER_THINGS 32
#define ORDER_PASSES 6  /* of a loop, or over a function for its jumps */
#define ORDER_DEEP 24   /* calls within calls */
#define ORDER_STEPS 400000 /* nodes of one function */
#define ORDER_PARAMS 6

enum val_kind {
	VAL_UNKNOWN,
	VAL_CONST,
	VAL_NONNULL, /* a pointer */
	VAL_THING,   /* a pointer to the object */
	VAL_PART,    /* computed from the object's address */
	VAL_HELD,    /* loaded from the object */
	VAL_LATE,    /* an object, should anyone ask: of slot, or `made` */
};

struct val {
	uint8_t kind, thing;
	bool fresh;      /* VAL_LATE: it is newly allocated */
	uint16_t slot;   /* VAL_LATE: where it stands, + 1; 0: nowhere */
	union {
		int64_t number;
		const void *made; /* VAL_LATE: by what */
	};
};

enum thing_bit {
	THING_SHOWN = 1,   /* others can see it */
	THING_CHARGED = 2,
	THING_FRESH = 4,   /* newly allocated, so it is nothing special */
	THING_DOUBT = 8,   /* the path was chosen by what the object holds */
	THING_ENTRY = 16,  /* as it was when the function was entered */
};

/* An object, at one point of a path. */
struct thing {
	uint8_t bits;
	const struct order_write *write; /* the one that waits for a charge */
	const struct order_step *charge; /* of an object of a caller */
	uint64_t reads;                  /* flags that were read since */
};

struct path {
	struct path *next; /* of the spare ones */
	uint32_t nslot, nthing;
	struct val slot[ORDER_SLOTS];
	struct thing thing[ORDER_THINGS];
};

struct paths {
	struct path **path;
	uint32_t n, cap;
};

/* One way to leave a function, as its caller sees it. */
struct outcome {
	struct thing param[ORDER_PARAMS];
	struct val ret;     /* VAL_THING and the like: of parameter .thing */
	bool makes;         /* VAL_LATE: what is returned is in `made` */
	struct thing made;
};

enum arg_kind {
	ARG_ANY, ARG_NO, ARG_YES, ARG_SET, ARG_THING, ARG_PART, ARG_HELD,
	ARG_KIND = 7, /* the bits that say which */
};

/* What a function does for such arguments. */
struct order_summary {
	const struct function *fn;
	uint8_t arg[ORDER_PARAMS];  /* enum arg_kind, or THING_* above it */
	struct outcome *outcome;
	uint32_t noutcome, cap;
	bool walking;
	bool chooses;  /* it looks at an object and may leave it alone */
	struct order_summary *next; /* of the same function */
};

enum order_reach { REACH_WRITE = 1, REACH_CHARGE = 2, REACH_SHOW = 4 };

struct order {
	struct model *model;
	struct program *program;
	struct arena *arena;
	struct flag_uses *uses;
	uint8_t *reach;             /* by function->index: enum order_reach */
	uint64_t *reads;            /* likewise: flags, itself or its callees */
	struct order_summary **memo; /* by function->index */
	struct map writes;          /* node: struct order_write */
	struct map steps;           /* node: chain of struct step_of */
	struct map pairs;           /* struct order_write: struct order_pair */
	struct order_pair *pair;
	size_t npair, pair_cap;
	struct path *spare;
	unsigned depth;
};

/* A write that may move: it is followed to where it would stand. */
struct order_watch {
	const struct order_write *write;
	/* the last statement that it passes; NULL: behind the whole function */
	const struct node *until;
	const struct node *past;    /* a call that is looked into by itself */
	bool handed;                /* what is walked is handed the object, */
	uint32_t param;             /* as this parameter */
	struct order_move *move;
	size_t cap;
};

struct label {
	const char *name;
	struct paths all, fresh; /* fresh: not walked yet */
};

/* What break, continue and case belong to. */
struct jump {
	struct jump *up;
	bool loop;
	struct paths left, again, enter;
	struct val value;   /* of a switch */
	bool has_default;
};

struct exit {
	struct path *path;
	struct val value;
};

/* One function under one kind of arguments. */
struct walker {
	struct order *order;
	const struct function *fn;
	struct arena *arena;
	const char *key[ORDER_SLOTS];    /* interned */
	const char *record[ORDER_SLOTS]; /* what a local points to, or "" */
	uint32_t nkey;
	const void *origin[ORDER_THINGS];
	uint32_t norigin, nparam; /* the first of them are parameters */
	struct label *label;
	uint32_t nlabel, label_cap;
	struct jump *jump;
	struct exit *exit;
	uint32_t nexit, exit_cap;
	uint32_t steps;
	struct order_watch *watch; /* or NULL */
	const char *cut;
};

/* order_path.c */
struct path *path_new(struct walker *w);
struct path *path_copy(struct walker *w, const struct path *path);
void path_drop(struct walker *w, struct path *path);
/* @path is the list's, unless it has it already. */
void paths_add(struct walker *w, struct paths *list, struct path *path);
/* All of @from, which is empty then. */
void paths_move(struct walker *w, struct paths *list, struct paths *from);
void paths_copy(struct walker *w, struct paths *list,
		const struct paths *from);
bool paths_have(const struct paths *list, const struct path *path);
void paths_clear(struct walker *w, struct paths *list);
void path_clean(struct walker *w, struct path *path);
/* Where @key is kept; -1 when there are too many. */
int walker_slot(struct walker *w, const char *key);
/* The number of the object that @origin is about, as it first is. */
int walker_thing(struct walker *w, struct path *path, const void *origin,
		 uint8_t bits);
void path_set(struct walker *w, struct path *path, int slot, struct val v);
struct val path_get(const struct path *path, int slot);
/* Nothing is known any more of what is named by way of @local. */
void path_forget(struct walker *w, struct path *path, const char *local);

/* order_expr.c */
struct result {
	struct path *path;
	struct val val;
};
struct results {
	struct result *r;
	uint32_t n, cap;
};
/* Evaluate on @path, which may fork. */
void order_eval(struct walker *w, const struct node *e, struct path *path,
		struct results *out);
void order_branch(struct walker *w, const struct node *e, struct path *path,
		  struct paths *yes, struct paths *no);
void order_assign(struct walker *w, const struct node *to, struct path *path,
		  struct val v);
/* The object that the value points to, or -1. */
int order_thing(struct walker *w, struct path *path, struct val v);
struct result *result_add(struct walker *w, struct results *out);

/* order_call.c */
void order_call(struct walker *w, const struct node *e, struct path *path,
		struct results *out);

/* order_stmt.c */
void order_statement(struct walker *w, const struct node *s,
		     struct paths *paths);
void order_function(struct walker *w, const struct node *body,
		    struct path *path);

/* order_move.c: a call on the way of what is watched */
void order_watched_call(struct walker *w, const struct path *path,
			const struct node *call, const char *name,
			const struct function *fn, const struct val *arg,
			uint32_t n);
/* Something prevents the move. */
void order_prevent(struct walker *w, uint32_t line, const char *name,
		   const char *what);

/* order.c */
/* Walk the paths of @s->fn, whose `arg` is set. */
void order_walk_summary(struct order *order, struct order_summary *s,
			struct order_watch *watch);
/* The arguments of a function of which nothing is known. */
void order_any_arguments(const struct order *order, const struct function *fn,
			 uint8_t arg[ORDER_PARAMS]);
struct order_summary *order_summary(struct order *order,
				    const struct function *fn,
				    const uint8_t *arg);
const struct order_write *order_note_write(struct order *order,
					   const struct function *fn,
					   const struct node *call,
					   const struct function *callee);
const struct order_step *order_note_step(struct order *order,
					 const struct function *fn,
					 const struct node *call,
					 const char *callee,
					 const struct order_step *inner,
					 uint64_t reads);
void order_note_pair(struct order *order, const struct order_write *write,
		     const struct order_step *charge, bool shows);
/* Is it worth reading what @fn does with an object? */
bool order_reads(const struct order *order, const struct function *fn);

#endif
