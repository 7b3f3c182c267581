// SPDX-License-Identifier: GPL-2.0-only
#include "ctext.h"

#include <string.h>

#define NEST 64 /* #if inside #if; deeper ones count as their parent */

enum token { T_END, T_WORD, T_PUNCT, T_HASH, T_EOL };

enum body { BODY_NONE, BODY_FUNCTION, BODY_RECORD, BODY_ENUM, BODY_OTHER };

struct ctext {
	const struct ctext_sink *sink;
	const char *p, *end;
	bool line_start, directive;
	struct cword word;
	char punct;

	struct {
		bool region;
		unsigned braces, parens;
	} cond[NEST];
	unsigned ncond, lost; /* lost: open #ifs beyond NEST */
	bool region;

	unsigned braces, parens;
	enum body body;        /* what the outermost brace began */
	bool body_region;      /* it began in a region */
	/* the statement at the outermost level */
	struct cword first, name, last, tag;
	struct cword argument;
	unsigned narguments; /* words in parentheses */
	bool has_first, has_name, has_last, has_tag, assigned, is_typedef;
	bool after_word, after_paren; /* what the token before was */
	bool wants_tag, is_enum;
	/* the last word in a record or enumeration */
	struct cword member;
	bool has_member, member_called;
	char punct_before; /* the one before punct */
};

/* FNV-1a: short names, and the loop that finds the end is the same one. */
#define HASH_START 2166136261u
#define HASH_STEP(h, c) (((h) ^ (unsigned char)(c)) * 16777619u)

uint32_t cword_hash(const char *text, size_t len)
{
	uint32_t hash = HASH_START;

	for (size_t i = 0; i < len; i++)
		hash = HASH_STEP(hash, text[i]);
	return hash;
}

enum class { C_OTHER, C_WORD = 1, C_DIGIT = 2, C_SPACE = 4 };

static const unsigned char classes[256] = {
	['a' ... 'z'] = C_WORD, ['A' ... 'Z'] = C_WORD, ['_'] = C_WORD,
	['0' ... '9'] = C_DIGIT,
	[' '] = C_SPACE, ['\t'] = C_SPACE, ['\r'] = C_SPACE, ['\f'] = C_SPACE,
	['\v'] = C_SPACE,
};

static void skip_quoted(struct ctext *ct, char quote)
{
	while (ct->p < ct->end && *ct->p != quote && *ct->p != '\n') {
		if (*ct->p == '\\' && ct->p + 1 < ct->end)
			ct->p++;
		ct->p++;
	}
	/* a newline ends what was never closed */
	if (ct->p < ct->end && *ct->p == quote)
		ct->p++;
}

/* A comment at p? Skip it. */
static bool skip_comment(struct ctext *ct)
{
	const char *end;

	if (ct->p + 1 >= ct->end)
		return false;
	if (ct->p[1] == '/') {
		end = memchr(ct->p, '\n', (size_t)(ct->end - ct->p));
		ct->p = end ? end : ct->end;
		return true;
	}
	if (ct->p[1] != '*')
		return false;
	ct->p += 2;
	for (;;) {
		end = memchr(ct->p, '*', (size_t)(ct->end - ct->p));
		if (!end) {
			ct->p = ct->end;
			return true;
		}
		ct->p = end + 1;
		if (ct->p < ct->end && *ct->p == '/') {
			ct->p++;
			return true;
		}
	}
}

static enum token next(struct ctext *ct)
{
	while (ct->p < ct->end) {
		unsigned char c = (unsigned char)*ct->p;

		if (classes[c] == C_WORD) {
			const char *start = ct->p;
			uint32_t hash = HASH_START;

			do {
				hash = HASH_STEP(hash, *ct->p);
				ct->p++;
			} while (ct->p < ct->end &&
				 classes[(unsigned char)*ct->p] &
					 (C_WORD | C_DIGIT));
			ct->word.text = start;
			ct->word.len = (uint32_t)(ct->p - start);
			ct->word.hash = hash;
			ct->line_start = false;
			return T_WORD;
		}
		if (classes[c] == C_SPACE) {
			ct->p++;
			continue;
		}
		if (c == '\n') {
			ct->p++;
			ct->line_start = true;
			if (ct->directive) {
				ct->directive = false;
				return T_EOL;
			}
			continue;
		}
		if (c == '/' && skip_comment(ct))
			continue;
		if (c == '\\' && ct->p + 1 < ct->end) {
			/* a continued line stays one */
			ct->p++;
			if (*ct->p == '\r' && ct->p + 1 < ct->end)
				ct->p++;
			if (*ct->p == '\n')
				ct->p++;
			continue;
		}
		ct->p++;
		if (c == '#' && ct->line_start && !ct->directive) {
			ct->directive = true;
			return T_HASH;
		}
		ct->line_start = false;
		if (c == '"' || c == '\'') {
			skip_quoted(ct, (char)c);
			continue;
		}
		if (classes[c] == C_DIGIT) {
			while (ct->p < ct->end &&
			       classes[(unsigned char)*ct->p] &
				       (C_WORD | C_DIGIT))
				ct->p++;
			continue;
		}
		ct->punct_before = ct->punct;
		ct->punct = (char)c;
		return T_PUNCT;
	}
	if (ct->directive) {
		ct->directive = false;
		return T_EOL;
	}
	return T_END;
}

