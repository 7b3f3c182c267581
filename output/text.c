// SPDX-License-Identifier: GPL-2.0-only
#include "text.h"

#include <stdio.h>
#include <string.h>

/* How many covered functions and hot paths a note names. */
#define NOTE_NAMES 8

static void place(struct out *out, const char *file, uint32_t line,
		  uint32_t column)
{
	if (line && column)
		out_printf(out, TINT_BOLD, "%s:%u:%u: ", file, line, column);
	else if (line)
		out_printf(out, TINT_BOLD, "%s:%u: ", file, line);
	else
		out_printf(out, TINT_BOLD, "%s: ", file);
}

static void note_names(struct out *out, const struct finding *finding,
		       const char *what, const char *const *name, size_t n)
{
	if (!n)
		return;
	place(out, finding->file, finding->line, finding->column);
	out_text(out, TINT_CYAN, "note: ");
	out_printf(out, TINT_PLAIN, "%s ", what);
	for (size_t i = 0; i < n && i < NOTE_NAMES; i++)
		out_printf(out, TINT_PLAIN, "%s'%s'", i ? ", " : "", name[i]);
	if (n > NOTE_NAMES)
		out_printf(out, TINT_PLAIN, " and %zu more", n - NOTE_NAMES);
	out_text(out, TINT_PLAIN, "\n");
}

void text_finding(struct out *out, const struct finding *finding)
{
	place(out, finding->file, finding->line, finding->column);
	out_text(out, TINT_MAGENTA, "warning: ");
	out_printf(out, TINT_BOLD, "%s", finding->message);
	out_printf(out, TINT_MAGENTA, " [%s]", finding->rule);
	out_text(out, TINT_PLAIN, "\n");
	for (size_t i = 0; i < finding->nwhy; i++) {
		const struct why *why = &finding->why[i];

		place(out, why->file, why->line, why->line ? 1 : 0);
		out_text(out, TINT_CYAN, "note: ");
		out_printf(out, TINT_PLAIN, "%s\n", why->text);
	}
	if (finding->shared) {
		place(out, finding->file, finding->line, finding->column);
		out_text(out, TINT_CYAN, "note: ");
		out_printf(out, TINT_PLAIN, "%.2f %% of the profile\n",
			   finding->share);
	}
	if (finding->cause) {
		place(out, finding->file, finding->line, finding->column);
		out_text(out, TINT_CYAN, "note: ");
		out_printf(out, TINT_PLAIN, "%s\n", finding->cause);
	}
	note_names(out, finding, "on the hot paths", finding->hot,
		   finding->nhot);
	note_names(out, finding, "it accounts for", finding->covers,
		   finding->ncovers);
}

void text_allowed(struct out *out, const struct finding *finding)
{
	place(out, finding->file, finding->line, finding->column);
	out_text(out, TINT_CYAN, "note: ");
	out_printf(out, TINT_PLAIN, "allowed by %s:%u (%s): %s [%s]\n",
		   finding->allowed_file, finding->allowed_line,
		   finding->allowed, finding->message, finding->rule);
}

void text_report(struct out *out, const struct report *report,
		 const struct finding_set *baseline)
{
	for (size_t i = 0; i < report->nfinding; i++)
		if (!findings_have(baseline, report->finding[i].id))
			text_finding(out, &report->finding[i]);
	for (size_t i = 0; i < report->ncomment; i++)
		if (!findings_have(baseline, report->comment[i].id))
			text_finding(out, &report->comment[i]);
	for (size_t i = 0; i < report->nsuppressed; i++)
		if (!findings_have(baseline, report->suppressed[i].id))
			text_allowed(out, &report->suppressed[i]);
	for (size_t i = 0; i < report->nstale; i++) {
		const struct finding *finding = report->stale[i];

		place(out, finding->file, finding->line, finding->column);
		out_text(out, TINT_CYAN, "note: ");
		out_printf(out, TINT_PLAIN, "of the baseline and found no "
			   "more: %s [%s]\n", finding->message,
			   finding->rule);
	}
}

static void plural(FILE *stream, size_t n, const char *what)
{
	fprintf(stream, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

size_t text_skipped(const struct report *report)
{
	struct out out = {
		.stream = stderr,
		.colour = out_wants_colour(stderr),
	};
	size_t functions = 0;

	for (size_t i = 0; i < report->nskipped; i++) {
		const struct skipped *skipped = &report->skipped[i];

		out_text(&out, TINT_PLAIN, "nocharge: ");
		out_text(&out, TINT_BOLD, skipped->file);
		if (*skipped->function) {
			functions++;
			out_printf(&out, TINT_PLAIN, ": '%s'",
				   skipped->function);
		}
		out_printf(&out, TINT_PLAIN, ": not analysed: %s\n",
			   skipped->why);
	}
	return functions;
}

void text_summary(const struct report *report,
		  const struct finding_set *baseline)
{
	struct out out = {
		.stream = stderr,
		.colour = out_wants_colour(stderr),
	};
	size_t functions = text_skipped(report);

	for (size_t i = 0; i < report->nnote; i++) {
		out_text(&out, TINT_PLAIN, "nocharge: note: ");
		out_printf(&out, TINT_PLAIN, "%s\n", report->note[i]);
	}
	fputs("nocharge: ", stderr);
	plural(stderr, report->nfinding, "finding");
	if (baseline)
		fprintf(stderr, " (%zu new)", findings_new(report, baseline));
	if (report->nsuppressed)
		fprintf(stderr, ", %zu allowed", report->nsuppressed);
	if (report->ncomment) {
		fputs(", ", stderr);
		plural(stderr, report->ncomment, "bad suppression");
	}
	if (report->stale_told)
		fprintf(stderr, ", %zu of the baseline no more",
			report->nstale);
	fprintf(stderr, "; %zu of %zu units, ", report->analysed,
		report->units);
	plural(stderr, functions, "function");
	fprintf(stderr, " skipped; %.1f s\n", report->seconds);
}
