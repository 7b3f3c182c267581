// SPDX-License-Identifier: GPL-2.0-only
#include "map.h"

static void grow(struct map *map)
{
	struct map old = *map;
	size_t i, at;

	map->size = old.size ? old.size * 2 : 64;
	map->key = ARENA_ARRAY(map->arena, const void *, map->size);
	map->value = ARENA_ARRAY(map->arena, void *, map->size);
	for (i = 0; i < old.size; i++) {
		if (!old.key[i])
			continue;
		at = map_place(map, old.key[i]);
		map->key[at] = old.key[i];
		map->value[at] = old.value[i];
	}
	if (old.size) {
		arena_drop(map->arena, old.key);
		arena_drop(map->arena, old.value);
	}
}

void map_put(struct map *map, const void *key, void *value)
{
	size_t at;

	if (map->used * 2 >= map->size)
		grow(map);
	at = map_place(map, key);
	if (!map->key[at]) {
		map->key[at] = key;
		map->used++;
	}
	map->value[at] = value;
}
