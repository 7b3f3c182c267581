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
	struct strtab *asked; /* names whose results are charged, it may be */
	size_t nasked;

	/* the text that is looked into */
	bool found, added;
	const char *text, *end;
	const char *object; /* the last "struct page" */
	bool calls;       /* the body so far has a call */
	char name[NAME_MAX_LEN + 1]; /* whose body it is, if it is handed one */
	struct cword *result; /* in the body: what is called for its result */
	size_t nresult, result_cap;
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
	callers->asked = strtab_new(callers->arena);
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
	free(callers->result);
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

static void ask(struct callers *callers, const struct cword *word)
{
	char text[NAME_MAX_LEN + 1];

	if (!copy(text, word) || interned(callers->asked, text))
		return;
	intern(callers->asked, text);
	callers->nasked++;
}

/* The body that ends here hands on what its function was given. */
static void end_function(struct callers *callers)
{
	for (size_t i = 0; callers->calls && i < callers->nresult; i++)
		ask(callers, &callers->result[i]);
	callers->nresult = 0;
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

static const char *skip_blank_back(const char *p, const char *begin)
{
	while (p > begin && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\n'))
		p--;
	return p;
}

/* "... = NAME(" or "return NAME(" */
static bool is_result(const struct callers *callers, const struct cword *word)
{
	static const char keyword[] = "return";
	const size_t len = sizeof(keyword) - 1;
	const char *p = skip_blank_back(word->text, callers->text);

	if (word->text + word->len == callers->end ||
	    word->text[word->len] != '(' || p == callers->text)
		return false;
	return p[-1] == '=' || ((size_t)(p - callers->text) > len &&
				!memcmp(p - len, keyword, len));
}

static bool behind_struct(const struct callers *callers, const char *p)
{
	static const char keyword[] = "struct";
	const size_t len = sizeof(keyword) - 1;

	p = skip_blank_back(p, callers->text);
	return (size_t)(p - callers->text) >= len &&
	       !memcmp(p - len, keyword, len);
}

static void note_result(struct callers *callers, const struct cword *word)
{
	if (callers->nresult == callers->result_cap) {
		callers->result_cap = callers->result_cap ?
				      callers->result_cap * 2 : 64;
		callers->result = xrealloc(callers->result,
					   callers->result_cap *
					   sizeof(*callers->result));
	}
	callers->result[callers->nresult++] = *word;
}

static void word(void *data, const struct cword *word, bool inside)
{
	struct callers *callers = data;
	char text[NAME_MAX_LEN + 1];

	if (!copy(text, word))
		return;
	if (inside) {
		if (is_result(callers, word))
			note_result(callers, word);
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
	callers->end = text + len;
	*callers->name = 0;
	ctext_scan(text, len, &sink);
	end_function(callers);
	*more |= callers->added;
	return callers->found;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* The next word from @p on, before @end; false if there is none. */
static bool next_word(const char *p, const char *end, struct cword *word)
{
	while (p < end && !is_word(*p))
		p++;
	word->text = p;
	while (p < end && is_word(*p))
		p++;
	word->len = (uint32_t)(p - word->text);
	return word->len != 0;
}

/* Are there only "static inline" and the like before @p in its line? */
static bool begins_line(const struct callers *callers, const char *p)
{
	while (p > callers->text && (is_word(p[-1]) || p[-1] == ' '))
		p--;
	return p == callers->text || p[-1] == '\n';
}

/* The body of the function that @name declares, up to *@end; or NULL. */
static const char *body_behind(const struct callers *callers,
			       const struct cword *name, const char **end)
{
	const char *p = name->text + name->len;

	if (p == callers->end || *p != '(')
		return NULL;
	while (p < callers->end && *p != '{' && *p != ';')
		p++;
	if (p == callers->end || *p == ';')
		return NULL;
	*end = memmem(p, (size_t)(callers->end - p), "\n}", 2);
	if (!*end)
		*end = callers->end;
	return p;
}

static bool is_asked(const struct callers *callers, const struct cword *word)
{
	char text[NAME_MAX_LEN + 1];

	return copy(text, word) && interned(callers->asked, text);
}

/* Behind "struct page" at @p: is a function that was asked for defined? */
static bool look_behind(struct callers *callers, const char *p)
{
	struct cword name, word;
	const char *end, *body;

	if (!next_word(p, callers->end, &name) ||
	    !memchr(p, '*', (size_t)(name.text - p)) ||
	    !is_asked(callers, &name))
		return false;
	body = body_behind(callers, &name, &end);
	if (!body)
		return false;
	/* and those whose results it gives back in turn */
	for (p = body; next_word(p, end, &word); p = word.text + word.len)
		if (is_result(callers, &word))
			ask(callers, &word);
	return true;
}

bool callers_give(struct callers *callers, const char *text, size_t len,
		  bool *more)
{
	static const char keyword[] = "struct";
	const size_t key = sizeof(keyword) - 1;
	const char *p = text, *at;
	size_t before = callers->nasked;
	bool found = false;
	struct cword word;

	callers->text = text;
	callers->end = text + len;
	while ((at = memmem(p, (size_t)(callers->end - p), keyword, key))) {
		char record[NAME_MAX_LEN + 1];

		p = at + key;
		if (next_word(p, callers->end, &word) && copy(record, &word) &&
		    names_have(callers->records, record) &&
		    begins_line(callers, at))
			found |= look_behind(callers, word.text + word.len);
	}
	*more |= callers->nasked != before;
	return found;
}
