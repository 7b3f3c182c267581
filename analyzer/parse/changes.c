// SPDX-License-Identifier: GPL-2.0-only
#include "changes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "../base/err.h"

/* Words of one item that may be its name. */
#define NAMES_MAX 12

struct token {
	enum { T_END, T_DIRECTIVE, T_WORD, T_OTHER } kind;
	const char *text;
	size_t len;
};

/* A piece at the outermost level of a header. */
enum item_kind {
	ITEM_FUNCTION, ITEM_DECLARATION, ITEM_INCLUDE,
	ITEM_OTHER, /* must be the same in both, and in the same order */
};

struct item {
	enum item_kind kind;
	uint64_t hash, sign; /* of all of it; of how it is declared */
	size_t after;        /* how many others */
	struct token name[NAMES_MAX];
	unsigned nname;
};

struct items {
	struct item *item;
	size_t n, cap;
	size_t others;
	bool whole; /* nothing was left open */
};

static const char *skip_blank(const char *p, const char *end, bool *start)
{
	const char *close;

	while (p < end) {
		if (*p == '\n')
			*start = true;
		if (isspace((unsigned char)*p)) {
			p++;
		} else if (p + 1 < end && p[0] == '/' && p[1] == '*') {
			close = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
			p = close ? close + 2 : end;
		} else if (p + 1 < end && p[0] == '/' && p[1] == '/') {
			while (p < end && *p != '\n')
				p++;
		} else if (p + 1 < end && p[0] == '\\' && p[1] == '\n') {
			p += 2;
		} else {
			break;
		}
	}
	return p;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct token next_token(const char **at, const char *end, bool *start)
{
	struct token t;
	const char *p = skip_blank(*at, end, start);

	t.text = p;
	t.kind = p == end ? T_END : T_OTHER;
	if (p == end) {
		t.len = 0;
		*at = p;
		return t;
	}
	if (*p == '#' && *start) {
		t.kind = T_DIRECTIVE;
		while (p < end && (*p != '\n' || p[-1] == '\\'))
			p++;
	} else if (is_word(*p)) {
		t.kind = T_WORD;
		while (p < end && is_word(*p))
			p++;
	} else if (*p == '"' || *p == '\'') {
		char quote = *p++;

		while (p < end && *p != quote && *p != '\n')
			p += *p == '\\' && p + 1 < end ? 2 : 1;
		p += p < end;
	} else {
		p++;
	}
	*start = false;
	t.len = (size_t)(p - t.text);
	*at = p;
	return t;
}

static bool token_is(const struct token *t, const char *text)
{
	return t->len == strlen(text) && !memcmp(t->text, text, t->len);
}

/* Words that say how a function is made and not what it is. */
static bool is_manner(const struct token *t)
{
	return token_is(t, "extern") || token_is(t, "static") ||
	       token_is(t, "inline") || token_is(t, "__inline") ||
	       token_is(t, "__always_inline");
}

static uint64_t mix(uint64_t hash, const struct token *t)
{
	return XXH3_64bits_withSeed(t->text, t->len, hash + 1);
}

struct splitting {
	struct items *items;
	struct item item;
	struct token last, before;
	struct token word[NAMES_MAX]; /* outside of braces */
	unsigned nword;
	size_t tokens, words;
	int paren, brace;
	bool closed;  /* a list of parameters */
	bool odd;     /* a "=", a typedef, a directive within */
	bool body;    /* in that of a function */
};

static void end_item(struct splitting *s, enum item_kind kind)
{
	struct items *items = s->items;

	s->item.kind = kind;
	s->item.after = items->others;
	items->others += kind == ITEM_OTHER;
	if (kind == ITEM_DECLARATION) {
		memcpy(s->item.name, s->word, sizeof(s->word));
		s->item.nname = s->nword;
		s->item.sign = s->item.hash;
	}
	if (items->n == items->cap) {
		items->cap = items->cap ? items->cap * 2 : 256;
		items->item = xrealloc(items->item,
				       items->cap * sizeof(*items->item));
	}
	items->item[items->n++] = s->item;
	*s = (struct splitting){ .items = items };
}

/* Words that are in nearly every file and name nothing. */
static bool is_common(const struct token *t)
{
	static const char *const word[] = {
		"void", "int", "bool", "long", "unsigned", "char", "size_t",
		"struct", "const", "union", "enum",
	};

	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
		if (token_is(t, word[i]))
			return true;
	return is_manner(t);
}

static void may_be_name(struct splitting *s, const struct token *t)
{
	if (is_common(t))
		return;
	if (s->item.nname < NAMES_MAX)
		s->item.name[s->item.nname++] = *t;
	else
		s->odd = true;
}

static void open_paren(struct splitting *s)
{
	if (!s->paren++ && !s->brace && s->last.kind == T_WORD) {
		may_be_name(s, &s->last);
		/* an attribute's "(", and the name in front of that? */
		if (s->before.kind == T_WORD && s->last.text[0] == '_')
			may_be_name(s, &s->before);
	} else if (s->paren == 1 && !s->brace) {
		s->odd = true; /* a pointer to a function */
	}
}

static void punctuation(struct splitting *s, const struct token *t)
{
	bool named = s->item.nname && s->closed && !s->odd;

	switch (*t->text) {
	case '(':
		open_paren(s);
		break;
	case ')':
		s->paren--;
		s->closed |= !s->paren && !s->brace;
		break;
	case '=':
		s->odd |= !s->brace && !s->paren;
		break;
	case '{':
		if (!s->brace++ && !s->paren && named)
			s->body = true;
		else if (!s->body)
			s->odd = true; /* a record, a list of values */
		break;
	case '}':
		if (!--s->brace && s->body)
			end_item(s, ITEM_FUNCTION);
		break;
	case ';':
		if (s->brace || s->paren)
			break;
		end_item(s, named && s->words >= 2 ? ITEM_FUNCTION :
			 s->odd || s->nword == NAMES_MAX ? ITEM_OTHER :
			 ITEM_DECLARATION);
		break;
	default:
		break;
	}
}

static bool is_include(const struct token *t)
{
	const char *p = t->text + 1, *end = t->text + t->len;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return end - p > 8 && !memcmp(p, "include", 7) && !is_word(p[7]);
}

static void take(struct splitting *s, const struct token *t)
{
	if (t->kind == T_DIRECTIVE && !s->tokens) {
		s->item.hash = mix(0, t);
		end_item(s, is_include(t) ? ITEM_INCLUDE : ITEM_OTHER);
		return;
	}
	s->odd |= t->kind == T_DIRECTIVE && !s->body;
	s->odd |= !s->tokens && token_is(t, "typedef");
	s->tokens++;
	s->item.hash = mix(s->item.hash, t);
	if (!s->brace && !is_manner(t) && *t->text != '{' && *t->text != ';')
		s->item.sign = mix(s->item.sign, t);
	if (t->kind == T_WORD) {
		s->words += !s->paren && !s->item.nname;
		if (!s->brace && !is_common(t) && s->nword < NAMES_MAX)
			s->word[s->nword++] = *t;
	} else if (t->kind == T_OTHER && t->len == 1) {
		struct items *items = s->items;
		size_t n = items->n;

		punctuation(s, t);
		if (items->n != n)
			return;
	}
	s->before = s->last;
	s->last = *t;
}

static void split(const char *text, size_t len, struct items *items)
{
	struct splitting s = { .items = items };
	const char *at = text, *end = text + len;
	bool start = true;
	struct token t;

	*items = (struct items){ 0 };
	s.items = items;
	while ((t = next_token(&at, end, &start)).kind != T_END) {
		take(&s, &t);
		if (s.paren < 0 || s.brace < 0)
			return;
	}
	items->whole = !s.tokens;
}

/* Are all items of one kind the same, in the same order? */
static bool same_items(const struct items *a, const struct items *b,
		       enum item_kind kind)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a->n && a->item[i].kind != kind)
			i++;
		while (k < b->n && b->item[k].kind != kind)
			k++;
		if (i == a->n || k == b->n)
			return i == a->n && k == b->n;
		if (a->item[i++].hash != b->item[k++].hash)
			return false;
	}
}

