/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be known of a finding's function before it can be changed: what
 * it gives back in the off state, what its stub does, who else calls it and
 * whether those have tested. All of it is derived here; what to do about it
 * is chosen by output/plan.h.
 */
#ifndef NOCHARGE_REMEDY_H
#define NOCHARGE_REMEDY_H

#include "limit.h"
#include "total.h"
#include "verdict.h"

/* A place where the function is called, on any path. */
struct remedy_call {
	const struct function *caller;
	uint32_t line;
	bool tested; /* a test of the off state dominates it */
};

struct remedy {
	const struct finding *finding;
	const struct verdict *verdict;  /* NULL: another rule than the guards' */
	struct function *fn;            /* NULL: the cause is a variable */
	const struct decl *decl;        /* its prototype in a header, or NULL */
	const struct func *stub;        /* what stands in its place, or NULL */
	struct value off;               /* what it returns */
	uint32_t off_line;              /* of a "return" of that value, or 0 */
	bool stub_does;   /* the stub does or computes something */
	bool taken;       /* somebody takes its address */
	bool callback;    /* the feature's table points to it */
	bool outline;     /* a test inside would still cost a call too much */
	bool any_test;    /* what the off state decides stands on the way */
	bool bare;        /* set by who plans: only its stub's work is left */
	double heat;
	/*
	 * What it returns whatever happens, made of its parameters: of its
	 * only "return", or assigned once to the local that this names.
	 */
	const struct node *expression;
	const char *local; /* that local's name, or NULL */
	/* the callee that queues work which comes back, or NULL */
	const char *periodic;
	/* it only runs because this one asks for it, and has that finding */
	const struct function *asked_by;
	/* a wrapper that it calls and what that wraps (redundant-guard) */
	const struct function *wrapper, *wrapped;
	/* fields that only the feature has and that it stores to when off */
	const char **store;
	uint32_t nstore;
	/*
	 * Of root-work: what it reads of root's limits, or the number of
	 * root's that it adds to; and who says of a group that it is root.
	 */
	const struct limit *limit;
	const struct total *total;
	const struct function *root_test;
	const struct remedy_call *call; /* every one; by caller and line */
	uint32_t ncall;
};

/*
 * One for each of @finding's guard findings, in their order. All lives in
 * the model's arena, and @finding must outlive it.
 */
struct remedy *model_remedies(struct model *model,
			      const struct finding *finding, size_t n);

/*
 * The same for the functions that @remedy's finding covers and that would be
 * findings of their own if it were not for that one; *@n of them.
 */
struct remedy *model_remedies_covered(struct model *model,
				      const struct remedy *remedy, size_t *n);

/* What @fn does with the feature on, whatever it is given. */
struct summary *model_on(struct model *model, struct function *fn);

/*
 * The one function that a wrapper, of which @s is what it does with the
 * feature on, calls after a test that another on the way there has made: who
 * has tested can call it directly. NULL for what is more than that.
 */
const struct function *model_wrapped(const struct summary *s);

/*
 * Does the off state come to the event of @fn that was seen with the feature
 * on? Then no test on the way to it turned the off state back.
 */
bool model_reached_off(struct model *model, struct function *fn,
		       const struct event *event);

/* The function of that name that a header or another file sees, or NULL. */
const struct function *model_function(const struct model *model,
				      const char *name);

/* The variable of that name that is defined or declared, or NULL. */
const struct global_symbol *model_variable(const struct model *model,
					   const char *name);

/*
 * The header that declares or defines the function @name first, and in which
 * line; NULL for one that is no header's.
 */
const char *model_declared(const struct model *model, const char *name,
			   uint32_t *line);

/*
 * Does a function of header @file call one of header @where already, or,
 * without the feature, @name, which is declared there? Then whoever includes
 * @file has @where, whether that is included in it or not.
 */
bool model_relies(const struct model *model, const char *file,
		  const char *where, const char *name);

/* Every file that a unit was made of, headers too; may repeat. */
const char *const *model_files(const struct model *model, size_t *n);

/* Does that function load anything in the off state? */
bool model_reads_memory(struct model *model, const char *name);

/* Is @name a function or variable of the kernel, in any configuration? */
bool model_knows(const struct model *model, const char *name);

#endif
