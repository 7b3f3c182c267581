// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "checks/checks.h"

enum {
	OPT_RULES = 256, OPT_RULE, OPT_FUNCTION, OPT_CONFIG, OPT_ARCH,
	OPT_JOBS, OPT_CACHE, OPT_NO_CACHE, OPT_BASELINE, OPT_FORMAT,
	OPT_EXIT_ZERO, OPT_TRUST, OPT_ONLY, OPT_TOP, OPT_AUTHOR, OPT_EXPORTS,
	OPT_PROOF, OPT_CC, OPT_EACH, OPT_ENDS, OPT_AGAINST,
	OPT_PROFILE, OPT_PLOT, OPT_ANNOTATE, OPT_HARDWARE, OPT_PROCESSES,
	OPT_RUNS, OPT_SECONDS, OPT_COMPARE, OPT_BASE, OPT_STALE,
	OPT_PROFILED, OPT_PATCH, OPT_SINCE,
};

/* Commands whose result is text. */
#define SAYING "check list explain diff"
/* Commands whose result is findings. */
#define FINDING "check diff report"
/* Commands that take what they need to know of a tree from a series. */
#define SERIES "prove measure"

/*
 * In the order of -h. Where commands read one differently, the first line that
 * is theirs counts.
 */
static const struct known {
	const char *name;
	int value;            /* for getopt_long() */
	int code;
	const char *commands; /* that take it; NULL: who reads a tree */
	const char *help;     /* NULL: the text of the command tells */
} known[] = {
	{ "rules", required_argument, OPT_RULES, "check list diff",
	  "--rules FILE       feature rules (repeatable; default: memcg's)" },
	{ "rules", required_argument, OPT_RULES, NULL,
	  "--rules FILE       feature rules, one (default: memcg's)" },
	{ "rule", required_argument, OPT_RULE, NULL,
	  "--rule NAME        only this rule (repeatable)" },
	{ "function", required_argument, OPT_FUNCTION, NULL,
	  "--function NAME    only this function (repeatable)" },
	{ "config", required_argument, OPT_CONFIG, "measure", NULL },
	{ "config", required_argument, OPT_CONFIG, NULL,
	  "--config FILE      a .config to analyse under (default: the "
	  "feature's own)" },
	{ "arch", required_argument, OPT_ARCH, NULL,
	  "--arch NAME        x86 (default) or arm64" },
	{ "jobs", required_argument, OPT_JOBS, "",
	  "--jobs N           worker processes (default: one per processor)" },
	{ "cache", required_argument, OPT_CACHE, "",
	  "--cache DIR        where facts are kept (default: "
	  "XDG_CACHE_HOME/nocharge)" },
	{ "no-cache", no_argument, OPT_NO_CACHE, "",
	  "--no-cache         keep none" },
	{ "baseline", required_argument, OPT_BASELINE, "check fix",
	  "--baseline FILE    only what is not in these findings" },
	{ "stale", no_argument, OPT_STALE, "check",
	  "--stale            tell also what of the baseline is found no more" },
	{ "patch", required_argument, OPT_PATCH, "check",
	  "--patch FILE|-     only what this patch or mailbox adds to the tree" },
	{ "since", required_argument, OPT_SINCE, "check",
	  "--since REV        only what was added since this revision" },
	{ "profile", required_argument, OPT_PROFILE,
	  "check list explain fix diff",
	  "--profile FILE     rank by it: measure.json, 'perf report "
	  "--stdio', stacks" },
	{ "annotate", required_argument, OPT_ANNOTATE, "explain", NULL },
	{ "format", required_argument, OPT_FORMAT, "check diff",
	  "--format FORMAT    text (default), json or sarif" },
	{ "sarif-profile", required_argument, OPT_PROFILED, "check diff",
	  "--sarif-profile github\n"
	  "                     only what GitHub takes and shows" },
	{ "format", required_argument, OPT_FORMAT, SAYING,
	  "--format FORMAT    text (default) or json" },
	{ "output", required_argument, 'o', SAYING,
	  "-o FILE            write there instead of to standard output" },
	{ "output", required_argument, 'o', "fix measure", NULL },
	{ "only", required_argument, OPT_ONLY, "fix prove measure", NULL },
	{ "top", required_argument, OPT_TOP, "fix", NULL },
	{ "author", required_argument, OPT_AUTHOR, "fix", NULL },
	{ "keep-exports", no_argument, OPT_EXPORTS, "fix", NULL },
	{ "trust-tree", no_argument, OPT_TRUST, "fix prove measure", NULL },
	{ "check", required_argument, OPT_PROOF, "prove", NULL },
	{ "cc", required_argument, OPT_CC, "prove measure", NULL },
	{ "each", no_argument, OPT_EACH, "prove", NULL },
	{ "ends", no_argument, OPT_ENDS, "measure", NULL },
	{ "plot", required_argument, OPT_PLOT, "measure", NULL },
	{ "against", required_argument, OPT_AGAINST, "measure", NULL },
	{ "format", required_argument, OPT_FORMAT, "measure", NULL },
	{ "hardware", no_argument, OPT_HARDWARE, "measure", NULL },
	{ "processes", required_argument, OPT_PROCESSES, "measure", NULL },
	{ "runs", required_argument, OPT_RUNS, "measure", NULL },
	{ "seconds", required_argument, OPT_SECONDS, "measure", NULL },
	{ "compare", no_argument, OPT_COMPARE, "measure", NULL },
	{ "base", required_argument, OPT_BASE, "measure", NULL },
	{ "exit-zero", no_argument, OPT_EXIT_ZERO, "",
	  "--exit-zero        exit with 0 instead of 1 when something was "
	  "found" },
	{ "help", no_argument, 'h', "",
	  "-h, --help         this text" },
};

