// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "measure.h"

/* An instruction, or this part of all of them. */
#define PART 0.001

double measure_least(const struct cell *cell)
{
	return cell->n * PART > 1 ? cell->n * PART : 1;
}

static double percent(const struct cell *cell, const struct cell *of)
{
	return of->n > 0 ? 100 * (cell->n - of->n) / of->n : 0;
}

/* Columns: those that are held against each other. */
static size_t columns(const struct measure *measure,
		      const struct measure_state *column[6])
{
	const struct measure_state *all[] = {
		measure_state(measure, MEASURE_OUT),
		measure_state(measure, MEASURE_OFF), measure_last(measure),
		measure_state(measure, MEASURE_DEFAULT),
		measure_state(measure, MEASURE_ON),
		measure_state(measure, MEASURE_ALL),
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			column[n++] = all[i];
	return n;
}

static void put_row(struct out *out, const struct measure *measure, size_t op,
		    const struct measure_state *const *column, size_t n)
{
	const struct measure_state *plain = measure_state(measure,
							  MEASURE_OUT);

	out_printf(out, TINT_PLAIN, "%-18s",
		   measure->operations.item[op].title);
	for (size_t i = 0; i < n; i++) {
		const struct cell *cell = &column[i]->cell[op];

		if (!cell->there)
			out_printf(out, TINT_MAGENTA, " %10s", "-");
		else
			out_printf(out, TINT_PLAIN, " %10.1f", cell->n);
		if (!plain || column[i] == plain)
			continue;
		if (cell->there && plain->cell[op].there)
			out_printf(out, TINT_DIM, " %+6.2f%%",
				   percent(cell, &plain->cell[op]));
		else
			out_printf(out, TINT_DIM, " %7s", "");
	}
	out_text(out, TINT_PLAIN, "\n");
}

/* Is @state what one patch makes of the one before it? */
static bool is_step(const struct measure_state *before,
		    const struct measure_state *state)
{
	const size_t len = sizeof(MEASURE_OFF) - 1;
	unsigned long number = strncmp(state->name, MEASURE_OFF "+", len + 1) ?
		0 : strtoul(state->name + len + 1, NULL, 10);

	if (number <= 1 || before->name[len] != '+')
		return number == 1 && !strcmp(before->name, MEASURE_OFF);
	return strtoul(before->name + len + 1, NULL, 10) + 1 == number;
}

/* "off+3: anonymous fault 1951.1 to 1919.2, ...": what each patch changes. */
static void put_steps(struct out *out, const struct measure *measure)
{
	for (size_t i = 1; i < measure->nstate; i++) {
		const struct measure_state *state = &measure->state[i];
		bool any = false;

		for (size_t op = 0; is_step(state - 1, state) &&
		     op < measure->operations.n; op++) {
			const struct cell *a = &state[-1].cell[op];
			const struct cell *b = &state->cell[op];
			double by = b->n - a->n;

			if (!a->there || !b->there ||
			    (by < measure_least(a) && by > -measure_least(a)))
				continue;
			out_printf(out, TINT_PLAIN, "%s%s %s %.1f to %.1f",
				   any ? "" : state->name, any ? "," : ":",
				   measure->operations.item[op].title, a->n,
				   b->n);
			any = true;
		}
		if (any)
			out_text(out, TINT_PLAIN, "\n");
	}
}

void measure_rows(const struct measure *measure, struct strbuf *out)
{
	const struct measure_state *column[6];
	size_t n = columns(measure, column);

	strbuf_addf(out, "%-16s", "");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, i ? " %6s      " : " %7s", column[i]->name);
	while (out->len && out->buf[out->len - 1] == ' ')
		out->len--;
	strbuf_addch(out, '\n');
	for (size_t op = 0; op < measure->operations.n; op++) {
		const struct cell *plain = &column[0]->cell[op];

		strbuf_addf(out, "%-16s", measure->operations.item[op].title);
		for (size_t i = 0; i < n; i++) {
			const struct cell *cell = &column[i]->cell[op];

			if (!cell->there || !plain->there)
				strbuf_addf(out, i ? " %6s      " : " %7s",
					    "-");
			else if (!i)
				strbuf_addf(out, " %7.0f", cell->n);
			else
				strbuf_addf(out, " %6.0f %+5.1f", cell->n,
					    percent(cell, plain));
		}
		strbuf_addch(out, '\n');
	}
}

static double bytes_of(const struct measure_state *state, const char *name)
{
	for (size_t i = 0; i < state->bytes.n; i++)
		if (!strcmp(state->bytes.item[i].name, name))
			return state->bytes.item[i].n;
	return -1;
}

static void put_bytes(struct out *out,
		      const struct measure_state *const *column, size_t n)
{
	const struct amounts *bytes = &column[0]->bytes;

	for (size_t k = 0; k < bytes->n; k++) {
		out_printf(out, TINT_PLAIN, "%-18s", bytes->item[k].name);
		for (size_t i = 0; i < n; i++) {
			double b = bytes_of(column[i], bytes->item[k].name);

			if (b < 0)
				out_printf(out, TINT_PLAIN, " %10s", "-");
			else
				out_printf(out, TINT_PLAIN, " %10.0f", b);
			if (i)
				out_printf(out, TINT_DIM, " %7s", "");
		}
		out_text(out, TINT_PLAIN, "\n");
	}
}

void measure_table(const struct measure *measure, struct out *out)
{
	const struct measure_state *column[6];
	size_t n = columns(measure, column);

	if (!n)
		return;
	out_printf(out, TINT_BOLD, "%-18s", "instructions");
	for (size_t i = 0; i < n; i++)
		out_printf(out, TINT_BOLD, i ? " %10s        " : " %10s",
			   column[i]->name);
	out_text(out, TINT_PLAIN, "\n");
	for (size_t op = 0; op < measure->operations.n; op++)
		put_row(out, measure, op, column, n);
	if (column[0]->bytes.n) {
		out_printf(out, TINT_BOLD, "%-18s\n", "bytes");
		put_bytes(out, column, n);
	}
	put_steps(out, measure);
	out_text(out, TINT_PLAIN, "These are instructions of an emulated "
		 "processor, and not time: traps, caches, the TLB, barriers "
		 "and\nwrong guesses of branches cost nothing here. Per cent "
		 "are over " MEASURE_OUT ", the kernel without the feature.\n");
}
