// SPDX-License-Identifier: GPL-2.0-only
/* Whose the dear instructions are. */
#include "annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_out.h"

/* An instruction is dear that has so much of its function, in per cent. */
#define DEAR 10
/* At most so many of one function, and findings of one instruction. */
#define DEAR_MOST 5
#define FINDINGS  8
/* The one rule about what is done before a call. */
#define BARRIER_RULE "charge-after-flag"

/* How a finding was come by, the nearest first. */
enum nearness { ON_LINE, ON_FUNCTION, ON_INLINED, ON_CALLER };

struct hit {
	const struct finding *finding;
	const char *through; /* what is inlined, and the finding is on */
	enum nearness nearness;
};

struct conclusion {
	const struct listing *listing;
	struct dear dear;
	const char *in;       /* whose code the dear one is */
	const char *file;     /* where it stands in the tree; NULL: unknown */
	uint32_t line;
	const char *state;    /* of that line when off; or NULL */
	struct hit hit[FINDINGS];
	size_t nhit, more;
};

static bool same_name(const char *name, const char *other)
{
	/* of a static it may be "name@file" */
	size_t n = strcspn(name, "@");

	return n == strcspn(other, "@") && !strncmp(name, other, n);
}

static bool is_on(const struct finding *finding, const char *function)
{
	if (!function)
		return false;
	if (same_name(finding->function, function))
		return true;
	for (size_t i = 0; i < finding->ncovers; i++)
		if (same_name(finding->covers[i], function))
			return true;
	return false;
}

static bool is_at(const struct finding *finding, const char *file,
		  uint32_t line)
{
	if (!file || !line)
		return false;
	if (!strcmp(finding->file, file) && finding->line == line)
		return true;
	for (size_t i = 0; i < finding->nwhy; i++)
		if (finding->why[i].line == line &&
		    !strcmp(finding->why[i].file, file))
			return true;
	return false;
}

/* Is it a barrier before a call of @function, which then waits for it? */
static bool is_before(const struct finding *finding, const char *function,
		      struct arena *arena)
{
	const char *quoted = arena_printf(arena, "'%s'", function);

	if (strcmp(finding->rule, BARRIER_RULE) || is_on(finding, function))
		return false;
	if (strstr(finding->message, quoted))
		return true;
	for (size_t i = 0; i < finding->nwhy; i++)
		if (strstr(finding->why[i].text, quoted))
			return true;
	return false;
}

static void add(struct conclusion *c, enum nearness nearness,
		const struct finding *finding, const char *through)
{
	if (c->nhit < FINDINGS)
		c->hit[c->nhit++] = (struct hit){ finding, through, nearness };
	else
		c->more++;
}

/* Findings that are as near as @near says, and no nearer. */
static void find_near(struct conclusion *c, enum nearness near,
		      const struct annotate_in *in)
{
	const struct report *report = in->report;
	const char *function = c->listing->function;

	for (size_t i = 0; i < report->nfinding; i++) {
		const struct finding *f = &report->finding[i];

		if ((near == ON_LINE && is_at(f, c->file, c->line)) ||
		    (near == ON_FUNCTION &&
		     (is_on(f, c->in) || is_on(f, function))) ||
		    (near == ON_CALLER && function &&
		     is_before(f, function, in->arena)))
			add(c, near, f, NULL);
	}
}

static void find_inlined(struct conclusion *c, const struct annotate_in *in)
{
	struct called *called;
	size_t n = model_called(in->model, c->in, &called);

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; called[k].inlined &&
		     i < in->report->nfinding; i++)
			if (is_on(&in->report->finding[i], called[k].name))
				add(c, ON_INLINED, &in->report->finding[i],
				    called[k].name);
}

static void find_hits(struct conclusion *c, const struct annotate_in *in)
{
	find_near(c, ON_LINE, in);
	if (c->nhit)
		return;
	find_near(c, ON_FUNCTION, in);
	if (!c->nhit)
		find_inlined(c, in);
	/* what the caller did is told beside it */
	if (c->dear.entered)
		find_near(c, ON_CALLER, in);
}

static bool same_text(const char *a, size_t len, const char *b)
{
	while (len && strchr(" \t\r", a[len - 1]))
		len--;
	while (len && strchr(" \t", *a)) {
		a++;
		len--;
	}
	return len && strlen(b) == len && !strncmp(a, b, len);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
	return a < b ? b - a : a - b;
}

/*
 * The only line of the function that has the text, or the one that is nearest
 * to where it should be; 0: there is none such.
 */
