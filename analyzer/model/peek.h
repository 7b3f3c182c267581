/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A look at a function's body that is not kept: most bodies are only needed
 * once, and all of them together are larger than anything else.
 */
#ifndef NOCHARGE_PEEK_H
#define NOCHARGE_PEEK_H

#include "../parse/facts.h"

struct peek {
	struct arena *arena;
	unsigned used;
};

/* The body, until the next peek_body() or peek_done(); or NULL. */
struct node *peek_body(struct peek *peek, struct func *func);
void peek_done(struct peek *peek);

#endif
