// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which verdicts are presented with another one. Nothing is dropped: a
 * verdict with a cause stands in the covers of its cause, and a cause that
 * has a cause itself hands its covers up.
 */
#include <string.h>

#include "verdict.h"

static bool at_fault(const struct verdict *v)
{
	return v && (v->rule == VERDICT_MISSING || v->rule == VERDICT_LATE);
}

static void add_cause(struct model *model, struct verdict *v,
		      struct verdict *cause)
{
	struct verdict **more;

	for (uint32_t i = 0; i < v->ncause; i++)
		if (v->cause[i] == cause)
			return;
	more = ARENA_ARRAY(model->arena, struct verdict *, v->ncause + 1);
	if (v->ncause)
		memcpy(more, v->cause, v->ncause * sizeof(*more));
	more[v->ncause] = cause;
	v->cause = more;
	v->ncause++;
}

/* The function with a verdict that brought the operation in, innermost. */
static struct verdict *brought_by(struct model *model,
				  const struct verdict *v,
				  const struct left *left)
{
	for (uint32_t i = left->nthrough; i-- > 0;) {
		struct verdict *inner =
			model->verdict[left->through[i]->index];

		if (inner != v && at_fault(inner))
			return inner;
	}
	return NULL;
}

/*
 * What counts was inlined from functions at fault; what the function does by
 * itself would not be worth a finding.
 */
static void inherited(struct model *model, struct verdict *v)
{
	uint32_t brought = 0;
	unsigned own = 0;

	if (!at_fault(v) || v->reason == BECAUSE_VALUE ||
	    v->reason == BECAUSE_RAISED || v->reason == BECAUSE_MEMORY)
		return;
	for (uint32_t i = 0; i < v->nwork; i++) {
		const struct left *left = v->work[i];

		if (!cost_work(left->op))
			continue;
		if (brought_by(model, v, left)) {
			brought++;
			continue;
		}
		own += cost_work(left->op);
		if (left->op == OP_KIND_STORE && !v->fn->stays &&
		    !(left->flags & EVENT_MAYBE))
			return;
	}
	if (!brought || own >= COST_FINDING)
		return;
	for (uint32_t i = 0; i < v->nwork; i++) {
		struct verdict *by = brought_by(model, v, v->work[i]);

		if (by && cost_work(v->work[i]->op))
			add_cause(model, v, by);
	}
}

/* A function that answers otherwise than its stub, asked here or inline. */
static struct verdict *asked(struct model *model, const struct function *fn,
			     unsigned depth)
{
	const struct liveness *live = &model->live[fn->index];
	struct verdict *found = NULL;

	for (uint32_t i = 0; i < live->nout && !found && depth < 4; i++) {
		const struct edge *edge = live->out[i];
		struct verdict *v = model->verdict[edge->to->index];

		if (edge->taken)
			continue;
		if (at_fault(v) && v->reason == BECAUSE_VALUE)
			found = v;
		else if (edge->inlined && edge->to != fn)
			found = asked(model, edge->to, depth + 1);
	}
	return found;
}

/*
 * Every operation that counts hangs on a condition, and the function asks one
 * that does not answer as its stub does.
 */
static void asks(struct model *model, struct verdict *v)
{
	struct verdict *up;

	if (v->ncause || !at_fault(v) || v->reason != BECAUSE_WORK)
		return;
	for (uint32_t i = 0; i < v->nwork; i++)
		if (cost_work(v->work[i]->op) &&
		    !(v->work[i]->flags & (v->fn->stays ? EVENT_MAYBE :
						   EVENT_NESTED)))
			return;
	up = asked(model, v->fn, 0);
	if (up && up != v)
		add_cause(model, v, up);
}

/* It gives back what another should not have taken. */
static void undoes(struct model *model, struct verdict *v)
{
	struct feature *f = model->feature;

	for (uint32_t i = 0; v->undoes && i < f->ndiffers; i++) {
		struct verdict *other =
			model->verdict[f->differs[i]->index];

		if (at_fault(other) && other->reason == BECAUSE_MEMORY &&
		    other->flag == v->flag)
			add_cause(model, v, other);
	}
}

