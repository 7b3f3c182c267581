// SPDX-License-Identifier: GPL-2.0-only
#include "against.h"

#include <stdlib.h>
#include <string.h>

/* Of a function that costs something at all. */
#define SOME 0.5

/* A function in one operation: off minus out. */
struct row {
	const char *function;
	double by, off;
	double pair;          /* what another function lost for it */
	double rest;          /* what this one lost for nobody yet */
	const char *with;     /* the other one; NULL: none */
	const struct finding *finding;
	const char *through;  /* its function, if it is not on this one */
	bool calls;           /* which is not inlined there, but called */
};

struct rows {
	struct row *row; /* sorted by function */
	size_t n;
	double least;
};

struct state {
	const struct measure *measure;
	const struct finding_set *set;
	struct model *model;
	struct arena *arena;
	struct rows *rows; /* of each operation */
	struct out *out;
	struct against *result;
};

const char *function_of_symbol(const char *symbol, struct arena *arena)
{
	static const char *const suffix[] = {
		".isra", ".constprop", ".part", ".cold", ".llvm",
	};
	size_t len = strlen(symbol);

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		const char *at = strstr(symbol, suffix[i]);
		char next = at ? at[strlen(suffix[i])] : 'x';

		if (at && at > symbol && (!next || next == '.') &&
		    (size_t)(at - symbol) < len)
			len = (size_t)(at - symbol);
	}
	return arena_strndup(arena, symbol, len);
}

static int by_function(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return strcmp(x->function, y->function);
}

static int by_amount(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->by != y->by)
		return x->by < y->by ? 1 : -1;
	return strcmp(x->function, y->function);
}

static void add_rows(struct state *s, struct rows *rows,
		     const struct amounts *function, int sign)
{
	for (size_t i = 0; i < function->n; i++) {
		const struct amount *one = &function->item[i];

		rows->row[rows->n++] = (struct row){
			.function = function_of_symbol(one->name, s->arena),
			.by = sign * one->n, .off = sign > 0 ? one->n : 0,
		};
	}
}

static void make_rows(struct state *s, const struct measure_state *state,
		      size_t op)
{
	const struct cell *out = &measure_state(s->measure,
						MEASURE_OUT)->cell[op];
	const struct cell *off = &state->cell[op];
	struct rows *rows = &s->rows[op];
	size_t n = 0;

	*rows = (struct rows){ .least = measure_least(out) };
	if (!out->there || !off->there)
		return;
	rows->row = ARENA_ARRAY(s->arena, struct row,
				out->function.n + off->function.n);
	add_rows(s, rows, &off->function, 1);
	add_rows(s, rows, &out->function, -1);
	if (rows->n)
		qsort(rows->row, rows->n, sizeof(*rows->row), by_function);
	for (size_t i = 0; i < rows->n; i++) {
		if (n && !strcmp(rows->row[n - 1].function,
				 rows->row[i].function)) {
			rows->row[n - 1].by += rows->row[i].by;
			rows->row[n - 1].off += rows->row[i].off;
		} else {
			rows->row[n++] = rows->row[i];
		}
	}
	rows->n = n;
}

static bool is_on(const struct finding *finding, const char *function)
{
	/* of a static it may be "name@file" */
	size_t len = strcspn(finding->function, "@");

	if (strlen(function) == len &&
	    !strncmp(finding->function, function, len))
		return true;
	for (size_t i = 0; i < finding->ncovers; i++)
		if (!strcmp(finding->covers[i], function))
			return true;
	return false;
}

/* What is found with the feature on costs nothing when off. */
static bool is_off(const struct finding *finding)
{
	return !finding->state || !strcmp(finding->state, "off");
}

static const struct finding *finding_on(const struct state *s,
					const char *function)
{
	for (size_t i = 0; i < s->set->nfinding; i++)
		if (is_off(&s->set->finding[i]) &&
		    is_on(&s->set->finding[i], function))
			return &s->set->finding[i];
	return NULL;
}

