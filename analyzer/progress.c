// SPDX-License-Identifier: GPL-2.0-only
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_start(struct progress *progress, const char *what)
{
	*progress = (struct progress){
		.what = what,
		.start = progress_now(),
		.terminal = isatty(STDERR_FILENO),
	};
}

void progress_step(void *data, size_t done, size_t total)
{
	struct progress *progress = data;
	double now;

	if (!progress->terminal)
		return;
	now = progress_now();
	if (now - progress->start < 1 || now - progress->shown < 0.1)
		return;
	progress->shown = now;
	progress->visible = true;
	fprintf(stderr, "\r\033[Knocharge: %s %zu of %zu", progress->what,
		done, total);
	fflush(stderr);
}

void progress_stop(struct progress *progress)
{
	if (progress->visible)
		fputs("\r\033[K", stderr);
	progress->visible = false;
}
