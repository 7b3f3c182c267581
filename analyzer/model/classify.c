// SPDX-License-Identifier: GPL-2.0-only
/* From what is left of a function to the rule that it breaks. */
#include <string.h>

#include "cold.h"
#include "unreal.h"
#include "verdict.h"

/*
 * An outline guard costs a call and a test: it matters where it runs at
 * least every few operations. Work matters on any hot path.
 */
#define HEAT_OUTLINE 0.1

static bool candidate(const struct model *model, const struct function *fn)
{
	const struct liveness *live = &model->live[fn->index];

	if (!fn->differs)
		return false;
	return live->live || (live->inlined && (fn->header ||
						!fn->is_static));
}

/* A function that carries its own verdict: a call of it is not our work. */
static bool judged(const struct model *model, const struct function *fn)
{
	return fn && !fn->header && candidate(model, fn);
}

/*
 * One that has nothing to be held against, no stub and no guard: whoever
 * calls it answers for the call.
 */
static bool for_callers(const struct model *model, const struct function *fn)
{
	const struct verdict *v = fn ? model->verdict[fn->index] : NULL;

	return v && v->reason == BECAUSE_CALL && v->rule == VERDICT_CLEAN;
}

static bool is_work(const struct left *left)
{
	return !left->test && !(left->flags & EVENT_COLD);
}

/*
 * A function that is there with and without the feature clears what the
 * feature added to an object: nobody guards that.
 */
static bool only_clears(const struct left *left)
{
	const struct node *node = left->event->node;

	while (node && node->kind == N_EXPR)
		node = node->kid[0];
	if (left->op != OP_KIND_STORE || !node || node->kind != N_ASSIGN ||
	    node->op != OP_SET)
		return false;
	node = node->kid[1];
	while (node->kind == N_CAST || node->kind == N_ASSIGN)
		node = node->kid[node->kind == N_ASSIGN];
	return node->kind == N_INT && !node->value;
}

/* Enough to be worth a guard? */
static bool heavy(const struct left **work, uint32_t n, bool stays)
{
	unsigned cost = 0;

	for (uint32_t i = 0; i < n; i++) {
		cost += cost_work(work[i]->op);
		if (work[i]->op == OP_KIND_STORE && !stays &&
		    !(work[i]->flags & EVENT_MAYBE))
			return true;
	}
	return cost >= COST_FINDING;
}

/* A call to the function crosses files: it cannot be inlined as it is. */
static bool called_across_files(const struct model *model,
				const struct function *fn)
{
	const struct liveness *live = &model->live[fn->index];

	for (uint32_t i = 0; i < live->nin; i++)
		if (!live->in[i]->taken && live->in[i]->from->file != fn->file)
			return true;
	return false;
}

bool model_outline_matters(const struct model *model,
			   const struct function *fn)
{
	return !fn->header && !fn->is_static && !fn->stays &&
	       called_across_files(model, fn) &&
	       model->heat[fn->index].most >= HEAT_OUTLINE;
}

static bool is_periodic(const struct model *model, const struct left *left)
{
	return left->op == OP_KIND_CALL && left->event->name &&
	       program_callee(model->feature->in, left->event->name)->kind ==
	       CALLEE_PERIODIC;
}

/*
 * The stub decides a condition for its callers and the real function, off,
 * decides it otherwise or not at all. What depends on a group is not such a
 * condition: without a group there is nothing to ask about.
 */
static bool value_differs(struct model *model, struct verdict *v)
{
	struct function *fn = v->fn, *stub = fn->other;
	const struct func *func = fn->func;
	struct value off, out;

	if (!stub || fn->stays || function_is_void(fn) || *func->ret_record)
		return false;
	for (uint32_t i = 0; i < func->nparam; i++)
		if (feature_record(model->feature, func->param[i].record))
			return false;
	out = world_summary(model->out, stub,
			    world_any_arguments(model->out, stub),
			    stub->func->nparam)->ret;
	off = model_judged(model, fn)->ret;
	if (out.kind != V_CONST || (out.number != 0 && out.number != 1))
		return false;
	if (off.kind == V_CONST && off.number == out.number)
		return false;
	/* what hangs on an argument may be the stub's value all the same */
	if (off.kind != V_CONST && func->nparam)
		return false;
	v->off = off;
	v->stub = out;
	return true;
}

