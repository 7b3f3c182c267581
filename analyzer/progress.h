/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on a terminal that tells how far a long step is. Nothing is shown
 * in the first second, or when standard error is no terminal.
 */
#ifndef NOCHARGE_PROGRESS_H
#define NOCHARGE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	const char *what;
	double start, shown;
	bool visible, terminal;
};

void progress_start(struct progress *progress, const char *what);
/* @data is a struct progress: for parse_options.progress. */
void progress_step(void *data, size_t done, size_t total);
/* Take the line away. */
void progress_stop(struct progress *progress);

/* Seconds of a clock that only goes forward. */
double progress_now(void);

#endif