static bool is(const struct cword *word, const char *text)
{
	return word->len == strlen(text) &&
		!memcmp(word->text, text, word->len);
}

static void tell_word(struct ctext *ct, bool inside)
{
	if (ct->sink->word)
		ct->sink->word(ct->sink->data, &ct->word, inside);
}

static void tell(struct ctext *ct, enum ctext_kind kind,
		 const struct cword *name, bool region)
{
	ct->sink->declared(ct->sink->data, kind, name, region);
}

/* To the end of the directive; true if one of its words is an option. */
static bool condition(struct ctext *ct)
{
	bool found = false;
	enum token token;

	while ((token = next(ct)) != T_EOL && token != T_END) {
		if (token != T_WORD)
			continue;
		if (ct->sink->is_option(ct->sink->data, &ct->word))
			found = true;
		tell_word(ct, false);
	}
	return found;
}

static void skip_directive(struct ctext *ct)
{
	enum token token;

	do {
		token = next(ct);
	} while (token != T_EOL && token != T_END);
}

static void set_region(struct ctext *ct)
{
	ct->region = false;
	for (unsigned i = 0; i < ct->ncond && !ct->region; i++)
		ct->region = ct->cond[i].region;
}

static void open_if(struct ctext *ct)
{
	bool region = condition(ct);

	if (ct->ncond == NEST) {
		ct->lost++;
		return;
	}
	ct->cond[ct->ncond].region = region;
	ct->cond[ct->ncond].braces = ct->braces;
	ct->cond[ct->ncond].parens = ct->parens;
	ct->ncond++;
	ct->region |= region;
}

static void open_else(struct ctext *ct, bool with_condition)
{
	bool region = false;

	if (with_condition)
		region = condition(ct);
	else
		skip_directive(ct);
	if (ct->lost || !ct->ncond)
		return;
	ct->cond[ct->ncond - 1].region |= region;
	/* both branches may open the same brace */
	ct->braces = ct->cond[ct->ncond - 1].braces;
	ct->parens = ct->cond[ct->ncond - 1].parens;
	set_region(ct);
}

static void close_if(struct ctext *ct)
{
	skip_directive(ct);
	if (ct->lost) {
		ct->lost--;
	} else if (ct->ncond) {
		ct->ncond--;
		set_region(ct);
	}
}

static void macro(struct ctext *ct)
{
	enum token token = next(ct);

	if (token != T_WORD) {
		if (token != T_EOL && token != T_END)
			skip_directive(ct);
		return;
	}
	tell(ct, CTEXT_MACRO, &ct->word, ct->region);
	while ((token = next(ct)) != T_EOL && token != T_END)
		if (token == T_WORD)
			tell_word(ct, true);
}

static void include(struct ctext *ct)
{
	const char *start, *end;

	while (ct->p < ct->end && classes[(unsigned char)*ct->p] == C_SPACE)
		ct->p++;
	if (ct->sink->include && ct->p < ct->end && *ct->p == '"') {
		start = ct->p + 1;
		for (end = start; end < ct->end && *end != '"' && *end != '\n';
		     end++)
			;
		ct->sink->include(ct->sink->data, start,
				  (size_t)(end - start));
	}
	skip_directive(ct);
}

static void directive(struct ctext *ct)
{
	enum token token = next(ct);

	if (token == T_EOL || token == T_END)
		return;
	if (token != T_WORD)
		skip_directive(ct);
	else if (is(&ct->word, "if") || is(&ct->word, "ifdef") ||
		 is(&ct->word, "ifndef"))
		open_if(ct);
	else if (is(&ct->word, "elif"))
		open_else(ct, true);
	else if (is(&ct->word, "else"))
		open_else(ct, false);
	else if (is(&ct->word, "endif"))
		close_if(ct);
	else if (is(&ct->word, "define"))
		macro(ct);
	else if (is(&ct->word, "include"))
		include(ct);
	else
		skip_directive(ct);
}

static void new_statement(struct ctext *ct)
{
	ct->has_first = ct->has_name = ct->has_last = ct->has_tag = false;
	ct->assigned = ct->is_typedef = ct->wants_tag = ct->is_enum = false;
	ct->after_word = ct->after_paren = false;
	ct->parens = ct->narguments = 0;
}

