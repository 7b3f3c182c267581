/* SPDX-License-Identifier: GPL-2.0-only */
/* A plan in the making: what plan.c and the files beside it share. */
#ifndef NOCHARGE_PLANNER_H
#define NOCHARGE_PLANNER_H

#include "plan.h"
#include "source.h"

struct planner {
	const struct plan_input *in;
	struct arena *arena;
	struct remedy *remedy;
	struct plan *plan;
	const char *predicate;
	const struct function *predicate_fn; /* in */
	const struct batch_break *batch; /* NULL: not asked for yet */
	const struct accounted *account; /* likewise */
	const struct default_on *default_on; /* likewise */
	const struct remedy **later; /* decided by others' patches */
	size_t nlater;
	struct strtab *taken; /* taken_names() of the tree, once asked for */
	size_t most; /* functions that a patch can be about: found or covered */
};

/* --- plan_edit.c: the runs of spatch that make a fix --- */

/* The text of a file with @config's memory files, or NULL. */
const char *planner_text(struct planner *p, const char *file,
			 const struct config *config);

/* Does a comment begin in these lines? It goes with what it stands at. */
bool planner_comments(struct planner *p, const char *file, uint32_t from,
		      uint32_t to);

/* One run more; @nth as in struct edit. */
struct edit *planner_edit(struct planner *p, struct patch *patch,
			  const char *cocci, const char *file);
/* The definition of its function in @file, as in struct edit, nth. */
int planner_which(const struct remedy *r, const char *file);
/* A NULL @value is not said. */
void planner_name(struct edit *edit, const char *name, const char *value);

/*
 * Fill in what @patch does instead, in the off state. These return NULL, or
 * what prevents it in words; then the patch has no edit of theirs.
 */
const char *plan_arm(struct planner *p, const struct remedy *r,
		     struct patch *patch);
const char *plan_wrap(struct planner *p, const struct remedy *r,
		      struct patch *patch);
/* What the stub does, in its words, if it does anything that can be said. */
void plan_stub_arm(struct planner *p, const struct remedy *r,
		   struct patch *patch);
/*
 * Callers that have tested call @inner, what is wrapped. Where they do it
 * already nothing changes.
 */
void plan_follow(struct planner *p, const struct remedy *r, const char *inner,
		 struct patch *patch);
/*
 * A lock is called as its unlock is: where one function of @patch can only
 * get "do_name", none gets "__name". Once every patch is planned.
 */
void plan_name_alike(struct planner *p, struct patch *patch);
const char *plan_guard(struct planner *p, const struct remedy *r,
		       struct patch *patch);
const char *plan_guard_call(struct planner *p, const struct remedy *r,
			    struct patch *patch);
const char *plan_guard_compare(struct planner *p, const struct remedy *r,
			       struct patch *patch);
const char *plan_unguard(struct planner *p, const struct remedy *r,
			 struct patch *patch);

/* --- plan_account.c: flags and their statistics --- */

const char *plan_account(struct planner *p, const struct remedy *r,
			 struct patch *patch);

/* --- plan_batch.c: batches that are taken apart --- */

const char *plan_batch(struct planner *p, const struct remedy *r,
		       struct patch *patch);

/* --- plan_root.c: the root group is left out --- */

const char *plan_root_work(struct planner *p, const struct remedy *r,
			   struct patch *patch);

/* --- plan_key.c: static keys --- */

/*
 * Make sure that line @line of @file can ask whether the feature is off: by
 * the predicate, with one include more if need be, or by the key that the
 * predicate reads.
 */
const char *plan_sight(struct planner *p, struct patch *patch,
		       const char *file, uint32_t line);
/*
 * Does line @line of @file see what @patch does when off? NULL, or what it
 * does not see.
 */
const char *plan_arm_seen(struct planner *p, const struct patch *patch,
			  const char *file, uint32_t line);
const char *plan_static_key(struct planner *p, const struct remedy *r,
			    struct patch *patch);

/* --- plan_default.c: off unless asked for --- */

const char *plan_default_on(struct planner *p, const struct remedy *r,
			    struct patch *patch);

/* --- plan_order.c: what comes first --- */

const char *plan_charge_order(struct planner *p, const struct remedy *r,
			      struct patch *patch);

#endif
