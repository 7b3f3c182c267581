// SPDX-License-Identifier: GPL-2.0-only
#include "allow.h"

#include <string.h>

#include <xxhash.h>

#include "checks/checks.h"

/* A text that is walked, comments and strings seen for what they are. */
struct walk {
	const char *text, *end;
	const char *at;
	uint32_t line;
	const char *bol; /* where this line begins */
};

static bool starts(const struct walk *w, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(w->end - w->at) >= len && !memcmp(w->at, word, len);
}

static void step(struct walk *w)
{
	if (*w->at++ == '\n') {
		w->line++;
		w->bol = w->at;
	}
}

static void skip_quoted(struct walk *w)
{
	const char quote = *w->at;

	step(w);
	while (w->at < w->end && *w->at != quote && *w->at != '\n') {
		if (*w->at == '\\' && w->at + 1 < w->end)
			step(w);
		step(w);
	}
	if (w->at < w->end)
		step(w);
}

/* At a comment: behind it, but before the newline of one that ends there. */
static void skip_comment(struct walk *w)
{
	if (starts(w, "//")) {
		while (w->at < w->end && *w->at != '\n')
			step(w);
		return;
	}
	step(w);
	step(w);
	while (w->at < w->end && !starts(w, "*/"))
		step(w);
	for (int i = 0; i < 2 && w->at < w->end; i++)
		step(w);
}