#define NKNOWN (sizeof(known) / sizeof(known[0]))

static bool takes(const char *command, const struct known *option)
{
	if (!option->commands)
		return !strstr(SERIES, command);
	return !*option->commands || strstr(option->commands, command);
}

void usage(const char *command, const char *fmt, ...)
{
	va_list ap;

	fputs("nocharge: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "; 'nocharge %s%s-h' tells more\n",
		command ? command : "", command ? " " : "");
	exit(STATUS_USAGE);
}

/* Some options only mean something to some commands. */
static void only_for(const char *command, int c)
{
	const char *name = "";

	for (size_t i = 0; i < NKNOWN; i++) {
		if (known[i].code != c)
			continue;
		if (takes(command, &known[i]))
			return;
		name = known[i].name;
		if (!known[i].commands)
			usage(command, "rules, architecture and configuration "
			      "are the series': '%s' has no use for --%s",
			      command, name);
	}
	usage(command, "'%s' has no use for --%s", command, name);
}

static void print_help(const char *command, const char *help)
{
	int last = 0;

	fputs(help, stdout);
	for (size_t i = 0; i < NKNOWN; i++) {
		if (!known[i].help || !takes(command, &known[i]) ||
		    last == known[i].code)
			continue;
		printf("  %s\n", known[i].help);
		last = known[i].code;
	}
	exit(STATUS_CLEAN);
}

static unsigned read_number(const char *command, const char *option,
			    const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > 1024 ||
	    *text < '0' || *text > '9')
		usage(command, "'%s %s' is not a number from 1 to 1024",
		      option, text);
	return (unsigned)value;
}

bool options_github(const char *command, const char *text)
{
	if (strcmp(text, "github"))
		usage(command, "unknown SARIF profile '%s' (github)", text);
	return true;
}

enum format options_format(const char *command, const char *text)
{
	if (!strcmp(text, "text"))
		return FORMAT_TEXT;
	if (!strcmp(text, "json"))
		return FORMAT_JSON;
	if (!strstr(FINDING, command))
		usage(command, "unknown format '%s' (text, json)", text);
	if (!strcmp(text, "sarif"))
		return FORMAT_SARIF;
	if (!strcmp(text, "html"))
		usage(command, "the format '%s' is not there yet (text, json, "
		      "sarif)", text);
	usage(command, "unknown format '%s' (text, json, sarif)", text);
}

