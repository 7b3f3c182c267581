/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of batch.h share. */
#ifndef NOCHARGE_BATCH_SEARCH_H
#define NOCHARGE_BATCH_SEARCH_H

#include "batch.h"
#include "syntax.h"

/* Functions of headers inside functions of headers; locals given locals. */
#define BATCH_DEPTH 8

struct batch_search {
	struct model *model;
	struct program *in;
	struct batched *batched, **last;
	struct batch_break **next;
	/* the function that is looked at */
	struct function *fn;
	struct node *body;
};

/* The batched function that @name is in the file looked at, or NULL. */
struct batched *batch_find(const struct batch_search *search,
			   const char *name);
void batch_add(struct batch_search *search, const struct batch_break *found);

/* Is what stands in @loop cut small on purpose, as far as the code says? */
bool batch_is_bounded(struct batch_search *search, const struct node *loop);

/* --- batch_cut.c: an array, in calls with few elements */
void batch_look_for_cuts(struct batch_search *search);

/* --- batch_list.c: a list, in calls with one element */
void batch_look_at_lists(struct batch_search *search);

#endif
