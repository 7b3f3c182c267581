// SPDX-License-Identifier: GPL-2.0-only
/* Lines of Kconfig as tokens, and expressions. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "kconfig.h"

/* Parentheses and negations within each other. */
#define NEST_LIMIT 200
/* Calls within each other when evaluating; a tree uses some hundred. */
#define DEPTH_LIMIT 5000

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/';
}

void kc_lex(struct kc_lexer *lex, struct kconfig *kc, const char *line,
	    size_t len)
{
	memset(lex, 0, sizeof(*lex));
	lex->kc = kc;
	lex->at = line;
	lex->end = line + len;
	kc_next(lex);
}

static void lex_quoted(struct kc_lexer *lex)
{
	struct strbuf raw = STRBUF_INIT, out = STRBUF_INIT;
	const char quote = *lex->at++;

	strbuf_addstr(&raw, "");
	strbuf_addstr(&out, "");
	while (lex->at < lex->end && *lex->at != quote) {
		const char *p = lex->at;

		if (*p == '$' && p + 1 < lex->end && p[1] == '(') {
			lex->at = kc_macro_end(p + 1, lex->end);
			strbuf_add(&raw, p, (size_t)(lex->at - p));
			continue;
		}
		if (*p == '\\' && p + 1 < lex->end)
			p = ++lex->at;
		strbuf_addch(&raw, *p);
		lex->at++;
	}
	if (lex->at < lex->end)
		lex->at++;
	if (memchr(raw.buf, '$', raw.len))
		lex->policy |= kc_expand(lex->kc, raw.buf, raw.len, &out);
	else
		strbuf_add(&out, raw.buf, raw.len);
	lex->token = KC_QUOTED;
	lex->text = intern_n(lex->kc->strings, out.buf, strlen(out.buf));
	strbuf_release(&raw);
	strbuf_release(&out);
}

static void lex_word(struct kc_lexer *lex)
{
	const char *from = lex->at;
	struct strbuf out = STRBUF_INIT;
	bool macro = false;

	while (lex->at < lex->end) {
		if (*lex->at == '$') {
			macro = true;
			lex->at++;
			if (lex->at < lex->end && *lex->at == '(')
				lex->at = kc_macro_end(lex->at, lex->end);
		} else if (is_word((unsigned char)*lex->at)) {
			lex->at++;
		} else {
			break;
		}
	}
	lex->token = KC_WORD;
	if (!macro) {
		lex->text = intern_n(lex->kc->strings, from,
				     (size_t)(lex->at - from));
		return;
	}
	strbuf_addstr(&out, "");
	lex->policy |= kc_expand(lex->kc, from, (size_t)(lex->at - from),
				 &out);
	lex->text = intern_n(lex->kc->strings, out.buf, strlen(out.buf));
	strbuf_release(&out);
}

void kc_next(struct kc_lexer *lex)
{
	static const char *const operators[] = {
		"&&", "||", "!=", "<=", ">=", ":=", "+=", "=", "<", ">", "!",
		"(", ")"
	};
	size_t i, len;

	while (lex->at < lex->end && isspace((unsigned char)*lex->at))
		lex->at++;
	lex->text = "";
	if (lex->at >= lex->end || *lex->at == '#') {
		lex->token = KC_END;
		return;
	}
	if (*lex->at == '"' || *lex->at == '\'') {
		lex_quoted(lex);
		return;
	}
	if (*lex->at == '$' || is_word((unsigned char)*lex->at)) {
		lex_word(lex);
		return;
	}
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		len = strlen(operators[i]);
		if ((size_t)(lex->end - lex->at) < len ||
		    memcmp(lex->at, operators[i], len))
			continue;
		lex->at += len;
		lex->token = KC_OPERATOR;
		lex->text = operators[i];
		return;
	}
	lex->at++;
	lex->token = KC_BAD;
}

bool kc_word(const struct kc_lexer *lex, const char *word)
{
	return lex->token == KC_WORD && !strcmp(lex->text, word);
}

