// SPDX-License-Identifier: GPL-2.0-only
/*
 * The off state is tested where a test on the way there has already said
 * that the feature is on. Off, the second test is dead code, so this walks
 * the functions with the feature on.
 */
#include "../model/remedy.h"
#include "sink.h"
#include "table.h"

struct site {
	uint32_t all, tested; /* calls, and those after a test */
};

static void report(struct model *model, struct sink *sink,
		   struct function *fn, const struct function *in,
		   const struct event *test, const char *text)
{
	struct found found = {
		.rule = "redundant-guard", .fn = fn, .heat = -1,
		.statement = test->node, .cost = 1, .state = "on",
		.confidence = LEVEL_HIGH,
	};

	found.message = arena_printf(model->arena,
		"'%s' tests for %s being off a second time", fn->name,
		model->rules->title);
	found_because(model, &found, in->file, test->line, "%s", text);
	sink_add(sink, &found);
}

/* A second test in the function itself, or in a wrapper that it calls. */
static void within(struct model *model, struct sink *sink,
		   struct function *fn)
{
	const struct summary *s = model_on(model, fn);

	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];
		const struct summary *inner = event->summary;

		if (event_tests_guard(event) && (event->flags & EVENT_AGAIN) &&
		    !model_reached_off(model, fn, event)) {
			report(model, sink, fn, fn, event,
			       "this test can only pass");
			return;
		}
		if (event->kind != EV_INLINE || !inner ||
		    !event->fn->header || !event->fn->differs ||
		    !(event->flags & EVENT_TESTED) || !model_wrapped(inner) ||
		    model_reached_off(model, fn, event))
			continue;
		for (uint32_t k = 0; k < inner->nevent; k++) {
			if (!event_tests_guard(&inner->event[k]) ||
			    !(inner->event[k].flags & EVENT_AGAIN))
				continue;
			report(model, sink, fn, event->fn, &inner->event[k],
			       arena_printf(model->arena,
				"the test in '%s' can only pass here",
				event->fn->name));
			return;
		}
	}
}

static void count_sites(struct model *model, struct site *site,
			struct function *fn)
{
	const struct summary *s = model_on(model, fn);

	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if ((event->kind != EV_CALL && event->kind != EV_INLINE) ||
		    !event->fn)
			continue;
		site[event->fn->index].all++;
		site[event->fn->index].tested +=
			(event->flags & EVENT_TESTED) &&
			!model_reached_off(model, fn, event);
	}
}

/* Is the function only named where it was seen to be called? */
static uint32_t users(struct model *model, const struct function *fn)
{
	struct program *in = model->feature->in;
	uint32_t n = 0;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct function *user = in->function[i];

		for (uint32_t k = 0; k < user->func->nref; k++)
			if (user->func->ref[k] == fn->name &&
			    program_function(in, fn->name, user->file) == fn)
				n += !user->touches;
	}
	return n;
}

/* Every caller has tested before it calls. */
static void by_callers(struct model *model, struct sink *sink,
		       const struct site *site, struct function *fn)
{
	const struct summary *s;

	if (fn->header || !site[fn->index].all ||
	    site[fn->index].all != site[fn->index].tested ||
	    model->live[fn->index].taken || users(model, fn))
		return;
	s = model_on(model, fn);
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if (!event_tests_guard(event) || (event->flags & EVENT_NESTED))
			continue;
		report(model, sink, fn, fn, event,
		       "every caller has tested that already");
		return;
	}
}

void check_redundant_guard(struct model *model, struct sink *sink)
{
	struct program *in = model->feature->in;
	struct site *site = ARENA_ARRAY(model->arena, struct site,
					in->nfunction);
	uint32_t i;

	for (i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];

		if (!fn->touches)
			continue;
		if (fn->differs && !fn->header)
			within(model, sink, fn);
		count_sites(model, site, fn);
	}
	for (i = 0; i < model->feature->ndiffers; i++)
		by_callers(model, sink, site, model->feature->differs[i]);
}
