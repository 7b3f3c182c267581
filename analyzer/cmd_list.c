// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "../output/findings.h"
#include "../output/list.h"
#include "../output/out.h"
#include "../output/text.h"
#include "cmd.h"
#include "options.h"
#include "ranked.h"
#include "reports.h"

static const char help[] =
"nocharge list [options] TREE\n"
"\n"
"Every entry point of the feature: how it is guarded, what its stub does, what\n"
"it returns when the feature is off, and which hot paths reach it. With --rule\n"
"those that it has a finding on; with --profile what of that each one has.\n"
"\n";

/* --rule asks for those that it has a finding on. */
static void keep_found(struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->nentry; i++)
		for (size_t k = 0; k < report->nfinding; k++)
			if (run_is_on(&report->finding[k],
				      report->entry[i].name)) {
				report->entry[n++] = report->entry[i];
				break;
			}
	report->nentry = n;
}

int cmd_list(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	struct profile *profile;
	struct reports reports;
	struct err err = { 0 };
	struct out out;
	int status;

	options_parse(&options, argc, argv, help, 1, 1, arena);
	profile = ranked_profile(&options, arena);
	if (out_open(&out, options.output, &err))
		die("%s", err.text);
	status = reports_make(&reports, options.arg[0], &options, arena);
	if (status) {
		out_discard(&out);
		arena_free(arena);
		return status;
	}
	if (options.rule.n)
		keep_found(&reports.report);
	ranked_entries(profile, &reports);
	if (options.format == FORMAT_JSON)
		findings_write(&out, &reports.report, NULL);
	else
		list_report(&out, &reports.report);
	if (out_close(&out, &err))
		die("%s", err.text);
	if (options.format == FORMAT_TEXT)
		fprintf(stderr, "nocharge: %zu entry point%s\n",
			reports.report.nentry,
			reports.report.nentry == 1 ? "" : "s");
	text_summary(&reports.report, NULL);
	/* a list is no verdict: findings don't make it fail */
	status = (int)run_status(&reports.report, 0, &options);
	reports_release(&reports);
	arena_free(arena);
	return status;
}
