/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as SARIF 2.1.0: rules with their help, the reason of a finding as
 * its code flow and related locations, fixes from a series, what is allowed in
 * the source as suppressions, and what was not analysed as notifications of
 * the invocation. A finding is known again by its id, "nochargeId/v1".
 */
#ifndef NOCHARGE_SARIF_H
#define NOCHARGE_SARIF_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/model/finding.h"
#include "findings.h"
#include "json_out.h"
#include "out.h"

/* What GitHub takes of a run, and shows of a result. */
#define SARIF_GITHUB_RESULTS 5000
#define SARIF_GITHUB_LOCATIONS 100

struct report_series;
struct sarif_fixes;

struct sarif {
	struct json_out json;
	struct arena *arena;
	/*
	 * Only what GitHub makes something of: no result that is suppressed or
	 * absent, and no more of the others, the gravest, than it takes. What
	 * is left out is told in a notification.
	 */
	bool github;
	const struct report_series *series; /* NULL: none */
	const struct sarif_fixes *fixes;    /* NULL: none */
	bool incomplete;
	size_t nresult, left_out, shortened;
};

/* What of a run is known where there is only a file: any may be NULL. */
struct sarif_run {
	const char *tool_version, *tree_version, *arch, *config, *commit;
	const char *feature;
};

/*
 * @sarif has its arena, github, series and fixes; the order is
 *	sarif_begin(), sarif_finding()..., sarif_notify(),
 *	sarif_skipped()..., sarif_end()
 */
void sarif_begin(struct sarif *sarif, struct out *out,
		 const struct sarif_run *run);
/* @baseline: "new", "unchanged", "absent", or NULL where nothing is known. */
void sarif_finding(struct sarif *sarif, const struct finding *finding,
		   const char *baseline);
/* The results are told: now the notifications. */
void sarif_notify(struct sarif *sarif);
void sarif_skipped(struct sarif *sarif, const char *file,
		   const char *function, const char *why);
void sarif_note(struct sarif *sarif, const char *text);
void sarif_end(struct sarif *sarif);

/* A whole report, as findings_write(). */
void sarif_report(struct out *out, const struct report *report,
		  const struct finding_set *baseline, bool github,
		  struct arena *arena);

/* The findings of a file, as report_json(). */
void sarif_of_json(struct out *out, const struct finding_set *set,
		   const struct json *json,
		   const struct report_series *series, bool github,
		   struct arena *arena);

/* --- sarif_fix.c --- */

/*
 * The edits of the patches of @series in lines of the tree it was made for.
 * NULL with @err set if a patch cannot be read.
 */
struct sarif_fixes *sarif_fixes_read(const struct report_series *series,
				     struct arena *arena, struct err *err);
/*
 * The "fixes" of a finding that patch @file clears; nothing where that patch
 * adds or removes files, or changes lines that one before it changed.
 */
void sarif_fix_write(struct json_out *json, const struct sarif_fixes *fixes,
		     const char *file);
/* As in a URI. */
const char *sarif_uri(const char *path, struct arena *arena);

#endif
