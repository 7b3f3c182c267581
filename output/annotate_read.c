// SPDX-License-Identifier: GPL-2.0-only
/* An annotated disassembly, line by line. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/json.h"
#include "../analyzer/base/strbuf.h"
#include "annotate.h"

/* Numbers in front of a line. */
#define NUMBERS 16

struct reading {
	struct annotated *annotated;
	struct arena *arena;
	unsigned line;
	struct listing *listing;  /* that instructions go to; NULL: a new one */
	const char *inlined, *file, *source; /* of what comes next */
	uint32_t number;
};

static const char *skip(const char *at)
{
	return at + strspn(at, " \t");
}

static struct listing *new_listing(struct reading *r, const char *function)
{
	struct annotated *a = r->annotated;

	GROW_LIST(r->arena, a->listing, a->n, a->cap);
	r->listing = &a->listing[a->n++];
	*r->listing = (struct listing){ .function = function };
	r->inlined = r->file = r->source = NULL;
	r->number = 0;
	return r->listing;
}

/* "<symbol>" or "<symbol+0x10>": its name, and what is behind it. */
static const char *symbol(const char *at, const char **end,
			  struct arena *arena)
{
	size_t len;

	if (*at != '<')
		return NULL;
	len = strcspn(at + 1, ">");
	if (!len || at[1 + len] != '>')
		return NULL;
	*end = at + len + 2;
	return arena_strndup(arena, at + 1, strcspn(at + 1, "+>"));
}

/* A number of base 16 and what is behind it; NULL: there is none. */
static const char *address(const char *at, uint64_t *value)
{
	size_t len = strspn(at, "0123456789abcdef");
	char *end;

	if (!len || len > 16)
		return NULL;
	*value = strtoull(at, &end, 16);
	return end;
}

/* "ffffffff811b9b00 <symbol>:", and what a program has to say of it. */
static bool header(struct reading *r, const char *body)
{
	const char *at = skip(body), *end, *name;
	uint64_t value;

	end = address(at, &value);
	name = end ? symbol(skip(end), &end, r->arena) : NULL;
	if (!name || *end != ':')
		return false;
	/* what perf calls code that it took from a running kernel */
	if (!strncmp(name, "load", 4) && name[4] &&
	    !name[4 + strspn(name + 4, "0123456789")])
		name = NULL;
	/* the same function goes on where something was left out */
	if (!r->listing || !name || !r->listing->function ||
	    strcmp(r->listing->function, name))
		new_listing(r, name);
	return true;
}

/* Bytes of the instruction, if they are told, are no text of it. */
static const char *mnemonic(const char *at)
{
	const char *start = at;

	for (;;) {
		size_t len = strspn(at, "0123456789abcdef");

		if ((len != 2 && !(len == 8 && at == start)) ||
		    !isspace((unsigned char)at[len]))
			return at;
		at = skip(at + len);
	}
}

static bool instruction(struct reading *r, const char *body,
			const double *samples, const double *percent)
{
	const char *at = skip(body), *end, *text;
	struct instruction *one;
	struct listing *list;
	uint64_t value;
	size_t digits;

	end = address(at, &value);
	if (!end || *end != ':' || !isspace((unsigned char)end[1]))
		return false;
	text = mnemonic(skip(end + 1));
	/* a label of C may look like a number */
	digits = strspn(at, "abcdef");
	if (!isalpha((unsigned char)*text) ||
	    (at + digits == end && digits < 8))
		return false;
	list = r->listing ? r->listing : new_listing(r, NULL);
	GROW_LIST(r->arena, list->instruction, list->n, list->cap);
	one = &list->instruction[list->n++];
	*one = (struct instruction){
		.address = value, .text = text,
		.samples = samples ? *samples : 0,
		.percent = percent ? *percent : 0,
		.inlined = r->inlined, .file = r->file, .line = r->number,
		.source = r->source,
	};
	list->counted |= samples != NULL;
	return true;
}

