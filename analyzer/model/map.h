/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table from interned strings, or other pointers, to pointers; it lives in
 * an arena and only grows. Not for iterating: what comes out of a table in
 * address order would make the output depend on where memory was found.
 */
#ifndef NOCHARGE_MAP_H
#define NOCHARGE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"

struct map {
	struct arena *arena;
	const void **key;
	void **value;
	size_t used, size; /* size is 0 or a power of two */
};

static inline size_t map_place(const struct map *map, const void *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(hash >> 20) & (map->size - 1);

	while (map->key[i] && map->key[i] != key)
		i = (i + 1) & (map->size - 1);
	return i;
}

static inline void *map_get(const struct map *map, const void *key)
{
	return map->size ? map->value[map_place(map, key)] : NULL;
}

/* Replaces what was there. @key is not NULL. */
void map_put(struct map *map, const void *key, void *value);

#endif