/* After the call @at, does what decided in @callee decide here as well? */
static bool decides(const struct residue *r, uint32_t at,
		    const struct verdict *callee)
{
	const char *name = callee->guard ? callee->guard->event->name : NULL;

	for (uint32_t i = at + 1; name && i < r->n; i++)
		if (left_dominates(&r->left[i]) &&
		    !(r->left[i].flags & EVENT_LEFT) &&
		    r->left[i].event->name == name)
			return true;
	return false;
}

/*
 * Work that is guarded where it is done: in a function that is called. One
 * that only gives back that there is no group guards nothing by that.
 */
static bool calls_guarded(struct model *model, const struct residue *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct left *left = &r->left[i];
		struct verdict *callee;

		if (left->op != OP_KIND_CALL || left->test ||
		    (left->flags & (EVENT_MAYBE | EVENT_COLD)) ||
		    !judged(model, left->callee))
			continue;
		callee = model->verdict[left->callee->index];
		if (!callee || (!function_is_void(left->callee) &&
				!decides(r, i, callee)))
			continue;
		if (callee->rule == VERDICT_LATE ||
		    (callee->guard && callee->guard->event->op == MARK_GUARD))
			return true;
	}
	return false;
}

/* All that is left is calls of functions that are guarded themselves. */
static bool passes_on(struct model *model, const struct residue *r)
{
	bool any = false;

	for (uint32_t i = 0; i < r->n; i++) {
		const struct left *left = &r->left[i];
		struct verdict *callee;

		if (!is_work(left) || left->op != OP_KIND_CALL)
			continue;
		if (!judged(model, left->callee))
			return false;
		callee = model->verdict[left->callee->index];
		if (!callee || (callee->rule != VERDICT_OUTLINE &&
				callee->rule != VERDICT_CLEAN))
			return false;
		any = true;
	}
	return any;
}

static unsigned cost_of(const struct residue *r)
{
	unsigned cost = 0;

	for (uint32_t i = 0; i < r->n; i++)
		if (!(r->left[i].flags & EVENT_COLD))
			cost += r->left[i].test ? 1 :
				cost_rank(r->left[i].op);
	return cost;
}

/* Operations, split at the test that dominates; other's calls left out. */
static void split(struct model *model, struct verdict *v, uint32_t *before)
{
	struct residue *r = v->residue;
	bool real_guard = !v->fn->stays && r->guard < r->n &&
			  r->left[r->guard].event->op == MARK_GUARD;

	v->work = ARENA_ARRAY(model->arena, const struct left *, r->n);
	*before = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct left *left = &r->left[i];

		/* before a guard of its own a call is late, whoever is called */
		if (!is_work(left) ||
		    (judged(model, left->callee) &&
		     !(real_guard && i < r->guard) &&
		     !for_callers(model, left->callee)) ||
		    (v->fn->stays && only_clears(left)))
			continue;
		v->work[v->nwork++] = left;
		if (i < r->guard)
			*before = v->nwork;
	}
	if (r->guard < r->n)
		v->guard = &r->left[r->guard];
	else
		*before = v->nwork;
}

static bool stores(const struct verdict *v)
{
	for (uint32_t i = 0; i < v->nwork; i++)
		if (v->work[i]->op == OP_KIND_STORE)
			return true;
	return false;
}

