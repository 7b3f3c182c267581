// SPDX-License-Identifier: GPL-2.0-only
/* A pointer that the off state makes NULL is followed where it is reached. */
#include "sink.h"
#include "table.h"

struct seen {
	struct model *model;
	struct sink *sink;
	struct map done; /* by node of the access */
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

/*
 * On no hot path and under a condition that nothing is known of: there the
 * condition is as likely to be what tells the states apart.
 */
static bool unlikely_to_run(const struct model *model,
			    const struct event_at *at)
{
	const struct event_at *outer = at;

	while (outer->up)
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

static bool look(void *data, const struct event_at *at)
{
	struct seen *seen = data;
	struct model *model = seen->model;
	const struct event *event = at->event;
	const struct event_at *where = blamed(at);
	const struct node *node = where->event->node;
	struct found found = {
		.rule = "null-when-disabled", .fn = where->in->fn, .heat = -1,
		.statement = node, .line = where->event->line,
		.column = node ? node->column : 0, .cost = 1,
		.confidence = at->flags & EVENT_MAYBE ? LEVEL_MEDIUM
						      : LEVEL_HIGH,
	};

	if (event->kind != EV_NULL || (at->flags & EVENT_COLD) ||
	    never_made(model, event) || unlikely_to_run(model, at) ||
	    map_get(&seen->done, node))
		return true;
	map_put(&seen->done, node, (void *)event);
	found.message = arena_printf(model->arena,
		"'%s' follows a pointer that is NULL when %s is off, to '%s'",
		where->in->fn->name, model->rules->title,
		event->name ? event->name : "?");
	if (event->value && event->value->because)
		found_because(model, &found, at->in->fn->file, event->line,
			      "it is NULL because of '%s'",
			      event->value->because);
	if (where != at)
		found_because(model, &found, at->in->fn->file, event->line,
			      "followed in '%s'", at->in->fn->name);
	for (const struct event_at *up = where->up; up; up = up->up) {
		found_because(model, &found, up->in->fn->file,
			      up->event->line, "inlined here in '%s'",
			      up->in->fn->name);
		found_covers(model, &found, up->in->fn->name);
	}
	sink_add(seen->sink, &found);
	return true;
}

void check_null_when_disabled(struct model *model, struct sink *sink)
{
	struct program *in = model->feature->in;
	struct seen seen = { .model = model, .sink = sink,
			     .done = { .arena = model->arena } };

	for (uint32_t i = 0; i < in->nfunction; i++)
		if (model->live[i].live &&
		    !events_each(model_off(model, in->function[i]), look,
				 &seen))
			world_cut(model->off, in->function[i],
				  "it does more than is looked at");
}
