/* SPDX-License-Identifier: GPL-2.0-only */
/* One function in the off state, before and after a patch. */
#ifndef NOCHARGE_OFF_COMPARE_H
#define NOCHARGE_OFF_COMPARE_H

#include "../analyzer/model/effect.h"

/* One patch as a whole: what its functions have between them. */
struct off_compare {
	const struct model *before, *after;
	struct arena *arena;
	struct map loads;   /* effects_live_loads() of @after */
	int *net;           /* by section: opened more than before */
	const char **net_in; /* by section: a function where it changed */
	size_t nequal;      /* effects that are as they were */
	const char *note;   /* what passed by more than equality, or NULL */
	const char *why;    /* what failed first, or NULL */
};

void off_compare_init(struct off_compare *c, const struct model *before,
		      const struct model *after, struct arena *arena);
/* Returns false once c->why is set. */
bool off_compare_function(struct off_compare *c, struct function *before,
			  struct function *after);
/* To be called after the last function. */
bool off_compare_end(struct off_compare *c);

#endif
