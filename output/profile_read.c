// SPDX-License-Identifier: GPL-2.0-only
/* Profiles as programs write them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/json.h"
#include "../analyzer/base/strbuf.h"
#include "against.h"
#include "profile.h"

enum form { FORM_NONE, FORM_PERF, FORM_TABLE, FORM_FOLDED };

/* Of a stack this many are looked at, from the innermost. */
#define FRAMES 64

struct reading {
	struct spent_list list;
	const char *path;
	struct arena *arena;
	unsigned line;
	enum form form;
};

static const char *name_of(struct reading *r, const char *text, size_t len)
{
	return function_of_symbol(arena_strndup(r->arena, text, len),
				  r->arena);
}

/* A number that ends where @after is, or at a blank; NULL: there is none. */
static const char *number(const char *at, bool percent, double *n)
{
	char *end;

	if (!isdigit((unsigned char)*at) && *at != '.')
		return NULL;
	*n = strtod(at, &end);
	if (end == at || !isfinite(*n) || (percent && *end != '%'))
		return NULL;
	end += percent;
	return !*end || isspace((unsigned char)*end) ? end : NULL;
}

static const char *skip(const char *at)
{
	return at + strspn(at, " \t");
}

/*
 * "    12.34%  comm  dso  [k] symbol  ...". With what is below a function
 * counted for it, that comes first, and its own after it.
 */
static bool perf_line(struct reading *r, const char *line, const char **why)
{
	const char *at = skip(line), *end, *symbol = NULL;
	double n, own;

	end = number(at, true, &n);
	if (!end) {
		/* who called: a graph */
		if (r->form == FORM_PERF && isspace((unsigned char)*line))
			return true;
		*why = "neither a percentage nor part of a call graph";
		return false;
	}
	at = number(skip(end), true, &own);
	if (at) {
		end = at;
		n = own;
	}
	for (at = strchr(end, '['); at && !symbol; at = strchr(at + 1, '['))
		if (at[1] && at[2] == ']' && at[3] == ' ')
			symbol = skip(at + 4);
	if (!symbol || !*symbol) {
		*why = "no symbol ('perf report --sort symbol' tells it)";
		return false;
	}
	if (n > 100) {
		*why = "more than 100 %";
		return false;
	}
	r->list.percent = true;
	spent_add(&r->list, &(struct spent){
		.name = name_of(r, symbol, strcspn(symbol, " \t")), .n = n,
	});
	return true;
}

/* Three words, the last a whole number: a file's line, or a symbol's. */
static bool table_line(struct reading *r, const char *line, const char **why)
{
	const char *name = skip(line), *at, *rest;
	size_t len = strcspn(name, " \t");
	double n, samples;
	bool symbol;

	at = skip(name + len);
	rest = number(at, true, &n);
	symbol = rest;
	if (!rest)
		rest = number(at, false, &n);
	if (rest)
		rest = number(skip(rest), false, &samples);
	if (!len || !rest || *skip(rest) || samples != floor(samples)) {
		*why = "neither a file nor a symbol with its share and its "
			"samples";
		return false;
	}
	if (n > 100) {
		*why = "more than 100 %";
		return false;
	}
	r->list.percent = true;
	/* what a file has is that of its symbols */
	if (symbol)
		spent_add(&r->list, &(struct spent){
			.name = name_of(r, name, len), .n = n,
		});
	return true;
}

static bool ends_in(const char *text, size_t *len, const char *end)
{
	size_t n = strlen(end);

	if (*len <= n || strncmp(text + *len - n, end, n))
		return false;
	*len -= n;
	return true;
}

/* Cut off how a frame is marked. */
static bool is_inlined(const char *frame, size_t *len)
{
	if (ends_in(frame, len, "_[i]") || ends_in(frame, len, " (inlined)"))
		return true;
	if (!ends_in(frame, len, "_[k]"))
		ends_in(frame, len, "_[j]");
	return false;
}

/* "a;b;c 123" */
static bool folded_line(struct reading *r, const char *line, const char **why)
{
	const char *space = strrchr(line, ' '), *end;
	struct spent spent = { 0 };
	bool inlined = true;

	if (space)
		end = number(space + 1, false, &spent.n);
	if (!space || space == line || !end || *end) {
		*why = "no stack with a number behind it";
		return false;
	}
	spent.within = ARENA_ARRAY(r->arena, const char *, FRAMES);
	for (end = space; !spent.caller && end > line &&
	     spent.nwithin < FRAMES;) {
		const char *start = memrchr(line, ';', (size_t)(end - line));
		const char *frame = start ? start + 1 : line, *name;
		size_t len = (size_t)(end - frame);
		bool below = inlined;

		inlined = is_inlined(frame, &len);
		name = name_of(r, frame, len);
		if (!spent.name)
			spent.name = name;
		else if (below)
			spent.within[spent.nwithin++] = name;
		else
			spent.caller = name;
		end = start ? start : line;
	}
	if (!*spent.name) {
		*why = "a function without a name";
		return false;
	}
	/* nobody is above it: it was not called */
	if (!spent.caller)
		spent.caller = "";
	spent_add(&r->list, &spent);
	return true;
}