static bool is_operator(const struct kc_lexer *lex, const char *op)
{
	return lex->token == KC_OPERATOR && !strcmp(lex->text, op);
}

static struct kc_expr *new_expr(struct kconfig *kc, enum kc_op op,
				uint32_t nkid)
{
	struct kc_expr *expr;

	expr = arena_alloc(kc->arena,
			   sizeof(*expr) + nkid * sizeof(expr->kid[0]));
	expr->op = op;
	expr->nkid = nkid;
	return expr;
}

struct kc_expr *kc_and(struct kconfig *kc, struct kc_expr *a,
		       struct kc_expr *b)
{
	struct kc_expr *both;

	if (!a || !b)
		return a ? a : b;
	both = new_expr(kc, KC_AND, 2);
	both->kid[0] = a;
	both->kid[1] = b;
	return both;
}

static struct kc_symbol *parse_operand(struct kc_lexer *lex)
{
	struct kc_symbol *symbol = NULL;

	if (lex->token == KC_QUOTED)
		symbol = kc_get_symbol(lex->kc, lex->text, true);
	else if (lex->token == KC_WORD && strcmp(lex->text, "if"))
		symbol = kc_get_symbol(lex->kc, lex->text,
				       !strcmp(lex->text, "y") ||
				       !strcmp(lex->text, "m") ||
				       !strcmp(lex->text, "n") || !*lex->text);
	if (symbol)
		kc_next(lex);
	return symbol;
}

static struct kc_expr *parse_level(struct kc_lexer *lex, enum kc_op level,
				   unsigned depth);

static struct kc_expr *parse_term(struct kc_lexer *lex, unsigned depth)
{
	static const struct {
		const char *text;
		enum kc_op op;
	} compare[] = {
		{ "=", KC_EQ }, { "!=", KC_NE }, { "<", KC_LT },
		{ "<=", KC_LE }, { ">", KC_GT }, { ">=", KC_GE },
	};
	struct kc_expr *expr, *inner;
	size_t i;

	if (depth > NEST_LIMIT)
		return NULL;
	if (is_operator(lex, "!")) {
		kc_next(lex);
		inner = parse_term(lex, depth + 1);
		if (!inner)
			return NULL;
		expr = new_expr(lex->kc, KC_NOT, 1);
		expr->kid[0] = inner;
		return expr;
	}
	if (is_operator(lex, "(")) {
		kc_next(lex);
		inner = parse_level(lex, KC_OR, depth + 1);
		if (!inner || !is_operator(lex, ")"))
			return NULL;
		kc_next(lex);
		return inner;
	}
	expr = new_expr(lex->kc, KC_SYMBOL, 0);
	expr->left = parse_operand(lex);
	if (!expr->left)
		return NULL;
	for (i = 0; i < sizeof(compare) / sizeof(compare[0]); i++) {
		if (!is_operator(lex, compare[i].text))
			continue;
		kc_next(lex);
		expr->op = compare[i].op;
		expr->right = parse_operand(lex);
		return expr->right ? expr : NULL;
	}
	return expr;
}

/* One node holds a whole chain of && or ||, however long it is. */
static struct kc_expr *parse_level(struct kc_lexer *lex, enum kc_op level,
				   unsigned depth)
{
	const char *op = level == KC_OR ? "||" : "&&";
	struct kc_expr **term = NULL, *expr = NULL;
	uint32_t n = 0, size = 0;

	for (;;) {
		struct kc_expr *one = level == KC_OR ?
			parse_level(lex, KC_AND, depth) :
			parse_term(lex, depth);

		if (!one)
			goto out;
		if (n == size) {
			size = size ? size * 2 : 4;
			term = xrealloc(term, size * sizeof(*term));
		}
		term[n++] = one;
		if (!is_operator(lex, op))
			break;
		kc_next(lex);
	}
	if (n == 1) {
		expr = term[0];
		goto out;
	}
	expr = new_expr(lex->kc, level, n);
	memcpy(expr->kid, term, n * sizeof(*term));
out:
	free(term);
	return expr;
}