static uint32_t line_of(const struct explanation *e, const char *text,
			uint32_t near, const struct annotate_in *in)
{
	uint32_t line = 1, found = 0;
	size_t len = 0;
	const char *at = in->source(in->data, e->file, &len), *end = at + len;

	while (at && at < end && line <= e->end_line) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((eol ? eol : end) - at);

		if (line >= e->line && same_text(at, n, text)) {
			if (found && !near)
				return 0;
			if (!found || distance(line, near) <
			    distance(found, near))
				found = line;
		}
		at += n + 1;
		line++;
	}
	return found;
}

static bool ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), k = strlen(end);

	return n >= k && !strcmp(path + n - k, end) &&
		(n == k || path[n - k - 1] == '/');
}

static const char *state_of(const struct explanation *e, uint32_t line)
{
	static const char *const text[] = {
		[LINE_LIVE] = "runs when off",
		[LINE_DEAD] = "does not run when off: the feature was on",
		[LINE_KNOWN] = "is known when off",
		[LINE_LEFT] = "is left when off",
		[LINE_STUB] = "is left when off, and the stub does it too",
	};
	const char *state = NULL;

	for (size_t i = 0; i < e->nlines; i++) {
		const struct explained_line *l = &e->lines[i];

		if (l->line != line || (l->file && strcmp(l->file, e->file)))
			continue;
		if (!state || l->state != LINE_DEAD)
			state = text[l->state];
		if (l->state == LINE_LEFT)
			break;
	}
	return state;
}

static void find_place(struct conclusion *c, const struct annotate_in *in)
{
	const struct instruction *dear = c->dear.dear;
	struct explanation *e;
	struct err err = { 0 };

	e = c->in ? model_explain(in->model, c->in, &err) : NULL;
	err_clear(&err);
	if (!e)
		return;
	c->file = e->file;
	if (dear->file && dear->line) {
		/* what is inlined may be elsewhere */
		if (ends_in(dear->file, e->file) || ends_in(e->file,
							    dear->file))
			c->line = dear->line;
		else
			c->file = NULL;
	} else if (dear->source) {
		c->line = line_of(e, dear->source, dear->line, in);
	}
	if (!c->line)
		c->file = NULL;
	else
		c->state = state_of(e, c->line);
}

static struct conclusion conclude(const struct listing *listing,
				  size_t sampled,
				  const struct annotate_in *in)
{
	struct conclusion c = {
		.listing = listing,
		.dear = dear_of(listing, sampled, in->arena),
	};
	const char *inlined = c.dear.dear->inlined;

	c.in = inlined ? inlined : listing->function;
	if (c.in) {
		find_place(&c, in);
		find_hits(&c, in);
	}
	return c;
}

/* The instructions that have most, one at least. */
static size_t dearest(const struct listing *list, size_t index[DEAR_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		double share = list->instruction[i].share;
		size_t at = n;

		while (at && list->instruction[index[at - 1]].share < share)
			at--;
		if (at == DEAR_MOST || !(share > 0))
			continue;
		if (n < DEAR_MOST)
			n++;
		for (size_t k = n - 1; k > at; k--)
			index[k] = index[k - 1];
		index[at] = i;
	}
	while (n > 1 && list->instruction[index[n - 1]].share < DEAR)
		n--;
	return n;
}

static const char *nearness_text(enum nearness nearness)
{
	switch (nearness) {
	case ON_LINE:
		return "on this line";
	case ON_FUNCTION:
		return "on this function";
	case ON_INLINED:
		return "on what is inlined here";
	case ON_CALLER:
		return "before the call: a barrier there is paid for here";
	}
	return "";
}

static void put_hit(struct out *out, const struct hit *hit)
{
	const struct finding *f = hit->finding;

	out_printf(out, TINT_PLAIN, "  finding  %s, %s", f->id,
		   nearness_text(hit->nearness));
	if (hit->through)
		out_printf(out, TINT_PLAIN, ", '%s'", hit->through);
	out_printf(out, TINT_PLAIN, "\n           %s:%u: %s", f->file, f->line,
		   f->message);
	out_printf(out, TINT_MAGENTA, " [%s]\n", f->rule);
}

static void put_instruction(struct out *out, const char *what,
			    const struct instruction *one)
{
	out_printf(out, TINT_PLAIN, "  %-8s %llx: %s\n", what,
		   (unsigned long long)one->address, one->text);
}

