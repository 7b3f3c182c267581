// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "../output/findings.h"
#include "../output/out.h"
#include "../output/report.h"
#include "../output/sarif.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"

static const char help[] =
"nocharge report FINDINGS.json [--series DIR] [--format F] [-o FILE]\n"
"\n"
"The findings of 'nocharge check --format json' in another form. With --series\n"
"each one tells which patch of 'nocharge fix' clears it and what 'nocharge\n"
"prove' showed of that patch, or why it was left alone. Exits with 4 if a\n"
"proof failed, with 3 if one was not run.\n"
"\n"
"  --series DIR       the series\n"
"  --format FORMAT    text (default), json or sarif; that has patches as fixes\n"
"  --sarif-profile github\n"
"                     only what GitHub takes and shows\n"
"  -o FILE            write there instead of to standard output\n"
"  --exit-zero        exit with 0 instead of 1 when there are findings\n"
"  -h, --help         this text\n";

struct asked {
	const char *findings, *series, *output;
	enum format format;
	bool exit_zero, github;
};

static void read_options(struct asked *asked, int argc, char **argv)
{
	static const struct option options[] = {
		{ "series", required_argument, NULL, 's' },
		{ "format", required_argument, NULL, 'f' },
		{ "sarif-profile", required_argument, NULL, 'g' },
		{ "output", required_argument, NULL, 'o' },
		{ "exit-zero", no_argument, NULL, 'z' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
		switch (c) {
		case 's':
			asked->series = optarg;
			break;
		case 'f':
			asked->format = options_format(argv[0], optarg);
			break;
		case 'g':
			asked->github = options_github(argv[0], optarg);
			break;
		case 'o':
			asked->output = optarg;
			break;
		case 'z':
			asked->exit_zero = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(STATUS_CLEAN);
		case ':':
			usage(argv[0], "'%s' needs a value", argv[optind - 1]);
		default:
			usage(argv[0], "'%s' has no option '%s'", argv[0],
			      argv[optind - 1]);
		}
	}
	if (asked->github && asked->format != FORMAT_SARIF)
		usage(argv[0], "--sarif-profile is for --format sarif");
	if (optind == argc)
		usage(argv[0], "the findings are missing (FINDINGS.json)");
	if (optind + 1 < argc)
		usage(argv[0], "'%s' is one argument too many",
		      argv[optind + 1]);
	asked->findings = argv[optind];
}

static int write_report(const struct asked *asked, struct json *json,
			struct arena *arena)
{
	struct report_series *series = NULL;
	struct finding_set *set;
	struct err err = { 0 };
	struct out out;
	int status;

	set = findings_of_json(json, arena, &err);
	if (set && asked->series) {
		/* git works in a directory that is removed again */
		interrupt_phase("while reading the series", true);
		series = report_series_read(asked->series, arena, &err);
		if (interrupt_signal())
			exit(interrupt_end());
		interrupt_phase("while writing the report", false);
	}
	if (!set || (asked->series && !series) ||
	    out_open(&out, asked->output, &err))
		die("%s", err.text);
	status = (int)report_series_status(series);
	if (status < STATUS_INCOMPLETE && !set->whole)
		status = STATUS_INCOMPLETE;
	else if (!status && set->nfinding + set->ncomment &&
		 !asked->exit_zero)
		status = STATUS_FINDINGS;
	if (asked->format == FORMAT_JSON)
		report_json(&out, json, series);
	else if (asked->format == FORMAT_SARIF)
		sarif_of_json(&out, set, json, series, asked->github, arena);
	else
		report_text(&out, set, series);
	report_series_free(series);
	if (out_close(&out, &err))
		die("%s", err.text);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct asked asked = { 0 };
	struct err err = { 0 };
	struct json *json;
	int status;

	read_options(&asked, argc, argv);
	json = json_read(asked.findings, &err);
	if (!json)
		die("%s", err.text);
	status = write_report(&asked, json, arena);
	json_free(json);
	arena_free(arena);
	return status;
}
