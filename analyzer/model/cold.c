// SPDX-License-Identifier: GPL-2.0-only
#include "cold.h"

#include <string.h>

static bool feature_only(const struct model *model, const char *field)
{
	return feature_record(model->feature,
			      program_field_record(model->feature->in, field));
}

/* Is the field a condition, or what an inline function hands to one? */
static bool tests(const struct node *node, const char *field, bool condition)
{
	if (node->kind == N_FIELD && node->name == field)
		return condition;
	for (uint32_t i = 0; i < node->nkid; i++) {
		bool decides;

		if (!node->kid[i])
			continue;
		switch (node->kind) {
		case N_IF: case N_COND:
			decides = !i || (node->kind == N_COND && condition);
			break;
		case N_LOOP:
			decides = i == 1;
			break;
		case N_UNARY:
			decides = node->op == OP_NOT || condition;
			break;
		case N_BINARY:
			/* held against another object it is no flag */
			decides = node->op == OP_ANDAND ||
				  node->op == OP_OROR ||
				  (condition && node->kid[1] &&
				   (node->op < OP_LT || node->op > OP_NE ||
				    node->kid[1]->kind == N_INT));
			break;
		case N_RETURN: case N_SWITCH:
			decides = !i;
			break;
		case N_CALL: case N_CAST: case N_STMTEXPR: case N_EXPR:
			decides = condition;
			break;
		default:
			decides = false;
		}
		if (tests(node->kid[i], field, decides))
			return true;
	}
	return false;
}

/* Is it tested by a live function on a hot path, other than @but? */
static bool tested_on_hot_path(struct model *model, const char *field,
			       const struct function *but)
{
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		const struct liveness *live = &model->live[i];
		const struct summary *s;
		struct node *body;

		if (fn == but || (!live->live && !live->inlined) ||
		    !fn->touches || model->heat[i].most < HEAT_HOT)
			continue;
		s = model_off(model, fn);
		for (uint32_t k = 0; k < s->nevent; k++) {
			if (s->event[k].kind != EV_OP ||
			    s->event[k].op != OP_KIND_LOAD ||
			    s->event[k].name != field)
				continue;
			body = facts_body(fn->func);
			if (body && tests(body, field, false))
				return true;
			break;
		}
	}
	return false;
}

/*
 * Whom to blame for a store: the function that its code is part of, or where
 * that is the same without the feature, the outermost that is not.
 */
static struct function *to_blame(struct model *model, struct function *fn,
				 unsigned depth)
{
	const struct liveness *live = &model->live[fn->index];

	if (live->live && !fn->header)
		return fn->differs ? fn : NULL;
	for (uint32_t i = 0; depth < 16 && i < live->nin; i++) {
		struct function *up = live->in[i]->from;

		if (up != fn)
			up = to_blame(model, up, depth + 1);
		else
			up = NULL;
		if (up)
			return up;
		if (fn->differs)
			return fn;
	}
	return NULL;
}

static void raise_flag(struct model *model, const struct fact *fact,
		       const struct writer *writer)
{
	struct function *fn;
	struct verdict *v;

	/* putting back what stands for "none" raises nothing */
	if ((writer->value.kind == V_CONST && writer->value.number <= 0) ||
	    value_is_root(writer->value) || writer->local)
		return;
	fn = to_blame(model, (struct function *)writer->within, 0);
	v = fn ? model_verdict(model, fn) : NULL;
	if (!v || v->hot || v->flag || (*fact->record && !v->fn->both))
		return;
	if (!tested_on_hot_path(model, fact->name, v->fn))
		return;
	v->rule = VERDICT_MISSING;
	v->reason = BECAUSE_RAISED;
	v->flag = fact;
	v->flag_line = writer->line;
}

void find_raised(struct model *model)
{
	const struct facts_off *facts = model->facts;

	for (uint32_t i = 0; i < facts->nfact; i++) {
		const struct fact *fact = facts->fact[i];
		const struct field *field;

		if (fact->kind != FACT_FIELD || fact_holds(fact))
			continue;
		field = map_get(&model->feature->fields, fact->name);
		if (!field || *field->inner || feature_only(model, fact->name))
			continue;
		for (uint32_t k = 0; k < fact->nwriter; k++)
			raise_flag(model, fact, &fact->writer[k]);
	}
}

struct kept {
	const struct model *model;
	const struct event *event;
	bool cleared; /* only to NULL */
};

/* A pointer that only the feature has is set to something, or cleared. */
static bool keeps(void *data, const struct event_at *at)
{
	struct kept *kept = data;
	const struct event *event = at->event;
	const struct field *field;

	if (event->kind != EV_WRITE || event->fact->kind != FACT_FIELD ||
	    value_is_root(*event->value))
		return true;
	field = map_get(&kept->model->feature->fields, event->fact->name);
	if (!field || !field->pointer ||
	    !feature_only(kept->model, event->fact->name))
		return true;
	if (!kept->event)
		kept->event = event;
	kept->cleared = event->value->kind == V_CONST;
	if (kept->cleared)
		return true;
	kept->event = event;
	return false;
}

/*
 * What the stub does not allocate, and nobody will use; and who gives it
 * back, which goes with who allocates.
 */
void find_memory(struct model *model)
{
	struct feature *f = model->feature;

	for (uint32_t i = 0; i < f->ndiffers; i++) {
		struct function *fn = f->differs[i];
		struct verdict *v = model->verdict[fn->index];
		struct kept kept = { .model = model };

		if (!v || v->hot || !fn->other || fn->stays ||
		    program_callee(f->in, fn->name)->kind == CALLEE_FREE ||
		    !model->live[fn->index].live ||
		    model->live[fn->index].callback ||
		    (fn->func->flags & FUNC_INITCALL) ||
		    v->rule != VERDICT_MISSING || v->reason != BECAUSE_WORK)
			continue;
		events_each(model_off(model, fn), keeps, &kept);
		if (!kept.event)
			continue;
		v->flag = kept.event->fact;
		v->flag_line = kept.event->line;
		v->undoes = kept.cleared;
		if (!kept.cleared)
			v->reason = BECAUSE_MEMORY;
	}
}
