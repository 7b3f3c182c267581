// SPDX-License-Identifier: GPL-2.0-only
/* A test on a hot path that reads memory where a static key would do. */
#include <string.h>

#include "../model/peek.h"
#include "sink.h"
#include "table.h"

/*
 * The predicate reads a flag: a given value that is not a key's, returned as
 * it is or by a condition that it decides.
 */
static const struct event *flag_load(const struct summary *s)
{
	const struct event *load = NULL;
	bool guard = s->ret.mark == MARK_GUARD;

	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if (event->kind == EV_OP && (event->op == OP_KIND_LOAD ||
					     event->op == OP_KIND_GLOAD))
			load = event;
		if (event->kind == EV_TEST && event->op == MARK_GUARD)
			guard = true;
	}
	return guard ? load : NULL;
}

static void predicate(struct model *model, struct sink *sink,
		      const char *name)
{
	struct program *in = model->feature->in;
	struct function *fn = map_get(&in->functions,
				      intern(model->strings, name));
	const struct event *load;
	struct found found = { .rule = "dynamic-guard", .heat = -1,
			       .cost = 2, .confidence = LEVEL_HIGH };

	for (; fn; fn = fn->next) {
		if (model->heat[fn->index].most < HEAT_HOT)
			continue;
		load = flag_load(model_off(model, fn));
		if (!load)
			continue;
		found.fn = fn;
		found.message = arena_printf(model->arena,
			"'%s' reads a flag on hot paths where a static key "
			"would cost nothing", fn->name);
		found_because(model, &found, fn->file, load->line,
			      "a load of '%s'", load->name);
		sink_add(sink, &found);
	}
}

static bool names_variable(const struct function *fn,
			   const struct program *in,
			   const struct global_symbol *g)
{
	for (uint32_t i = 0; i < fn->func->nglobal; i++)
		if (fn->func->global[i] == g->name &&
		    program_global(in, g->name, fn->file) == g)
			return true;
	return false;
}

/* Is @name stored to, or its address taken, below @node? */
static bool stores_to(const struct node *node, const char *name)
{
	const struct node *to = node->nkid ? node->kid[0] : NULL;

	if (node->kind == N_ASSIGN || node->kind == N_ADDR) {
		while (to && (to->kind == N_CAST || to->kind == N_FIELD ||
			      to->kind == N_INDEX))
			to = to->kid[0];
		if (to && to->kind == N_GLOBAL && to->name == name)
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && stores_to(node->kid[i], name))
			return true;
	return false;
}

/* All who store to it run once, at boot, whatever the state. */
static bool final_after_boot(struct model *model, const struct fact *fact,
			     struct found *found)
{
	struct program *in = model->feature->in;
	const struct global_symbol *g = fact->global;
	struct peek peek = { NULL, 0 };
	bool final = true;

	for (uint32_t i = 0; i < in->nfunction && final; i++) {
		struct function *fn = in->function[i];
		struct node *body;

		if (!names_variable(fn, in, g))
			continue;
		body = peek_body(&peek, fn->func);
		if (!body || !stores_to(body, g->name))
			continue;
		if (!(fn->func->flags & (FUNC_INIT | FUNC_INITCALL)))
			final = false;
		else
			found_because(model, found, fn->file, fn->func->line,
				      "'%s' sets it, while the kernel boots",
				      fn->name);
	}
	peek_done(&peek);
	return final && found->nwhy;
}

static void variable(struct model *model, struct sink *sink,
		     const struct fact *fact)
{
	struct program *in = model->feature->in;
	const struct global_symbol *g = fact->global;
	struct found found = { .rule = "dynamic-guard", .variable = g,
			       .heat = 0, .cost = 2,
			       .confidence = LEVEL_HIGH };
	const struct function *hottest = NULL;

	if (!final_after_boot(model, fact, &found))
		return;
	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		double heat = model->heat[i].most;

		if ((fn->func->flags & (FUNC_INIT | FUNC_INITCALL)) ||
		    !names_variable(fn, in, g))
			continue;
		found_covers(model, &found, fn->name);
		if (heat > found.heat) {
			found.heat = heat;
			hottest = fn;
		}
	}
	if (!hottest || found.heat < HEAT_HOT)
		return;
	found.fn = hottest;
	found.message = arena_printf(model->arena,
		"'%s' never changes after boot and is read on hot paths "
		"where a static key would cost nothing", g->name);
	found_because(model, &found, hottest->file, hottest->func->line,
		      "'%s' reads it", hottest->name);
	sink_add(sink, &found);
}

void check_dynamic_guard(struct model *model, struct sink *sink)
{
	const struct facts_off *facts = model->facts;

	for (size_t i = 0; i < model->rules->predicate.n; i++)
		predicate(model, sink, model->rules->predicate.name[i]);
	for (uint32_t i = 0; i < facts->nfact; i++) {
		const struct fact *fact = facts->fact[i];

		if (fact->kind != FACT_GLOBAL || *fact->record ||
		    *fact->global->global->type ||
		    (fact->global->global->flags &
		     (GLOBAL_ARRAY | GLOBAL_POINTER | GLOBAL_PERCPU)))
			continue;
		variable(model, sink, fact);
	}
}
