// SPDX-License-Identifier: GPL-2.0-only
#include "guard.h"
#include "table.h"

static const char *message(struct model *model, const struct verdict *v)
{
	return arena_printf(model->arena,
		"'%s' is called out of line only to find that %s is off",
		v->fn->name, model->rules->title);
}

void check_outline_guard(struct model *model, struct sink *sink)
{
	guard_report(model, sink, VERDICT_OUTLINE, "outline-guard", message);
}
