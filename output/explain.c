// SPDX-License-Identifier: GPL-2.0-only
#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"

/* More lines than this belong to no function. */
#define LINES_LIMIT 20000

static const struct {
	const char *name, *mark;
	enum tint tint;
} states[] = {
	[LINE_LIVE] = { "live", " ", TINT_PLAIN },
	[LINE_DEAD] = { "dead", "-", TINT_DIM },
	[LINE_KNOWN] = { "known", "=", TINT_CYAN },
	[LINE_LEFT] = { "left", "!", TINT_RED },
	[LINE_STUB] = { "stub", "s", TINT_GREEN },
};

/* What outweighs what, when a line is told more than once. */
static int weight(enum line_state state)
{
	switch (state) {
	case LINE_LEFT:
		return 4;
	case LINE_KNOWN:
		return 3;
	case LINE_STUB:
		return 2;
	case LINE_LIVE:
		return 1;
	case LINE_DEAD:
		break;
	}
	return 0;
}

static bool is_here(const struct explanation *explanation,
		    const struct explained_line *line)
{
	return !line->file || !strcmp(line->file, explanation->file);
}

static enum line_state state_of(const struct explanation *explanation,
				uint32_t number)
{
	enum line_state state = LINE_DEAD;
	bool told = false;

	for (size_t i = 0; i < explanation->nlines; i++) {
		const struct explained_line *line = &explanation->lines[i];

		if (line->line != number || !is_here(explanation, line))
			continue;
		if (!told || weight(line->state) > weight(state))
			state = line->state;
		told = true;
	}
	return told ? state : LINE_LIVE;
}

static void print_notes(struct out *out, const struct explanation *explanation,
			uint32_t number)
{
	for (size_t i = 0; i < explanation->nlines; i++) {
		const struct explained_line *line = &explanation->lines[i];

		if (line->line != number || !line->text || !*line->text ||
		    !is_here(explanation, line))
			continue;
		out_printf(out, states[line->state].tint,
			   "              ^ %s\n", line->text);
	}
}

static void print_line(struct out *out, const struct explanation *explanation,
		       uint32_t number, const char *text, size_t len)
{
	enum line_state state = state_of(explanation, number);

	if (len && text[len - 1] == '\r')
		len--;
	out_printf(out, TINT_DIM, "%7u ", number);
	out_printf(out, states[state].tint, "%s %.*s\n", states[state].mark,
		   (int)len, text);
	print_notes(out, explanation, number);
}

static void print_source(struct out *out,
			 const struct explanation *explanation,
			 const char *source, size_t len)
{
	uint32_t last = explanation->end_line, line = 1;
	const char *end = source + len;

	if (last > explanation->line + LINES_LIMIT)
		last = explanation->line + LINES_LIMIT;
	while (source < end && line <= last) {
		const char *eol = memchr(source, '\n',
					 (size_t)(end - source));

		if (!eol)
			eol = end;
		if (line >= explanation->line)
			print_line(out, explanation, line, source,
				   (size_t)(eol - source));
		source = eol + (eol < end);
		line++;
	}
}

/* Steps in other files: what was inlined. */
static void print_elsewhere(struct out *out,
			    const struct explanation *explanation)
{
	bool first = true;

	for (size_t i = 0; i < explanation->nlines; i++) {
		const struct explained_line *line = &explanation->lines[i];

		if (is_here(explanation, line) || !line->text)
			continue;
		if (first)
			out_text(out, TINT_BOLD, "\nin what is inlined:\n");
		first = false;
		out_printf(out, states[line->state].tint,
			   "  %s %s:%u: %s\n", states[line->state].mark,
			   line->file, line->line, line->text);
	}
}

