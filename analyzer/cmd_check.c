// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "../output/findings.h"
#include "../output/out.h"
#include "../output/sarif.h"
#include "../output/text.h"
#include "cmd.h"
#include "options.h"
#include "ranked.h"
#include "reports.h"
#include "run.h"

static const char help[] =
"nocharge check [options] TREE\n"
"\n"
"Find what still runs with the feature switched off that a kernel built\n"
"without it would not run. Nothing is built, nothing of TREE is executed.\n"
"\n";

int cmd_check(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct finding_set *baseline = NULL;
	struct profile *profile;
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
	profile = ranked_profile(&options, arena);
	/* fail before the work and not after it */
	if (out_open(&out, options.output, &err))
		die("%s", err.text);
	status = reports_make(&reports, options.arg[0], &options, arena);
	if (status) {
		out_discard(&out);
		arena_free(arena);
		return status;
	}
	ranked_findings(profile, &reports);
	ranked_lost(profile, "finding");
	if (options.stale)
		findings_tell_stale(&reports.report, baseline, &options,
				    arena);
	if (options.format == FORMAT_JSON)
		findings_write(&out, &reports.report, baseline);
	else if (options.format == FORMAT_SARIF)
		sarif_report(&out, &reports.report, baseline, options.github,
			     arena);
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
