// SPDX-License-Identifier: GPL-2.0-only
/* Columns beside each other, for people and for programs. */
#include <string.h>

#include "compare.h"
#include "json_out.h"

#define NAME_WIDTH 8
/* "1443258.1 +- 0.4% * +4.56%*" */
#define CELL_WIDTH 30

static void put_cell(struct out *out, const struct compare *c,
		     const struct against_base *cell,
		     const struct against_base *base)
{
	char mark = cell->differs ? '*' : ' ';
	enum tint tint = !cell->differs ? TINT_DIM :
		(cell->percent > 0) == c->rates ? TINT_GREEN : TINT_RED;

	if (!cell->there) {
		out_printf(out, TINT_MAGENTA, "  %*s", CELL_WIDTH, "-");
		return;
	}
	out_printf(out, TINT_PLAIN, "  %12.1f", cell->mean);
	if (!c->rates)
		out_printf(out, TINT_DIM, "%8s", "");
	else if (cell->n > 1)
		out_printf(out, TINT_DIM, " +-%4.1f%%", cell->mean > 0 ?
			   100 * cell->deviation / cell->mean : 0);
	else
		out_printf(out, TINT_DIM, "       ?");
	if (!base->there)
		out_printf(out, TINT_DIM, " %9s", "");
	else if (base == cell)
		out_printf(out, TINT_DIM, " (  0.00%%)");
	else
		out_printf(out, tint, " %c%+7.2f%%%c", mark, cell->percent,
			   mark);
}

static void put_head(const struct compare *c, struct out *out)
{
	for (size_t i = 0; i < c->ncolumn; i++) {
		const struct column *column = &c->column[i];

		out_printf(out, TINT_PLAIN, "%s: %s", column->label,
			   column->path);
		if (column->kernel)
			out_printf(out, TINT_PLAIN, ", %s", column->kernel);
		out_text(out, TINT_PLAIN, "\n");
	}
	out_printf(out, TINT_BOLD, "\n%-*s", NAME_WIDTH + 4, "");
	for (size_t i = 0; i < c->ncolumn; i++)
		out_printf(out, TINT_BOLD, "  %*.*s", CELL_WIDTH - 2,
			   CELL_WIDTH - 2, c->column[i].label);
	out_text(out, TINT_PLAIN, "\n");
}

/* How many are compared, and of how many of those it is not known. */
static void count(const struct compare *c, size_t *n, size_t *unknown)
{
	*n = *unknown = 0;
	for (size_t i = 0; i < c->nrow; i++)
		for (size_t k = 1; k < c->ncolumn; k++)
			if (c->row[i].cell[0].there &&
			    c->row[i].cell[k].there) {
				*n += 1;
				*unknown += c->row[i].cell[k].p < 0;
			}
}

static void put_foot(const struct compare *c, struct out *out)
{
	size_t n, unknown;

	count(c, &n, &unknown);
	if (!c->rates) {
		out_printf(out, TINT_PLAIN, "\nInstructions per operation, "
			   "and per cent over %s. They are counted: * is what "
			   "is more than an\ninstruction, or than a thousandth "
			   "of them; the rest is where the clock ticks and how "
			   "code lies. They are no time.\n",
			   c->column[0].label);
		return;
	}
	out_printf(out, TINT_PLAIN, "\nOperations per second of all processes "
		   "together, their deviation from run to run, and per cent "
		   "over %s:\nmore is faster. Hmean is the harmonic mean over "
		   "the numbers of processes.\n", c->column[0].label);
	if (n)
		out_printf(out, TINT_PLAIN, "* differs, by Welch's t test of "
			   "the runs (two-sided, p < %g); what has none is "
			   "within the noise.\nOf %zu comparisons %.1f would "
			   "have it by chance.\n", COMPARE_LEVEL, n,
			   COMPARE_LEVEL * (double)n);
	if (unknown)
		out_printf(out, TINT_PLAIN, "%zu of them cannot be judged: "
			   "that takes two runs at least of each.\n",
			   unknown);
}

void compare_table(const struct compare *c, struct out *out)
{
	const char *last = "";

	put_head(c, out);
	for (size_t i = 0; i < c->nrow; i++) {
		const struct compare_row *row = &c->row[i];

		if (strcmp(last, row->operation))
			out_printf(out, TINT_BOLD, "%s\n", row->title);
		last = row->operation;
		if (row->harmonic)
			out_printf(out, TINT_PLAIN, "  %-*s", NAME_WIDTH + 2,
				   "Hmean");
		else if (row->processes)
			out_printf(out, TINT_PLAIN, "  Mean %*u  ",
				   NAME_WIDTH - 5, row->processes);
		else
			out_printf(out, TINT_PLAIN, "  %-*s", NAME_WIDTH + 2,
				   "");
		for (size_t k = 0; k < c->ncolumn; k++)
			put_cell(out, c, &row->cell[k], &row->cell[0]);
		out_text(out, TINT_PLAIN, "\n");
	}
	put_foot(c, out);
}

static void write_cell(struct json_out *json, const struct compare *c,
		       size_t column, const struct against_base *cell,
		       const struct against_base *base)
{
	json_out_open(json, c->column[column].label, '{');
	json_out_number(json, "mean", cell->mean);
	if (c->rates) {
		json_out_number(json, "runs", (double)cell->n);
		if (cell->n > 1)
			json_out_number(json, "deviation", cell->deviation);
	}
	if (column && base->there) {
		json_out_number(json, "percent", cell->percent);
		if (cell->p >= 0)
			json_out_number(json, "p", cell->p);
		json_out_string(json, "difference",
				c->rates && cell->p < 0 ? "unknown" :
				cell->differs ? "yes" : "noise");
	}
	json_out_close(json);
}

void compare_json(const struct compare *c, struct out *out)
{
	struct json_out json;

	json_out_begin(&json, out->stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", "nocharge-compare-1");
	json_out_string(&json, "of", c->rates ? "operations per second" :
			"instructions per operation");
	json_out_string(&json, "test", c->rates ? "Welch's t test, two-sided, "
			"p < 0.05" : "an instruction, or a thousandth");
	json_out_string(&json, "base", c->column[0].label);
	json_out_open(&json, "columns", '[');
	for (size_t i = 0; i < c->ncolumn; i++) {
		json_out_open(&json, NULL, '{');
		json_out_string(&json, "label", c->column[i].label);
		json_out_string(&json, "file", c->column[i].path);
		json_out_string(&json, "kernel", c->column[i].kernel);
		json_out_string(&json, "machine", c->column[i].machine);
		json_out_close(&json);
	}
	json_out_close(&json);
	json_out_open(&json, "rows", '[');
	for (size_t i = 0; i < c->nrow; i++) {
		const struct compare_row *row = &c->row[i];

		json_out_open(&json, NULL, '{');
		json_out_string(&json, "operation", row->operation);
		if (row->harmonic)
			json_out_string(&json, "mean", "harmonic");
		else if (row->processes)
			json_out_number(&json, "processes", row->processes);
		json_out_open(&json, "values", '{');
		for (size_t k = 0; k < c->ncolumn; k++)
			if (row->cell[k].there)
				write_cell(&json, c, k, &row->cell[k],
					   &row->cell[0]);
		json_out_close(&json);
		json_out_close(&json);
	}
	json_out_close(&json);
	json_out_strings(&json, "missing", c->missing.name, c->missing.n);
	json_out_strings(&json, "warnings", c->warning.name, c->warning.n);
	json_out_close(&json);
	json_out_end(&json);
}
