// SPDX-License-Identifier: GPL-2.0-only
/* Whose is what a profile has. */
#include "profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So far can the parts be from a hundred and still be rounded. */
#define ROUNDED 100.5

void spent_add(struct spent_list *list, const struct spent *spent)
{
	if (!*spent->name || !(spent->n > 0) || !isfinite(spent->n))
		return;
	GROW_LIST(list->arena, list->item, list->n, list->cap);
	list->item[list->n++] = *spent;
}

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int by_name(const void *a, const void *b)
{
	const struct spent *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	if (!d)
		d = compare_text(x->caller, y->caller);
	if (!d)
		d = (x->nwithin > y->nwithin) - (x->nwithin < y->nwithin);
	for (size_t i = 0; !d && i < x->nwithin; i++)
		d = strcmp(x->within[i], y->within[i]);
	return d;
}

static int by_indexed(const void *a, const void *b)
{
	const struct names_of *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	return d ? d : (x->item > y->item) - (x->item < y->item);
}

static void make_index(struct profile *profile)
{
	size_t n = profile->n;

	for (size_t i = 0; i < profile->n; i++)
		n += profile->item[i].nwithin;
	profile->index = ARENA_ARRAY(profile->arena, struct names_of, n);
	for (size_t i = 0; i < profile->n; i++) {
		const struct spent *item = &profile->item[i];

		profile->index[profile->nindex++] = (struct names_of){
			item->name, i
		};
		for (size_t k = 0; k < item->nwithin; k++)
			profile->index[profile->nindex++] = (struct names_of){
				item->within[k], i
			};
	}
	qsort(profile->index, profile->nindex, sizeof(*profile->index),
	      by_indexed);
}

struct profile *profile_make(struct spent_list *list)
{
	struct profile *profile = ARENA_NEW(list->arena, struct profile);
	double total = 0;
	size_t n = 0;

	if (!list->n)
		return NULL;
	qsort(list->item, list->n, sizeof(*list->item), by_name);
	for (size_t i = 0; i < list->n; i++) {
		total += list->item[i].n;
		if (n && !by_name(&list->item[n - 1], &list->item[i]))
			list->item[n - 1].n += list->item[i].n;
		else
			list->item[n++] = list->item[i];
	}
	/* of several events each has a hundred */
	if (!list->percent || total > ROUNDED) {
		for (size_t i = 0; i < n; i++)
			list->item[i].n *= 100 / total;
		total = 100;
	}
	*profile = (struct profile){
		.item = list->item, .n = n, .total = total,
		.arena = list->arena, .difference = list->difference,
	};
	make_index(profile);
	return profile;
}

void profile_knows(struct profile *profile, struct model *model)
{
	struct model **more;

	if (!model)
		return;
	more = ARENA_ARRAY(profile->arena, struct model *,
			   profile->nmodel + 1);
	for (size_t i = 0; i < profile->nmodel; i++)
		more[i] = profile->model[i];
	more[profile->nmodel++] = model;
	profile->model = more;
}

/* Items that were counted for one who asks. */
struct taking {
	struct profile *profile;
	bool *counted; /* of each item */
	struct share share;
	size_t cap;
};

static void taking_init(struct taking *taking, struct profile *profile)
{
	*taking = (struct taking){
		.profile = profile,
		.counted = xcalloc(profile->n + 1, sizeof(bool)),
	};
}

/* Did @item's function run in the code of @caller? */
static bool is_of(const struct spent *item, const char *caller, bool ran)
{
	return item->caller ? !strcmp(item->caller, caller) : ran;
}

/*
 * What @name has, and if that is anything. Of a @caller (NULL: by whomever it
 * was called) it must be known to be, or that it @ran.
 */
