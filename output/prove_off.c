// SPDX-License-Identifier: GPL-2.0-only
#include "prove_off.h"

#include <stdlib.h>
#include <string.h>

#include "../analyzer/model/order.h"
#include "../analyzer/options.h"
#include "../analyzer/run.h"
#include "off_compare.h"

struct off_state {
	struct run *run; /* one per rules file */
	size_t nrun;
};

struct off_state *off_state_new(const char *tree,
				const struct options *options,
				const struct memfile *file, size_t nfile,
				struct err *err)
{
	struct off_state *state = xcalloc(1, sizeof(*state));
	struct options with = *options;

	with.view = file;
	with.nview = nfile;
	state->run = xcalloc(options->rules.n, sizeof(*state->run));
	for (size_t i = 0; i < options->rules.n; i++) {
		state->nrun++;
		if (run_model(&state->run[i], tree, options->rules.name[i],
			      &with, err)) {
			off_state_free(state);
			return NULL;
		}
	}
	return state;
}

void off_state_free(struct off_state *state)
{
	if (!state)
		return;
	for (size_t i = 0; i < state->nrun; i++)
		run_release(&state->run[i]);
	free(state->run);
	free(state);
}

uint64_t off_state_rules(const struct off_state *state)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < state->nrun; i++)
		hash = hash * 31 + state->run[i].rules->hash;
	return hash;
}

static const struct finding *find_id_in(const struct off_state *state,
					const char *id, struct model **model)
{
	for (size_t i = 0; i < state->nrun; i++) {
		const struct report *report = &state->run[i].report;

		*model = state->run[i].model;
		for (size_t k = 0; k < report->nfinding; k++)
			if (!strcmp(report->finding[k].id, id))
				return &report->finding[k];
	}
	return NULL;
}

static const struct finding *find_id(const struct off_state *state,
				     const char *id)
{
	struct model *model;

	return find_id_in(state, id, &model);
}

const char *off_state_lost(const struct off_state *before,
			   const struct off_state *after,
			   struct arena *arena)
{
	for (size_t i = 0; i < after->nrun; i++) {
		const struct report *new = &after->run[i].report;
		const struct report *old = &before->run[i].report;

		for (size_t k = 0; k < new->nskipped; k++) {
			const struct skipped *skipped = &new->skipped[k];
			size_t m = 0;

			while (m < old->nskipped &&
			       (strcmp(old->skipped[m].file, skipped->file) ||
				strcmp(old->skipped[m].function,
				       skipped->function)))
				m++;
			if (m == old->nskipped)
				return arena_printf(arena, "%s%s%s could not "
					"be analysed: %s", skipped->file,
					*skipped->function ? ": " : "",
					skipped->function, skipped->why);
		}
	}
	return NULL;
}

static struct off_result failed(const char *why)
{
	return (struct off_result){ .applies = true, .why = why };
}

/* A finding that the patch was to clear and that is there with it, or NULL. */
static const char *still(const struct off_state *after,
			 const struct off_patch *patch, struct arena *arena)
{
	for (size_t i = 0; i < patch->nfinding; i++) {
		const struct finding *finding = find_id(after,
							patch->finding[i]);

		if (finding)
			return arena_printf(arena, "%s:%u: %s [%s] is still "
				"reported", finding->file, finding->line,
				finding->message, finding->rule);
	}
	return NULL;
}

/* "name", or "name@file"; of several statics the first that it matters in. */
static struct function *find_function(const struct model *model,
				      const char *name)
{
	const struct program *in = model->feature->in;
	const char *at = strchr(name, '@'), *known;
	struct function *fn, *best = NULL;
	char *plain = at ? strndup(name, (size_t)(at - name)) : strdup(name);

	known = plain ? interned(model->strings, plain) : NULL;
	free(plain);
	for (fn = known ? map_get(&in->functions, known) : NULL; fn;
	     fn = fn->next) {
		if (at && strcmp(fn->file, at + 1))
			continue;
		if (!best || (!best->touches && fn->touches))
			best = fn;
	}
	return best;
}

