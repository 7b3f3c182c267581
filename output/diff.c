// SPDX-License-Identifier: GPL-2.0-only
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "sarif.h"

enum change { CHANGE_NEW, CHANGE_GONE, CHANGE_MOVED };

static const struct {
	const char *name;
	enum tint tint;
} changes[] = {
	[CHANGE_NEW] = { "new", TINT_RED },
	[CHANGE_GONE] = { "gone", TINT_GREEN },
	[CHANGE_MOVED] = { "moved", TINT_CYAN },
};

struct changed {
	enum change change;
	const struct finding *finding, *before; /* before: of what moved */
};

struct difference {
	struct changed *changed;
	size_t n, count[3], same;
};

static int by_id(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

static const struct finding **sorted(const struct finding_set *set,
				     struct arena *arena)
{
	const struct finding **list =
		ARENA_ARRAY(arena, const struct finding *, set->nfinding);

	for (size_t i = 0; i < set->nfinding; i++)
		list[i] = &set->finding[i];
	qsort(list, set->nfinding, sizeof(*list), by_id);
	return list;
}

static int by_place(const void *a, const void *b)
{
	const struct changed *x = a, *y = b;
	int order;

	if (x->change != y->change)
		return x->change < y->change ? -1 : 1;
	/* 0 of all where there is no profile */
	if (x->finding->share != y->finding->share)
		return x->finding->share < y->finding->share ? 1 : -1;
	order = strcmp(x->finding->file, y->finding->file);
	if (order)
		return order;
	if (x->finding->line != y->finding->line)
		return x->finding->line < y->finding->line ? -1 : 1;
	return strcmp(x->finding->id, y->finding->id);
}

static void add(struct difference *difference, enum change change,
		const struct finding *finding, const struct finding *before)
{
	difference->changed[difference->n++] =
		(struct changed){ change, finding, before };
	difference->count[change]++;
}

static void compare(struct difference *difference,
		    const struct finding_set *old,
		    const struct finding_set *new, struct arena *arena)
{
	const struct finding **was = sorted(old, arena);
	const struct finding **is = sorted(new, arena);
	size_t i = 0, k = 0;

	*difference = (struct difference){ 0 };
	difference->changed = ARENA_ARRAY(arena, struct changed,
					  old->nfinding + new->nfinding);
	while (i < old->nfinding || k < new->nfinding) {
		int order = i == old->nfinding ? 1 : k == new->nfinding ? -1 :
			strcmp(was[i]->id, is[k]->id);

		if (order < 0) {
			add(difference, CHANGE_GONE, was[i], NULL);
			i++;
		} else if (order > 0) {
			add(difference, CHANGE_NEW, is[k], NULL);
			k++;
		} else {
			if (strcmp(was[i]->file, is[k]->file) ||
			    was[i]->line != is[k]->line)
				add(difference, CHANGE_MOVED, is[k], was[i]);
			else
				difference->same++;
			i++;
			k++;
		}
	}
	qsort(difference->changed, difference->n,
	      sizeof(*difference->changed), by_place);
}

size_t diff_text(struct out *out, const struct finding_set *old,
		 const struct finding_set *new, struct arena *arena)
{
	struct difference difference;

	compare(&difference, old, new, arena);
	for (size_t i = 0; i < difference.n; i++) {
		const struct changed *changed = &difference.changed[i];
		const struct finding *finding = changed->finding;

		out_printf(out, TINT_BOLD, "%s:%u:%u: ", finding->file,
			   finding->line, finding->column);
		out_printf(out, changes[changed->change].tint, "%s: ",
			   changes[changed->change].name);
		out_printf(out, TINT_PLAIN, "%s [%s]", finding->message,
			   finding->rule);
		if (changed->before)
			out_printf(out, TINT_PLAIN, " (was %s:%u)",
				   changed->before->file,
				   changed->before->line);
		if (finding->shared)
			out_printf(out, TINT_PLAIN, ", %.2f %% of the profile",
				   finding->share);
		out_text(out, TINT_PLAIN, "\n");
	}
	fprintf(stderr, "nocharge: %zu new, %zu gone, %zu moved, %zu as "
		"before\n", difference.count[CHANGE_NEW],
		difference.count[CHANGE_GONE], difference.count[CHANGE_MOVED],
		difference.same);
	return difference.count[CHANGE_NEW];
}

static void write_side(struct json_out *json, const char *key,
		       const struct finding_set *set)
{
	json_out_open(json, key, '{');
	json_out_string(json, "from", set->from);
	json_out_string(json, "version", set->tree_version);
	json_out_number(json, "findings", (double)set->nfinding);
	json_out_close(json);
}

static void write_changes(struct json_out *json,
			  const struct difference *difference,
			  enum change change)
{
	json_out_open(json, changes[change].name, '[');
	for (size_t i = 0; i < difference->n; i++) {
		const struct changed *changed = &difference->changed[i];

		if (changed->change != change)
			continue;
		json_out_open(json, NULL, '{');
		json_out_string(json, "id", changed->finding->id);
		json_out_string(json, "rule", changed->finding->rule);
		json_out_string(json, "function", changed->finding->function);
		json_out_string(json, "file", changed->finding->file);
		json_out_number(json, "line", changed->finding->line);
		json_out_string(json, "message", changed->finding->message);
		if (changed->finding->shared)
			json_out_number(json, "profile",
					changed->finding->share);
		if (changed->before) {
			json_out_string(json, "old_file",
					changed->before->file);
			json_out_number(json, "old_line",
					changed->before->line);
		}
		json_out_close(json);
	}
	json_out_close(json);
}

size_t diff_json(struct out *out, const struct finding_set *old,
		 const struct finding_set *new, struct arena *arena)
{
	struct difference difference;
	struct json_out json;

	compare(&difference, old, new, arena);
	json_out_begin(&json, out->stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", "nocharge-diff-1");
	write_side(&json, "before", old);
	write_side(&json, "after", new);
	write_changes(&json, &difference, CHANGE_NEW);
	write_changes(&json, &difference, CHANGE_GONE);
	write_changes(&json, &difference, CHANGE_MOVED);
	json_out_number(&json, "same", (double)difference.same);
	json_out_close(&json);
	json_out_end(&json);
	return difference.count[CHANGE_NEW];
}

size_t diff_sarif(struct out *out, const struct finding_set *old,
		  const struct finding_set *new, bool github,
		  struct arena *arena)
{
	const struct sarif_run run = { .tree_version = new->tree_version };
	struct sarif sarif = { .arena = arena, .github = github };
	size_t found = 0;

	sarif_begin(&sarif, out, &run);
	for (size_t i = 0; i < new->nfinding; i++) {
		bool had = findings_have(old, new->finding[i].id);

		sarif_finding(&sarif, &new->finding[i],
			      had ? "unchanged" : "new");
		found += !had;
	}
	for (size_t i = 0; i < old->nfinding; i++)
		if (!findings_have(new, old->finding[i].id))
			sarif_finding(&sarif, &old->finding[i], "absent");
	sarif_notify(&sarif);
	if (!old->whole || !new->whole) {
		sarif_note(&sarif, "not everything was analysed of one of "
			   "the two");
		sarif.incomplete = true;
	}
	sarif_end(&sarif);
	return found;
}
