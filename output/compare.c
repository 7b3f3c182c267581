// SPDX-License-Identifier: GPL-2.0-only
/* What the numbers of the columns are beside those of the first one. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct compare *compare;
	struct operations known;
	struct arena *arena;
	size_t cap;
};

static const struct reading *reading_of(const struct column *column,
					const char *operation,
					unsigned processes)
{
	for (size_t i = 0; i < column->n; i++)
		if (column->reading[i].processes == processes &&
		    !strcmp(column->reading[i].operation, operation))
			return &column->reading[i];
	return NULL;
}

static struct against_base summary(const double *run, size_t n)
{
	struct against_base cell = { .there = true, .n = n, .p = -1 };
	double square = 0;

	for (size_t i = 0; i < n; i++)
		cell.mean += run[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (run[i] - cell.mean) * (run[i] - cell.mean);
	cell.deviation = n > 1 ? sqrt(square / (double)(n - 1)) : 0;
	return cell;
}

static const char *title_of(const struct operations *known, const char *name)
{
	for (size_t i = 0; i < known->n; i++)
		if (!strcmp(known->item[i].name, name))
			return known->item[i].title;
	return name;
}

static struct compare_row *new_row(struct making *m, const char *operation,
				   unsigned processes)
{
	struct compare *c = m->compare;

	GROW_LIST(m->arena, c->row, c->nrow, m->cap);
	c->row[c->nrow] = (struct compare_row){
		.operation = operation, .processes = processes,
		.title = title_of(&m->known, operation),
		.cell = ARENA_ARRAY(m->arena, struct against_base,
				    c->ncolumn),
	};
	return &c->row[c->nrow++];
}

/* Hold all cells of @row against the first. */
static void judge(const struct compare *c, struct compare_row *row)
{
	const struct against_base *base = &row->cell[0];

	for (size_t i = 1; i < c->ncolumn; i++) {
		struct against_base *cell = &row->cell[i];
		const struct cell count = { .n = base->mean };

		if (!base->there || !cell->there || !(base->mean > 0))
			continue;
		cell->percent = 100 * (cell->mean - base->mean) / base->mean;
		if (c->rates) {
			cell->p = welch(base, cell);
			cell->differs = cell->p >= 0 &&
				cell->p < COMPARE_LEVEL;
		} else {
			cell->differs = fabs(cell->mean - base->mean) >=
				measure_least(&count);
		}
	}
}

static void add_row(struct making *m, const char *operation,
		    unsigned processes)
{
	struct compare *c = m->compare;
	struct compare_row *row = new_row(m, operation, processes);

	for (size_t i = 0; i < c->ncolumn; i++) {
		const struct reading *reading = reading_of(&c->column[i],
							   operation,
							   processes);

		if (reading)
			row->cell[i] = summary(reading->run, reading->n);
		else if (processes)
			names_add(&c->missing, arena_printf(m->arena, "%s has "
				  "no %s, %u at once", c->column[i].label,
				  operation, processes), m->arena);
		else
			names_add(&c->missing, arena_printf(m->arena, "%s has "
				  "no %s", c->column[i].label, operation),
				  m->arena);
	}
	judge(c, row);
}

/* Of each run, over the steps that every column has. */
static void add_harmonic(struct making *m, const char *operation,
			 const unsigned *step, size_t nstep)
{
	struct compare *c = m->compare;
	struct compare_row *row;

	if (nstep < 2)
		return;
	row = new_row(m, operation, 0);
	row->harmonic = true;
	for (size_t i = 0; i < c->ncolumn; i++) {
		const struct reading *r;
		size_t n = (size_t)-1;
		double *mean;

		for (size_t k = 0; k < nstep; k++) {
			r = reading_of(&c->column[i], operation, step[k]);
			n = r->n < n ? r->n : n;
		}
		mean = ARENA_ARRAY(m->arena, double, n);
		for (size_t run = 0; run < n; run++) {
			double sum = 0;

			for (size_t k = 0; k < nstep; k++) {
				r = reading_of(&c->column[i], operation,
					       step[k]);
				sum += 1 / r->run[run];
			}
			mean[run] = (double)nstep / sum;
		}
		row->cell[i] = summary(mean, n);
	}
	judge(c, row);
}

static int by_number(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_operation(struct making *m, const char *operation)
{
	struct compare *c = m->compare;
	size_t most = 0, n = 0, common = 0;
	unsigned *step;

	for (size_t i = 0; i < c->ncolumn; i++)
		most += c->column[i].n;
	step = ARENA_ARRAY(m->arena, unsigned, most);
	for (size_t i = 0; i < c->ncolumn; i++)
		for (size_t k = 0; k < c->column[i].n; k++) {
			const struct reading *r = &c->column[i].reading[k];
			size_t known = 0;

			if (strcmp(r->operation, operation))
				continue;
			while (known < n && step[known] != r->processes)
				known++;
			if (known == n)
				step[n++] = r->processes;
		}
	qsort(step, n, sizeof(*step), by_number);
	for (size_t k = 0; k < n; k++) {
		bool all = true;

		add_row(m, operation, step[k]);
		for (size_t i = 0; i < c->ncolumn; i++)
			all &= reading_of(&c->column[i], operation,
					  step[k]) != NULL;
		if (all)
			step[common++] = step[k];
	}
	add_harmonic(m, operation, step, common);
}

static void warn_of_machines(struct compare *c, struct arena *arena)
{
	const struct column *base = &c->column[0];

	for (size_t i = 0; i < c->ncolumn; i++)
		if (c->column[i].others > COMPARE_OTHERS)
			names_add(&c->warning, arena_printf(arena, "%s: others "
				  "had %.0f %% of the processors meanwhile; "
				  "what that does is no noise and no kernel's",
				  c->column[i].label, c->column[i].others),
				  arena);
	for (size_t i = 1; i < c->ncolumn; i++)
		if (base->machine && c->column[i].machine &&
		    strcmp(base->machine, c->column[i].machine))
			names_add(&c->warning, arena_printf(arena, "%s is of "
				  "another machine than %s: %s, and not %s",
				  c->column[i].label, base->label,
				  c->column[i].machine, base->machine),
				  arena);
}

struct compare *compare_make(struct json *const *file, size_t n,
			     struct arena *arena, struct err *err)
{
	struct making m = {
		.compare = ARENA_NEW(arena, struct compare), .arena = arena,
	};
	struct compare *c = m.compare;
	struct names done = { 0 };

	if (operations_load(&m.known, arena, err) ||
	    compare_columns(c, file, n, arena, err))
		return NULL;
	for (size_t i = 0; i < c->ncolumn; i++)
		for (size_t k = 0; k < c->column[i].n; k++) {
			const char *op = c->column[i].reading[k].operation;

			if (names_have(&done, op))
				continue;
			names_add(&done, op, arena);
			add_operation(&m, op);
		}
	/* of one the caller knows by itself that it has nothing */
	if (!c->nrow && n > 1) {
		err_set(err, STATUS_USAGE, "there is nothing in %s to compare",
			c->column[0].path);
		return NULL;
	}
	warn_of_machines(c, arena);
	return c;
}

struct compare *compare_read(const struct names *path, struct arena *arena,
			     struct err *err)
{
	struct json **file = ARENA_ARRAY(arena, struct json *, path->n);
	struct compare *compare = NULL;
	size_t n = 0;

	while (n < path->n) {
		file[n] = json_read(path->name[n], err);
		if (!file[n])
			break;
		n++;
	}
	if (n == path->n)
		compare = compare_make(file, n, arena, err);
	for (size_t i = 0; i < n; i++)
		json_free(file[i]);
	return compare;
}
