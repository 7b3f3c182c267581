// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <string.h>

const struct check checks[] = {
	{ "missing-guard", check_missing_guard, false },
	{ "late-guard", check_late_guard, false },
	{ "outline-guard", check_outline_guard, false },
	{ "redundant-guard", check_redundant_guard, false },
	{ "null-when-disabled", check_null_when_disabled, false },
	{ "dynamic-guard", check_dynamic_guard, false },
	{ "charge-after-flag", check_charge_after_flag, false },
	{ "batch-break", check_batch_break, false },
	{ "split-accounting", check_split_accounting, false },
	{ "root-work", check_root_work, false },
	{ "default-on", check_default_on, true },
};
const size_t nchecks = sizeof(checks) / sizeof(*checks);

struct names checks_with(const struct names *named, struct arena *arena)
{
	const char **name = ARENA_ARRAY(arena, const char *, nchecks);
	struct names rules = { name, 0 };

	for (size_t i = 0; i < nchecks; i++)
		if (!checks[i].on_request || names_have(named, checks[i].name))
			name[rules.n++] = checks[i].name;
	return rules;
}

const struct check *check_find(const char *name)
{
	for (size_t i = 0; i < nchecks; i++)
		if (!strcmp(checks[i].name, name))
			return &checks[i];
	return NULL;
}