static void print_share(struct out *out, const struct share *share,
			const char *function)
{
	const struct amounts *part = &share->part;

	out_printf(out, TINT_PLAIN, "%.2f %% of the profile", share->n);
	if (!part->n)
		out_text(out, TINT_PLAIN, ": it is not in it under this name");
	for (size_t i = 0; i < part->n; i++) {
		const char *name = part->item[i].name;

		if (part->n == 1 && !strcmp(name, function))
			break;
		out_printf(out, TINT_PLAIN, "%s %.2f in '%s'%s", i ? "," : ":",
			   part->item[i].n, name, strcmp(name, function) ?
			   ", which is inlined there" : " itself");
	}
	out_text(out, TINT_PLAIN, "\n");
}

void explain_text(struct out *out, const struct explanation *explanation,
		  const struct share *share, const char *source, size_t len)
{
	out_printf(out, TINT_BOLD, "%s:%u: '%s' is %s\n", explanation->file,
		   explanation->line, explanation->function,
		   explanation->state);
	if (explanation->verdict)
		out_printf(out, TINT_PLAIN, "verdict: %s\n",
			   explanation->verdict);
	if (share)
		print_share(out, share, explanation->function);
	if (source) {
		out_text(out, TINT_DIM, "\n        - dead   = known   "
			 "! left when off   s left, but the stub does it too"
			 "\n\n");
		print_source(out, explanation, source, len);
	}
	print_elsewhere(out, explanation);
	if (explanation->nchain) {
		out_printf(out, TINT_BOLD, "\nreached from %s:\n",
			   explanation->root ? explanation->root : "?");
		for (size_t i = 0; i < explanation->nchain; i++)
			out_printf(out, TINT_PLAIN, "  %s%s\n",
				   i ? "-> " : "   ", explanation->chain[i]);
	} else {
		out_text(out, TINT_PLAIN,
			 "\nno hot path is known to reach it\n");
	}
	if (explanation->nfacts)
		out_text(out, TINT_BOLD, "\nwhat decides:\n");
	for (size_t i = 0; i < explanation->nfacts; i++) {
		const struct why *fact = &explanation->facts[i];

		if (fact->file && fact->line)
			out_printf(out, TINT_PLAIN, "  %s:%u: %s\n",
				   fact->file, fact->line, fact->text);
		else
			out_printf(out, TINT_PLAIN, "  %s\n", fact->text);
	}
}

static void write_share(struct json_out *json, const struct share *share)
{
	json_out_number(json, "profile", share->n);
	json_out_open(json, "profile_of", '{');
	for (size_t i = 0; i < share->part.n; i++)
		json_out_number(json, share->part.item[i].name,
				share->part.item[i].n);
	json_out_close(json);
}

void explain_json(struct out *out, const struct explanation *explanation,
		  const struct share *share)
{
	struct json_out json;

	json_out_begin(&json, out->stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", "nocharge-explanation-1");
	json_out_string(&json, "function", explanation->function);
	json_out_string(&json, "file", explanation->file);
	json_out_number(&json, "line", explanation->line);
	json_out_number(&json, "end_line", explanation->end_line);
	json_out_string(&json, "state", explanation->state);
	json_out_string(&json, "verdict", explanation->verdict);
	if (share)
		write_share(&json, share);
	json_out_open(&json, "lines", '[');
	for (size_t i = 0; i < explanation->nlines; i++) {
		const struct explained_line *line = &explanation->lines[i];

		json_out_open(&json, NULL, '{');
		json_out_string(&json, "file", line->file);
		json_out_number(&json, "line", line->line);
		json_out_string(&json, "state", states[line->state].name);
		json_out_string(&json, "text", line->text);
		json_out_close(&json);
	}
	json_out_close(&json);
	json_out_string(&json, "root", explanation->root);
	json_out_strings(&json, "chain", explanation->chain,
			 explanation->nchain);
	json_out_open(&json, "facts", '[');
	for (size_t i = 0; i < explanation->nfacts; i++) {
		json_out_open(&json, NULL, '{');
		json_out_string(&json, "file", explanation->facts[i].file);
		json_out_number(&json, "line", explanation->facts[i].line);
		json_out_string(&json, "text", explanation->facts[i].text);
		json_out_close(&json);
	}
	json_out_close(&json);
	json_out_close(&json);
	json_out_end(&json);
}