static bool take(struct taking *taking, const char *name, const char *caller,
		 bool ran)
{
	struct profile *profile = taking->profile;
	struct amounts *part = &taking->share.part;
	size_t low = 0, high = profile->nindex;
	double n = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(profile->index[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < profile->nindex &&
	     !strcmp(profile->index[low].name, name); low++) {
		size_t i = profile->index[low].item;
		struct spent *item = &profile->item[i];

		if (taking->counted[i] || (caller && !is_of(item, caller, ran)))
			continue;
		taking->counted[i] = item->taken = true;
		n += item->n;
	}
	if (!n)
		return false;
	taking->share.n += n;
	GROW_LIST(profile->arena, part->item, part->n, taking->cap);
	part->item[part->n++] = (struct amount){ name, n };
	return true;
}

/* @function and what is inlined there. */
static void take_all(struct taking *taking, const char *function)
{
	struct profile *profile = taking->profile;
	/* of a static it may be "name@file" */
	const char *name = arena_strndup(profile->arena, function,
					 strcspn(function, "@"));
	bool ran = take(taking, name, NULL, false);
	struct called *called;

	for (size_t m = 0; m < profile->nmodel; m++) {
		size_t n = model_called(profile->model[m], name, &called);

		for (size_t i = 0; i < n; i++)
			if (called[i].inlined)
				take(taking, called[i].name, name, ran);
	}
}

struct share profile_of(struct profile *profile, const char *function)
{
	struct taking taking;

	taking_init(&taking, profile);
	take_all(&taking, function);
	free(taking.counted);
	return taking.share;
}

/* A finding, or an entry point. */
struct owner {
	const char **name; /* whose functions are its own */
	size_t n;
	double residue;    /* how much it has when off */
	double *share;
};

static bool is_owner(const struct owner *owner, const char *function)
{
	for (size_t i = 0; i < owner->n; i++) {
		size_t len = strcspn(owner->name[i], "@");

		if (strlen(function) == len &&
		    !strncmp(function, owner->name[i], len))
			return true;
	}
	return false;
}

/*
 * What a function has more when off than without the feature is that of
 * residue which is inlined there: share it among those whose it is, by how
 * much each has.
 */
static void spread(struct profile *profile, struct spent *item,
		   struct owner *owner, size_t n)
{
	bool *hit = xcalloc(n + 1, sizeof(*hit));
	struct called *called;
	double all = 0;

	for (size_t m = 0; m < profile->nmodel; m++) {
		size_t ncalled = model_called(profile->model[m], item->name,
					      &called);

		for (size_t i = 0; i < ncalled; i++)
			for (size_t k = 0; called[i].inlined && k < n; k++) {
				if (hit[k] || !(owner[k].residue > 0) ||
				    !is_owner(&owner[k], called[i].name))
					continue;
				hit[k] = true;
				all += owner[k].residue;
			}
	}
	for (size_t k = 0; k < n; k++)
		if (hit[k])
			*owner[k].share += item->n * owner[k].residue / all;
	item->taken |= all > 0;
	free(hit);
}

static void share_out(struct profile *profile, struct owner *owner, size_t n)
{
	bool *counted = xcalloc(profile->n + 1, sizeof(bool));

	for (size_t i = 0; i < n; i++) {
		struct taking taking;

		taking_init(&taking, profile);
		for (size_t k = 0; k < owner[i].n; k++)
			take_all(&taking, owner[i].name[k]);
		*owner[i].share = taking.share.n;
		for (size_t k = 0; k < profile->n; k++)
			counted[k] |= taking.counted[k];
		free(taking.counted);
	}
	for (size_t i = 0; profile->difference && i < profile->n; i++)
		if (!counted[i])
			spread(profile, &profile->item[i], owner, n);
	free(counted);
}

void profile_share(struct profile *profile, struct finding *finding,
		   size_t n)
{
	struct owner *owner = ARENA_ARRAY(profile->arena, struct owner, n);

	for (size_t i = 0; i < n; i++) {
		struct finding *f = &finding[i];

		owner[i] = (struct owner){
			.name = ARENA_ARRAY(profile->arena, const char *,
					    f->ncovers + 1),
			.n = f->ncovers + 1, .share = &f->share,
			/* what is found with it on costs nothing when off */
			.residue = f->state && strcmp(f->state, "off") ? 0 :
				f->residue ? f->residue : 1,
		};
		owner[i].name[0] = f->function;
		for (size_t k = 0; k < f->ncovers; k++)
			owner[i].name[k + 1] = f->covers[k];
		f->shared = true;
	}
	share_out(profile, owner, n);
}

void profile_entries(struct profile *profile, struct entry_point *entry,
		     size_t n)
{
	struct owner *owner = ARENA_ARRAY(profile->arena, struct owner, n);

	for (size_t i = 0; i < n; i++) {
		owner[i] = (struct owner){
			.name = &entry[i].name, .n = 1,
			.share = &entry[i].share,
			.residue = entry[i].residue,
		};
		entry[i].shared = true;
	}
	share_out(profile, owner, n);
}

static int by_share(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int d;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	d = strcmp(x->file, y->file);
	if (!d)
		d = (x->line > y->line) - (x->line < y->line);
	return d ? d : strcmp(x->id, y->id);
}

void profile_sort(struct finding *finding, size_t n)
{
	if (n)
		qsort(finding, n, sizeof(*finding), by_share);
}

static int by_entry_share(const void *a, const void *b)
{
	const struct entry_point *x = a, *y = b;
	int d;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	d = strcmp(x->name, y->name);
	return d ? d : compare_text(x->defined_file, y->defined_file);
}

void profile_sort_entries(struct entry_point *entry, size_t n)
{
	if (n)
		qsort(entry, n, sizeof(*entry), by_entry_share);
}

size_t profile_lost(const struct profile *profile, double *lost)
{
	size_t n = 0, previous = profile->n;

	*lost = 0;
	for (size_t i = 0; i < profile->n; i++)
		if (!profile->item[i].taken) {
			/* a function is one, whoever called it */
			n += previous == profile->n ||
				strcmp(profile->item[previous].name,
				       profile->item[i].name);
			previous = i;
			*lost += profile->item[i].n;
		}
	return n;
}
