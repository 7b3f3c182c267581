// SPDX-License-Identifier: GPL-2.0-only
#include "event.h"

const char *op_kind_text(enum op_kind kind)
{
	static const char *const text[OP_KINDS] = {
		[OP_KIND_LOAD] = "a load of", [OP_KIND_GLOAD] = "a load of",
		[OP_KIND_PERCPU] = "an access to", [OP_KIND_STORE] = "a store to",
		[OP_KIND_ASM] = "assembly in",
		[OP_KIND_HEAVY] = "a locked or serialising instruction in",
		[OP_KIND_CALL] = "a call of", [OP_KIND_ICALL] = "an indirect call through",
		[OP_KIND_LOOP] = "a loop in",
	};

	return text[kind];
}

struct each {
	event_fn fn;
	void *data;
	size_t left;
};

static bool each(struct each *e, const struct summary *summary,
		 const struct event_at *up)
{
	struct event_at at = {
		.in = summary,
		.up = up,
		.depth = up ? up->depth + 1 : 0,
	};

	for (uint32_t i = 0; i < summary->nevent; i++) {
		const struct event *event = &summary->event[i];

		if (!e->left)
			return false;
		e->left--;
		at.event = event;
		at.flags = event->flags | (up ? up->flags & (EVENT_COLD |
					   EVENT_MAYBE | EVENT_LOOP) : 0);
		at.freq = (double)event->freq * (up ? up->freq : 1);
		if (!e->fn(e->data, &at))
			return false;
		if (event->kind == EV_INLINE && event->summary &&
		    !each(e, event->summary, &at))
			return false;
	}
	return true;
}

bool events_each(const struct summary *summary, event_fn fn, void *data)
{
	struct each e = { .fn = fn, .data = data, .left = EVENTS_MAX };

	return each(&e, summary, NULL);
}

bool events_each_called(const struct event_at *up, event_fn fn, void *data)
{
	struct each e = { .fn = fn, .data = data, .left = EVENTS_MAX };

	return each(&e, up->event->summary, up);
}
