// SPDX-License-Identifier: GPL-2.0-only
#include "guard.h"
#include "table.h"

static const char *message(struct model *model, const struct verdict *v)
{
	const char *first = "work";

	for (uint32_t i = 0; i < v->nwork; i++)
		if (cost_work(v->work[i]->op)) {
			first = guard_operation(model, v->work[i]);
			break;
		}
	return arena_printf(model->arena,
		"'%s' tests for %s being off only after %s", v->fn->name,
		model->rules->title, first);
}

void check_late_guard(struct model *model, struct sink *sink)
{
	guard_report(model, sink, VERDICT_LATE, "late-guard", message);
}
