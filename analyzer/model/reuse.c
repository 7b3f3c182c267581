// SPDX-License-Identifier: GPL-2.0-only
/*
 * Summaries of the round before that still hold.
 *
 * A round changes few facts, and what hangs on none of these would come out
 * of another walk as it is. A summary is only taken if it and all that it was
 * made from are what walks would make now, to the letter: then what is found
 * does not depend on what was taken.
 */
#include "world.h"

static bool refuse(struct world *w, struct summary *s)
{
	s->refused = w->round;
	return false;
}

/* Those that it was made from, whose facts are among its own. */
static bool holds(struct world *w, struct summary *s)
{
	if (s->checked == w->checks)
		return true;
	s->checked = w->checks;
	if (s->open || s->refused == w->round)
		return false;
	for (uint32_t i = 0; i < s->nused; i++) {
		struct summary *u = s->used[i].summary;

		if (u->round == w->round)
			continue;
		/* it was made, or would be, for what another one passes */
		if (!s->used[i].exact ||
		    world_find(w, u->fn, u->arg, u->narg, u->hash, u->tested) ||
		    !holds(w, u))
			return refuse(w, s);
	}
	return true;
}

/* In the order in which walks would make them. */
static void take(struct world *w, struct summary *s)
{
	s->round = w->round;
	s->next = w->memo[s->fn->index];
	w->memo[s->fn->index] = s;
	w->nmemo[s->fn->index]++;
	w->nkept++;
	for (uint32_t i = 0; i < s->nused; i++)
		if (s->used[i].summary->round != w->round)
			take(w, s->used[i].summary);
}

struct summary *world_reuse(struct world *w, const struct function *fn,
			    const struct argument *arg, uint32_t narg,
			    uint32_t hash, bool tested)
{
	struct summary *s;
	uint32_t i;

	for (s = w->old[fn->index]; s; s = s->before) {
		if (s->hash != hash || s->narg != narg || s->tested != tested)
			continue;
		for (i = 0; i < narg && argument_same(&s->arg[i], &arg[i]);)
			i++;
		if (i == narg)
			break;
	}
	if (!s || facts_set_meets(&s->reads, &w->changed) ||
	    facts_set_meets(&s->reads, &w->facts->changed))
		return NULL;
	w->checks++;
	if (!holds(w, s))
		return NULL;
	take(w, s);
	return s;
}
