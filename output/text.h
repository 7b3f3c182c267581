/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as people read them, the way compilers print warnings.
 */
#ifndef NOCHARGE_TEXT_H
#define NOCHARGE_TEXT_H

#include "../analyzer/model/finding.h"
#include "findings.h"
#include "out.h"

/* One finding: "path:line:col: warning: text [rule]" and its notes. */
void text_finding(struct out *out, const struct finding *finding);

/* One that a comment in the source allows, with the reason. */
void text_allowed(struct out *out, const struct finding *finding);

/* All findings that are not in @baseline (NULL: none is). */
void text_report(struct out *out, const struct report *report,
		 const struct finding_set *baseline);

/*
 * To standard error: what was not analysed, one line each. Returns how many
 * functions of it there are.
 */
size_t text_skipped(const struct report *report);

/*
 * To standard error: what was not analysed, one line each, and the summary
 * "nocharge: 31 findings (3 new); 74 of 74 units, 0 functions skipped; 4.1 s".
 */
void text_summary(const struct report *report,
		  const struct finding_set *baseline);

#endif
