// SPDX-License-Identifier: GPL-2.0-only
#include "guard.h"

/* A reason longer than this is not read. */
#define WHY_MAX 12

const char *guard_operation(struct model *model, const struct left *left)
{
	const char *name = left->event->name;

	if (left->op == OP_KIND_ASM || left->op == OP_KIND_HEAVY ||
	    left->op == OP_KIND_LOOP)
		name = left->in->name;
	return arena_printf(model->arena, "%s '%s'",
			    op_kind_text(left->op), name ? name : "?");
}

static void because_of_work(struct model *model, struct found *found,
			    const struct verdict *v)
{
	const char *stub = v->fn->other ? "not in the stub" :
					  "there is no stub";
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->nwork && n < WHY_MAX; i++) {
		const struct left *left = v->work[i];

		if (!cost_work(left->op))
			continue;
		found_because(model, found, left->in->file,
			      left->event->line, "%s, %s",
			      guard_operation(model, left), stub);
		n++;
	}
	/* nothing but loads: then they are what is left */
	for (uint32_t i = 0; !n && i < v->nwork && i < WHY_MAX; i++)
		found_because(model, found, v->work[i]->in->file,
			      v->work[i]->event->line, "%s, %s",
			      guard_operation(model, v->work[i]), stub);
	if (v->guard && v->guard->event->name)
		found_because(model, found, v->guard->in->file,
			      v->guard->event->line,
			      v->guard->event->op == MARK_GUARD ?
			      "the off state is tested here ('%s')" :
			      "'%s' decides here, in the off state",
			      v->guard->event->name);
}

static void because_of_value(struct model *model, struct found *found,
			     const struct verdict *v)
{
	char a[32], b[32];

	found_because(model, found, v->fn->file, v->fn->func->line,
		      "in the off state it returns: %s",
		      value_text(v->off, false, a));
	found_because(model, found, v->fn->other->file,
		      v->fn->other->func->line, "the stub returns: %s",
		      value_text(v->stub, false, b));
}

static enum level confidence(const struct verdict *v)
{
	if (v->residue->cut)
		return LEVEL_LOW;
	if (v->reason == BECAUSE_CALL && v->rule == VERDICT_MISSING)
		return LEVEL_LOW;
	if (v->residue->recursed)
		return LEVEL_MEDIUM;
	/* all of it hangs on conditions that are not known */
	for (uint32_t i = 0; i < v->nwork; i++)
		if (cost_work(v->work[i]->op) &&
		    !(v->work[i]->flags & EVENT_MAYBE))
			return LEVEL_HIGH;
	return v->nwork && v->rule != VERDICT_OUTLINE ? LEVEL_MEDIUM
						      : LEVEL_HIGH;
}

void guard_report(struct model *model, struct sink *sink,
		  enum verdict_rule kind, const char *rule,
		  const char *(*message)(struct model *model,
					 const struct verdict *v))
{
	for (uint32_t i = 0; i < model->feature->in->nfunction; i++) {
		struct verdict *v = model->verdict[i];
		struct found found = { .rule = rule, .heat = -1 };

		if (!v || v->rule != kind || v->ncause)
			continue;
		found.fn = v->fn;
		found.cost = v->cost;
		found.confidence = confidence(v);
		found.message = message(model, v);
		if (v->reason == BECAUSE_VALUE)
			because_of_value(model, &found, v);
		if (v->flag && !v->undoes)
			found_because(model, &found, v->fn->file,
				      v->flag_line,
				      v->reason == BECAUSE_RAISED ?
				      "'%s' is raised here and read on hot "
				      "paths" : "'%s' is kept here",
				      v->flag->name);
		because_of_work(model, &found, v);
		for (uint32_t k = 0; k < v->ncovers; k++)
			found_covers(model, &found, v->covers[k]->name);
		sink_add(sink, &found);
	}
}