/* Little but one call, out of line, of one function that is at fault. */
static void wraps(struct model *model, struct verdict *v)
{
	const struct residue *r = v->residue;
	struct verdict *only = NULL;
	unsigned cost = 0;

	/* one that tests for itself tests too late by itself */
	if (v->ncause || v->reason == BECAUSE_VALUE ||
	    v->reason == BECAUSE_RAISED || v->reason == BECAUSE_MEMORY ||
	    (v->rule == VERDICT_LATE && r->guard < r->n &&
	     r->left[r->guard].event->op == MARK_GUARD))
		return;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct left *left = &r->left[i];
		struct verdict *callee = left->callee ?
			model->verdict[left->callee->index] : NULL;

		if (left->test || (left->flags & EVENT_COLD))
			continue;
		if (left->op == OP_KIND_CALL && callee) {
			if (only && only != callee)
				return;
			only = callee;
			continue;
		}
		cost += cost_work(left->op);
		if (left->op == OP_KIND_STORE &&
		    !(left->flags & EVENT_MAYBE) && !v->fn->stays)
			return;
	}
	if (only && only != v && cost < COST_FINDING && at_fault(only) &&
	    v->hot)
		add_cause(model, v, only);
}

/* Only reached through functions without a guard: it goes away with them. */
static void reached(struct model *model, struct verdict *v)
{
	const struct liveness *live = &model->live[v->fn->index];
	uint32_t i;

	if (v->ncause || v->rule == VERDICT_CLEAN || live->taken ||
	    live->callback || v->fn->stays || !live->nin)
		return;
	for (i = 0; i < live->nin; i++) {
		struct verdict *up =
			model->verdict[live->in[i]->from->index];

		if (up == v)
			continue;
		if (!at_fault(up) || up->fn->stays)
			return;
	}
	for (i = 0; i < live->nin; i++)
		if (live->in[i]->from != v->fn)
			add_cause(model, v, model->verdict[
				  live->in[i]->from->index]);
}

static void cover(struct model *model, struct verdict *cause,
		  struct function *fn, unsigned depth)
{
	uint32_t i;

	if (depth > 64)
		return;
	if (cause->ncause) {
		for (i = 0; i < cause->ncause; i++)
			cover(model, cause->cause[i], fn, depth + 1);
		return;
	}
	for (i = 0; i < cause->ncovers; i++)
		if (cause->covers[i] == fn)
			return;
	if (cause->ncovers == cause->covers_cap) {
		struct function **more;

		cause->covers_cap = cause->covers_cap ?
				    cause->covers_cap * 2 : 4;
		more = ARENA_ARRAY(model->arena, struct function *,
				   cause->covers_cap);
		if (cause->ncovers)
			memcpy(more, cause->covers,
			       cause->ncovers * sizeof(*more));
		cause->covers = more;
	}
	cause->covers[cause->ncovers++] = fn;
}

/*
 * A function without a stub has nothing to be held against, its callers
 * answer for the call. It stands with each of them that is at fault.
 */
static void cover_callees(struct model *model, struct verdict *v)
{
	if (!at_fault(v))
		return;
	for (uint32_t i = 0; i < v->nwork; i++) {
		struct function *callee = v->work[i]->callee;
		const struct verdict *under = callee ?
			model->verdict[callee->index] : NULL;

		if (under && under->rule == VERDICT_CLEAN &&
		    under->reason == BECAUSE_CALL)
			cover(model, v, callee, 0);
	}
}

/* Does a way up over causes come back to @v? Then it is a cause itself. */
static bool circular(const struct verdict *v, const struct verdict *from,
		     unsigned depth)
{
	if (depth > 64)
		return true;
	for (uint32_t i = 0; i < from->ncause; i++)
		if (from->cause[i] == v ||
		    circular(v, from->cause[i], depth + 1))
			return true;
	return false;
}

void model_group(struct model *model)
{
	struct feature *f = model->feature;
	void (*const step[])(struct model *, struct verdict *) = {
		undoes, inherited, asks, wraps, reached,
	};
	struct verdict *v;
	uint32_t i;

	for (size_t s = 0; s < sizeof(step) / sizeof(*step); s++)
		for (i = 0; i < f->ndiffers; i++) {
			v = model->verdict[f->differs[i]->index];
			if (!v)
				continue;
			step[s](model, v);
			if (v->ncause && circular(v, v, 0))
				v->ncause = 0;
		}
	for (i = 0; i < f->ndiffers; i++) {
		v = model->verdict[f->differs[i]->index];
		if (!v)
			continue;
		for (uint32_t k = 0; k < v->ncause; k++)
			cover(model, v->cause[k], v->fn, 0);
		cover_callees(model, v);
	}
}
