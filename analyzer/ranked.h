/* SPDX-License-Identifier: GPL-2.0-only */
/* --profile, of all commands that have it. */
#ifndef NOCHARGE_RANKED_H
#define NOCHARGE_RANKED_H

#include "../output/profile.h"
#include "options.h"
#include "reports.h"

/* NULL if there is no --profile; what is none ends the program. */
struct profile *ranked_profile(const struct options *options,
			       struct arena *arena);

/*
 * In all of these @profile may be NULL, and nothing is done. The models of
 * @reports say who is inlined where.
 */
void ranked_know(struct profile *profile, const struct reports *reports);
/* Say what of it each finding has, and put those with most first. */
void ranked_findings(struct profile *profile, struct reports *reports);
/* The same of entry points, and of the findings beside them. */
void ranked_entries(struct profile *profile, struct reports *reports);
/* Tell what is in functions that no @what, a finding or so, is on. */
void ranked_lost(const struct profile *profile, const char *what);

#endif
