/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as JSON: written by check, read for --baseline and diff.
 */
#ifndef NOCHARGE_FINDINGS_H
#define NOCHARGE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/json.h"
#include "../analyzer/model/finding.h"
#include "out.h"

struct options;

#define FINDINGS_SCHEMA "nocharge-findings-1"

/* What a findings file, or a run, found. */
struct finding_set {
	const char *from;         /* the file or the tree */
	const char *tree_version; /* or NULL */
	struct finding *finding;
	size_t nfinding;
	/* allowed by a comment; and comments that allow nothing */
	struct finding *suppressed, *comment;
	size_t nsuppressed, ncomment;
	const char **id;          /* sorted, of findings and comments */
	size_t nid;
	bool whole;               /* nothing was skipped */
};

/*
 * Read a findings file: only what is needed of it, keys that a later version
 * adds are not minded. NULL with @err set. Lives in @arena.
 */
struct finding_set *findings_read(const char *path, struct arena *arena,
				  struct err *err);
/* The same of a file that was read. */
struct finding_set *findings_of_json(const struct json *json,
				     struct arena *arena, struct err *err);
/* The same of text in memory; @path is for messages. */
struct finding_set *findings_parse(const char *path, const char *text,
				   size_t len, struct arena *arena,
				   struct err *err);
/* What is in one of the two, either of which may be NULL: only their ids. */
struct finding_set *findings_either(const struct finding_set *a,
				    const struct finding_set *b,
				    struct arena *arena);
/* The findings of a report, which must outlive the result. */
struct finding_set *findings_of(const struct report *report, const char *from,
				struct arena *arena);

const char *level_name(enum level level);

/* @set may be NULL: it has nothing. */
bool findings_have(const struct finding_set *set, const char *id);
/* How many findings of @report are not in @baseline. */
size_t findings_new(const struct report *report,
		    const struct finding_set *baseline);

/*
 * Tell in @report what of @baseline is found no more, of what @options asked
 * for. Where something was not analysed nothing is told but that, as a note.
 */
void findings_tell_stale(struct report *report,
			 const struct finding_set *baseline,
			 const struct options *options, struct arena *arena);

/* INTERFACE's findings JSON, without what @baseline has. */
void findings_write(struct out *out, const struct report *report,
		    const struct finding_set *baseline);

#endif
