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

/* The text of -h about what options_parse() reads. */
static const char options_help[] =
"  --rules FILE       feature rules (repeatable; default: memcg's)\n"
"  --rule NAME        only this rule (repeatable)\n"
"  --function NAME    only this function (repeatable)\n"
"  --config FILE      a .config to analyse under (default: the feature's own)\n"
"  --arch NAME        x86 (default) or arm64\n"
"  --jobs N           worker processes (default: one per processor)\n"
"  --cache DIR        where facts are kept (default: XDG_CACHE_HOME/nocharge)\n"
"  --no-cache         keep none\n"
"  --baseline FILE    report only what is not in these findings\n"
"  --format FORMAT    text (default) or json\n"
"  -o FILE            write there instead of to standard output\n"
"  --exit-zero        exit with 0 instead of 1 when something was found\n"
"  -h, --help         this text\n";

enum {
	OPT_RULES = 256, OPT_RULE, OPT_FUNCTION, OPT_CONFIG, OPT_ARCH,
	OPT_JOBS, OPT_CACHE, OPT_NO_CACHE, OPT_BASELINE, OPT_FORMAT,
	OPT_EXIT_ZERO, OPT_TRUST, OPT_ONLY, OPT_TOP, OPT_AUTHOR, OPT_EXPORTS,
	OPT_PROOF, OPT_CC, OPT_EACH,
};

static const struct option long_options[] = {
	{ "rules", required_argument, NULL, OPT_RULES },
	{ "rule", required_argument, NULL, OPT_RULE },
	{ "function", required_argument, NULL, OPT_FUNCTION },
	{ "config", required_argument, NULL, OPT_CONFIG },
	{ "arch", required_argument, NULL, OPT_ARCH },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "cache", required_argument, NULL, OPT_CACHE },
	{ "no-cache", no_argument, NULL, OPT_NO_CACHE },
	{ "baseline", required_argument, NULL, OPT_BASELINE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "trust-tree", no_argument, NULL, OPT_TRUST },
	{ "only", required_argument, NULL, OPT_ONLY },
	{ "top", required_argument, NULL, OPT_TOP },
	{ "author", required_argument, NULL, OPT_AUTHOR },
	{ "keep-exports", no_argument, NULL, OPT_EXPORTS },
	{ "check", required_argument, NULL, OPT_PROOF },
	{ "cc", required_argument, NULL, OPT_CC },
	{ "each", no_argument, NULL, OPT_EACH },
	{ "output", required_argument, NULL, 'o' },
	{ "exit-zero", no_argument, NULL, OPT_EXIT_ZERO },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

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

static void add_name(struct names *names, const char *name,
		     struct arena *arena)
{
	const char **more = ARENA_ARRAY(arena, const char *, names->n + 1);

	if (names->n)
		memcpy(more, names->name, names->n * sizeof(*more));
	more[names->n++] = name;
	names->name = more;
}

/* Some options only mean something to some commands. */
static void only_for(const char *command, int c)
{
	static const struct { int option; const char *commands; } some[] = {
		{ OPT_TRUST, "fix prove" }, { OPT_ONLY, "fix prove" },
		{ OPT_TOP, "fix" }, { OPT_AUTHOR, "fix" },
		{ OPT_EXPORTS, "fix" }, { OPT_PROOF, "prove" },
		{ OPT_CC, "prove" }, { OPT_EACH, "prove" },
		{ OPT_BASELINE, "check" },
		{ OPT_FORMAT, "check list explain diff cc" },
	};
	static const int series[] = { OPT_RULES, OPT_RULE, OPT_FUNCTION,
		OPT_CONFIG, OPT_ARCH, OPT_BASELINE, OPT_FORMAT, 'o' };
	const char *at, *name = "";

	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		if (series[i] == c && !strcmp(command, "prove"))
			usage(command, "rules, architecture and configuration "
			      "are the series', and so is what goes where");
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		if (some[i].option != c)
			continue;
		at = strstr(some[i].commands, command);
		if (at)
			return;
		for (const struct option *o = long_options; o->name; o++)
			if (o->val == c)
				name = o->name;
		usage(command, "'%s' has no use for --%s", command, name);
	}
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

enum format options_format(const char *command, const char *text)
{
	if (!strcmp(text, "text"))
		return FORMAT_TEXT;
	if (!strcmp(text, "json"))
		return FORMAT_JSON;
	if (!strcmp(text, "sarif") || !strcmp(text, "html"))
		usage(command, "the format '%s' is not there yet (text, json)",
		      text);
	usage(command, "unknown format '%s' (text, json)", text);
}

static void read_option(struct options *options, int c, const char *command,
			const char *help, struct arena *arena)
{
	only_for(command, c);
	switch (c) {
	case OPT_RULES:
		add_name(&options->rules, optarg, arena);
		break;
	case OPT_RULE:
		if (!check_find(optarg))
			usage(command, "unknown rule '%s'", optarg);
		add_name(&options->rule, optarg, arena);
		break;
	case OPT_FUNCTION:
		add_name(&options->function, optarg, arena);
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
		add_name(&options->only, optarg, arena);
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
		add_name(&options->proof, optarg, arena);
		break;
	case OPT_CC:
		add_name(&options->cc, optarg, arena);
		break;
	case OPT_EACH:
		options->each = true;
		break;
	case 'h':
		fputs(help, stdout);
		fputs(options_help, stdout);
		exit(STATUS_CLEAN);
	default:
		BUG("option %d is in no case", c);
	}
}

void options_parse(struct options *options, int argc, char **argv,
		   const char *help, int least, int most, struct arena *arena)
{
	const char *command = argv[0];
	int c;

	*options = (struct options){ .arch = "x86" };
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":ho:", long_options,
				NULL)) != -1) {
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
	if (options->no_cache && options->cache)
		usage(command, "--cache and --no-cache exclude each other");
	if (!options->rules.n) {
		const char *path = data_path(arena, "rules/memcg.json");

		if (!path)
			die("the rules that come with nocharge are missing "
			    "(rules/memcg.json; NOCHARGE_DATA names their "
			    "folder)");
		add_name(&options->rules, path, arena);
	}
}