static void cover(const struct state *s, struct row *row)
{
	struct called *called = NULL;
	size_t n;

	row->finding = finding_on(s, row->function);
	if (row->finding || !s->model)
		return;
	n = model_called(s->model, row->function, &called);
	/* what is inlined says more than what is called */
	for (int calls = 0; calls < 2 && !row->finding; calls++)
		for (size_t i = 0; i < n && !row->finding; i++)
			if (called[i].inlined == !calls) {
				row->finding = finding_on(s, called[i].name);
				row->through = called[i].name;
				row->calls = calls;
			}
	if (!row->finding)
		row->through = NULL;
}

static const struct row *row_of(const struct rows *rows, const char *function)
{
	const struct row key = { .function = function };

	return rows->n ? bsearch(&key, rows->row, rows->n, sizeof(key),
				 by_function) : NULL;
}

/* Does @from call @to, also by way of a function that is in no machine code? */
static bool does_call(const struct state *s, const struct rows *rows,
		      const char *from, const char *to, bool further)
{
	struct called *called = NULL;
	size_t n = model_called(s->model, from, &called);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(called[i].name, to) ||
		    (further && !called[i].inlined &&
		     !row_of(rows, called[i].name) &&
		     does_call(s, rows, called[i].name, to, false)))
			return true;
	return false;
}

static bool are_neighbours(const struct state *s, const struct rows *rows,
			   const char *a, const char *b)
{
	return does_call(s, rows, a, b, true) ||
		does_call(s, rows, b, a, true);
}

/*
 * What is inlined in one kernel and not in the other is more here and less
 * there: the two are one row. Where nobody says who calls whom, the same
 * amount has to do.
 */
static void pair(const struct state *s, struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		rows->row[i].rest = rows->row[i].by;
	for (size_t i = 0; i < rows->n; i++) {
		struct row *row = &rows->row[i], *best = NULL;

		if (row->by < rows->least)
			continue;
		for (size_t k = 0; k < rows->n; k++) {
			struct row *other = &rows->row[k];
			double sum = row->by + other->rest;

			if (other->rest <= -rows->least &&
			    (!best || other->rest < best->rest) &&
			    (s->model ? are_neighbours(s, rows, row->function,
						       other->function) :
			     sum < rows->least && sum > -rows->least))
				best = other;
		}
		if (best) {
			row->pair = -best->rest < row->by ? best->rest :
				-row->by;
			row->with = best->function;
			best->rest -= row->pair;
		}
	}
}

static bool is_residue(const struct rows *rows, const struct row *row)
{
	return row->by >= rows->least && row->by + row->pair >= rows->least;
}

static void tell_row(const struct state *s, size_t op, const struct row *row)
{
	out_printf(s->out, TINT_PLAIN, "  %-18s %8.1f  %s",
		   s->measure->operations.item[op].title, row->by + row->pair,
		   row->function);
	if (row->with)
		out_printf(s->out, TINT_DIM, " (%+.1f, and %+.1f in %s)",
			   row->by, row->pair, row->with);
	if (row->finding)
		out_printf(s->out, TINT_DIM, "  %s: %s [%s]",
			   row->calls ? "it calls" :
			   row->through ? "inlined there" : "found",
			   row->through ? row->through :
			   row->finding->function, row->finding->rule);
	out_text(s->out, TINT_PLAIN, "\n");
}

enum covered { NOT, CALLER, COVERED, ANY };

static enum covered covered_of(const struct row *row)
{
	return !row->finding ? NOT : row->calls ? CALLER : COVERED;
}

static size_t tell_rows(const struct state *s, enum covered covered)
{
	size_t told = 0;

	for (size_t op = 0; op < s->measure->operations.n; op++) {
		struct rows *rows = &s->rows[op];
		struct row *sorted = ARENA_ARRAY(s->arena, struct row,
						 rows->n);

		for (size_t i = 0; i < rows->n; i++)
			sorted[i] = rows->row[i];
		if (rows->n)
			qsort(sorted, rows->n, sizeof(*sorted), by_amount);
		for (size_t i = 0; i < rows->n; i++)
			if (is_residue(rows, &sorted[i]) &&
			    (covered == ANY ||
			     covered_of(&sorted[i]) == covered)) {
				tell_row(s, op, &sorted[i]);
				told++;
			}
	}
	if (!told)
		out_text(s->out, TINT_DIM, "  none\n");
	return told;
}

