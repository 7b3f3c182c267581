// SPDX-License-Identifier: GPL-2.0-only
#include "peek.h"

/* Bodies that share an arena before it is dropped. */
#define PEEK_BODIES 64

struct node *peek_body(struct peek *peek, struct func *func)
{
	struct facts *facts = func->facts;
	struct arena *own;
	struct node *body;

	if (func->body || !func->code)
		return func->body;
	if (peek->used == PEEK_BODIES)
		peek_done(peek);
	if (!peek->arena)
		peek->arena = arena_new();
	peek->used++;
	own = facts->arena;
	facts->arena = peek->arena;
	body = facts_body(func);
	facts->arena = own;
	func->body = NULL;
	return body;
}

void peek_done(struct peek *peek)
{
	arena_free(peek->arena);
	peek->arena = NULL;
	peek->used = 0;
}