/* "missing", "late" and "outline": three answers to one question. */
static bool is_placement(const char *rule)
{
	return !strcmp(rule, "missing-guard") || !strcmp(rule, "late-guard") ||
	       !strcmp(rule, "outline-guard");
}

static bool is_outline(const char *rule)
{
	return !strcmp(rule, "outline-guard");
}

/*
 * The function had a finding about its guard before. If it is as it was, then
 * what it calls has changed; if it was more than a call, that is what is left.
 */
static bool is_renamed(const struct off_state *before,
		       const struct off_state *after,
		       const struct finding *finding, struct arena *arena)
{
	const char *name = arena_printf(arena, "%s@%s", finding->function,
					finding->file);

	for (size_t i = 0; is_placement(finding->rule) && i < before->nrun;
	     i++) {
		const struct report *report = &before->run[i].report;
		struct function *a = find_function(before->run[i].model,
						   name);
		struct function *b = find_function(after->run[i].model, name);
		bool same = a && b && a->func->hash == b->func->hash;

		for (size_t k = 0; k < report->nfinding; k++) {
			const struct finding *old = &report->finding[k];

			if (!strcmp(old->function, finding->function) &&
			    !strcmp(old->file, finding->file) &&
			    is_placement(old->rule) &&
			    (same || (is_outline(finding->rule) &&
				      !is_outline(old->rule))))
				return true;
		}
	}
	return false;
}

static bool names(const struct function *fn, const char *name)
{
	for (uint32_t i = 0; i < fn->func->nref; i++)
		if (!strcmp(fn->func->ref[i], name))
			return true;
	return false;
}

/*
 * A function that was not there has a finding that another one had, which is
 * its wrapper in another file now: it is the same under its inner name.
 */
static bool is_inner(const struct off_state *before,
		     const struct off_state *after,
		     const struct finding *finding)
{
	for (size_t i = 0; i < before->nrun; i++) {
		const struct report *report = &before->run[i].report;

		if (find_function(before->run[i].model, finding->function))
			return false;
		for (size_t k = 0; k < report->nfinding; k++) {
			const struct finding *old = &report->finding[k];
			const struct function *now;

			if (strcmp(old->rule, finding->rule) ||
			    strcmp(old->file, finding->file) ||
			    find_id(after, old->id))
				continue;
			now = find_function(after->run[i].model,
					    old->function);
			if (now && strcmp(now->file, old->file) &&
			    names(now, finding->function))
				return true;
		}
	}
	return false;
}

bool off_state_reports(const struct off_state *state, const char *id)
{
	return find_id(state, id) != NULL;
}

const char *off_state_brings(const struct off_state *before,
			     const struct off_state *after,
			     struct arena *arena)
{
	for (size_t i = 0; i < after->nrun; i++) {
		const struct report *report = &after->run[i].report;

		for (size_t k = 0; k < report->nfinding; k++) {
			const struct finding *finding = &report->finding[k];

			if (find_id(before, finding->id) ||
			    is_renamed(before, after, finding, arena) ||
			    is_inner(before, after, finding))
				continue;
			return arena_printf(arena, "%s:%u: %s [%s] is "
				"reported now", finding->file, finding->line,
				finding->message, finding->rule);
		}
	}
	return NULL;
}

static struct off_result clears(const struct off_state *before,
				const struct off_state *after,
				const struct off_patch *patch,
				struct arena *arena)
{
	const char *new = off_state_brings(before, after, arena);

	if (new)
		return failed(new);
	return (struct off_result){ true, true, arena_printf(arena, "%zu %s not "
		"reported any more, and no other is", patch->nfinding,
		patch->nfinding == 1 ? "finding is" : "findings are") };
}

/* The write of @old is still there, further down than what it was to pass. */
static bool stands_behind(const struct off_state *after, const char *function,
			  const char *file, const struct order_pair *pair,
			  struct arena *arena)
{
	const char *name = arena_printf(arena, "%s@%s", function, file);

	for (size_t i = 0; i < after->nrun; i++) {
		const struct function *fn =
			find_function(after->run[i].model, name);

		if (fn && order_writes_after(fn, pair))
			return true;
	}
	return false;
}

