// SPDX-License-Identifier: GPL-2.0-only
/* A step more is a file with its function, and a line here. */
#include "guest.h"

const struct step steps[] = {
	{ "anon", step_anon },     /* anonymous memory */
	{ "file", step_file },     /* a file, written and mapped */
	{ "shmem", step_shmem },   /* memory that has a name */
	{ "swap", step_swap },     /* out to swap and in again */
	{ "copy", step_copy },     /* copied on write after a fork */
	{ "huge", step_huge },     /* huge pages */
	{ "fill", step_fill },     /* filled in by another */
	{ "secret", step_secret }, /* hidden from the kernel itself */
	{ "probe", step_probe },   /* code replaced by a probe */
};

const size_t nstep = sizeof(steps) / sizeof(steps[0]);
