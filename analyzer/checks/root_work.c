// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work for the root group that nobody has a use for, with the feature on and
 * no other group made: tests of limits that mean nothing there, and numbers
 * of its own that the whole system's counters hold as well.
 */
#include <string.h>

#include "../model/reading.h"
#include "../model/total.h"
#include "sink.h"
#include "table.h"

/* Summaries within summaries; more is no code that anybody wrote. */
#define DEEP 60

struct root_work {
	struct model *model;
	struct sink *sink;
	const char *group;       /* the record of a group, interned */
	struct map looked_at;    /* summary: struct limit */
	struct limit *limit;     /* by function->index: what is reported */
};

/* --- limits */

/* A limit is read, and who reads it gives something back for it. */
struct limit {
	const struct event *load;
	const struct function *in, *from; /* the reader, the hot function */
	double heat;
	bool loop;                /* all of them on the way up */
};

static void note_limit(struct root_work *work, const struct summary *s,
		       const struct limit *limit, const struct summary *from)
{
	struct limit *at = &work->limit[s->fn->index];

	if (at->load && at->heat >= from->heat)
		return;
	*at = *limit;
	at->from = from->fn;
	at->heat = from->heat;
}

/* One more, read in @in or found by whom that calls. */
static void add_limit(struct limit *limit, const struct limit *found,
		      bool loop)
{
	bool all = (!limit->load || limit->loop) && (found->loop || loop);

	if (!limit->load)
		*limit = *found;
	limit->loop = all;
}

/*
 * The first limit that @s reads or asks a helper about; what is done with it
 * is done by the first function up from there that gives nothing back.
 */
static struct limit *find_limit(struct root_work *work,
				const struct summary *s,
				const struct summary *from, unsigned deep)
{
	const struct names *limits = &work->model->rules->limit;
	struct limit *limit = map_get(&work->looked_at, s), *inner;

	if (limit || deep > DEEP)
		return limit;
	/* told of the nearest one that is on a hot path */
	if (s->heat >= HEAT_HOT)
		from = s;
	limit = ARENA_NEW(work->model->arena, struct limit);
	map_put(&work->looked_at, s, limit);
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];
		bool loop = event->flags & EVENT_LOOP;

		if (event->kind == EV_OP && event->op == OP_KIND_LOAD &&
		    names_have(limits, event->name))
			add_limit(limit, &(struct limit){
				.load = event, .in = s->fn }, loop);
		if (!event_calls(event) || !event->summary ||
		    (!reading_follows(event->fn) && event->kind != EV_INLINE))
			continue;
		inner = find_limit(work, event->summary, from, deep + 1);
		if (inner && inner->load)
			add_limit(limit, inner, loop);
	}
	if (limit->load && reading_follows(s->fn) && function_is_void(s->fn) &&
	    function_takes(s->fn, work->group)) {
		note_limit(work, s, limit, from);
		*limit = (struct limit){ .load = NULL };
	}
	return limit;
}

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

static void report_limit(struct root_work *work, struct function *fn)
{
	struct model *model = work->model;
	const struct limit *limit = &work->limit[fn->index];
	const struct heat *heat = &model->root_heat[fn->index];
	struct found found = {
		.rule = "root-work", .fn = fn, .state = "root-only",
		.heat = heat->most, .cost = cost_of(model, fn),
		.confidence = LEVEL_HIGH,
		.reached = &model->root_heat[limit->from->index],
	};

	found.message = arena_printf(model->arena, limit->loop ?
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
	sink_add(work->sink, &found);
}

static void limits(struct root_work *work)
{
	struct model *model = work->model;
	struct program *in = model->feature->in;
	uint32_t i;

	if (!model->rules->limit.n)
		return;
	for (i = 0; i < in->nfunction; i++)
		for (struct summary *s = model->root->memo[i]; s; s = s->next)
			if (s->heat >= HEAT_HOT && reading_follows(s->fn))
				find_limit(work, s, s, 0);
	for (i = 0; i < in->nfunction; i++)
		if (work->limit[i].load)
			report_limit(work, in->function[i]);
}

/* --- numbers */

static void report_total(struct root_work *work, const struct total *total)
{
	struct model *model = work->model;
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
	sink_add(work->sink, &found);
}

static void numbers(struct root_work *work)
{
	struct arena *arena = arena_new();
	struct total *total;
	size_t n, i, k;

	total = model_totals(work->model, arena, &n);
	for (i = 0; i < n; i = k) {
		/* one finding for a function, of the first such number */
		for (k = i; k < n && total[k].fn == total[i].fn; k++)
			if (total[k].twin.counter || total[k].other)
				break;
		if (k < n && total[k].fn == total[i].fn)
			report_total(work, &total[k]);
		while (k < n && total[k].fn == total[i].fn)
			k++;
	}
	arena_free(arena);
}

void check_root_work(struct model *model, struct sink *sink)
{
	struct root_work work = { .model = model, .sink = sink };
	struct program *in = model->feature->in;

	if (!model->rules->group)
		return;
	model_find_root_work(model);
	work.group = intern(model->strings, model->rules->group);
	work.looked_at.arena = model->arena;
	work.limit = ARENA_ARRAY(model->arena, struct limit, in->nfunction);
	limits(&work);
	numbers(&work);
}
