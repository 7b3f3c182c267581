// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "../output/git.h"
#include "../output/plan.h"
#include "../output/series.h"
#include "../output/text.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"
#include "run.h"

static const char help[] =
"nocharge fix [options] TREE -o DIR\n"
"\n"
"Write the patch series that takes away what 'nocharge check' finds, as git am\n"
"takes it, into DIR; a series that is there already is replaced. TREE is only\n"
"read, nothing is sent and nothing is signed off.\n"
"\n"
"  -o DIR             where the series goes\n"
"  --only ID          only what clears this finding (repeatable)\n"
"  --top N            only the N patches that save most\n"
"  --author AUTHOR    \"Name <address>\" instead of git's identity\n"
"  --keep-exports     no exported function gets another name\n"
"  --trust-tree       may run the tree's scripts/get_maintainer.pl, for DIR's\n"
"                     send.cmd: a command to read and to run, or not\n"
"\n";

static int write_series(struct run *run, const struct options *options,
			const char *author, struct arena *arena,
			struct err *err)
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
		.only = options->only, .top = options->top,
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
		series.plan->nleft, run->report.nfinding);
	return series.plan->nleft && !options->exit_zero ? STATUS_FINDINGS
							  : STATUS_CLEAN;
}

int cmd_fix(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	struct err err = { 0 };
	const char *author;
	struct run run;
	int status;

	options_parse(&options, argc, argv, help, 1, 1, arena);
	if (!options.output)
		usage(argv[0], "where the series goes is missing (-o DIR)");
	if (options.rules.n > 1)
		usage(argv[0], "one --rules is enough");
	author = options.author ? options.author : git_identity(arena);
	if (!author)
		die("git knows no user.name and user.email: give "
		    "--author \"Name <address>\"");
	if (run_model(&run, options.arg[0], options.rules.name[0], &options,
		      &err)) {
		status = run_failed(&err);
	} else {
		text_summary(&run.report, NULL);
		status = write_series(&run, &options, author, arena, &err);
		if (status < 0)
			status = run_failed(&err);
		else if (run.report.nskipped)
			status = STATUS_INCOMPLETE;
	}
	run_release(&run);
	arena_free(arena);
	return status;
}
