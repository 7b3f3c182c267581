/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels of the states of a series, built once each: kbuild sees one tree of
 * links, which is brought from state to state, and builds what changed.
 */
#ifndef NOCHARGE_KERNELS_H
#define NOCHARGE_KERNELS_H

#include "boot.h"
#include "prove.h"

/* Used by one thread at a time, but for prove->lock. */
struct kernels {
	struct prove *prove;
	struct boot boot;
	struct boot_source source; /* options and symbols are the caller's */
	bool broken;  /* the last kernel that failed: by its code */
	bool farmed;
	size_t state; /* that the farm is in */
	struct boot_kernel *kernel; /* of each state; image NULL: not yet */
};

/*
 * Built by @cc, in directories @name.tree and @name.build of prove->work; all
 * in @arena.
 */
void kernels_init(struct kernels *kernels, struct prove *prove,
		  const char *name, const char *cc, struct arena *arena);

/* NULL, or why there is no kernel of @state; what make said goes to @log. */
const char *kernels_get(struct kernels *kernels, size_t state,
			struct strbuf *log);

/* Build that of state 0 even if it was in the cache; the same otherwise. */
const char *kernels_rebuild(struct kernels *kernels, struct strbuf *log);

#endif