struct kc_expr *kc_parse_expr(struct kc_lexer *lex)
{
	return parse_level(lex, KC_OR, 0);
}

bool kc_enter(struct kconfig *kc)
{
	if (kc->depth >= DEPTH_LIMIT) {
		kc->too_deep = true;
		return false;
	}
	kc->depth++;
	return true;
}

void kc_leave(struct kconfig *kc)
{
	kc->depth--;
}

struct number {
	bool valid, is_unsigned;
	long long value;
};

static struct number parse_number(const char *text, enum kc_type type)
{
	struct number out = { .valid = true };
	char *tail;

	switch (type) {
	case KC_BOOL:
	case KC_TRISTATE:
		out.value = !strcmp(text, "n") ? 0 : !strcmp(text, "m") ? 1 :
			    !strcmp(text, "y") ? 2 : -1;
		return out;
	case KC_HEX:
		out.is_unsigned = true;
		errno = 0;
		out.value = (long long)strtoull(text, &tail, 16);
		break;
	default:
		errno = 0;
		out.value = strtoll(text, &tail, type == KC_INT ? 10 : 0);
		break;
	}
	out.valid = !errno && !*tail && tail > text &&
		    isxdigit((unsigned char)tail[-1]);
	return out;
}

static int compare(struct kconfig *kc, const struct kc_expr *expr)
{
	const char *left = kc_symbol_text(kc, expr->left);
	const char *right = kc_symbol_text(kc, expr->right);
	struct number a = { 0 }, b = { 0 };

	if (expr->left->type != KC_STRING || expr->right->type != KC_STRING) {
		a = parse_number(left, expr->left->type);
		b = parse_number(right, expr->right->type);
	}
	if (!a.valid || !b.valid)
		return strcmp(left, right);
	if (a.is_unsigned || b.is_unsigned)
		return ((unsigned long long)a.value >
			(unsigned long long)b.value) -
		       ((unsigned long long)a.value <
			(unsigned long long)b.value);
	return (a.value > b.value) - (a.value < b.value);
}

static int eval(struct kconfig *kc, const struct kc_expr *expr)
{
	uint32_t i;
	int v, one;

	switch (expr->op) {
	case KC_SYMBOL:
		/* a bare m means "as a module, if there are modules" */
		if (expr->left->constant && expr->left->name == kc->m_name)
			return kc_modules(kc);
		return kc_symbol_tri(kc, expr->left);
	case KC_NOT:
		return 2 - kc_tri(kc, expr->kid[0]);
	case KC_AND:
		for (v = 2, i = 0; i < expr->nkid && v; i++) {
			one = kc_tri(kc, expr->kid[i]);
			v = one < v ? one : v;
		}
		return v;
	case KC_OR:
		for (v = 0, i = 0; i < expr->nkid && v < 2; i++) {
			one = kc_tri(kc, expr->kid[i]);
			v = one > v ? one : v;
		}
		return v;
	case KC_EQ:
		return compare(kc, expr) == 0 ? 2 : 0;
	case KC_NE:
		return compare(kc, expr) != 0 ? 2 : 0;
	case KC_LT:
		return compare(kc, expr) < 0 ? 2 : 0;
	case KC_LE:
		return compare(kc, expr) <= 0 ? 2 : 0;
	case KC_GT:
		return compare(kc, expr) > 0 ? 2 : 0;
	case KC_GE:
		return compare(kc, expr) >= 0 ? 2 : 0;
	}
	BUG("expression of kind %d", (int)expr->op);
}

int kc_tri(struct kconfig *kc, const struct kc_expr *expr)
{
	int v;

	if (!expr)
		return 2;
	if (!kc_enter(kc))
		return 0;
	v = eval(kc, expr);
	kc_leave(kc);
	return v;
}
