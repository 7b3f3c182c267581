// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flag is changed in one function and its statistics are kept in another,
 * so that nothing can be put around both; or a function far from both does
 * what a helper beside the statistics is for.
 */
#include "../model/account.h"
#include "../model/cost.h"
#include "sink.h"
#include "table.h"

static void report(struct model *model, struct sink *sink,
		   const struct accounted *at)
{
	const struct accounted *helper = at->helper;
	struct found found = {
		.rule = "split-accounting", .fn = at->fn, .heat = -1,
		.statement = at->change, .state = "on",
		.line = at->change->line, .column = at->change->column,
		.cost = cost_work(OP_KIND_CALL), .confidence = LEVEL_HIGH,
	};

	if (at->again)
		found.message = arena_printf(model->arena,
			"'%s' does by itself what '%s' does, with '%s' and "
			"'%s'", at->fn->name, helper->fn->name,
			at->flag->name, at->by == at->fn ? at->counts->name :
			at->by->name);
	else
		found.message = arena_printf(model->arena,
			"'%s' changes a flag with '%s', and '%s' keeps the "
			"statistics of it", at->fn->name, at->flag->name,
			at->by->name);
	found_because(model, &found, at->by->file, at->line,
		      "the statistics: '%s' calls '%s'", at->by->name,
		      at->counts->name);
	if (at->by != at->fn)
		found_because(model, &found, at->fn->file, at->call->line,
			      "'%s' is called here, behind the change",
			      at->by->name);
	found_because(model, &found, helper->fn->file, helper->change->line,
		      "'%s' does both", helper->fn->name);
	sink_add(sink, &found);
}

void check_split_accounting(struct model *model, struct sink *sink)
{
	const struct accounted *at = account_splits(model);

	for (; at; at = at->next)
		report(model, sink, at);
}
