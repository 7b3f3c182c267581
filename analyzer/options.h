/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that the commands share; a few are only for fix and prove. A
 * wrong one ends the program with status 2 and names it.
 */
#ifndef NOCHARGE_OPTIONS_H
#define NOCHARGE_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/rules.h"

struct memfile;

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF };

struct options {
	struct names rules;    /* files; never empty after options_parse() */
	struct names rule;     /* --rule; empty: all that run by default */
	struct names function; /* --function; empty: all */
	struct names only;     /* ids of fix, patches of prove, operations */
	struct names proof;    /* --check of prove; empty: all */
	struct names cc;       /* --cc of prove and measure; empty: theirs */
	bool each;             /* --each of prove */
	bool ends;             /* --ends of measure */
	const char *profile;   /* --profile of who reads a tree; or NULL */
	bool hardware, compare; /* of measure */
	const char *base;      /* a file of measure --compare; or NULL */
	unsigned processes, runs; /* of measure --hardware; 0: its own */
	const char *seconds;   /* the same; or NULL */
	const char *plot;      /* a folder for pictures of measure; or NULL */
	const char *against;   /* findings, for measure; or NULL */
	const char *annotate;  /* a disassembly, for explain; or NULL */
	const char *author;    /* "Name <address>", or NULL */
	unsigned top;          /* 0: all patches */
	bool keep_exports, trust_tree;
	const char *config, *arch, *cache, *baseline, *output;
	bool no_cache, exit_zero;
	bool stale;            /* --stale of check */
	bool own_rules;        /* --rules was given */
	const char *patch, *since; /* of check; or NULL */
	bool github;           /* --sarif-profile github */
	unsigned jobs;         /* 0: one per processor */
	/*
	 * No option of the command line: files that the tree is to be taken
	 * to have, as in tree_replace().
	 */
	const struct memfile *view;
	size_t nview;
	enum format format;
	char **arg;            /* what is no option, NULL-terminated */
	int narg;
};

/*
 * Read the command line of command argv[0]; -h prints @help and exits with
 * 0. Between @least and @most arguments must be left. Lives in @arena.
 */
void options_parse(struct options *options, int argc, char **argv,
		   const char *help, int least, int most,
		   struct arena *arena);

/* What --sarif-profile NAME says; a wrong one ends the program. */
bool options_github(const char *command, const char *text);
/* What --format FORMAT says; a wrong one ends the program. */
enum format options_format(const char *command, const char *text);

/* "nocharge: TEXT", a pointer to -h, and exit with STATUS_USAGE. */
void usage(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

#endif
