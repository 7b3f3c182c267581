// SPDX-License-Identifier: GPL-2.0-only
#include "guard.h"
#include "table.h"

/* A test of the off state stands before the work and lets it be done. */
static bool lets_pass(const struct verdict *v)
{
	const struct residue *r = v->residue;
	const struct left *first = v->nwork ? v->work[0] : NULL;

	for (uint32_t i = 0; i < r->n && &r->left[i] != first; i++)
		if (r->left[i].test && r->left[i].event->op == MARK_GUARD &&
		    !(r->left[i].flags & (EVENT_NESTED | EVENT_COLD)))
			return true;
	return false;
}

static const char *message(struct model *model, const struct verdict *v)
{
	const char *title = model->rules->title;

	switch (v->reason) {
	case BECAUSE_VALUE:
		return arena_printf(model->arena,
			"'%s' does not return what its stub returns when %s "
			"is off: its callers go on", v->fn->name, title);
	case BECAUSE_RAISED:
		return arena_printf(model->arena,
			"'%s' raises '%s' although %s is off", v->fn->name,
			v->flag->name, title);
	case BECAUSE_PERIODIC:
		return arena_printf(model->arena,
			"'%s' queues work that comes back although %s is off",
			v->fn->name, title);
	case BECAUSE_MEMORY:
		return arena_printf(model->arena,
			"'%s' allocates '%s' although %s is off",
			v->fn->name, v->flag->name, title);
	case BECAUSE_KNOWN:
		return arena_printf(model->arena,
			"'%s' works out both sides of a comparison that '%s()' "
			"alone decides when %s is off", v->fn->name,
			v->known->name ?
			v->known->name : "a test", title);
	case BECAUSE_CALL:
		return arena_printf(model->arena,
			"'%s' is called out of line for nothing when %s is "
			"off", v->fn->name, title);
	default:
		return arena_printf(model->arena,
			"'%s' runs about %u instructions that its stub does "
			"not when %s is off, and %s", v->fn->name, v->cost,
			title, lets_pass(v) ?
			"the test that stands first does not prevent it" :
			"nothing tests that first");
	}
}

void check_missing_guard(struct model *model, struct sink *sink)
{
	guard_report(model, sink, VERDICT_MISSING, "missing-guard", message);
}
