// SPDX-License-Identifier: GPL-2.0-only
/* An operation more is a file with its function, a line here, and one in
 * rules/boot/operations. */
#include "operations.h"

const struct operation operations[] = {
	{ "anon-fault", op_anon_fault },   /* memory, written first */
	{ "unmap", op_unmap },             /* and given back */
	{ "shmem-fault", op_shmem_fault }, /* memory that has a name */
	{ "file-fault", op_file_fault },   /* a file that is in memory, read */
	{ "write", op_write },             /* a file, written */
	{ "copy-on-write", op_copy },      /* what a fork shares, written */
	{ "fork", op_fork },               /* with memory to be shared */
	{ "exec", op_exec },               /* a program in place of this */
	{ "exit", op_exit },               /* with memory to be given back */
	{ "swap-out", op_swap_out },       /* out to swap */
	{ "swap-in", op_swap_in },         /* and in again */
	{ "refault", op_refault },         /* a file, reclaimed and read again */
	{ "open-close", op_open_close },
	{ "pipe", op_pipe },               /* made and closed */
	{ "socket-pair", op_socket_pair }, /* made and closed */
	{ "mmap", op_mmap },               /* of a file, and away with it */
	{ "truncate", op_truncate },       /* a file that is in memory, cut */
};

const size_t noperation = sizeof(operations) / sizeof(operations[0]);
