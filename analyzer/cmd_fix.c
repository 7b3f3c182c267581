// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "../output/findings.h"
#include "../output/git.h"
#include "../output/plan.h"
#include "../output/profile.h"
#include "../output/series.h"
#include "../output/text.h"
#include "checks/checks.h"
#include "default_on.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"
#include "ranked.h"
#include "run.h"

static const char help[] =
"nocharge fix [options] TREE -o DIR\n"
"\n"
"Write the patch series that takes away what 'nocharge check' finds, as git am\n"
"takes it, into DIR; a series that is there already is replaced. TREE is only\n"
"read, nothing is sent and nothing is signed off.\n"
"\n"
"  -o DIR             where the series goes\n"
"  --only ID          only the patch for this finding (repeatable)\n"
"  --top N            only the N patches that save most\n"
"  --author AUTHOR    \"Name <address>\" instead of git's identity\n"
"  --keep-exports     no exported function gets another name\n"
"  --trust-tree       may run the tree's scripts/get_maintainer.pl, for DIR's\n"
"                     send.cmd: a command to read and to run, or not\n"
"\n";

/* What is asked for is a choice of patches: functions go together as ever. */
static struct options whole_of(const struct options *options,
			       struct arena *arena)
{
	struct options whole = *options;

	whole.function = whole.rule = (struct names){ 0 };
	if (options->rule.n)
		whole.rule = checks_with(&options->rule, arena);
	return whole;
}

static bool is_asked(const struct options *options,
		     const struct finding *finding,
		     const struct finding_set *baseline)
{
	if (options->only.n && !names_have(&options->only, finding->id))
		return false;
	if (options->rule.n && !names_have(&options->rule, finding->rule))
		return false;
	return run_asks_for(options, finding) &&
	       !findings_have(baseline, finding->id);
}

static int choose(const struct report *report, const struct options *options,
		  const struct finding_set *baseline, struct names *asked,
		  struct arena *arena, struct err *err)
{
	const char **id = ARENA_ARRAY(arena, const char *, report->nfinding);
	struct names every = { id, 0 };

	for (size_t i = 0; i < report->nfinding; i++)
		id[every.n++] = report->finding[i].id;
	for (size_t i = 0; i < options->only.n; i++)
		if (!names_have(&every, options->only.name[i]))
			return err_set(err, STATUS_USAGE,
				       "no finding has the id '%s'",
				       options->only.name[i]);
	for (size_t i = 0; i < options->function.n; i++)
		if (!run_knows(report, options->function.name[i]))
			warn("no entry point is called '%s', and no finding "
			     "is on it", options->function.name[i]);
	*asked = (struct names){ id, 0 };
	for (size_t i = 0; i < report->nfinding; i++)
		if (is_asked(options, &report->finding[i], baseline))
			id[asked->n++] = report->finding[i].id;
	return 0;
}

static int write_series(struct run *run, const struct options *options,
			const char *author, const struct names *asked,
			struct arena *arena, struct err *err)
{
	const struct plan_input input = {
		.model = run->model, .tree = run->tree,
		.in = run->in, .out = run->out, .rules = run->rules,
		.kernel = run->kernel,
		.finding = run->report.finding,
		.nfinding = run->report.nfinding,
		.keep_exports = options->keep_exports, .arena = arena,
	};
	struct series series = {
		.plan = plan_make(&input), .tree = run->tree, .in = run->in,
		.rules = run->rules, .kernel = run->kernel,
		.dir = options->output, .author = author,
		.rules_path = options->rules.name[0],
		.config_path = options->config,
		.tool_version = run->report.tool_version,
		.options = options,
		.asked = *asked, .top = options->top,
		.trust_tree = options->trust_tree, .arena = arena,
	};

	interrupt_hold("while writing the series");
	if (series_write(&series, err))
		return -1;
	if (series.unsent)
		warn("no send.cmd: %s", series.unsent);
	fprintf(stderr, "nocharge: %zu patch%s in %s, %zu of %zu findings "
		"left alone\n", series.nwritten,
		series.nwritten == 1 ? "" : "es", options->output,
		series.plan->nleft, asked->n);
	return series.plan->nleft && !options->exit_zero ? STATUS_FINDINGS
							  : STATUS_CLEAN;
}

int cmd_fix(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct finding_set *baseline = NULL;
	struct profile *profile;
	struct options options, whole;
	struct err err = { 0 };
	const char *author;
	struct names asked;
	struct run run;
	int status;

	options_parse(&options, argc, argv, help, 1, 1, arena);
	if (!options.output)
		usage(argv[0], "where the series goes is missing (-o DIR)");
	if (options.rules.n > 1)
		usage(argv[0], "a series is about one feature: give --rules "
		      "once");
	author = options.author ? options.author : git_identity(arena);
	if (!author)
		die("git knows no user.name and user.email: give "
		    "--author \"Name <address>\"");
	if (options.baseline)
		baseline = findings_read(options.baseline, arena, &err);
	profile = ranked_profile(&options, arena);
	/* fail before the work and not after it */
	if ((options.baseline && !baseline) ||
	    series_ready(author, options.output, options.arg[0], arena, &err))
		die("%s", err.text);
	whole = whole_of(&options, arena);
	if (run_model(&run, options.arg[0], options.rules.name[0], &whole,
		      &err) ||
	    choose(&run.report, &options, baseline, &asked, arena, &err)) {
		status = run_failed(&err);
	} else {
		text_summary(&run.report, baseline);
		if (profile) {
			profile_knows(profile, run.model);
			profile_share(profile, run.report.finding,
				      run.report.nfinding);
			ranked_lost(profile, "finding");
		}
		/* a tree that has it: that was told, and is all */
		status = run.default_on && run.default_on->has && !asked.n ?
			STATUS_CLEAN : write_series(&run, &whole, author,
						    &asked, arena, &err);
		if (status < 0)
			status = run_failed(&err);
		else if (run.report.nskipped)
			status = STATUS_INCOMPLETE;
	}
	run_release(&run);
	arena_free(arena);
	return status;
}