/* First what the function itself says; calls of others are looked at later. */
static void judge(struct model *model, struct verdict *v)
{
	struct function *fn = v->fn;
	const struct residue *r;
	uint32_t before;
	bool real_guard;

	v->residue = residue_of(model, fn);
	r = v->residue;
	v->cost = cost_of(r);
	v->hot = model->heat[fn->index].most >= HEAT_HOT;
	split(model, v, &before);
	real_guard = v->guard && v->guard->event->op == MARK_GUARD;
	for (uint32_t i = 0; i < v->nwork; i++)
		if (is_periodic(model, v->work[i]))
			v->reason = BECAUSE_PERIODIC;
	if (real_guard && heavy(v->work, before, fn->stays)) {
		v->rule = VERDICT_LATE;
		v->nwork = before;
	} else if (heavy(v->work, v->nwork, fn->stays || real_guard)) {
		/* after a guard one store is what is left of a result */
		v->rule = VERDICT_MISSING;
	} else if (value_differs(model, v)) {
		v->rule = VERDICT_MISSING;
		v->reason = BECAUSE_VALUE;
	} else if (!fn->header && !fn->is_static && !fn->stays &&
		   called_across_files(model, fn)) {
		/*
		 * Without a stub and a guard of its own there is nothing to
		 * hold it against: it is for its callers to ask.
		 */
		v->reason = BECAUSE_CALL;
		if (stores(v) && !real_guard) {
			v->rule = VERDICT_MISSING;
			v->reason = BECAUSE_WORK;
		} else if (real_guard || (r->any_test && fn->other)) {
			v->rule = VERDICT_OUTLINE;
		} else if (fn->other) {
			v->rule = VERDICT_MISSING;
		}
	}
}

/* Functions with a stub that call what has none, and no guard: once more. */
static void ask_callers(struct model *model)
{
	struct feature *f = model->feature;

	for (uint32_t i = 0; i < f->ndiffers; i++) {
		struct verdict *v = model->verdict[f->differs[i]->index];
		bool calls = false;

		if (!v || !v->fn->other || (v->rule != VERDICT_CLEAN &&
					    v->rule != VERDICT_OUTLINE))
			continue;
		for (uint32_t k = 0; k < v->residue->n; k++)
			calls |= is_work(&v->residue->left[k]) &&
				 for_callers(model,
					     v->residue->left[k].callee);
		if (!calls)
			continue;
		*v = (struct verdict){ .fn = v->fn };
		judge(model, v);
	}
}

/* Then what its callees' verdicts say of it, and whether it is hot. */
static void judge_again(struct model *model, struct verdict *v)
{
	double heat = model->heat[v->fn->index].most;

	if (v->rule != VERDICT_CLEAN &&
	    unreal_summary(model->facts, model_judged(model, v->fn))) {
		v->spared = "it follows a record that is never made: it "
			    "cannot be come to";
		v->rule = VERDICT_CLEAN;
	}
	if (v->rule == VERDICT_MISSING && v->reason == BECAUSE_CALL &&
	    passes_on(model, v->residue))
		v->rule = VERDICT_OUTLINE;
	if (v->reason == BECAUSE_CALL && v->rule != VERDICT_CLEAN &&
	    heat < HEAT_OUTLINE) {
		v->spared = "it runs too seldom for a call and a test to "
			    "matter";
		v->unspared = v->rule;
		v->rule = VERDICT_CLEAN;
	}
	if (v->rule != VERDICT_CLEAN && !v->hot &&
	    v->reason != BECAUSE_PERIODIC && v->reason != BECAUSE_RAISED &&
	    v->reason != BECAUSE_MEMORY &&
	    !(v->reason == BECAUSE_VALUE && !v->fn->func->nparam &&
	      !model->live[v->fn->index].taken)) {
		v->spared = "it is on no hot path";
		v->unspared = v->rule;
		v->rule = VERDICT_CLEAN;
	}
}

