// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "../output/findings.h"
#include "../output/out.h"
#include "../output/profile.h"
#include "../output/text.h"
#include "cmd.h"
#include "options.h"
#include "reports.h"
#include "run.h"

static const char help[] =
"nocharge check [options] TREE\n"
"\n"
"Find what still runs with the feature switched off that a kernel built\n"
"without it would not run. Nothing is built, nothing of TREE is executed.\n"
"\n";

static void rank(struct profile *profile, struct report *report,
		 struct arena *arena)
{
	profile_share(profile, report->finding, report->nfinding, arena);
	profile_sort(report->finding, report->nfinding);
	fprintf(stderr, "nocharge: %.1f %% of the profile are in %zu functions "
		"that no finding is on\n", profile->lost, profile->nlost);
}

int cmd_check(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct finding_set *baseline = NULL;
	struct profile *profile = NULL;
	struct options options;
	struct reports reports;
	struct err err = { 0 };
	struct out out;
	int status;

	options_parse(&options, argc, argv, help, 1, 1, arena);
	if (options.baseline) {
		baseline = findings_read(options.baseline, arena, &err);
		if (!baseline)
			die("%s", err.text);
	}
	if (options.profile) {
		profile = profile_read(options.profile, arena, &err);
		if (!profile)
			die("%s", err.text);
	}
	/* fail before the work and not after it */
	if (out_open(&out, options.output, &err))
		die("%s", err.text);
	status = reports_make(&reports, options.arg[0], &options, arena);
	if (status) {
		out_discard(&out);
		arena_free(arena);
		return status;
	}
	if (profile)
		rank(profile, &reports.report, arena);
	if (options.format == FORMAT_JSON)
		findings_write(&out, &reports.report, baseline);
	else
		text_report(&out, &reports.report, baseline);
	if (out_close(&out, &err))
		die("%s", err.text);
	text_summary(&reports.report, baseline);
	status = (int)run_status(&reports.report,
				 findings_new(&reports.report, baseline),
				 &options);
	reports_release(&reports);
	arena_free(arena);
	return status;
}
