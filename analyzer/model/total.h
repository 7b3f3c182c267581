/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers that a group keeps of itself, for the root group and with the
 * feature on: hot functions add to them and none of them reads them.
 */
#ifndef NOCHARGE_TOTAL_H
#define NOCHARGE_TOTAL_H

#include "analysis.h"

/* A counter of the whole system that is added to beside the group's. */
struct twin {
	const struct function *in;
	const struct event *call; /* of the counter, or of who adds to it */
	const char *counter;      /* NULL: there is no such */
	bool deep;                /* it is the latter */
	double heat;              /* of the feature's call there */
};

/* A number of the root group that a function adds to. */
struct total {
	struct function *fn;
	const struct event *add;
	const char *field;
	bool numbered;        /* an element that is known by its number */
	int64_t number;
	struct twin twin;
	/* without one: somebody else who adds to the same number and has one */
	const struct total *other;
#define TOTAL_READERS 3
	const struct function *reader[TOTAL_READERS]; /* the first of them */
	unsigned nreader;
};

/*
 * Those of all functions that only the feature has, sorted by function; they
 * live in @arena. model_find_root_work() comes first.
 */
struct total *model_totals(struct model *model, struct arena *arena,
			   size_t *n);

#endif
