/* SPDX-License-Identifier: GPL-2.0-only */
/* Building, booting and counting for struct measure. */
#ifndef NOCHARGE_MEASURE_RUN_H
#define NOCHARGE_MEASURE_RUN_H

#include "measure.h"
#include "prove.h"

struct measure_how {
	const struct rules *rules; /* of the feature */
	const char *cc;            /* for kernels */
	const char *config;        /* a file of options, or NULL: our own */
	bool ends;                 /* no states but before and after all */
	/* what is done, and how far that is; may be NULL */
	void (*tell)(void *data, const char *what, size_t done, size_t total);
	void *data;
};

/*
 * Measure the series @prove, whose states are there. What could not be counted
 * is among the problems; a kernel that does not build or boot leaves its log
 * in DIR/measure-logs. Returns 0, or -1 with @err: STATUS_USAGE if something
 * is missing, STATUS_PROOF if a kernel is broken.
 */
int measure_run(struct measure *measure, struct prove *prove,
		const struct measure_how *how, struct arena *arena,
		struct err *err);

#endif
