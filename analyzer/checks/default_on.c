// SPDX-License-Identifier: GPL-2.0-only
/*
 * The feature is on unless a boot parameter switches it off: who has it
 * compiled in pays for it without asking. Only on request: what a kernel
 * ships with is a choice and no fault. A parameter that asks for it is told
 * by itself, for it is a patch by itself.
 */
#include "../default_on.h"
#include "sink.h"
#include "table.h"

void check_default_on(struct model *model, struct sink *sink)
{
	const struct default_on *d = model->default_on;
	const struct rules *rules = model->rules;
	struct found found = {
		.rule = "default-on", .state = "on", .confidence = LEVEL_HIGH,
	};

	if (!d || d->has || !d->file)
		return;
	found.file = d->file;
	found.line = d->line;
	found.column = 1;
	found.lacking = d->on;
	found.message = arena_printf(model->arena, "Nothing on the command "
		"line can ask for %s: there is '%s=' and no '%s='",
		rules->title, d->off, d->on);
	sink_add(sink, &found);
	if (!d->symbol)
		return;
	found.lacking = d->option;
	found.message = arena_printf(model->arena, "A kernel that has %s "
		"compiled in runs with it unless '%s' is on its command line",
		rules->title, rules->off);
	found_because(model, &found, d->kconfig, d->kconfig_line,
		      "no option there says otherwise");
	sink_add(sink, &found);
}
