// SPDX-License-Identifier: GPL-2.0-only
#include "list.h"

#include <stdio.h>
#include <string.h>

/* A column grows to its widest cell, but no further than this. */
#define WIDEST 44
#define COLUMNS 8

struct row {
	const char *cell[COLUMNS];
	char share[16], residue[16];
	char place[512];
};

static const char *const titles[COLUMNS] = {
	"PROFILE", "STATE", "FUNCTION", "KIND", "STUB", "WHEN OFF", "RESIDUE", "WHERE",
};

static void fill(struct row *row, const struct entry_point *entry)
{
	const char *file = entry->defined_line ? entry->defined_file :
		entry->declared_file;
	uint32_t line = entry->defined_line ? entry->defined_line :
		entry->declared_line;

	snprintf(row->residue, sizeof(row->residue), "%u", entry->residue);
	snprintf(row->place, sizeof(row->place), "%s:%u", file ? file : "?",
		 line);
	snprintf(row->share, sizeof(row->share), "%.2f %%", entry->share);
	row->cell[0] = row->share;
	row->cell[1] = entry->state;
	row->cell[2] = entry->name;
	row->cell[3] = entry->kind;
	row->cell[4] = entry->stub ? entry->stub : "none";
	row->cell[5] = entry->off_returns;
	row->cell[6] = row->residue;
	row->cell[7] = row->place;
}

static void print_row(struct out *out, const char *const *cell,
		      const size_t *width, size_t first, enum tint tint,
		      const struct entry_point *entry)
{
	for (size_t i = first; i < COLUMNS; i++)
		out_printf(out, tint, "%-*s  ", (int)width[i], cell[i]);
	if (!entry)
		out_text(out, tint, "HOT");
	else if (!entry->nhot)
		out_text(out, tint, "-");
	for (size_t i = 0; entry && i < entry->nhot; i++)
		out_printf(out, tint, "%s%s", i ? "," : "", entry->hot[i]);
	out_text(out, TINT_PLAIN, "\n");
}

static enum tint tint_of(const char *state)
{
	if (!strcmp(state, "missing") || !strcmp(state, "late"))
		return TINT_RED;
	if (!strncmp(state, "guarded", 7))
		return TINT_GREEN;
	return TINT_PLAIN;
}

void list_report(struct out *out, const struct report *report)
{
	/* without a profile there are no shares */
	const size_t first = !report->nentry || !report->entry[0].shared;
	size_t width[COLUMNS];
	struct row row;

	for (size_t k = 0; k < COLUMNS; k++)
		width[k] = strlen(titles[k]);
	for (size_t i = 0; i < report->nentry; i++) {
		fill(&row, &report->entry[i]);
		for (size_t k = 0; k < COLUMNS; k++) {
			size_t len = strlen(row.cell[k]);

			if (len > WIDEST)
				len = WIDEST;
			if (len > width[k])
				width[k] = len;
		}
	}
	print_row(out, titles, width, first, TINT_BOLD, NULL);
	for (size_t i = 0; i < report->nentry; i++) {
		fill(&row, &report->entry[i]);
		print_row(out, row.cell, width, first, tint_of(row.cell[1]),
			  &report->entry[i]);
	}
}
