// SPDX-License-Identifier: GPL-2.0-only
#include "ranked.h"

#include <stdio.h>

struct profile *ranked_profile(const struct options *options,
			       struct arena *arena)
{
	struct profile *profile;
	struct err err = { 0 };

	if (!options->profile)
		return NULL;
	profile = profile_read(options->profile, arena, &err);
	if (!profile)
		die("%s", err.text);
	return profile;
}

void ranked_know(struct profile *profile, const struct reports *reports)
{
	for (size_t i = 0; profile && i < reports->nrun; i++)
		profile_knows(profile, reports->run[i].model);
}

static void share(struct profile *profile, struct reports *reports)
{
	struct report *report = &reports->report;

	ranked_know(profile, reports);
	profile_share(profile, report->finding, report->nfinding);
	profile_sort(report->finding, report->nfinding);
}

void ranked_findings(struct profile *profile, struct reports *reports)
{
	if (profile)
		share(profile, reports);
}

void ranked_entries(struct profile *profile, struct reports *reports)
{
	struct report *report = &reports->report;

	if (!profile)
		return;
	share(profile, reports);
	profile_entries(profile, report->entry, report->nentry);
	profile_sort_entries(report->entry, report->nentry);
	ranked_lost(profile, "entry point or finding");
}

void ranked_lost(const struct profile *profile, const char *what)
{
	double lost;
	size_t n;

	if (!profile)
		return;
	n = profile_lost(profile, &lost);
	fprintf(stderr, "nocharge: %.1f %% of the profile are in %zu functions "
		"that no %s is on", lost, n, what);
	if (profile->total < 99.95)
		fprintf(stderr, ", and it does not say where %.1f %% are",
			100 - profile->total);
	fputc('\n', stderr);
}
