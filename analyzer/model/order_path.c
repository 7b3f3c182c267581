// SPDX-License-Identifier: GPL-2.0-only
#include "order_walk.h"

#include <string.h>

struct path *path_new(struct walker *w)
{
	struct path *path = w->order->spare;

	if (path)
		w->order->spare = path->next;
	else
		path = ARENA_NEW(w->order->arena, struct path);
	path->nslot = path->nthing = 0;
	return path;
}

struct path *path_copy(struct walker *w, const struct path *path)
{
	struct path *copy = path_new(w);

	copy->nslot = path->nslot;
	copy->nthing = path->nthing;
	memcpy(copy->slot, path->slot, path->nslot * sizeof(*path->slot));
	memcpy(copy->thing, path->thing, path->nthing * sizeof(*path->thing));
	return copy;
}

void path_drop(struct walker *w, struct path *path)
{
	path->next = w->order->spare;
	w->order->spare = path;
}

static bool val_equal(const struct val *a, const struct val *b)
{
	return a->kind == b->kind && a->thing == b->thing &&
	       a->fresh == b->fresh && a->slot == b->slot &&
	       a->number == b->number;
}

static bool thing_equal(const struct thing *a, const struct thing *b)
{
	return a->bits == b->bits && a->write == b->write &&
	       a->charge == b->charge && a->reads == b->reads;
}

static bool path_equal(const struct path *a, const struct path *b)
{
	static const struct val none;
	static const struct thing nothing;
	uint32_t n = a->nslot > b->nslot ? a->nslot : b->nslot;

	for (uint32_t i = 0; i < n; i++)
		if (!val_equal(i < a->nslot ? &a->slot[i] : &none,
			       i < b->nslot ? &b->slot[i] : &none))
			return false;
	n = a->nthing > b->nthing ? a->nthing : b->nthing;
	for (uint32_t i = 0; i < n; i++)
		if (!thing_equal(i < a->nthing ? &a->thing[i] : &nothing,
				 i < b->nthing ? &b->thing[i] : &nothing))
			return false;
	return true;
}

bool paths_have(const struct paths *list, const struct path *path)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (path_equal(list->path[i], path))
			return true;
	return false;
}

static void put(struct walker *w, struct paths *list, struct path *path)
{
	if (list->n == list->cap) {
		uint32_t cap = list->cap ? list->cap * 2 : 8;
		struct path **more = ARENA_ARRAY(w->arena, struct path *, cap);

		if (list->n)
			memcpy(more, list->path, list->n * sizeof(*more));
		list->path = more;
		list->cap = cap;
	}
	list->path[list->n++] = path;
}

static bool is_plain(const struct val *v)
{
	return v->kind == VAL_CONST || v->kind == VAL_NONNULL;
}

/*
 * What must not get lost of an object where paths become one: all that
 * happened to it; where there are too many still, what waits for more; and
 * then nothing.
 */
enum join { JOIN_SAME, JOIN_WAITING, JOIN_ALL, JOINS };

static bool thing_alike(const struct thing *a, const struct thing *b,
			enum join join)
{
	const uint8_t kept = THING_SHOWN | THING_CHARGED | THING_ENTRY;

	if (join != JOIN_ALL && a->write != b->write)
		return false;
	return join != JOIN_SAME ||
	       (!((a->bits ^ b->bits) & kept) && a->charge == b->charge);
}

static bool path_alike(const struct path *a, const struct path *b,
		       enum join join)
{
	static const struct thing nothing;
	uint32_t n = a->nthing > b->nthing ? a->nthing : b->nthing;

	for (uint32_t i = 0; i < n; i++)
		if (!thing_alike(i < a->nthing ? &a->thing[i] : &nothing,
				 i < b->nthing ? &b->thing[i] : &nothing, join))
			return false;
	return true;
}

/* @a stands for both: for what is known of the two, and may be of one. */
static void path_join(struct path *a, const struct path *b)
{
	for (uint32_t i = 0; i < a->nslot; i++) {
		struct val v = path_get(b, (int)i);

		if (val_equal(&a->slot[i], &v))
			continue;
		/* an object or nothing: where it matters it is the object */
		if (v.kind >= VAL_THING && (is_plain(&a->slot[i]) ||
					    !a->slot[i].kind))
			a->slot[i] = v;
		else if (a->slot[i].kind < VAL_THING || !is_plain(&v))
			a->slot[i] = (struct val){ 0 };
	}
	for (uint32_t i = 0; i < a->nthing && i < b->nthing; i++) {
		struct thing *thing = &a->thing[i];

		thing->reads &= b->thing[i].reads;
		if (!thing->write)
			thing->write = b->thing[i].write;
		if (!thing->charge)
			thing->charge = b->thing[i].charge;
		thing->bits |= b->thing[i].bits & (uint8_t)~THING_DOUBT;
		thing->bits &= b->thing[i].bits | (uint8_t)~THING_DOUBT;
	}
}

