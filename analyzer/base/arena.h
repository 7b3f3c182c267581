/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that lives as long as a run or a unit.
 *
 * An arena hands out zeroed memory and frees all of it at once; nothing is
 * freed piece by piece. A strtab keeps one copy of each string, so that two
 * interned strings are equal exactly when their pointers are.
 */
#ifndef NOCHARGE_ARENA_H
#define NOCHARGE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct arena;
struct strtab;

/* Never NULL: running out of memory ends the process with status 2. */
struct arena *arena_new(void);
void arena_free(struct arena *arena);

/* Zeroed, aligned for pointers, int64_t and double. */
void *arena_alloc(struct arena *arena, size_t size);
/*
 * Give back a block that nothing points to any more, such as a table that was
 * grown. Only a large one is worth it: a small one stays until arena_free().
 */
void arena_drop(struct arena *arena, void *mem);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc(arena, sizeof(type)))
#define ARENA_ARRAY(arena, type, n) \
	((type *)arena_alloc(arena, sizeof(type) * ((n) ? (n) : 1)))

/* Room for one more in @list of @n with room for @cap. */
#define GROW_LIST(arena, list, n, cap)					\
	do {								\
		if ((n) == (cap)) {					\
			size_t more_ = (cap) ? (cap) * 2 : 32;		\
			void *new_ = arena_alloc(arena,			\
						 more_ * sizeof(*(list))); \
			if (n)						\
				memcpy(new_, list, (n) * sizeof(*(list))); \
			(list) = new_;					\
			(cap) = more_;					\
		}							\
	} while (0)

/* The table and its strings live in @arena. */
struct strtab *strtab_new(struct arena *arena);
/* The one copy of @text; the same pointer for the same text. */
const char *intern(struct strtab *tab, const char *text);
const char *intern_n(struct strtab *tab, const char *text, size_t len);
/* The one copy of @text, or NULL if it was never interned. */
const char *interned(const struct strtab *tab, const char *text);

#endif
