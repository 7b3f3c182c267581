// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../output/diff.h"
#include "../output/findings.h"
#include "../output/out.h"
#include "../output/text.h"
#include "cmd.h"
#include "options.h"
#include "ranked.h"
#include "reports.h"

static const char help[] =
"nocharge diff [options] OLD NEW\n"
"\n"
"Two kernel trees or two files of 'nocharge check --format json': residue that\n"
"is new, gone, or found at another place, with --profile what most is spent in\n"
"first. Exits with 1 if something is new.\n"
"\n";

struct side {
	struct finding_set *set;
	struct reports reports;
	bool is_tree;
};

/* Returns 0 or an exit status, after having said why. */
static int take(struct side *side, const char *from,
		const struct options *options, struct arena *arena)
{
	struct err err = { 0 };
	struct stat st;
	int status;

	if (stat(from, &st) || !S_ISDIR(st.st_mode)) {
		side->set = findings_read(from, arena, &err);
		if (!side->set)
			die("%s", err.text);
		return 0;
	}
	status = reports_make(&side->reports, from, options, arena);
	if (status)
		return status;
	side->is_tree = true;
	side->set = findings_of(&side->reports.report, from, arena);
	text_summary(&side->reports.report, NULL);
	return 0;
}

static void rank(struct profile *profile, struct side *side)
{
	if (!profile)
		return;
	if (side->is_tree)
		ranked_know(profile, &side->reports);
	profile_share(profile, side->set->finding, side->set->nfinding);
}

int cmd_diff(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct side old = { 0 }, new = { 0 };
	struct profile *profile;
	struct options options;
	struct err err = { 0 };
	struct out out;
	size_t found;
	int status;

	options_parse(&options, argc, argv, help, 2, 2, arena);
	profile = ranked_profile(&options, arena);
	if (out_open(&out, options.output, &err))
		die("%s", err.text);
	status = take(&old, options.arg[0], &options, arena);
	if (!status)
		status = take(&new, options.arg[1], &options, arena);
	if (status) {
		out_discard(&out);
		goto done;
	}
	rank(profile, &old);
	rank(profile, &new);
	if (options.format == FORMAT_JSON)
		found = diff_json(&out, old.set, new.set, arena);
	else if (options.format == FORMAT_SARIF)
		found = diff_sarif(&out, old.set, new.set, options.github,
				   arena);
	else
		found = diff_text(&out, old.set, new.set, arena);
	if (out_close(&out, &err))
		die("%s", err.text);
	ranked_lost(profile, "finding");
	if (!old.set->whole || !new.set->whole)
		status = STATUS_INCOMPLETE;
	else if (found && !options.exit_zero)
		status = STATUS_FINDINGS;
done:
	if (old.is_tree)
		reports_release(&old.reports);
	if (new.is_tree)
		reports_release(&new.reports);
	arena_free(arena);
	return status;
}
