// SPDX-License-Identifier: GPL-2.0-only
#include "arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "err.h"

#define CHUNK (256 * 1024)
/* A block of this size gets a chunk of its own. */
#define LARGE (CHUNK / 4)
#define ALIGN 8

struct chunk {
	struct chunk *next;
	size_t used, size;
	bool alone; /* one large block and nothing else */
	max_align_t data[];
};

struct arena {
	struct chunk *chunks;
};

/* Hash and length beside the text: a miss touches no string. */
struct strtab_slot {
	const char *text;
	uint32_t hash, len;
};

struct strtab {
	struct arena *arena;
	struct strtab_slot *slot;
	size_t used, size; /* size is a power of two */
};

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	struct chunk *chunk, *next;

	if (!arena)
		return;
	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct chunk *chunk = arena->chunks;
	void *mem;

	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!chunk || chunk->size - chunk->used < size) {
		size_t want = size > LARGE ? size : CHUNK;

		chunk = xcalloc(1, sizeof(*chunk) + want);
		chunk->size = want;
		chunk->alone = size > LARGE;
		/* a large block must not hide a chunk that has room left */
		if (want == size && arena->chunks) {
			chunk->next = arena->chunks->next;
			arena->chunks->next = chunk;
		} else {
			chunk->next = arena->chunks;
			arena->chunks = chunk;
		}
	}
	mem = (char *)chunk->data + chunk->used;
	chunk->used += size;
	return mem;
}

void arena_drop(struct arena *arena, void *mem)
{
	struct chunk **at, *chunk;

	for (at = &arena->chunks; (chunk = *at); at = &chunk->next) {
		if (!chunk->alone || (void *)chunk->data != mem)
			continue;
		*at = chunk->next;
		free(chunk);
		return;
	}
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list ap, again;
	int len;
	char *text;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		BUG("bad format '%s'", fmt);
	text = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	return text;
}

struct strtab *strtab_new(struct arena *arena)
{
	struct strtab *tab = ARENA_NEW(arena, struct strtab);

	tab->arena = arena;
	tab->size = 1024;
	tab->slot = ARENA_ARRAY(arena, struct strtab_slot, tab->size);
	return tab;
}

static size_t find(const struct strtab *tab, const char *text, size_t len,
		   uint32_t hash)
{
	size_t i = hash & (tab->size - 1);

	while (tab->slot[i].text) {
		if (tab->slot[i].hash == hash &&
		    tab->slot[i].len == (uint32_t)len &&
		    !memcmp(tab->slot[i].text, text, len))
			break;
		i = (i + 1) & (tab->size - 1);
	}
	return i;
}

static void grow(struct strtab *tab)
{
	struct strtab_slot *slot = tab->slot;
	size_t size = tab->size, i, j;

	tab->size *= 2;
	tab->slot = ARENA_ARRAY(tab->arena, struct strtab_slot, tab->size);
	for (i = 0; i < size; i++) {
		if (!slot[i].text)
			continue;
		j = slot[i].hash & (tab->size - 1);
		while (tab->slot[j].text)
			j = (j + 1) & (tab->size - 1);
		tab->slot[j] = slot[i];
	}
	arena_drop(tab->arena, slot);
}

const char *intern_n(struct strtab *tab, const char *text, size_t len)
{
	uint32_t hash = (uint32_t)XXH3_64bits(text, len);
	size_t i = find(tab, text, len, hash);

	if (tab->slot[i].text)
		return tab->slot[i].text;
	if (tab->used * 4 > tab->size * 3) {
		grow(tab);
		i = find(tab, text, len, hash);
	}
	tab->used++;
	tab->slot[i] = (struct strtab_slot){
		.text = arena_strndup(tab->arena, text, len),
		.hash = hash,
		.len = (uint32_t)len,
	};
	return tab->slot[i].text;
}

const char *intern(struct strtab *tab, const char *text)
{
	return intern_n(tab, text, strlen(text));
}

const char *interned(const struct strtab *tab, const char *text)
{
	size_t len = strlen(text);

	return tab->slot[find(tab, text, len,
			      (uint32_t)XXH3_64bits(text, len))].text;
}