static bool at_comment(const struct walk *w)
{
	return starts(w, "/*") || starts(w, "//");
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

/* Behind a comment: the lines that it is for. */
static void find_lines(struct allow *allow, const struct walk *start,
		       const struct walk *behind)
{
	struct walk w = *behind;
	const char *s = start->bol;

	allow->from = allow->line;
	allow->to = w.line;
	while (s < start->at && is_blank(*s))
		s++;
	if (s < start->at)
		return;
	while (w.at < w.end && *w.at != '\n' && is_blank(*w.at))
		step(&w);
	if (w.at < w.end && *w.at != '\n' && !at_comment(&w))
		return;
	while (w.at < w.end) {
		if (at_comment(&w)) {
			skip_comment(&w);
		} else if (*w.at == '"' || *w.at == '\'') {
			skip_quoted(&w);
		} else if (*w.at == ';' || *w.at == '{' || *w.at == '}') {
			break;
		} else {
			step(&w);
		}
	}
	allow->to = w.line;
}

/* What a comment says, its lines put together. */
static char *comment_text(const char *from, const char *to,
			  struct arena *arena)
{
	char *out = arena_alloc(arena, (size_t)(to - from) + 1), *at = out;
	bool bol = false;

	if (to - from >= 4 && from[1] == '*')
		to -= 2;
	from += 2;
	for (; from < to; from++) {
		if (*from == '\n') {
			bol = true;
		} else if (bol && *from == '*') {
			bol = false;
			continue;
		} else if (!is_blank(*from)) {
			bol = false;
		}
		if (!is_blank(*from))
			*at++ = *from;
		else if (at > out && at[-1] != ' ')
			*at++ = ' ';
	}
	while (at > out && at[-1] == ' ')
		at--;
	*at = '\0';
	return out;
}

static const char *skip_spaces(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

/* " RULE, RULE: REASON" */
static void read_allow(struct allow *allow, const char *s,
		       struct arena *arena)
{
	for (;;) {
		size_t len;

		s = skip_spaces(s);
		len = strcspn(s, ",: ");
		if (len)
			names_add(&allow->rule, arena_strndup(arena, s, len),
				  arena);
		s = skip_spaces(s + len);
		if (*s != ',')
			break;
		s++;
	}
	if (*s != ':')
		return;
	s = skip_spaces(s + 1);
	if (*s)
		allow->reason = s;
}

void allow_scan(struct allows *allows, const char *path, const char *text,
		size_t len, struct arena *arena)
{
	const size_t mark = strlen(ALLOW_MARK);
	struct walk w = {
		.text = text, .end = text + len, .at = text, .line = 1,
		.bol = text,
	};

	/* most files have none */
	if (!memmem(text, len, ALLOW_MARK, mark))
		return;
	while (w.at < w.end) {
		struct walk start = w;
		char *said;

		if (*w.at == '"' || *w.at == '\'') {
			skip_quoted(&w);
			continue;
		}
		if (!at_comment(&w)) {
			step(&w);
			continue;
		}
		skip_comment(&w);
		said = comment_text(start.at, w.at, arena);
		said += strspn(said, " ");
		if (strncmp(said, ALLOW_MARK, mark) ||
		    (said[mark] && !strchr(" :,", said[mark])))
			continue;
		GROW_LIST(arena, allows->allow, allows->n, allows->cap);
		allows->allow[allows->n] = (struct allow){
			.file = path, .line = start.line,
			.column = (uint32_t)(start.at - start.bol) + 1,
		};
		find_lines(&allows->allow[allows->n], &start, &w);
		read_allow(&allows->allow[allows->n++], said + mark, arena);
	}
}

static struct allow *find_allow(struct allows *allows,
				const struct finding *f)
{
	for (size_t i = 0; i < allows->n; i++) {
		struct allow *a = &allows->allow[i];

		if (a->reason && f->line >= a->from && f->line <= a->to &&
		    !strcmp(a->file, f->file) && names_have(&a->rule, f->rule))
			return a;
	}
	return NULL;
}

static void complain(struct report *report, const struct allow *a,
		     const char *message, struct arena *arena)
{
	struct finding *f = &report->comment[report->ncomment];
	uint64_t id = XXH3_64bits(message, strlen(message));
	size_t nth = 0;

	/* neither lines nor names of files are part of an id */
	for (size_t i = 0; i < report->ncomment; i++)
		nth += !strcmp(report->comment[i].message, message);
	id = XXH3_64bits_withSeed(&nth, sizeof(nth), id);
	*f = (struct finding){
		.id = arena_printf(arena, "%016llx", (unsigned long long)id),
		.rule = "suppression", .function = "", .message = message,
		.file = a->file, .line = a->line, .column = a->column,
		.end_line = a->line, .end_column = a->column,
		.severity = LEVEL_LOW, .confidence = LEVEL_HIGH,
		.state = "off",
	};
	report->ncomment++;
}

/* What is wrong with it, or NULL. */
static const char *problem(const struct allow *a,
			   const struct options *options, struct arena *arena)
{
	const char *first = a->rule.n ? a->rule.name[0] : "";

	if (!a->rule.n)
		return "a comment that allows no rule";
	for (size_t i = 0; i < a->rule.n; i++)
		if (!check_find(a->rule.name[i]))
			return arena_printf(arena, "a comment that allows "
					    "'%s', which is no rule",
					    a->rule.name[i]);
	if (!a->reason)
		return arena_printf(arena, "a comment that allows '%s' and "
				    "gives no reason", first);
	if (a->used || options->own_rules)
		return NULL;
	/* of a rule that did not run nobody knows */
	for (size_t i = 0; i < a->rule.n; i++)
		if (options->rule.n ? !names_have(&options->rule,
						  a->rule.name[i])
				    : check_find(a->rule.name[i])->on_request)
			return NULL;
	return arena_printf(arena, "a comment that allows '%s', and there is "
			    "no such finding", first);
}

void allow_apply(struct allows *allows, struct report *report,
		 const struct options *options, struct arena *arena)
{
	size_t n = 0;

	if (!allows->n)
		return;
	report->suppressed = ARENA_ARRAY(arena, struct finding,
					 report->nfinding);
	report->comment = ARENA_ARRAY(arena, struct finding, allows->n);
	for (size_t i = 0; i < report->nfinding; i++) {
		struct finding *f = &report->finding[i];
		struct allow *a = find_allow(allows, f);

		if (!a) {
			report->finding[n++] = *f;
			continue;
		}
		a->used = true;
		f->allowed = a->reason;
		f->allowed_file = a->file;
		f->allowed_line = a->line;
		report->suppressed[report->nsuppressed++] = *f;
	}
	report->nfinding = n;
	/* what was not analysed may have what it is for */
	for (size_t i = 0; i < allows->n; i++) {
		const struct allow *a = &allows->allow[i];
		const char *text = problem(a, options, arena);

		if (text && !(a->reason && report->nskipped))
			complain(report, a, text, arena);
	}
}
