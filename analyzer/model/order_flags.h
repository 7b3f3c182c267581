/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function does to the flags of the object that it is given. */
#ifndef NOCHARGE_ORDER_FLAGS_H
#define NOCHARGE_ORDER_FLAGS_H

#include "order.h"
#include "peek.h"

struct flag_use {
	bool known, walking;
	int param;        /* whose flags; -1: nobody's */
	uint64_t reads, writes;
	uint64_t fenced;  /* those of the writes that a barrier comes before */
	const struct function *fence; /* where that is */
	uint32_t fence_line;
	int address;      /* the parameter whose flags' address it returns */
};

struct flag_uses {
	const struct model *model;
	struct program *program;
	struct flag_use *use; /* by function->index */
	struct arena *arena;
};

struct flag_uses *flag_uses_new(const struct model *model,
				struct arena *arena);
/* Of its own code and what header functions do for it. Never NULL. */
const struct flag_use *flag_use_of(struct flag_uses *uses,
				   const struct function *fn);

/* Is a call of @fn a flag write behind a barrier, and no more? */
bool flag_is_write(struct flag_uses *uses, const struct function *fn);

/* Is @record one that the rules call an object? */
bool order_is_object(const struct model *model, const char *record);

#endif
