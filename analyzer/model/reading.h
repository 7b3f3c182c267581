/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expressions of a walk in the terms of who was called first: a parameter is
 * what was given for it, a local what is stored in it, a call of what is
 * followed what that returns, and what the state decides is a number. So the
 * same thing done in a function and in a wrapper around it reads the same.
 *
 * Only what the walk reaches counts. Control flow does not: a local that is
 * stored to in several places is all of them, "{a|b}".
 */
#ifndef NOCHARGE_READING_H
#define NOCHARGE_READING_H

#include "analysis.h"

/* One function on the way to an expression. */
struct frame {
	const struct summary *s;
	const struct frame *up;  /* NULL: the function that is asked about */
	const struct node *call; /* in @up */
};

struct reading {
	struct feature *feature;
	struct world *world;  /* whose summaries are read */
	struct arena *arena;
	struct map reached;   /* summary: lines that its walk reached */
	struct knot *knot;    /* locals under way */
	unsigned depth, budget;
	bool cut;             /* something was too deep to say */
};

void reading_init(struct reading *r, struct feature *feature,
		  struct world *world, struct arena *arena);

/*
 * Is @fn taken as a part of who calls it, though out of line? That holds for
 * what only the feature has, whose calls nobody misses when it is out.
 */
static inline bool reading_follows(const struct function *fn)
{
	return fn->differs && !fn->both;
}

/* The event of the call @node, or NULL. */
const struct event *reading_call(const struct frame *frame,
				 const struct node *node);

/* How much is read before it is cut. */
#define READING_STEPS 20000
bool reading_step(struct reading *r);

struct spot {
	const struct node *node;
	const struct frame *frame;
};

/* Where the value of an expression comes from, as far as that is one place. */
struct spot reading_resolve(struct reading *r, struct spot at);
/* One step of that, from what is stripped; its node is NULL at the end. */
struct spot reading_source(struct reading *r, struct spot at);
/* Without casts, commas and what else only wraps it. */
const struct node *reading_strip(const struct node *e);
/* The number of the parameter @name, or -1. */
int reading_param(const struct frame *frame, const char *name);

/* In the reading's arena. */
const char *reading_text(struct reading *r, const struct frame *frame,
			 const struct node *node);
/* "(a, b)" of a call */
const char *reading_arguments(struct reading *r, const struct frame *frame,
			      const struct node *call);
/* What may be returned, sorted, each once; *@n of them. */
const char **reading_returns(struct reading *r, const struct frame *frame,
			     size_t *n);

/* What an expression names, or what a pointer points to. */
struct memory {
	const char *leaf; /* "record.field" or a variable; NULL: not known */
	const char *path; /* the same with what it is a part of */
	/*
	 * Reached through an address that was handed on, as an atomic is: of
	 * what, as a reader has to name it too; or NULL.
	 */
	const char *given;
	/* Of a field: the call that gave the pointer to its object, or NULL. */
	const struct node *call;
	bool feature;     /* it is in an object that only the feature has */
	bool local;       /* in a local of the function or what it inlines */
	bool pointer;     /* of a value: it points to an object */
};

struct memory reading_memory(struct reading *r, const struct frame *frame,
			     const struct node *node);
struct memory reading_pointee(struct reading *r, const struct frame *frame,
			      const struct node *node);

#endif
