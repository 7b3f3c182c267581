/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The analysis itself: shared by what is built on the fixpoint (heat,
 * residue, verdicts, entry points, explanations) and by the checks.
 */
#ifndef NOCHARGE_ANALYSIS_H
#define NOCHARGE_ANALYSIS_H

#include "../base/rules.h"
#include "feature.h"
#include "model.h"
#include "world.h"

/* A call that is live, as it stands in the caller. */
struct edge {
	struct function *from, *to;
	float freq;
	uint8_t flags;  /* enum event_flag */
	bool inlined;
	bool taken;     /* its address, not a call */
	uint32_t line;
};

/* What is known of one function in the off state. */
struct liveness {
	bool live;      /* its own code runs */
	bool inlined;   /* its code runs inside others */
	bool taken;     /* its address is taken: anyone may call it */
	bool root;      /* runs whatever the call graph says */
	const struct callback *callback; /* of the feature's table, or NULL */
	struct function *via; /* who made it live, or NULL */
	struct value *param;  /* joined over its live callers, or NULL */
	struct value *next;   /* the same, of this round */
	struct edge **in;     /* live callers, in order */
	uint32_t nin, in_cap;
	struct edge **out;
	uint32_t nout, out_cap;
};

struct work {
	const char *item;
	struct function *fn, *by;
};

struct verdict;
struct heat;
struct order;

struct model {
	const struct rules *rules;
	const struct kernel_rules *kernel;
	struct arena *arena;
	struct strtab *strings;
	struct feature *feature;
	struct facts **facts_in;  /* of the units with the feature in */
	size_t nfacts_in;
	struct facts_off *facts;
	struct world *off, *out, *on;
	struct liveness *live;    /* by function->index of feature->in */
	unsigned rounds;
	struct arena *round;      /* of the last one: edges */
	bool unsettled;           /* the fixpoint was given up */
	struct heat *heat;        /* by function->index */
	struct order *order;      /* order.h; NULL: not asked for yet */
	/* on, and root the only group; NULL until model_find_root_work() */
	struct world *root;
	struct heat *root_heat;
	const struct default_on *default_on; /* NULL: not asked for */
	struct verdict **verdict; /* by function->index; NULL: none */
};

/* --- fixpoint.c: facts, who is live, values of parameters */
void model_settle(struct model *model);
/* The arguments that @fn is entered with; live with the off summaries. */
struct argument *model_arguments(const struct model *model,
				 const struct function *fn);
struct summary *model_off(const struct model *model, struct function *fn);
/* The same for what hot paths pass to it, which is what is judged. */
struct summary *model_judged(const struct model *model, struct function *fn);

/* --- heat.c: how often a function runs per operation on a hot path */
struct heat {
	double most;        /* on the hottest root */
	double *root;       /* by kernel->root; NULL: none */
	const struct function **from; /* by kernel->root: who calls it there */
};
/* Below this per operation a function is not on a hot path. */
#define HEAT_HOT 0.01
/* A root that heats a function this many times less than another is left out. */
#define HOT_SPAN 10
/* By function->index, in one state of the program with the feature in. */
struct heat *model_find_heat(struct model *model, struct world *world);
/* Names of hot roots, hottest first. */
const char **model_hot(const struct model *model, const struct heat *heat,
		       size_t *n);
/* Fill in what model->root and root_heat are, the first time. */
void model_find_root_work(struct model *model);

#endif
