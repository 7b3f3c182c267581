// SPDX-License-Identifier: GPL-2.0-only
#include "reports.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

static int by_place(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	order = strcmp(x->rule, y->rule);
	if (!order)
		order = strcmp(x->function, y->function);
	return order ? order : strcmp(x->id, y->id);
}

static int by_name(const void *a, const void *b)
{
	const struct entry_point *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order && x->defined_file && y->defined_file)
		order = strcmp(x->defined_file, y->defined_file);
	return order;
}

/* @list and @more behind each other in a new array; @n grows. */
static void *join(struct arena *arena, const void *list, size_t *n,
		  const void *more, size_t nmore, size_t size)
{
	char *all = arena_alloc(arena, (*n + nmore) * size + 1);

	if (*n)
		memcpy(all, list, *n * size);
	if (nmore)
		memcpy(all + *n * size, more, nmore * size);
	*n += nmore;
	return all;
}

static void merge(struct report *all, const struct report *more,
		  struct arena *arena)
{
	all->feature = arena_printf(arena, "%s, %s", all->feature,
				    more->feature);
	all->config = arena_printf(arena, "%s, %s", all->config,
				   more->config);
	all->units += more->units;
	all->analysed += more->analysed;
	if (more->built > all->built)
		all->built = more->built;
	all->seconds += more->seconds;
	all->skipped = join(arena, all->skipped, &all->nskipped,
			    more->skipped, more->nskipped,
			    sizeof(*all->skipped));
	all->excluded = join(arena, all->excluded, &all->nexcluded,
			     more->excluded, more->nexcluded,
			     sizeof(*all->excluded));
	all->entry = join(arena, all->entry, &all->nentry, more->entry,
			  more->nentry, sizeof(*all->entry));
	all->finding = join(arena, all->finding, &all->nfinding,
			    more->finding, more->nfinding,
			    sizeof(*all->finding));
	all->suppressed = join(arena, all->suppressed, &all->nsuppressed,
			       more->suppressed, more->nsuppressed,
			       sizeof(*all->suppressed));
	/* each reads all comments, and complains of the same */
	if (!all->ncomment) {
		all->comment = more->comment;
		all->ncomment = more->ncomment;
	}
	qsort(all->suppressed, all->nsuppressed, sizeof(*all->suppressed),
	      by_place);
	qsort(all->entry, all->nentry, sizeof(*all->entry), by_name);
	qsort(all->finding, all->nfinding, sizeof(*all->finding), by_place);
}

int reports_make(struct reports *reports, const char *tree,
		 const struct options *options, struct arena *arena)
{
	struct err err = { 0 };

	reports->nrun = 0;
	reports->run = ARENA_ARRAY(arena, struct run, options->rules.n);
	for (size_t i = 0; i < options->rules.n; i++) {
		struct run *run = &reports->run[reports->nrun++];

		/* a profile asks the model who is inlined where */
		if ((options->profile ? run_model : run_check)(run, tree,
				options->rules.name[i], options, &err)) {
			int status = run_failed(&err);

			reports_release(reports);
			return status;
		}
		/* the ids of one feature's findings are unique, of two not */
		for (size_t k = 0; k < i; k++)
			if (!strcmp(reports->run[k].rules->feature,
				    run->rules->feature))
				err_set(&err, STATUS_USAGE,
					"'%s' and '%s' describe the same "
					"feature", options->rules.name[k],
					options->rules.name[i]);
		if (err.text) {
			int status = run_failed(&err);

			reports_release(reports);
			return status;
		}
		if (!i)
			reports->report = run->report;
		else
			merge(&reports->report, &run->report, arena);
	}
	return 0;
}

void reports_release(struct reports *reports)
{
	for (size_t i = 0; i < reports->nrun; i++)
		run_release(&reports->run[i]);
	reports->nrun = 0;
}
