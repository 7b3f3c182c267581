// SPDX-License-Identifier: GPL-2.0-only
#include "unreal.h"

struct looking {
	const struct facts_off *facts;
	bool found;
};

/* The record that is never made and makes @v NULL, or NULL. */
static const char *never_made(const struct facts_off *facts,
			      const struct value *v)
{
	return v && v->kind == V_CONST && v->because &&
	       map_get(&facts->records, v->because) ? v->because : NULL;
}

static bool look(void *data, const struct event_at *at)
{
	struct looking *looking = data;

	if (at->event->kind != EV_NULL || (at->flags & EVENT_MAYBE) ||
	    !never_made(looking->facts, at->event->value))
		return true;
	looking->found = true;
	return false;
}

bool unreal_summary(const struct facts_off *facts, const struct summary *s)
{
	struct looking looking = { .facts = facts };

	events_each(s, look, &looking);
	return looking.found;
}

static const char *local_name(const struct node *e)
{
	while (e && e->kind == N_CAST)
		e = e->kid[0];
	return e && e->kind == N_LOCAL ? e->name : NULL;
}

/* The local that is argument @i of the call, if it is NULL for that reason. */
static const char *null_argument(const struct facts_off *facts,
				 const struct event *call, uint32_t i)
{
	const struct node *e = call->node;

	if (!e || e->kind != N_CALL || i + 1 >= e->nkid ||
	    !never_made(facts, &call->summary->arg[i].value))
		return NULL;
	return local_name(e->kid[i + 1]);
}

/* Is the local @name given to an inline function that follows it? */
static bool is_followed(const struct facts_off *facts,
			const struct summary *s, const char *name)
{
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if (event->kind != EV_INLINE || !event->summary ||
		    (event->flags & (EVENT_NESTED | EVENT_COLD)))
			continue;
		for (uint32_t k = 0; k < event->summary->narg; k++)
			if (null_argument(facts, event, k) == name &&
			    unreal_summary(facts, event->summary))
				return true;
	}
	return false;
}

bool unreal_call(const struct facts_off *facts, const struct summary *s,
		 const struct event *call)
{
	if (call->kind != EV_CALL || !call->summary)
		return false;
	for (uint32_t i = 0; i < call->summary->narg; i++) {
		const char *name = null_argument(facts, call, i);

		if (name && is_followed(facts, s, name))
			return true;
	}
	return false;
}
