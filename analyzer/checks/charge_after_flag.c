// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page is charged after a flag of it was written behind a barrier. Nobody
 * can see the page yet, so the barrier has nothing to order before the charge.
 */
#include "../model/order.h"
#include "sink.h"
#include "table.h"

/* The call that charges, at the end of the way there. */
static const struct order_step *last(const struct order_step *step)
{
	while (step->inner)
		step = step->inner;
	return step;
}

static void report(struct model *model, struct sink *sink,
		   const struct order_pair *pair)
{
	const struct order_write *write = pair->write;
	const struct order_step *step = pair->charge;
	bool here = !step->inner && step->fn == write->fn;
	struct found found = {
		.rule = "charge-after-flag", .fn = write->fn, .heat = -1,
		.statement = write->call, .line = write->call->line,
		.column = write->call->column, .cost = 4, .state = "on",
		.confidence = here ? LEVEL_HIGH :
			      pair->shows ? LEVEL_LOW : LEVEL_MEDIUM,
	};

	found.message = arena_printf(model->arena,
		"'%s' writes a flag behind a barrier before '%s' charges the "
		"same object, which nobody sees yet", write->callee,
		last(step)->callee);
	found_because(model, &found, write->fn->file, write->call->line,
		      "'%s' writes the flag", write->callee);
	found_because(model, &found, write->fence->file, write->fence_line,
		      "the barrier, in '%s'", write->fence->name);
	for (; step; step = step->inner)
		found_because(model, &found, step->fn->file, step->call->line,
			      step->inner ? "on the way to the charge: a call "
			      "of '%s'" : "'%s' charges the object",
			      step->callee);
	if (pair->shows)
		found_because(model, &found, pair->charge->fn->file,
			      pair->charge->call->line,
			      "'%s' makes the object visible, too: the flag "
			      "must be set before", pair->charge->callee);
	sink_add(sink, &found);
}

void check_charge_after_flag(struct model *model, struct sink *sink)
{
	size_t n;
	const struct order_pair *pair = model_order(model, &n);

	for (size_t i = 0; i < n; i++)
		report(model, sink, &pair[i]);
}