static void put_text(struct out *out, const struct conclusion *c)
{
	const struct instruction *sampled = c->dear.sampled;

	out_printf(out, TINT_BOLD, "'%s': %.2f %%",
		   c->listing->function ? c->listing->function : "?",
		   sampled->share);
	if (c->listing->counted)
		out_printf(out, TINT_BOLD, ", %.0f of %.0f samples",
			   sampled->samples, c->listing->samples);
	if (sampled->share < DEAR)
		out_text(out, TINT_BOLD, "; no instruction stands out");
	out_text(out, TINT_PLAIN, "\n");
	put_instruction(out, "sampled", sampled);
	put_instruction(out, "dear", c->dear.dear);
	out_printf(out, TINT_PLAIN, "  why      %s\n", c->dear.why);
	if (c->in && c->listing->function && !same_name(c->in,
							c->listing->function))
		out_printf(out, TINT_PLAIN, "  inlined  from '%s'\n", c->in);
	if (c->file)
		out_printf(out, TINT_PLAIN, "  place    %s:%u%s%s%s%s\n",
			   c->file, c->line, c->state ? ", which " : "",
			   c->state ? c->state : "",
			   c->dear.dear->source ? ": " : "",
			   c->dear.dear->source ? c->dear.dear->source : "");
	else if (c->dear.dear->source || c->dear.dear->file)
		out_printf(out, TINT_PLAIN, "  place    not known in the tree: %s\n",
			   c->dear.dear->source ? c->dear.dear->source :
			   c->dear.dear->file);
	for (size_t i = 0; i < c->nhit; i++)
		put_hit(out, &c->hit[i]);
	if (c->more)
		out_printf(out, TINT_PLAIN, "           and %zu more\n",
			   c->more);
	if (!c->in)
		out_text(out, TINT_PLAIN, "  finding  not known: the file does "
			 "not say whose code it is\n");
	else if (!c->nhit)
		out_text(out, TINT_PLAIN, "  finding  none\n");
}

static void write_instruction(struct json_out *json, const char *key,
			      const struct instruction *one,
			      struct arena *arena)
{
	json_out_open(json, key, '{');
	json_out_string(json, "address", arena_printf(arena, "%llx",
			(unsigned long long)one->address));
	json_out_string(json, "text", one->text);
	json_out_string(json, "source", one->source);
	json_out_close(json);
}

static void write_json(struct json_out *json, const struct conclusion *c,
		       struct arena *arena)
{
	json_out_open(json, NULL, '{');
	json_out_string(json, "function", c->listing->function);
	json_out_string(json, "inlined", c->dear.dear->inlined);
	json_out_number(json, "share", c->dear.sampled->share);
	if (c->listing->counted)
		json_out_number(json, "samples", c->dear.sampled->samples);
	write_instruction(json, "sampled", c->dear.sampled, arena);
	write_instruction(json, "dear", c->dear.dear, arena);
	json_out_string(json, "why", c->dear.why);
	json_out_string(json, "file", c->file);
	if (c->file)
		json_out_number(json, "line", c->line);
	json_out_string(json, "state", c->state);
	json_out_open(json, "findings", '[');
	for (size_t i = 0; i < c->nhit; i++) {
		const struct finding *f = c->hit[i].finding;

		json_out_open(json, NULL, '{');
		json_out_string(json, "id", f->id);
		json_out_string(json, "rule", f->rule);
		json_out_string(json, "function", f->function);
		json_out_string(json, "nearness",
				nearness_text(c->hit[i].nearness));
		json_out_close(json);
	}
	json_out_close(json);
	json_out_number(json, "more", (double)c->more);
	json_out_close(json);
}

int annotate_tell(const struct annotated *annotated,
		  const struct annotate_in *in, struct out *out, bool json,
		  struct err *err)
{
	struct json_out writer;
	bool any = false;

	if (json) {
		json_out_begin(&writer, out->stream);
		json_out_open(&writer, NULL, '{');
		json_out_string(&writer, "schema", "nocharge-annotation-1");
		json_out_open(&writer, "dear", '[');
	}
	for (size_t i = 0; i < annotated->n; i++) {
		struct listing list = annotated->listing[i];
		size_t index[DEAR_MOST], n = dearest(&list, index);

		/* whose name is not told may be the one that is asked for */
		if (in->function && !list.function)
			list.function = in->function;
		if (in->function && !same_name(list.function, in->function))
			continue;
		for (size_t k = 0; k < n; k++) {
			struct conclusion c = conclude(&list, index[k], in);

			if (json)
				write_json(&writer, &c, in->arena);
			else
				put_text(out, &c);
		}
		any = true;
	}
	if (json) {
		json_out_close(&writer);
		json_out_number(&writer, "lines_not_understood",
				(double)annotated->odd);
		json_out_close(&writer);
		json_out_end(&writer);
	}
	if (any)
		return 0;
	return err_set(err, STATUS_USAGE, "%s: it has no sample of '%s'",
		       annotated->path, in->function);
}
