// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pointer that the off state makes NULL is followed where it is reached.
 *
 * A function is looked at with what all of its callers pass to it, and then
 * as each of them calls it: what is NULL for one and the root group for the
 * next is only known to be either.
 */
#include "sink.h"
#include "table.h"

struct call {
	const struct event_at *at;
	struct call *next;
};

struct seen {
	struct model *model;
	struct sink *sink;
	struct map done;    /* by node of the access */
	struct map entered; /* by summary */
	struct call *first, **last;
};

/*
 * NULL only because no such record is ever made: then it is the way to the
 * access that is not there, not the object.
 */
static bool never_made(const struct model *model, const struct event *event)
{
	const char *because = event->value ? event->value->because : NULL;

	return because && map_get(&model->facts->records, because);
}

static bool is_inlined(const struct event_at *at)
{
	return at->up && at->up->event->kind == EV_INLINE;
}

/*
 * On no hot path and under a condition that nothing is known of: there the
 * condition is as likely to be what tells the states apart.
 */
static bool unlikely_to_run(const struct model *model,
			    const struct event_at *at)
{
	const struct event_at *outer = at;

	while (is_inlined(outer))
		outer = outer->up;
	return (at->flags & EVENT_NESTED) &&
	       model->heat[outer->in->fn->index].most <= 0;
}

/* A helper that follows what it is given is not to blame: its caller is. */
static const struct event_at *blamed(const struct event_at *at)
{
	while (at->up && !at->in->fn->differs)
		at = at->up;
	return at;
}

static struct event_at *keep(struct model *model, const struct event_at *at)
{
	struct event_at *kept = ARENA_NEW(model->arena, struct event_at);
	struct event_at *to = kept;

	*to = *at;
	/* what is above a call out of line is kept already */
	while (is_inlined(to)) {
		struct event_at *up = ARENA_NEW(model->arena, struct event_at);

		*up = *to->up;
		to->up = up;
		to = up;
	}
	return kept;
}

/* Put off until every function was looked at by itself. */
static void put_off(struct seen *seen, const struct event_at *at)
{
	const struct event *event = at->event;
	struct call *call;

	if (!event->summary || event->summary->walking ||
	    (at->flags & EVENT_COLD) ||
	    map_get(&seen->entered, event->summary))
		return;
	map_put(&seen->entered, event->summary, event->summary);
	call = ARENA_NEW(seen->model->arena, struct call);
	*call = (struct call){ .at = keep(seen->model, at) };
	*seen->last = call;
	seen->last = &call->next;
}

static void add_way(struct model *model, struct found *found,
		    const struct event_at *at, const struct event_at *where)
{
	bool covers = true;

	if (where != at)
		found_because(model, found, at->in->fn->file, at->event->line,
			      "followed in '%s'", at->in->fn->name);
	for (const struct event_at *up = where->up; up; up = up->up) {
		bool inlined = up->event->kind == EV_INLINE;

		found_because(model, found, up->in->fn->file, up->event->line,
			      inlined ? "inlined here in '%s'"
				      : "called here, in '%s'",
			      up->in->fn->name);
		covers &= inlined;
		if (covers)
			found_covers(model, found, up->in->fn->name);
	}
}

static bool look(void *data, const struct event_at *at)
{
	struct seen *seen = data;
	struct model *model = seen->model;
	const struct event *event = at->event;
	const struct event_at *where;
	const struct node *node;
	struct found found = { .rule = "null-when-disabled", .heat = -1,
			       .cost = 1 };

	if (event->kind == EV_CALL)
		put_off(seen, at);
	if (event->kind != EV_NULL || (at->flags & EVENT_COLD) ||
	    never_made(model, event) || unlikely_to_run(model, at))
		return true;
	where = blamed(at);
	node = where->event->node;
	if (map_get(&seen->done, node))
		return true;
	map_put(&seen->done, node, (void *)event);
	found.fn = where->in->fn;
	found.statement = node;
	found.line = where->event->line;
	found.column = node ? node->column : 0;
	found.confidence = at->flags & EVENT_MAYBE ? LEVEL_MEDIUM
						   : LEVEL_HIGH;
	found.message = arena_printf(model->arena,
		"'%s' follows a pointer that is NULL when %s is off, to '%s'",
		where->in->fn->name, model->rules->title,
		event->name ? event->name : "?");
	if (event->value && event->value->because)
		found_because(model, &found, at->in->fn->file, event->line,
			      "it is NULL because of '%s'",
			      event->value->because);
	add_way(model, &found, at, where);
	sink_add(seen->sink, &found);
	return true;
}

void check_null_when_disabled(struct model *model, struct sink *sink)
{
	struct program *in = model->feature->in;
	struct seen seen = { .model = model, .sink = sink,
			     .done = { .arena = model->arena },
			     .entered = { .arena = model->arena } };

	seen.last = &seen.first;
	for (uint32_t i = 0; i < in->nfunction; i++)
		if (model->live[i].live) {
			struct summary *s = model_off(model, in->function[i]);

			map_put(&seen.entered, s, s);
		}
	for (uint32_t i = 0; i < in->nfunction; i++)
		if (model->live[i].live &&
		    !events_each(model_off(model, in->function[i]), look,
				 &seen))
			world_cut(model->off, in->function[i],
				  "it does more than is looked at");
	for (const struct call *call = seen.first; call; call = call->next)
		if (!events_each_called(call->at, look, &seen))
			world_cut(model->off, call->at->event->fn,
				  "it does more than is looked at");
}
