/* SPDX-License-Identifier: GPL-2.0-only */
/* measure --hardware, and measure --compare. */
#ifndef NOCHARGE_HARDWARE_RUN_H
#define NOCHARGE_HARDWARE_RUN_H

#include "base/arena.h"
#include "options.h"

/* Results that can be set side by side at once. */
#define HARDWARE_FILES 64

/*
 * Is it one of the two that is asked for? Options that do not go with the one
 * that is end the program.
 */
bool hardware_asked(const struct options *options);

/* Both return the status to end with, after having said what went wrong. */
int hardware_run(const struct options *options, struct arena *arena);
int hardware_compare(const struct options *options, struct arena *arena);

#endif
