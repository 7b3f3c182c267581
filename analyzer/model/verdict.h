/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verdict on each function of the feature that is live in the off state:
 * what is left of it, and which rule that breaks.
 */
#ifndef NOCHARGE_VERDICT_H
#define NOCHARGE_VERDICT_H

#include "residue.h"

enum verdict_rule {
	VERDICT_CLEAN,
	VERDICT_MISSING, /* work is left and nothing dominates it */
	VERDICT_LATE,    /* work is left before the test */
	VERDICT_OUTLINE, /* nothing is left but the call and the test */
};

enum verdict_reason {
	BECAUSE_WORK,     /* operations are left */
	BECAUSE_VALUE,    /* it returns another value than the stub */
	BECAUSE_RAISED,   /* it raises a flag that hot paths read */
	BECAUSE_PERIODIC, /* it queues work that comes back */
	BECAUSE_MEMORY,   /* it allocates what only the feature uses */
	BECAUSE_CALL,     /* nothing but the call itself */
	BECAUSE_KNOWN,    /* it compares what a test has decided already */
};

struct verdict {
	struct function *fn;
	enum verdict_rule rule;
	enum verdict_reason reason;
	struct residue *residue;
	const struct left **work; /* operations that count, in order */
	uint32_t nwork;
	const struct left *guard; /* the test that dominates, or NULL */
	const struct fact *flag;  /* BECAUSE_RAISED, BECAUSE_MEMORY */
	uint32_t flag_line;
	bool undoes;              /* BECAUSE_MEMORY: gives back what is kept */
	const struct event *known; /* BECAUSE_KNOWN: the comparison */
	struct value off, stub;   /* BECAUSE_VALUE */
	unsigned cost;            /* instructions, roughly */
	bool hot;
	const char *spared;       /* why a rule is not applied, or NULL */
	enum verdict_rule unspared; /* the rule that is not applied */

	/* presentation: reported in the covers of these instead */
	struct verdict **cause;
	uint32_t ncause;
	struct function **covers;
	uint32_t ncovers, covers_cap;
};

/* The verdict of @fn; a clean one is made for a function without. */
struct verdict *model_verdict(struct model *model, struct function *fn);

/* Fills in model->verdict. */
void model_judge(struct model *model);

/*
 * The verdict on @fn, or for one that has none because it is part of its
 * callers, what it would be; NULL for one that does not run.
 */
struct verdict *model_look_at(struct model *model, struct function *fn);

/*
 * Which findings are told with another one: a wrapper whose whole residue
 * comes from one cause, and what only functions without a guard reach.
 */
void model_group(struct model *model);

/* A test inside the function would leave a call for nothing on a hot path. */
bool model_outline_matters(const struct model *model,
			   const struct function *fn);

#endif
