/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations of output/measure on a machine, as an ordinary program: how
 * many of them a second, done by one process and by several at once. It
 * changes nothing of the machine, needs no privilege, and names what it could
 * not do.
 *
 *	main.c    the command line, and what is done when
 *	worker.c  the processes
 *	tell.c    what comes of it, as JSON
 */
#ifndef NOCHARGE_HARDWARE_H
#define NOCHARGE_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HARDWARE_SCHEMA "nocharge-hardware-1"

#define PROCESSES 256
#define RUNS      64
#define STEPS     16  /* numbers of processes */
#define WHY       200

/* How it is to be done. */
struct plan {
	unsigned step[STEPS];  /* how many processes at once, rising */
	size_t nstep;
	unsigned runs;
	double seconds;        /* of each run of an operation */
	const char *dir;       /* on a disk; for what is read from there */
	bool *chosen;          /* of each operation */
};

/* What one run of an operation came to. */
struct run {
	bool there;
	double rate;           /* per second, of all processes together */
	char why[WHY];         /* why there is none */
};

/* Of all runs: [operation][step][run]. */
struct result {
	const struct plan *plan;
	struct run *run;
	double others;         /* per cent of the processors' time that others */
			       /* had meanwhile; less than 0: not known */
};

struct run *result_run(const struct result *result, size_t op, size_t step,
		       unsigned number);

/* Do @op in so many processes at once. */
void work(const struct plan *plan, size_t op, unsigned processes,
	  struct run *run);
/* Memory that all processes see, for so many; false if there is none. */
bool work_ready(const char *dir, unsigned processes);
/* A size of pages that all kernels have: huge ones are not what is timed. */
bool small_pages(void);

/* Write the result to @path; false if that failed. */
bool tell(const struct result *result, bool small, const char *path);

#endif
