// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../output/findings.h"
#include "../output/out.h"
#include "../output/sarif.h"
#include "../output/text.h"
#include "changed.h"
#include "cmd.h"
#include "options.h"
#include "ranked.h"
#include "reports.h"
#include "run.h"

static const char help[] =
"nocharge check [options] TREE\n"
"\n"
"Find what still runs with the feature switched off that a kernel built\n"
"without it would not run. Nothing is built, nothing of TREE is executed, and\n"
"with --patch nothing of it is changed.\n"
"\n";

static bool has_entry(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->nentry; i++)
		if (!strcmp(report->entry[i].name, name))
			return true;
	return false;
}

/* An entry point that @f is on, or accounts for, and was not before. */
static const char *added_entry(const struct report *report,
			       const struct report *before,
			       const struct finding *f)
{
	if (has_entry(report, f->function) && !has_entry(before, f->function))
		return f->function;
	for (size_t i = 0; i < f->ncovers; i++)
		if (has_entry(report, f->covers[i]) &&
		    !has_entry(before, f->covers[i]))
			return f->covers[i];
	return NULL;
}

static bool has_path(const struct changed_tree *changed, const char *path)
{
	for (size_t i = 0; i < changed->npath; i++)
		if (!strcmp(changed->path[i], path))
			return true;
	return false;
}

/* How each finding that was not there before came to be. */
static void tell_causes(struct report *report, const struct report *before,
			const struct finding_set *known,
			const struct changed_tree *changed,
			struct arena *arena)
{
	for (size_t i = 0; i < report->nfinding; i++) {
		struct finding *f = &report->finding[i];
		const char *added;

		if (findings_have(known, f->id))
			continue;
		added = added_entry(report, before, f);
		if (added)
			f->cause = arena_printf(arena, "%s adds the entry "
						"point '%s'", changed->what,
						added);
		else if (has_path(changed, f->file))
			f->cause = arena_printf(arena, "in a file of %s",
						changed->what);
		else
			f->cause = arena_printf(arena, "caused by %s "
						"elsewhere", changed->what);
	}
}

/*
 * The findings of the tree before the change, and that before what
 * options->view makes of it. Returns 0, or the exit status.
 */
static int look_before(struct reports *before, const char *tree,
		       struct options *options,
		       const struct changed_tree *changed,
		       struct arena *arena)
{
	struct options plain = *options;
	int status;

	plain.view = changed->before.file;
	plain.nview = changed->before.n;
	plain.profile = NULL;
	status = reports_make(before, tree, &plain, arena);
	options->view = changed->after.file;
	options->nview = changed->after.n;
	return status;
}

static void write_report(struct out *out, const struct options *options,
			 const struct report *report,
			 const struct finding_set *baseline,
			 struct arena *arena)
{
	if (options->format == FORMAT_JSON)
		findings_write(out, report, baseline);
	else if (options->format == FORMAT_SARIF)
		sarif_report(out, report, baseline, options->github, arena);
	else
		text_report(out, report, baseline);
}

int cmd_check(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct finding_set *baseline = NULL, *known = NULL;
	struct changed_tree changed;
	struct profile *profile;
	struct options options;
	struct reports reports, before = { 0 };
	struct err err = { 0 };
	bool changes;
	struct out out;
	int status = 0;

	options_parse(&options, argc, argv, help, 1, 1, arena);
	changes = options.patch || options.since;
	if (options.baseline) {
		baseline = findings_read(options.baseline, arena, &err);
		if (!baseline)
			die("%s", err.text);
	}
	if (changes && changed_read(&changed, options.arg[0], &options, arena,
				    &err))
		die("%s", err.text);
	profile = ranked_profile(&options, arena);
	/* fail before the work and not after it */
	if (out_open(&out, options.output, &err))
		die("%s", err.text);
	if (changes)
		status = look_before(&before, options.arg[0], &options,
				     &changed, arena);
	if (!status)
		status = reports_make(&reports, options.arg[0], &options,
				      arena);
	if (status) {
		out_discard(&out);
		goto failed;
	}
	ranked_findings(profile, &reports);
	ranked_lost(profile, "finding");
	if (options.stale)
		findings_tell_stale(&reports.report, baseline, &options,
				    arena);
	known = baseline;
	if (changes) {
		known = findings_either(baseline, findings_of(&before.report,
					options.arg[0], arena), arena);
		tell_causes(&reports.report, &before.report, known, &changed,
			    arena);
	}
	write_report(&out, &options, &reports.report, known, arena);
	if (out_close(&out, &err))
		die("%s", err.text);
	text_summary(&reports.report, known);
	status = (int)run_status(&reports.report,
				 findings_new(&reports.report, known),
				 &options);
	/* what was not seen before may look new */
	if (before.report.nskipped && status < STATUS_INCOMPLETE) {
		text_skipped(&before.report);
		status = STATUS_INCOMPLETE;
	}
	reports_release(&reports);
failed:
	reports_release(&before);
	arena_free(arena);
	return status;
}
