/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings that were read from a file, each with what became of it: the patch
 * of a series that clears it and what is proven of that, or why it was left
 * alone.
 */
#ifndef NOCHARGE_REPORT_H
#define NOCHARGE_REPORT_H

#include "../analyzer/base/json.h"
#include "findings.h"
#include "out.h"

struct report_series;

/*
 * Read DIR/series.json and, where it is, DIR/proof.json. NULL with @err set.
 * The result is only good as long as @arena.
 */
struct report_series *report_series_read(const char *dir, struct arena *arena,
					 struct err *err);
void report_series_free(struct report_series *series);
/*
 * STATUS_PROOF if a check of a patch failed, STATUS_INCOMPLETE if one was not
 * run or nothing is proven of a patch, else STATUS_CLEAN, as for no series.
 */
enum status report_series_status(const struct report_series *series);

/*
 * The file of the patch that clears finding @id; or NULL with *@left why there
 * is none.
 */
const char *report_series_patch(const struct report_series *series,
				const char *id, const char **left);
/* The file of patch @i, the first 0, and its *@path; NULL behind the last. */
const char *report_series_file(const struct report_series *series, size_t i,
			       struct arena *arena, const char **path);

/* @series may be NULL: then it is what 'check' printed. */
void report_text(struct out *out, const struct finding_set *set,
		 const struct report_series *series);
/*
 * The findings file itself, to each of whose findings a "patch" or a "left"
 * was added. @json is changed.
 */
void report_json(struct out *out, struct json *json,
		 const struct report_series *series);

#endif