static void add_name(struct changes *changes, const struct token *name)
{
	if (changes->n == changes->cap) {
		size_t cap = changes->cap ? changes->cap * 2 : 16;
		const char **more = ARENA_ARRAY(changes->arena, const char *,
						cap);

		if (changes->n)
			memcpy(more, changes->name,
			       changes->n * sizeof(*more));
		changes->name = more;
		changes->cap = cap;
	}
	changes->name[changes->n++] = arena_strndup(changes->arena,
						    name->text, name->len);
}

/* What @a declares and @b does not, so and in the same place. */
static void only_in(struct changes *changes, const struct items *a,
		    const struct items *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct item *item = &a->item[i];
		size_t k = 0;

		if (item->kind > ITEM_DECLARATION)
			continue;
		while (k < b->n && (b->item[k].kind != item->kind ||
				    b->item[k].sign != item->sign ||
				    b->item[k].after != item->after))
			k++;
		for (unsigned n = 0; k == b->n && n < item->nname; n++)
			add_name(changes, &item->name[n]);
	}
}

bool header_changes(struct changes *changes, const char *a, size_t alen,
		    const char *b, size_t blen)
{
	struct items x, y;
	bool same;

	split(a, alen, &x);
	split(b, blen, &y);
	same = x.whole && y.whole && same_items(&x, &y, ITEM_OTHER);
	if (same) {
		changes->includes |= !same_items(&x, &y, ITEM_INCLUDE);
		only_in(changes, &x, &y);
		only_in(changes, &y, &x);
	}
	free(x.item);
	free(y.item);
	return same;
}

bool changes_named(const struct changes *changes, const char *text,
		   size_t len)
{
	const char *end = text + len;

	for (size_t i = 0; i < changes->n; i++) {
		size_t n = strlen(changes->name[i]);
		const char *at = text;

		while ((at = memmem(at, (size_t)(end - at), changes->name[i],
				    n))) {
			if ((at == text || !is_word(at[-1])) &&
			    (at + n == end || !is_word(at[n])))
				return true;
			at += n;
		}
	}
	return false;
}
