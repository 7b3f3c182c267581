/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program that a kernel boots with nothing else, as its first process.
 *
 * It runs every step in a process of its own, in a group with a limit if the
 * feature is on, and writes the kernel's numbers to the second serial line as
 *
 *	STEP POINT WHERE NAME VALUE
 *
 * where POINT is "before", "within" (the limit), "over", "killed" or "gone",
 * and WHERE is "group", "root", "vmstat" or "meminfo". What is no number:
 *
 *	STEP skipped WHY	the kernel has no such thing
 *	STEP failed WHY		what must work did not
 *	end			all was done
 *
 * The kernel's own log goes to the first line, with a mark of each step.
 */
#ifndef NOCHARGE_GUEST_H
#define NOCHARGE_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "../guest/tools.h"

/* What a group may use, and what a step writes below and above that. */
#define LIMIT  (20 * MIB)
#define WITHIN (8 * MIB)
#define AREA   (64 * MIB)
#define PASSES 4

/*
 * Make @passes passes of writing @bytes and keep what is held: the process is
 * killed with it. Called twice: below the limit, and above it. NULL, or why
 * it cannot be done here; a step that did what it can below the limit returns
 * STEP_ENOUGH the second time.
 */
typedef const char *step_fn(size_t bytes, unsigned passes);

struct step {
	const char *name;
	step_fn *run;
};

extern const char STEP_ENOUGH[];

/* One file each; the table is in steps.c. */
step_fn step_anon, step_file, step_shmem, step_swap, step_copy, step_huge,
	step_fill, step_secret, step_probe;
extern const struct step steps[];
extern const size_t nstep;

#endif