static bool is_measured(const struct finding *finding,
			const struct operation *operation)
{
	for (size_t i = 0; i < finding->nhot; i++)
		if (names_have(&operation->hot, finding->hot[i]))
			return true;
	return false;
}

enum seen { NOT_RUN, IDLE, COSTS };

/* What became of @finding in the rows of the operations that it is hot in. */
static enum seen look(const struct state *s, const struct finding *finding,
		      bool *measured)
{
	enum seen seen = NOT_RUN;

	*measured = false;
	for (size_t op = 0; op < s->measure->operations.n; op++) {
		const struct rows *rows = &s->rows[op];

		if (!is_measured(finding, &s->measure->operations.item[op]))
			continue;
		*measured = true;
		for (size_t i = 0; i < rows->n; i++) {
			const struct row *row = &rows->row[i];
			bool own = is_on(finding, row->function);

			if (!own && (row->finding != finding || row->calls))
				continue;
			if (row->off > 0 && seen == NOT_RUN)
				seen = IDLE;
			if (row->by >= SOME)
				seen = COSTS;
		}
	}
	return seen;
}

static void tell_findings(const struct state *s)
{
	static const char *const level[] = { "low", "medium", "high" };
	size_t unmeasured = 0, not_run = 0, idle = 0;

	for (size_t i = 0; i < s->set->nfinding; i++) {
		const struct finding *finding = &s->set->finding[i];
		bool measured;
		enum seen seen;

		if (!is_off(finding))
			continue;
		seen = look(s, finding, &measured);
		unmeasured += !measured;
		not_run += measured && seen == NOT_RUN;
		if (!measured || seen != IDLE)
			continue;
		idle++;
		s->result->idle += finding->confidence == LEVEL_HIGH;
		out_printf(s->out, TINT_PLAIN, "  %s  %s [%s], confidence %s\n",
			   finding->id, finding->function, finding->rule,
			   level[finding->confidence]);
	}
	if (!idle)
		out_text(s->out, TINT_DIM, "  none\n");
	out_printf(s->out, TINT_PLAIN, "Not judged: %zu findings on no path "
		   "that is measured, %zu whose function did not run on one "
		   "under its name.\n", unmeasured, not_run);
}

/* What of each function @state has more than the kernel without the feature. */
static void look_at(struct state *s, const struct measure_state *state)
{
	for (size_t op = 0; op < s->measure->operations.n; op++) {
		struct rows *rows = &s->rows[op];

		make_rows(s, state, op);
		pair(s, rows);
		for (size_t i = 0; i < rows->n; i++)
			if (rows->row[i].by >= SOME)
				cover(s, &rows->row[i]);
	}
}

int against_tell(const struct measure *measure, const struct finding_set *set,
		 struct model *model, struct arena *arena, struct out *out,
		 struct against *result, struct err *err)
{
	struct state s = {
		.measure = measure, .set = set, .model = model,
		.arena = arena, .out = out, .result = result,
		.rows = ARENA_ARRAY(arena, struct rows, measure->operations.n),
	};

	const struct measure_state *last = measure_last(measure);

	*result = (struct against){ 0 };
	if (!measure_state(measure, MEASURE_OUT) ||
	    !measure_state(measure, MEASURE_OFF))
		return err_set(err, STATUS_USAGE, "'" MEASURE_OUT "' and '"
			       MEASURE_OFF "' were not measured: there is "
			       "nothing to hold findings against");
	look_at(&s, measure_state(measure, MEASURE_OFF));
	out_text(out, TINT_BOLD, "Residue that no finding covers, instructions "
		 "per operation, " MEASURE_OFF " over " MEASURE_OUT ":\n");
	result->uncovered = tell_rows(&s, NOT);
	out_text(out, TINT_BOLD, "Residue of who calls a function that a "
		 "finding is on:\n");
	tell_rows(&s, CALLER);
	out_text(out, TINT_BOLD, "Residue that findings cover:\n");
	tell_rows(&s, COVERED);
	out_text(out, TINT_BOLD, "Findings on a measured path that cost "
		 "nothing there:\n");
	tell_findings(&s);
	if (!last)
		return 0;
	out_printf(out, TINT_BOLD, "Residue that is left in %s:\n",
		   last->name);
	look_at(&s, last);
	tell_rows(&s, ANY);
	return 0;
}