/* "mm/memcontrol.c:5571", perhaps with a discriminator. */
static bool place(struct reading *r, const char *body)
{
	const char *at = skip(body), *colon = strrchr(at, ':'), *cut;
	size_t len;
	char *end;

	cut = strstr(at, " (discriminator ");
	if (cut)
		for (colon = cut; colon > at && *colon != ':'; colon--)
			;
	if (!colon || colon - at < 3 || !isdigit((unsigned char)colon[1]))
		return false;
	len = (size_t)(colon - at);
	if (at[len - 2] != '.' || !strchr("chS", at[len - 1]) ||
	    strcspn(at, " \t") < len)
		return false;
	r->number = (uint32_t)strtoul(colon + 1, &end, 10);
	if (*skip(end) && *skip(end) != '(')
		return false;
	r->file = arena_strndup(r->arena, at, len);
	r->source = NULL;
	return true;
}

/* "symbol():": from here on it is its code. */
static bool function(struct reading *r, const char *body)
{
	const char *at = skip(body);
	size_t len = strcspn(at, " \t(");

	if (!len || strncmp(at + len, "():", 3) || *skip(at + len + 3))
		return false;
	r->inlined = arena_strndup(r->arena, at, len);
	r->file = r->source = NULL;
	r->number = 0;
	return true;
}

/*
 * perf may put a number before it: a line's, from the last one that it was
 * told of, which is near what is meant and no more.
 */
static const char *numbered(const char *body, uint32_t *number)
{
	const char *at = skip(body);
	size_t digits = strspn(at, "0123456789");

	if (!digits || digits > 7 || !isspace((unsigned char)at[digits]) ||
	    !*skip(at + digits))
		return body;
	*number = (uint32_t)strtoul(at, NULL, 10);
	return at + digits;
}

static void source(struct reading *r, const char *body, uint32_t number)
{
	const char *at = skip(body);

	if (!*at || !strncmp(at, "Disassembly of section", 22))
		return;
	r->source = at;
	if (!r->file)
		r->number = number;
}

/* What is behind the numbers and the colon; NULL: it is no such line. */
static const char *gutter(const char *line, double *samples, bool *counted,
			  double *percent, bool *shared)
{
	const char *at = skip(line);

	for (unsigned i = 0; i < NUMBERS && *at != ':'; i++) {
		bool part;
		char *end;
		double n;

		if (!isdigit((unsigned char)*at) && *at != '.')
			return NULL;
		n = strtod(at, &end);
		part = memchr(at, '.', (size_t)(end - at)) || *end == '%';
		if (end == at || !isfinite(n))
			return NULL;
		end += *end == '%';
		if (*end != ':' && !isspace((unsigned char)*end))
			return NULL;
		/* of several events the first one counts */
		if (part && !*shared) {
			*percent = n;
			*shared = true;
		} else if (!part && !*counted) {
			*samples = n;
			*counted = true;
		}
		at = skip(end);
	}
	return *at == ':' ? at + 1 : NULL;
}

/* What the programs print around it. */
static bool is_decoration(const char *line)
{
	const char *at = skip(line);

	return !*at || *at == '#' || !strncmp(at, "/*", 2) || *at == '*' ||
		!strncmp(at, "---", 3) || !strncmp(at, "Percent", 7) ||
		!strncmp(at, "Samples", 7) || !strncmp(at, "Period", 6) ||
		!strncmp(at, "Sorted summary", 14) ||
		!strncmp(at, "Disassembly of section", 22) ||
		strstr(at, "Disassembly of ");
}

/* "   99.99 memcontrol.c:5571": a summary of the lines above. */
static bool is_summary(struct reading *r, const char *line)
{
	struct reading none = { .arena = r->arena };
	char *end;

	strtod(line, &end);
	return end > line && isspace((unsigned char)*end) &&
		place(&none, end);
}

