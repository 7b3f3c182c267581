/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that are views of one piece of memory: one is the beginning of the
 * other, or the program casts a pointer to one into a pointer to the other.
 */
#ifndef NOCHARGE_OVERLAP_H
#define NOCHARGE_OVERLAP_H

#include "program.h"

struct overlap {
	struct program *program;
	struct map casts;  /* "a|b", a sorted before b: anything */
	bool scanned;
};

bool overlap_records(struct overlap *overlap, const char *a, const char *b);

#endif