/* Paths become one where they only differ in numbers. */
static void forget_numbers(struct walker *w, struct paths *list)
{
	uint32_t n = list->n;

	list->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct path *path = list->path[i];

		for (uint32_t k = 0; k < path->nslot; k++)
			if (is_plain(&path->slot[k]))
				path->slot[k] = (struct val){ 0 };
		if (paths_have(list, path))
			path_drop(w, path);
		else
			list->path[list->n++] = path;
	}
}

/* Paths become one where the same has happened to the objects. */
static void join_alike(struct walker *w, struct paths *list,
		       enum join join)
{
	uint32_t n = list->n, k;

	list->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct path *path = list->path[i];

		for (k = 0; k < list->n; k++)
			if (path_alike(list->path[k], path, join))
				break;
		if (k < list->n) {
			path_join(list->path[k], path);
			path_drop(w, path);
		} else {
			list->path[list->n++] = path;
		}
	}
}

void paths_add(struct walker *w, struct paths *list, struct path *path)
{
	/* who goes round and round in a long function is told less apart */
	const uint32_t most = w->steps < ORDER_STEPS / 4 ? ORDER_PATHS :
			      ORDER_FEWER;

	if (paths_have(list, path)) {
		path_drop(w, path);
		return;
	}
	put(w, list, path);
	if (list->n > most)
		forget_numbers(w, list);
	for (int join = JOIN_SAME; join < JOINS && list->n > most; join++)
		join_alike(w, list, (enum join)join);
}

/* Objects that nothing refers to any more are as good as new. */
void path_clean(struct walker *w, struct path *path)
{
	uint64_t used = w->nparam < 64 ? ((uint64_t)1 << w->nparam) - 1 : 0;

	for (uint32_t i = 0; i < path->nslot; i++)
		if (path->slot[i].kind >= VAL_THING &&
		    path->slot[i].kind <= VAL_HELD)
			used |= (uint64_t)1 << path->slot[i].thing;
	for (uint32_t i = 0; i < path->nthing; i++)
		if (!(used >> i & 1))
			path->thing[i] = (struct thing){ 0 };
}

void paths_move(struct walker *w, struct paths *list, struct paths *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		paths_add(w, list, from->path[i]);
	from->n = 0;
}

void paths_copy(struct walker *w, struct paths *list, const struct paths *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		paths_add(w, list, path_copy(w, from->path[i]));
}

void paths_clear(struct walker *w, struct paths *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		path_drop(w, list->path[i]);
	list->n = 0;
}

int walker_slot(struct walker *w, const char *key)
{
	uint32_t i;

	for (i = 0; i < w->nkey; i++)
		if (w->key[i] == key)
			return (int)i;
	if (i == ORDER_SLOTS) {
		w->cut = "too many variables for the order of its calls";
		return -1;
	}
	w->record[i] = "";
	w->key[w->nkey++] = key;
	return (int)i;
}

struct val path_get(const struct path *path, int slot)
{
	return slot < 0 || (uint32_t)slot >= path->nslot ?
	       (struct val){ 0 } : path->slot[slot];
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '#';
}

/* Is @local part of the name, and not all of it? */
static bool names_local(const char *key, const char *local)
{
	size_t len = strlen(local);

	for (const char *p = strstr(key, local); p; p = strstr(p + 1, local))
		if ((p == key || (!is_name(p[-1]) && p[-1] != '.' &&
				  p[-1] != '>')) &&
		    !is_name(p[len]) && (p != key || p[len]))
			return true;
	return false;
}

void path_forget(struct walker *w, struct path *path, const char *local)
{
	for (uint32_t i = 0; i < path->nslot; i++)
		if (path->slot[i].kind && names_local(w->key[i], local))
			path->slot[i] = (struct val){ 0 };
}

void path_set(struct walker *w, struct path *path, int slot, struct val v)
{
	if (slot < 0)
		return;
	while (path->nslot <= (uint32_t)slot)
		path->slot[path->nslot++] = (struct val){ 0 };
	path->slot[slot] = v;
	path_forget(w, path, w->key[slot]);
}

int walker_thing(struct walker *w, struct path *path, const void *origin,
		 uint8_t bits)
{
	uint32_t i;

	for (i = 0; i < w->norigin; i++)
		if (w->origin[i] == origin)
			break;
	if (i == w->norigin) {
		if (i == ORDER_THINGS) {
			w->cut = "too many objects for the order of its calls";
			return -1;
		}
		w->origin[w->norigin++] = origin;
	}
	while (path->nthing <= i)
		path->thing[path->nthing++] = (struct thing){ 0 };
	/* another one than the last time that it was come to */
	for (uint32_t k = 0; k < path->nslot; k++)
		if (path->slot[k].kind >= VAL_THING &&
		    path->slot[k].kind <= VAL_HELD && path->slot[k].thing == i)
			path->slot[k] = (struct val){ 0 };
	path->thing[i] = (struct thing){ .bits = bits };
	return (int)i;
}
