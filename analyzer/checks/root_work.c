// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work for the root group that nobody has a use for, with the feature on and
 * no other group made: tests of limits that mean nothing there, and numbers
 * of its own that the whole system's counters hold as well.
 */
#include "../model/limit.h"
#include "../model/total.h"
#include "sink.h"
#include "table.h"

static bool add_cost(void *data, const struct event_at *at)
{
	unsigned *cost = data;

	if (at->event->kind == EV_OP)
		*cost += cost_rank((enum op_kind)at->event->op);
	else if (at->event->kind == EV_CALL)
		*cost += cost_rank(OP_KIND_CALL);
	return true;
}

static unsigned cost_of(struct model *model, struct function *fn)
{
	unsigned cost = 0;

	events_each(world_summary(model->root, fn,
				  world_any_arguments(model->root, fn),
				  fn->func->nparam), add_cost, &cost);
	return cost;
}

static void report_limit(struct model *model, struct sink *sink,
			 struct function *fn, const struct limit *limit)
{
	const struct heat *heat = &model->root_heat[fn->index];
	struct found found = {
		.rule = "root-work", .fn = fn, .state = "root-only",
		.heat = heat->most, .cost = cost_of(model, fn),
		.confidence = LEVEL_HIGH,
		.reached = &model->root_heat[limit->from->index],
	};

	found.message = arena_printf(model->arena, limit->up ?
		"'%s' walks up to the root group and tests a limit there, "
		"which means nothing" :
		"'%s' tests a limit of the root group, which means nothing "
		"there", fn->name);
	found_because(model, &found, limit->in->file, limit->load->line,
		      "a load of '%s', which root never exceeds: it is not "
		      "charged while it is the only group",
		      limit->load->name);
	if (limit->from != fn)
		found_because(model, &found, limit->from->file,
			      limit->from->func->line,
			      "'%s', on a hot path, leads there for root too",
			      limit->from->name);
	sink_add(sink, &found);
}

static void report_total(struct model *model, struct sink *sink,
			 const struct total *total)
{
	const struct twin *twin = &total->twin;
	struct function *fn = total->fn;
	struct found found = {
		.rule = "root-work", .fn = fn, .state = "root-only",
		.heat = -1, .cost = cost_of(model, fn),
		.confidence = LEVEL_MEDIUM,
		.reached = &model->root_heat[fn->index],
	};

	found.message = arena_printf(model->arena,
		"'%s' keeps numbers for the root group that the whole "
		"system's counters hold", fn->name);
	found_because(model, &found, fn->file, total->add->line,
		      "'%s' is added to, which no hot path reads",
		      total->field);
	if (total->other) {
		twin = &total->other->twin;
		found_because(model, &found, total->other->fn->file,
			      total->other->add->line,
			      "'%s' adds to the same number",
			      total->other->fn->name);
	}
	found_because(model, &found, twin->in->file, twin->call->line,
		      "'%s' counts the same beside it", twin->counter);
	for (unsigned i = 0; i < total->nreader; i++)
		found_because(model, &found, total->reader[i]->file,
			      total->reader[i]->func->line,
			      "'%s' reads it", total->reader[i]->name);
	sink_add(sink, &found);
}

static void numbers(struct model *model, struct sink *sink)
{
	struct arena *arena = arena_new();
	struct total *total;
	size_t n, i, k;

	total = model_totals(model, arena, &n);
	for (i = 0; i < n; i = k) {
		/* one finding for a function, of the first such number */
		for (k = i; k < n && total[k].fn == total[i].fn; k++)
			if (total[k].twin.counter || total[k].other)
				break;
		if (k < n && total[k].fn == total[i].fn)
			report_total(model, sink, &total[k]);
		while (k < n && total[k].fn == total[i].fn)
			k++;
	}
	arena_free(arena);
}

void check_root_work(struct model *model, struct sink *sink)
{
	struct program *in = model->feature->in;
	struct limit *limit;

	if (!model->rules->group)
		return;
	model_find_root_work(model);
	limit = model_limits(model);
	for (uint32_t i = 0; i < in->nfunction; i++)
		if (limit[i].load)
			report_limit(model, sink, in->function[i], &limit[i]);
	numbers(model, sink);
}
