/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a function does in one state that somebody outside can see: stores to
 * memory that is not its own, calls, sections that it opens and closes,
 * assembly that writes. Loads, tests and stores to locals are not.
 *
 * What is inlined happens here, and so does what is called out of line where
 * reading_follows() says so. Calls that the rules take for nothing (tracing,
 * debugging) are not seen at all.
 */
#ifndef NOCHARGE_EFFECT_H
#define NOCHARGE_EFFECT_H

#include "reading.h"

enum effect_kind {
	EFFECT_STORE,
	EFFECT_CALL,
	EFFECT_ICALL,
	EFFECT_ASM,
	EFFECT_OPEN,  /* a section */
	EFFECT_CLOSE,
};

struct effect {
	enum effect_kind kind;
	uint8_t flags;       /* EVENT_MAYBE and EVENT_LOOP */
	const char *name;    /* the callee's, or what is stored to */
	const char *text;    /* all of it: equal texts, equal effects */
	struct memory to;    /* of a store */
	unsigned section;    /* of kernel->section */
	/*
	 * A call on the feature's objects and on nothing else: at least one
	 * argument is an address in, or a pointer to, what only the feature
	 * has, and every other one is a number, a function, or the same. Of
	 * a call that puts work off (kernel->later) the item is enough: its
	 * function is the feature's.
	 */
	bool own;
	struct function *fn; /* of a call, or NULL */
	const struct frame *frame;
	const struct event *event;
};

/* A load of memory that the feature alone has. */
struct seen_load {
	const char *name;
	const struct frame *frame;
	uint32_t line;
};

struct effects {
	struct reading reading;
	struct effect *effect;
	size_t n, cap;
	struct seen_load *load;
	size_t nload, load_cap;
	const char **ret; /* what may be returned; of a void function none */
	size_t nret;
	const char *cut;  /* why this is not all of it, or NULL */
};

/*
 * @s in @world, with @kernel's names. @arena is the caller's; world and
 * summary must outlive the result.
 */
struct effects *effects_of(const struct model *model, struct world *world,
			   const struct summary *s, struct arena *arena);

/*
 * The section that a call of @name opens or closes (*@kind says which), as an
 * index into kernel->section, or -1.
 */
int effect_section(const struct kernel_rules *kernel, const char *name,
		   enum effect_kind *kind);

/*
 * What some function that is live in the off state loads or hands out the
 * address of: name to struct function.
 */
void effects_live_loads(const struct model *model, struct map *loads);

/*
 * Names of what effects [from..] of one kind of change may store to, with all
 * that is called: memory, and callees of which nothing is known. Sorted, each
 * once; NULL if it is too much to look at.
 */
const char **effects_stores(const struct model *model,
			    struct effect *const *effect, size_t neffect,
			    size_t *n, struct arena *arena);

#endif