static void take_line(struct reading *r, const char *line)
{
	double samples = 0, percent = 0;
	bool counted = false, shared = false;
	const char *body = gutter(line, &samples, &counted, &percent, &shared);
	uint32_t number = 0;

	if (!body && header(r, line))
		return;
	if (!body) {
		/* another function, or the end of this one */
		if (strstr(line, "Disassembly of "))
			r->listing = NULL;
		if (!is_decoration(line) && !is_summary(r, line)) {
			if (!r->annotated->odd++)
				r->annotated->first_odd = r->line;
		}
		return;
	}
	if (instruction(r, body, counted ? &samples : NULL,
			shared ? &percent : NULL))
		return;
	body = numbered(body, &number);
	if (!header(r, body) && !function(r, body) && !place(r, body))
		source(r, body, number);
}

/* Whose addresses the jumps of a listing are, if nothing else tells. */
static const char *jumped_in(const struct listing *list, struct arena *arena)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *at = strchr(list->instruction[i].text, '<');
		const char *plus = at ? strchr(at, '+') : NULL, *end;
		struct instruction_form form;
		uint64_t start, offset;

		form = instruction_form(list->instruction[i].text, arena);
		if ((form.kind != INSTRUCTION_JUMP &&
		     form.kind != INSTRUCTION_BRANCH) || !plus ||
		    strncmp(plus, "+0x", 3) || !address(plus + 3, &offset))
			continue;
		start = form.target - offset;
		if (form.target && start <= list->instruction[0].address)
			return symbol(at, &end, arena);
	}
	return NULL;
}

static void finish(struct listing *list, struct arena *arena)
{
	double total = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct instruction *one = &list->instruction[i];

		one->share = list->counted ? one->samples : one->percent;
		total += one->share;
	}
	for (size_t i = 0; i < list->n && total > 0; i++)
		list->instruction[i].share *= 100 / total;
	list->samples = list->counted ? total : 0;
	if (!list->function && list->n)
		list->function = jumped_in(list, arena);
	/* the first code is the function's own, before what is inlined */
	if (!list->function && list->n)
		list->function = list->instruction[0].inlined;
}

struct annotated *annotated_parse(const char *path, const struct strbuf *text,
				  struct arena *arena, struct err *err)
{
	struct annotated *annotated = ARENA_NEW(arena, struct annotated);
	struct reading r = { .annotated = annotated, .arena = arena };
	const char *at = text->len ? text->buf : "", *odd = NULL;
	size_t n = 0, instructions = 0;
	char shown[JSON_SHOWN];

	annotated->path = path;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		char *line;

		len = strcspn(at, "\n");
		line = arena_strndup(arena, at, len);
		while (*line && isspace((unsigned char)line[strlen(line) - 1]))
			line[strlen(line) - 1] = '\0';
		r.line++;
		take_line(&r, line);
		if (annotated->odd && !odd)
			odd = line;
	}
	for (size_t i = 0; i < annotated->n; i++) {
		struct listing *list = &annotated->listing[i];
		bool any = false;

		finish(list, arena);
		instructions += list->n;
		for (size_t k = 0; k < list->n; k++)
			any |= list->instruction[k].share > 0;
		if (any)
			annotated->listing[n++] = *list;
	}
	annotated->n = n;
	if (!n && odd)
		err_set(err, STATUS_USAGE, "%s:%u: this is no line of an "
			"annotated disassembly: '%s'", path,
			annotated->first_odd, json_shown(odd, shown));
	else if (!n)
		err_set(err, STATUS_USAGE, "%s:%u: this is the end, and there "
			"is no %s", path, r.line, instructions ?
			"sample of an instruction" : "instruction");
	return n ? annotated : NULL;
}

struct annotated *annotated_read(const char *path, struct arena *arena,
				 struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct annotated *annotated = NULL;

	if (!strbuf_read_file(&text, path, err))
		annotated = annotated_parse(path, &text, arena, err);
	strbuf_release(&text);
	return annotated;
}
