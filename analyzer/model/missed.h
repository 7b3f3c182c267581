/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Before anything is changed: what would be missed if functions did nothing
 * in the off state but what their stubs do. output/prove_off.h shows the same
 * afterwards, and more; this is to choose what is worth trying.
 */
#ifndef NOCHARGE_MISSED_H
#define NOCHARGE_MISSED_H

#include "effect.h"

struct missed {
	const struct model *model;
	struct arena *arena;
	bool *gone;           /* by function->index: no longer reached */
	const char *what;     /* "it stores to 'x', which 'f' reads" */
	const char *file;
	uint32_t line;
};

/*
 * Would anybody miss what the @n functions @fn do in the off state, once none
 * of them does it? False leaves @missed->what NULL; it lives in the model's
 * arena.
 */
bool missed_any(struct missed *missed, struct model *model,
		struct function *const *fn, size_t n);

/*
 * By function->index: is it only come to while the kernel boots, if at all?
 * What such a function reads nobody has stored since. Lives in @arena.
 */
bool *missed_unreached(const struct model *model, struct arena *arena);

/*
 * Sections that @fn leaves open (above 0) or closes for others (below), by
 * kernel->section: in @net, which has room for them.
 */
void missed_sections(struct model *model, struct function *fn, int *net);

#endif
