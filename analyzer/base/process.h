/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Other programs: spatch, git, compilers. Each is run by its name and
 * arguments, never through a shell, and is killed with all that it started
 * when it takes too long or when nocharge is interrupted.
 */
#ifndef NOCHARGE_PROCESS_H
#define NOCHARGE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "strbuf.h"

/* More output than this ends the program: nothing that is asked writes it. */
#define PROCESS_OUTPUT_LIMIT (256u << 20)

struct process {
	const char *const *argv;      /* NULL-terminated; argv[0] by PATH */
	const char *dir;              /* to run it in; NULL: where we are */
	/* NULL-terminated "NAME=VALUE" to set, "NAME" to take out, in order */
	const char *const *env;
	const char *input;            /* for its standard input; NULL: none */
	size_t input_len;
	unsigned seconds;             /* of wall time; 0: no limit */
	uint64_t memory;              /* bytes of address space; 0: no limit */
	const volatile sig_atomic_t *interrupted; /* or NULL */
};

/*
 * Run it to its end; standard output is appended to @out and standard error
 * to @errors (the same strbuf for both is fine; NULL: thrown away). Returns
 * its exit status, 128 + signal if a signal ended it, or -1 with @err set: it
 * could not be started (STATUS_USAGE), took too long, or was interrupted.
 */
int process_run(const struct process *process, struct strbuf *out,
		struct strbuf *errors, struct err *err);

/*
 * The same with nothing of our environment but PATH, and @home as the place
 * for whatever it writes by itself. process->env is not heeded; 127 if there
 * is no such program.
 */
int process_run_clean(const struct process *process, const char *home,
		      struct strbuf *out, struct strbuf *errors,
		      struct err *err);

#endif
