/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comments in the source that allow a finding:
 *
 *	nocharge: allow RULE[, RULE...]: REASON
 *
 * in a comment of its own, of either kind. It is for the line that it stands
 * on or, where nothing else stands there, for what begins below: up to the
 * first line with a ';' or a '{', other comments not counted. So it stands
 * above a function, a statement or behind either.
 */
#ifndef NOCHARGE_ALLOW_H
#define NOCHARGE_ALLOW_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/finding.h"
#include "options.h"

/* What stands in front of it all. */
#define ALLOW_MARK "nocharge: allow"

struct allow {
	const char *file;
	uint32_t line, column;  /* where the comment begins */
	uint32_t from, to;      /* lines that it is for */
	struct names rule;
	const char *reason;     /* NULL: none is given */
	bool used;
};

struct allows {
	struct allow *allow;
	size_t n, cap;
};

/* Those of the file @path with text @text; lives in @arena. */
void allow_scan(struct allows *allows, const char *path, const char *text,
		size_t len, struct arena *arena);

/*
 * Take what is allowed with a reason out of report->finding into
 * report->suppressed, and tell in report->comment which comments have no
 * reason, name no rule or, of rules that ran, allow nothing. With rules of the
 * user's own the last is not told: it may be another feature's.
 */
void allow_apply(struct allows *allows, struct report *report,
		 const struct options *options, struct arena *arena);

#endif
