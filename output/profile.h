/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is spent in which function, as a measurement or a profiler has it, to
 * rank findings by. These are read:
 *
 *	measure.json            off minus out of each function, of each operation
 *	perf report --stdio     "12.34%  ...  [k] symbol"
 *	folded stacks           "a;b;c 123", of which c has the 123
 */
#ifndef NOCHARGE_PROFILE_H
#define NOCHARGE_PROFILE_H

#include "../analyzer/model/finding.h"
#include "measure.h"

struct profile {
	struct amounts function; /* sorted; in per cent of all that was read */
	size_t nlost;            /* functions that no finding is on */
	double lost;             /* and what is spent there */
};

/* NULL with @err if it is none of these, or has nothing in it. */
struct profile *profile_read(const char *path, struct arena *arena,
			     struct err *err);

/* The same of text in memory; @path is for messages. */
struct strbuf;
struct profile *profile_parse(const char *path, const struct strbuf *text,
			      struct arena *arena, struct err *err);

/*
 * Say of each finding how much is spent in its function and in those that it
 * covers. What is left over is counted.
 */
void profile_share(struct profile *profile, struct finding *finding, size_t n,
		   struct arena *arena);
/* Those with most first. */
void profile_sort(struct finding *finding, size_t n);

#endif
