/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks: one file per rule, one line in the table of checks.c.
 */
#ifndef NOCHARGE_CHECKS_H
#define NOCHARGE_CHECKS_H

#include <stdbool.h>

#include "../base/rules.h"
#include "../model/finding.h"

struct model;
struct sink;

struct check {
	const char *name;    /* the rule, as printed */
	void (*run)(struct model *model, struct sink *sink);
	bool on_request;     /* runs only when named by --rule */
};

extern const struct check checks[];
extern const size_t nchecks;

/* Those that run by default, and what is @named. */
struct names checks_with(const struct names *named, struct arena *arena);

/* NULL if there is no such rule. */
const struct check *check_find(const char *name);

#endif
