// SPDX-License-Identifier: GPL-2.0-only
#include "guard.h"
#include "table.h"

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
	case BECAUSE_CALL:
		return arena_printf(model->arena,
			"'%s' is called out of line for nothing when %s is "
			"off", v->fn->name, title);
	default:
		return arena_printf(model->arena,
			"'%s' runs about %u instructions that its stub does "
			"not when %s is off, and nothing tests that first",
			v->fn->name, v->cost, title);
	}
}

void check_missing_guard(struct model *model, struct sink *sink)
{
	guard_report(model, sink, VERDICT_MISSING, "missing-guard", message);
}
