/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the analysis hands to whoever prints it. Lists are sorted by file,
 * line, rule and function, so that output does not depend on the order in
 * which units were parsed. All strings are interned in the run's strtab or
 * live in its arena.
 */
#ifndef NOCHARGE_FINDING_H
#define NOCHARGE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum level { LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH };

struct why {
	const char *file;
	uint32_t line;
	const char *text; /* "a call of 'css_put', not in the stub" */
};

struct finding {
	const char *id;
	const char *rule;
	const char *subsystem; /* "mm": the first folder, or MAINTAINERS' */
	const char *function;  /* or a variable's name */
	const char *file;
	uint32_t line, column, end_line, end_column;
	enum level severity, confidence;
	const char **hot;      /* names of hot roots, hottest first */
	size_t nhot;
	double heat;           /* executions per operation on the hottest */
	unsigned residue;      /* instructions, roughly: see cost.h */
	bool shared;           /* a profile was read: */
	double share;          /* how much of it is this one's, in per cent */
	const char *message;
	const char *state;     /* "off", "root-only", "on" */
	struct why *why;
	size_t nwhy;
	const char **covers;   /* sorted */
	size_t ncovers;
	const char *cause;     /* of --patch and --since: how it came; or NULL */
	const char *allowed;   /* the reason of a comment that allows it, or NULL */
	const char *allowed_file;
	uint32_t allowed_line;
};

struct entry_point {
	const char *name;
	const char *declared_file, *defined_file;
	uint32_t declared_line, defined_line; /* 0: none */
	const char *stub;        /* "return 0", "none" */
	const char *kind;        /* "inline", "extern", "static" */
	const char *state;       /* INTERFACE.md's words */
	const char *off_returns; /* "0", "NULL", "unknown", "void" */
	unsigned residue;
	const char **hot;
	size_t nhot;
	bool shared;             /* as of a finding */
	double share;
};

struct skipped {
	const char *file, *function, *why; /* function may be "" */
};

struct report {
	const char *tool_version;
	const char *tree_version, *arch, *config, *commit; /* commit may be NULL */
	const char *feature;
	size_t units, analysed, built; /* built: files whose gate is on */
	struct skipped *skipped;
	size_t nskipped;
	const char **note; /* what to know although nothing was left out */
	size_t nnote;
	/* why a built file was not a unit: text and count */
	struct { const char *why; size_t count; } *excluded;
	size_t nexcluded;
	struct entry_point *entry;
	size_t nentry;
	struct finding *finding;
	size_t nfinding;
	/*
	 * Findings that a comment in the source allows, and comments that are
	 * to and don't (rule "suppression").
	 */
	struct finding *suppressed, *comment;
	size_t nsuppressed, ncomment;
	/* of a baseline, where that is asked for: what is found no more */
	bool stale_told;
	const struct finding **stale;
	size_t nstale;
	double seconds;
};

#endif