/* Work around calls of functions that are guarded: the guard comes late. */
static void find_late(struct model *model)
{
	struct feature *f = model->feature;
	bool changed;

	do {
		changed = false;
		for (uint32_t i = 0; i < f->ndiffers; i++) {
			struct verdict *v =
				model->verdict[f->differs[i]->index];

			if (!v || v->rule != VERDICT_MISSING ||
			    v->reason != BECAUSE_WORK ||
			    !calls_guarded(model, v->residue))
				continue;
			v->rule = VERDICT_LATE;
			changed = true;
		}
	} while (changed);
}

static bool names_function(const struct node *node, const char *name)
{
	if (node->kind == N_FUNC && node->name == name)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && names_function(node->kid[i], name))
			return true;
	return false;
}

/* Is it done where the comparison is worked out? */
static bool is_compared(const struct left *left, const struct event *known)
{
	return is_work(left) &&
	       (left->nthrough ? names_function(known->node,
						left->through[0]->name)
			       : left->event->line == known->line);
}

/*
 * A function that is the same without the feature compares, off, what one
 * side's test has decided already: the other side is loaded for nothing.
 */
static void find_known(struct model *model)
{
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		const struct liveness *live = &model->live[i];
		const struct event *known = NULL;
		const struct summary *s;
		struct verdict *v;

		if (fn->differs || !fn->touches ||
		    (!live->live && !live->inlined) ||
		    model->heat[i].most < HEAT_OUTLINE)
			continue;
		s = model_off(model, fn);
		for (uint32_t k = 0; k < s->nevent && !known; k++)
			if (s->event[k].kind == EV_KNOWN &&
			    !(s->event[k].flags & EVENT_COLD))
				known = &s->event[k];
		if (!known)
			continue;
		v = model_verdict(model, fn);
		v->work = ARENA_ARRAY(model->arena, const struct left *,
				      v->residue->n);
		for (uint32_t k = 0; k < v->residue->n; k++)
			if (is_compared(&v->residue->left[k], known))
				v->work[v->nwork++] = &v->residue->left[k];
		if (!v->nwork)
			continue;
		v->rule = VERDICT_MISSING;
		v->reason = BECAUSE_KNOWN;
		v->known = known;
	}
}

struct verdict *model_look_at(struct model *model, struct function *fn)
{
	struct verdict *v = model->verdict[fn->index];

	if (v || !fn->differs || !model->live[fn->index].inlined)
		return v;
	v = ARENA_NEW(model->arena, struct verdict);
	v->fn = fn;
	judge(model, v);
	return v;
}

struct verdict *model_verdict(struct model *model, struct function *fn)
{
	struct verdict *v = model->verdict[fn->index];

	if (v)
		return v;
	v = ARENA_NEW(model->arena, struct verdict);
	v->fn = fn;
	v->residue = residue_of(model, fn);
	v->cost = cost_of(v->residue);
	v->hot = model->heat[fn->index].most >= HEAT_HOT;
	model->verdict[fn->index] = v;
	return v;
}

void model_judge(struct model *model)
{
	struct feature *f = model->feature;
	uint32_t i;

	struct verdict **verdict;

	model->verdict = ARENA_ARRAY(model->arena, struct verdict *,
				     f->in->nfunction);
	verdict = ARENA_ARRAY(model->arena, struct verdict *,
			      f->in->nfunction);
	for (i = 0; i < f->ndiffers; i++) {
		struct function *fn = f->differs[i];
		struct verdict *v;

		if (!candidate(model, fn))
			continue;
		v = ARENA_NEW(model->arena, struct verdict);
		v->fn = fn;
		verdict[fn->index] = v;
		judge(model, v);
	}
	/* only now may one ask for another's: no order is told apart */
	model->verdict = verdict;
	ask_callers(model);
	find_late(model);
	find_raised(model);
	find_memory(model);
	find_known(model);
	for (i = 0; i < f->ndiffers; i++)
		if (model->verdict[f->differs[i]->index])
			judge_again(model,
				    model->verdict[f->differs[i]->index]);
}
