/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One report for all the rules files of a command line: each feature is
 * analysed by itself, and what was found is put together.
 */
#ifndef NOCHARGE_REPORTS_H
#define NOCHARGE_REPORTS_H

#include "base/arena.h"
#include "model/finding.h"
#include "run.h"

struct options;

struct reports {
	struct run *run; /* one per rules file */
	size_t nrun;
	struct report report;
};

/*
 * Analyse @tree. Returns 0, or the exit status after having said what went
 * wrong; then there is nothing to release.
 */
int reports_make(struct reports *reports, const char *tree,
		 const struct options *options, struct arena *arena);
void reports_release(struct reports *reports);

#endif
