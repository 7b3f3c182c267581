// SPDX-License-Identifier: GPL-2.0-only
#include "callers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "ctext.h"

#define NAME_MAX_LEN 127

struct known {
	const char *name; /* or a pattern */
	size_t sure;      /* so much of it stands in the text as it is */
	struct known *next;
};

struct callers {
	struct arena *arena;
	struct strtab *strings; /* names that are known */
	const struct names *names, *records;
	struct known *known;
	/* what was known when this round began, and the one before */
	const struct known *begun, *done;

	/* the text that is looked into */
	bool found, added;
	const char *text, *object; /* its beginning; the last "struct page" */
	bool calls;       /* the body so far has a call */
	char name[NAME_MAX_LEN + 1]; /* whose body it is, if it is handed one */
};

static void add(struct callers *callers, const char *name)
{
	struct known *known = ARENA_NEW(callers->arena, struct known);

	known->name = intern(callers->strings, name);
	known->sure = strcspn(name, "*?[");
	known->next = callers->known;
	callers->known = known;
}

struct callers *callers_new(const struct names *names,
			    const struct names *records)
{
	struct callers *callers = xcalloc(1, sizeof(*callers));

	callers->arena = arena_new();
	callers->strings = strtab_new(callers->arena);
	callers->names = names;
	callers->records = records;
	for (size_t i = 0; i < names->n; i++)
		add(callers, names->name[i]);
	return callers;
}

void callers_free(struct callers *callers)
{
	if (!callers)
		return;
	arena_free(callers->arena);
	free(callers);
}

static bool copy(char text[NAME_MAX_LEN + 1], const struct cword *word)
{
	if (word->len > NAME_MAX_LEN)
		return false;
	memcpy(text, word->text, word->len);
	text[word->len] = 0;
	return true;
}

static bool is_known(const struct callers *callers, const char *name)
{
	return interned(callers->strings, name) ||
	       names_match(callers->names, name);
}

/* The body that ends here hands on what its function was given. */
static void end_function(struct callers *callers)
{
	if (callers->calls && *callers->name &&
	    !is_known(callers, callers->name)) {
		add(callers, callers->name);
		callers->added = true;
	}
	callers->calls = false;
	*callers->name = 0;
}

static bool option(void *data, const struct cword *word)
{
	(void)data;
	(void)word;
	return false;
}

static void declared(void *data, enum ctext_kind kind,
		     const struct cword *name, bool region)
{
	struct callers *callers = data;

	(void)region;
	end_function(callers);
	/* a macro's parameters have no type; a function's follow its name */
	if (kind == CTEXT_MACRO ||
	    (kind == CTEXT_FUNCTION && callers->object > name->text))
		if (!copy(callers->name, name))
			*callers->name = 0;
}

static bool behind_struct(const struct callers *callers, const char *p)
{
	static const char keyword[] = "struct";
	const size_t len = sizeof(keyword) - 1;

	while (p > callers->text && (p[-1] == ' ' || p[-1] == '\t' ||
				     p[-1] == '\n'))
		p--;
	return (size_t)(p - callers->text) >= len &&
	       !memcmp(p - len, keyword, len);
}

static void word(void *data, const struct cword *word, bool inside)
{
	struct callers *callers = data;
	char text[NAME_MAX_LEN + 1];

	if (!copy(text, word))
		return;
	if (inside) {
		if (!is_known(callers, text))
			return;
		callers->found = true;
		callers->calls = true;
		return;
	}
	if (names_have(callers->records, text) &&
	    behind_struct(callers, word->text))
		callers->object = word->text;
}

void callers_begin(struct callers *callers)
{
	callers->done = callers->begun;
	callers->begun = callers->known;
}

/* Is there anything in it that it was not asked for yet? */
static bool has_any(const struct callers *callers, const char *text,
		    size_t len)
{
	for (const struct known *k = callers->known; k && k != callers->done;
	     k = k->next)
		if (!k->sure || memmem(text, len, k->name, k->sure))
			return true;
	return false;
}

bool callers_look(struct callers *callers, const char *text, size_t len,
		  bool *more)
{
	const struct ctext_sink sink = {
		.data = callers, .is_option = option,
		.declared = declared, .word = word,
	};

	if (!has_any(callers, text, len))
		return false;
	callers->found = callers->added = callers->calls = false;
	callers->text = callers->object = text;
	*callers->name = 0;
	ctext_scan(text, len, &sink);
	end_function(callers);
	*more |= callers->added;
	return callers->found;
}
