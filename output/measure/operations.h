/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations of a kernel. On a machine they are timed: see output/hardware.
 *
 * Or a kernel boots them (init.c) to have its instructions counted: each
 * operation eight times over, in a process of its own. The emulator lets an
 * instruction take a nanosecond, and the time stamp counter counts those. It
 * writes to the second serial line
 *
 *	memory NAME KIB            what the kernel says of its memory at first
 *	count OPERATION N C...     instructions of each repetition of N of them
 *	OPERATION skipped WHY      the kernel has no such thing
 *	OPERATION failed WHY       what must work did not
 *	end                        all was done
 *
 * Who counts each function (output/count) sees marks, instructions that do
 * nothing else: the next operation, a begin and an end, a repetition done.
 */
#ifndef NOCHARGE_OPERATIONS_H
#define NOCHARGE_OPERATIONS_H

#include "../guest/tools.h"

#define REPEAT 8
/* Of memory that is written, read, mapped or cut off in each repetition. */
#define PAGES 4096UL
#define AREA  (PAGES * PAGE)
/* Of what no page is used for. */
#define CALLS 2048U

/*
 * Do it REPEAT times: what is between begin() and end(), which may be in two
 * processes, counts; done() ends a repetition of @n. NULL, or why it cannot
 * be done here.
 */
typedef const char *operation_fn(void);

struct operation {
	const char *name;
	operation_fn *run;
};

/* One file each; the table is in operations.c. */
operation_fn op_anon_fault, op_unmap, op_shmem_fault, op_file_fault, op_write,
	op_copy, op_fork, op_exec, op_exit, op_swap_out, op_swap_in,
	op_refault, op_open_close, op_pipe, op_socket_pair, op_mmap,
	op_truncate;
extern const struct operation operations[];
extern const size_t noperation;

void begin(void);
void end(void);
void done(unsigned long n);

/* A new file in memory of AREA bytes; -1 if there is none. */
int make_file(void);
/* What is read from a disk, of so many bytes and more; -1 if there is none. */
int open_disk(size_t bytes);
/* See to it that as much can go to swap; NULL, or why not. */
const char *need_swap(size_t bytes);
/* The file that this program is. */
extern const char *const program;
/* What this program does when it is executed so: it counts, and ends. */
#define EXECUTED "executed"
void executed(void) __attribute__((noreturn));
/* Wait for the child @pid, which must end well. */
bool wait_for(int pid);

#endif
