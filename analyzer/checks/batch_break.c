// SPDX-License-Identifier: GPL-2.0-only
/*
 * A caller that takes a batch apart: a function that goes over an array and
 * hands all that it gathers to the feature at once is called in a loop, with
 * few elements at a time; or each element of a list is given to the feature
 * by itself, though there is a function that takes the list. What could be
 * done once is done once for a few.
 */
#include "../model/batch.h"
#include "../model/cost.h"
#include "sink.h"
#include "table.h"

static void report(struct model *model, struct sink *sink,
		   const struct batch_break *at)
{
	const struct batched *whole = at->whole;
	struct found found = {
		.rule = "batch-break", .fn = at->fn, .heat = -1,
		.statement = at->call, .state = "on",
		.line = at->line, .column = at->column,
		.cost = cost_work(OP_KIND_CALL), .confidence = LEVEL_HIGH,
	};

	found.message = whole->fn == at->called ?
		arena_printf(model->arena, "'%s' calls '%s' for %u %s at a "
			     "time, though it takes all of them", at->fn->name,
			     whole->fn->name, at->most,
			     at->most == 1 ? "element" : "elements") :
		arena_printf(model->arena, "'%s' calls '%s' for 1 element at "
			     "a time, though '%s' takes all of them",
			     at->fn->name, at->called->name, whole->fn->name);
	found_because(model, &found, at->fn->file, at->loop->line,
		      "%u of them each time round this loop", at->most);
	found_because(model, &found, whole->by->file, whole->line,
		      "'%s' hands all that it was given to '%s' at once",
		      whole->by->name, whole->handed->name);
	sink_add(sink, &found);
}

void check_batch_break(struct model *model, struct sink *sink)
{
	const struct batch_break *at = batch_breaks(model);

	for (; at; at = at->next)
		report(model, sink, at);
}