/* A word at the outermost level. */
static void outer_word(struct ctext *ct)
{
	if (ct->parens) {
		ct->argument = ct->word;
		ct->narguments++;
		tell_word(ct, false);
		return;
	}
	if (ct->wants_tag) {
		ct->tag = ct->word;
		ct->has_tag = true;
		ct->wants_tag = false;
	} else if (is(&ct->word, "struct") || is(&ct->word, "union") ||
		   is(&ct->word, "enum")) {
		ct->wants_tag = true;
		ct->is_enum = *ct->word.text == 'e';
	} else if (is(&ct->word, "typedef")) {
		ct->is_typedef = true;
	}
	if (!ct->has_first) {
		ct->first = ct->word;
		ct->has_first = true;
	}
	/* behind a parenthesis: an attribute, or a macro without a ';' */
	if (!ct->assigned && !(ct->after_paren && *ct->word.text == '_')) {
		ct->last = ct->word;
		ct->has_last = true;
		ct->after_word = true;
	}
	tell_word(ct, false);
}

static void open_body(struct ctext *ct)
{
	ct->body_region = ct->region;
	ct->has_member = false;
	if (ct->assigned) {
		ct->body = BODY_OTHER;
	} else if (ct->has_name) {
		ct->body = BODY_FUNCTION;
		tell(ct, CTEXT_FUNCTION, &ct->name, ct->region);
	} else if (ct->is_enum) {
		ct->body = BODY_ENUM;
	} else if (ct->has_tag || ct->wants_tag) {
		ct->body = BODY_RECORD;
		if (ct->has_tag)
			tell(ct, CTEXT_RECORD, &ct->tag, ct->region);
	} else {
		ct->body = BODY_OTHER;
	}
	ct->wants_tag = false;
}

static void end_statement(struct ctext *ct)
{
	bool invoked = ct->has_name && ct->name.text == ct->first.text;

	if (ct->is_typedef || ct->body != BODY_NONE)
		;
	else if (invoked && ct->narguments == 1)
		/* "DECLARE_STATIC_KEY_FALSE(name);" */
		tell(ct, CTEXT_DECLARED, &ct->argument, ct->region);
	else if (invoked)
		;
	else if (ct->has_name)
		tell(ct, CTEXT_DECLARED, &ct->name, ct->region);
	else if (ct->has_last && ct->last.text != ct->first.text &&
		 !(ct->has_tag && ct->last.text == ct->tag.text))
		tell(ct, CTEXT_DECLARED, &ct->last, ct->region);
	ct->body = BODY_NONE;
	new_statement(ct);
}

static void outer_punct(struct ctext *ct)
{
	switch (ct->punct) {
	case '(':
		/* the last name before a parenthesis, but for attributes */
		if (!ct->parens && ct->after_word && !ct->assigned) {
			ct->name = ct->last;
			ct->has_name = true;
		}
		ct->parens++;
		break;
	case ')':
		if (ct->parens)
			ct->parens--;
		ct->after_paren = !ct->parens;
		ct->after_word = false;
		return;
	case '=':
		ct->assigned = true;
		break;
	case ';':
		if (!ct->parens)
			end_statement(ct);
		break;
	case '{':
		if (!ct->parens) {
			open_body(ct);
			ct->braces = 1;
		}
		break;
	case '}':
		new_statement(ct);
		break;
	case '*':
		break;
	}
	if (!ct->parens)
		ct->after_paren = false;
	ct->after_word = false;
}

static void close_body(struct ctext *ct)
{
	if (ct->body == BODY_ENUM && ct->has_member)
		tell(ct, CTEXT_CONSTANT, &ct->member, ct->region);
	if (ct->body == BODY_FUNCTION) {
		ct->body = BODY_NONE;
		new_statement(ct);
	}
	/* behind a record's brace a name or attributes may stand */
}

static void inner_punct(struct ctext *ct)
{
	switch (ct->punct) {
	case '{':
		ct->braces++;
		ct->has_member = false;
		break;
	case '}':
		if (!--ct->braces)
			close_body(ct);
		ct->has_member = false;
		break;
	case ',':
	case '=':
	case ';':
	case '[':
	case ':':
	case ')':
		/* "(*name)(...)" is a member, a parameter is none */
		if (ct->punct == ')' && !ct->member_called)
			ct->has_member = false;
		if (!ct->has_member)
			break;
		if (ct->body == BODY_ENUM)
			tell(ct, CTEXT_CONSTANT, &ct->member, ct->region);
		else if (ct->body == BODY_RECORD && !ct->body_region)
			tell(ct, CTEXT_FIELD, &ct->member, ct->region);
		ct->has_member = false;
		break;
	}
}

void ctext_scan(const char *text, size_t len, const struct ctext_sink *sink)
{
	struct ctext ct = {
		.sink = sink,
		.p = text,
		.end = text + len,
		.line_start = true,
	};
	enum token token;

	while ((token = next(&ct)) != T_END) {
		if (token == T_HASH) {
			directive(&ct);
		} else if (token == T_WORD) {
			if (!ct.braces) {
				outer_word(&ct);
			} else {
				ct.member = ct.word;
				ct.has_member = true;
				ct.member_called = ct.punct == '*' &&
					ct.punct_before == '(';
				tell_word(&ct, ct.body == BODY_FUNCTION);
			}
		} else if (token == T_PUNCT) {
			if (!ct.braces)
				outer_punct(&ct);
			else
				inner_punct(&ct);
		}
	}
}