static struct off_result order_of(const struct off_state *before,
				  const struct off_state *after,
				  const struct off_patch *patch,
				  struct arena *arena)
{
	struct off_result result = { .why = "nothing is done in another "
					    "order" };
	const char *text = "";

	for (size_t i = 0; i < patch->nfinding; i++) {
		const struct finding *finding;
		const struct order_pair *pair;
		struct order_move *move;
		struct model *model;
		const char *where;

		finding = find_id_in(before, patch->finding[i], &model);
		pair = finding ? model_order_of(model, finding) : NULL;
		if (!pair)
			continue;
		move = model_order_move(model, pair);
		if (move->prevents)
			return failed(move->prevents);
		where = move->into ? move->into->name : finding->function;
		if (!stands_behind(after, where, finding->file, pair, arena))
			return failed(arena_printf(arena, "%s: '%s' does not "
				"come after the charge with the patch", where,
				pair->write->callee));
		text = arena_printf(arena, "%s%s%s: '%s' moves from line %u "
			"behind line %u", text, *text ? "; " : "",
			finding->file, pair->write->callee, move->from,
			move->to);
		if (move->into)
			text = arena_printf(arena, "%s, into '%s', which "
				"nobody else calls", text, where);
		for (size_t k = 0; k < move->nstep; k++)
			text = arena_printf(arena, "%s; line %u: %s", text,
					    move->step[k].line,
					    move->step[k].text);
		result.applies = result.pass = true;
		result.why = text;
	}
	return result;
}

static bool is_variable(const struct model *model, const char *name)
{
	name = interned(model->strings, name);
	return name && map_get(&model->feature->in->globals, name);
}

/* Does anybody come there in the off state? */
static bool is_reached(const struct model *model, const struct function *fn)
{
	const struct liveness *live = &model->live[fn->index];

	return live->live || live->inlined || live->taken;
}

static struct off_result same(const struct off_state *before,
			      const struct off_state *after,
			      const struct off_patch *patch,
			      struct arena *arena)
{
	const char *note = NULL;
	size_t nequal = 0, compared = 0, nowhere = 0;

	for (size_t i = 0; i < before->nrun; i++) {
		struct off_compare compare;

		off_compare_init(&compare, before->run[i].model,
				 after->run[i].model, arena);
		for (size_t k = 0; k < patch->nfunction; k++) {
			const char *name = patch->function[k];
			struct function *a, *b;

			a = find_function(before->run[i].model, name);
			b = find_function(after->run[i].model, name);
			if (!a && is_variable(before->run[i].model, name))
				continue;
			if (!a || !b)
				return failed(arena_printf(arena, "%s: it is "
					"not known %s the patch", name,
					a ? "with" : "before"));
			compared++;
			if (!is_reached(before->run[i].model, a) &&
			    !is_reached(after->run[i].model, b)) {
				nowhere++;
				continue;
			}
			if (!off_compare_function(&compare, a, b))
				return failed(compare.why);
		}
		if (!off_compare_end(&compare))
			return failed(compare.why);
		nequal += compare.nequal;
		if (compare.note)
			note = note ? arena_printf(arena, "%s; %s", note,
						   compare.note) :
			       compare.note;
	}
	if (!compared)
		return (struct off_result){ false, false,
			"it changes how a variable is kept, and no function" };
	if (compared == nowhere)
		return (struct off_result){ true, true,
			"nobody calls it in the off state, before or after" };
	return (struct off_result){ true, true, note ? note :
		arena_printf(arena, "%zu stores, calls and sections are as "
			     "they were, and what is returned", nequal) };
}

void off_prove(const struct off_state *before, const struct off_state *after,
	       const struct off_patch *patch, struct off_proof *proof,
	       struct arena *arena)
{
	const char *why = off_state_lost(before, after, arena);

	if (why) {
		proof->clears = proof->same = proof->order = failed(why);
		proof->still = NULL;
		return;
	}
	proof->still = still(after, patch, arena);
	proof->clears = proof->still ? failed(proof->still) :
		clears(before, after, patch, arena);
	proof->same = same(before, after, patch, arena);
	proof->order = order_of(before, after, patch, arena);
}