static bool in_form(struct reading *r, enum form form, const char *line,
		    const char **why)
{
	switch (form) {
	case FORM_PERF:
		return perf_line(r, line, why);
	case FORM_TABLE:
		return table_line(r, line, why);
	case FORM_FOLDED:
		return folded_line(r, line, why);
	case FORM_NONE:
		break;
	}
	return false;
}

/* The first line that says something decides what the others must be. */
static bool take_line(struct reading *r, const char *line, const char **why)
{
	if (r->form)
		return in_form(r, r->form, line, why);
	for (enum form form = FORM_PERF; form <= FORM_FOLDED; form++)
		if (in_form(r, form, line, why)) {
			r->form = form;
			return true;
		}
	*why = "neither of measure.json nor what 'perf report --stdio' "
		"prints nor a stack nor of a table of files and symbols";
	return false;
}

static int read_lines(struct reading *r, const struct strbuf *text,
		      struct err *err)
{
	const char *at = text->len ? text->buf : "", *why = "";
	char shown[JSON_SHOWN];

	if (text->len && memchr(text->buf, '\0', text->len))
		return err_set(err, STATUS_USAGE, "%s: this is no profile, "
			       "and no text", r->path);
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		char *line;

		len = strcspn(at, "\n");
		line = arena_strndup(r->arena, at, len);
		while (*line && isspace((unsigned char)line[strlen(line) - 1]))
			line[strlen(line) - 1] = '\0';
		r->line++;
		if (*line && *line != '#' && !take_line(r, line, &why))
			return err_set(err, STATUS_USAGE, "%s:%u: this is no "
				       "line of a profile: %s: '%s'", r->path,
				       r->line, why, json_shown(line, shown));
	}
	if (!r->form)
		return err_set(err, STATUS_USAGE, "%s: this is no profile: "
			       "there is nothing in it", r->path);
	return 0;
}

static double of(const struct amounts *amounts, const char *name)
{
	for (size_t i = 0; i < amounts->n; i++)
		if (!strcmp(amounts->item[i].name, name))
			return amounts->item[i].n;
	return 0;
}

/* Each operation counts as much as any other. */
static int take_measure(struct reading *r, const struct measure *measure,
			struct err *err)
{
	const struct measure_state *out = measure_state(measure, MEASURE_OUT),
		*off = measure_state(measure, MEASURE_OFF);

	if (!out || !off)
		return err_set(err, STATUS_USAGE, "%s: '" MEASURE_OUT "' and '"
			       MEASURE_OFF "' were not measured: there is "
			       "nothing to rank by", r->path);
	r->list.difference = true;
	for (size_t op = 0; op < measure->operations.n; op++) {
		const struct cell *a = &out->cell[op], *b = &off->cell[op];

		for (size_t i = 0; a->there && a->n > 0 &&
		     i < b->function.n; i++) {
			const struct amount *one = &b->function.item[i];

			spent_add(&r->list, &(struct spent){
				.name = name_of(r, one->name,
						strlen(one->name)),
				.n = (one->n - of(&a->function, one->name)) /
					a->n,
			});
		}
	}
	return 0;
}

struct profile *profile_parse(const char *path, const struct strbuf *text,
			      struct arena *arena, struct err *err)
{
	struct reading r = {
		.path = path, .arena = arena, .list.arena = arena,
	};
	struct profile *profile;
	struct measure *measure;

	if (text->len && text->buf[strspn(text->buf, " \t\r\n")] == '{') {
		measure = measure_parse(path, text->buf, text->len, arena,
					err);
		if (!measure || take_measure(&r, measure, err))
			return NULL;
	} else if (read_lines(&r, text, err)) {
		return NULL;
	}
	profile = profile_make(&r.list);
	if (!profile)
		err_set(err, STATUS_USAGE, "%s: there is nothing in it that "
			"is spent in a function", path);
	return profile;
}

struct profile *profile_read(const char *path, struct arena *arena,
			     struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct profile *profile = NULL;

	if (!strbuf_read_file(&text, path, err))
		profile = profile_parse(path, &text, arena, err);
	strbuf_release(&text);
	return profile;
}
