/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIGINT, SIGTERM and SIGHUP: say what was done, leave nothing half written,
 * end with 128 + signal.
 *
 * A signal handler needs a place that outlives every call: interrupt.c holds
 * the program's only mutable globals.
 */
#ifndef NOCHARGE_INTERRUPT_H
#define NOCHARGE_INTERRUPT_H

#include <stdbool.h>

void interrupt_setup(void);

/* Set once a signal came; for parse_options.interrupted. */
const volatile int *interrupt_flag(void);
/* The signal that came, or 0. */
int interrupt_signal(void);

/*
 * What is being done from now on: "while evaluating; 150 of 150 units were
 * parsed". With @wait the first signal only sets the flag, because whoever
 * works looks at it; without, a signal prints @what and ends the process.
 * @what must stay valid.
 */
void interrupt_phase(const char *what, bool wait);

/*
 * What is done from now on is part of something: a signal that ends the
 * process tells @what, and not the phase.
 */
void interrupt_within(const char *what);
/*
 * The same, and there is something to clean up: whatever is done, the first
 * signal only sets the flag.
 */
void interrupt_hold(const char *what);

/* Print what a signal that waited has interrupted; 128 + signal. */
int interrupt_end(void);

/* A file to remove if the process ends by a signal, or NULL for none. */
void interrupt_remove(const char *path);

#endif
