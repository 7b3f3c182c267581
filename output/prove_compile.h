/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compilers' answers about units in states, each asked once: two states that
 * say the same in all files that a unit reads share one answer.
 */
#ifndef NOCHARGE_PROVE_COMPILE_H
#define NOCHARGE_PROVE_COMPILE_H

#include "prove.h"

enum compile_kind {
	COMPILE_SYNTAX, /* clang -fsyntax-only with kbuild's warnings */
	COMPILE_ASM,    /* clang -O2 -S, every predicate saying "on" */
	COMPILE_OBJECT, /* clang -O2 -c */
	COMPILE_SPARSE,
	COMPILE_CHOSEN, /* as COMPILE_SYNTAX, with the option of default-on */
};

struct compile {
	enum compile_kind kind;
	const struct prove_config *side;
	const char *unit;
	size_t state;
	bool done;
	bool *dep;           /* for each file: was it read? NULL: unknown */
	int status;          /* exit status, or -1 */
	const char *failure; /* why it could not be asked; status is -1 */
	struct strbuf text;  /* its messages */
	const char *output;  /* the assembly or object */
	struct compile *next;
};

/* Never NULL, and done; valid as long as @prove. From any thread. */
const struct compile *compile_get(struct prove *prove, enum compile_kind kind,
				  const struct prove_config *side,
				  const char *unit, size_t state);

/* Does @unit read the same in both states, as far as is known? */
bool compile_same(struct prove *prove, const struct prove_config *side,
		  size_t a, size_t b);

void compiles_free(struct prove *prove);

#endif