static void read_option(struct options *options, int c, const char *command,
			const char *help, struct arena *arena)
{
	only_for(command, c);
	switch (c) {
	case OPT_RULES:
		names_add(&options->rules, optarg, arena);
		break;
	case OPT_RULE:
		if (!check_find(optarg))
			usage(command, "unknown rule '%s'", optarg);
		names_add(&options->rule, optarg, arena);
		break;
	case OPT_FUNCTION:
		names_add(&options->function, optarg, arena);
		break;
	case OPT_CONFIG:
		options->config = optarg;
		break;
	case OPT_ARCH:
		if (strcmp(optarg, "x86") && strcmp(optarg, "arm64"))
			usage(command, "unknown architecture '%s' "
			      "(x86, arm64)", optarg);
		options->arch = optarg;
		break;
	case OPT_JOBS:
		options->jobs = read_number(command, "--jobs", optarg);
		break;
	case OPT_CACHE:
		options->cache = optarg;
		break;
	case OPT_NO_CACHE:
		options->no_cache = true;
		break;
	case OPT_BASELINE:
		options->baseline = optarg;
		break;
	case OPT_PATCH:
		options->patch = optarg;
		break;
	case OPT_SINCE:
		options->since = optarg;
		break;
	case OPT_PROFILED:
		options->github = options_github(command, optarg);
		break;
	case OPT_STALE:
		options->stale = true;
		break;
	case OPT_FORMAT:
		options->format = options_format(command, optarg);
		break;
	case 'o':
		options->output = optarg;
		break;
	case OPT_EXIT_ZERO:
		options->exit_zero = true;
		break;
	case OPT_TRUST:
		options->trust_tree = true;
		break;
	case OPT_ONLY:
		names_add(&options->only, optarg, arena);
		break;
	case OPT_TOP:
		options->top = read_number(command, "--top", optarg);
		break;
	case OPT_AUTHOR:
		options->author = optarg;
		break;
	case OPT_EXPORTS:
		options->keep_exports = true;
		break;
	case OPT_PROOF:
		names_add(&options->proof, optarg, arena);
		break;
	case OPT_CC:
		names_add(&options->cc, optarg, arena);
		break;
	case OPT_EACH:
		options->each = true;
		break;
	case OPT_ENDS:
		options->ends = true;
		break;
	case OPT_PROFILE:
		options->profile = optarg;
		break;
	case OPT_PLOT:
		options->plot = optarg;
		break;
	case OPT_HARDWARE:
		options->hardware = true;
		break;
	case OPT_PROCESSES:
		options->processes = read_number(command, "--processes",
						 optarg);
		break;
	case OPT_RUNS:
		options->runs = read_number(command, "--runs", optarg);
		break;
	case OPT_SECONDS:
		options->seconds = optarg;
		break;
	case OPT_COMPARE:
		options->compare = true;
		break;
	case OPT_BASE:
		options->base = optarg;
		break;
	case OPT_ANNOTATE:
		options->annotate = optarg;
		break;
	case OPT_AGAINST:
		options->against = optarg;
		break;
	case 'h':
		print_help(command, help);
		break;
	default:
		BUG("option %d is in no case", c);
	}
}

void options_parse(struct options *options, int argc, char **argv,
		   const char *help, int least, int most, struct arena *arena)
{
	struct option *list = ARENA_ARRAY(arena, struct option, NKNOWN + 1);
	const char *command = argv[0];
	int c;

	for (size_t i = 0; i < NKNOWN; i++)
		list[i] = (struct option){ known[i].name, known[i].value, NULL,
					   known[i].code };
	list[NKNOWN] = (struct option){ 0 };
	*options = (struct options){ .arch = "x86" };
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":ho:", list, NULL)) != -1) {
		if (c == ':')
			usage(command, "'%s' needs a value", argv[optind - 1]);
		if (c == '?' && optopt > 0 && optopt < 256)
			usage(command, "unknown option '-%c'", optopt);
		if (c == '?' && optopt)
			usage(command, "'%s' takes no value",
			      argv[optind - 1]);
		if (c == '?')
			usage(command, "unknown option '%s'",
			      argv[optind - 1]);
		read_option(options, c, command, help, arena);
	}
	options->arg = argv + optind;
	options->narg = argc - optind;
	if (options->narg < least)
		usage(command, "something is missing after '%s'", command);
	if (options->narg > most)
		usage(command, "'%s' is one argument too many",
		      options->arg[most]);
	if (options->github && options->format != FORMAT_SARIF)
		usage(command, "--sarif-profile is for --format sarif");
	if (options->patch && options->since)
		usage(command, "--patch and --since exclude each other");
	if (options->stale && !options->baseline)
		usage(command, "--stale is about a --baseline");
	if (options->no_cache && options->cache)
		usage(command, "--cache and --no-cache exclude each other");
	options->own_rules = options->rules.n;
	if (!options->rules.n) {
		const char *path = data_path(arena, "rules/memcg.json");

		if (!path)
			die("the rules that come with nocharge are missing "
			    "(rules/memcg.json; NOCHARGE_DATA names their "
			    "folder)");
		names_add(&options->rules, path, arena);
	}
}
