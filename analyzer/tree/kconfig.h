/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kconfig as text: what "make olddefconfig" would answer, without running
 * anything. What a macro asks of the shell or the compiler is answered by
 * policy: an option of the compiler exists, a failure does not happen, output
 * of a command is empty.
 *
 *	kconfig_parse()     every Kconfig file of a tree, once
 *	kconfig_evaluate()  the values under one set of wishes, any number of
 *	                    times
 */
#ifndef NOCHARGE_KCONFIG_H
#define NOCHARGE_KCONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

struct arena;
struct err;
struct option;
struct strbuf;
struct strtab;
struct tree;

enum kc_type { KC_UNKNOWN, KC_BOOL, KC_TRISTATE, KC_INT, KC_HEX, KC_STRING };

enum kc_op {
	KC_SYMBOL, KC_AND, KC_OR, KC_NOT,
	KC_EQ, KC_NE, KC_LT, KC_LE, KC_GT, KC_GE
};

struct kc_symbol;

struct kc_expr {
	enum kc_op op;
	uint32_t nkid;              /* KC_AND, KC_OR, KC_NOT */
	struct kc_symbol *left, *right; /* the others; right for comparisons */
	struct kc_expr *kid[];
};

/* A block or an entry: what stands in it needs what it depends on. */
struct kc_menu {
	struct kc_menu *parent;
	struct kc_symbol *symbol;  /* of a config or choice, or NULL */
	struct kc_expr *dep;       /* its own "depends on", NULL: none */
	struct kc_expr *visible;   /* "visible if" */
	struct kc_menu *next;      /* another definition of the symbol */
	unsigned run;              /* value is of this evaluation */
	uint8_t value;
};

struct kc_prop {
	struct kc_prop *next;
	struct kc_menu *menu;      /* where it stands */
	struct kc_expr *cond;      /* "if ...", NULL: none */
	struct kc_expr *value;     /* of a default */
	struct kc_symbol *left, *right; /* range; left: who selects or implies */
};

struct kc_props {
	struct kc_prop *first, **last;
};

struct kc_symbol {
	const char *name; /* interned; NULL for a choice */
	enum kc_type type;
	bool constant, is_choice, optional;
	bool policy;      /* an answer of the policy decides its value */
	bool environment; /* stands for a variable, is no option */
	struct kc_symbol *choice; /* the choice that it is a value of */
	struct kc_symbol **member; /* of a choice */
	size_t nmember;
	struct kc_props prompts, defaults, ranges, selected, implied;
	struct kc_menu *menus;
	/* wishes, and the evaluation number that they are of */
	const char *want, *forced;
	bool unset;       /* forced not to be set */
	unsigned run;
	bool write;       /* has a value worth writing */
	uint8_t tri;
	const char *text; /* of an int, hex or string */
	unsigned choice_run;
	struct kc_symbol *selection;
	UT_hash_handle hh;
};

struct kc_variable {
	const char *name, *text;
	bool policy, recursive, busy;
	UT_hash_handle hh;
};

struct kconfig {
	struct tree *tree;
	struct arena *arena;
	struct strtab *strings;
	struct kc_symbol *symbols;   /* by name */
	struct kc_symbol *constants; /* by name */
	struct kc_variable *variables;
	struct kc_symbol *modules;
	const char *m_name;          /* interned "m" */
	struct kc_symbol *plain_m;   /* m whether or not there are modules */
	/* since 6.11 a choice has no value of its own */
	bool plain_choices;
	struct kc_symbol **all;      /* in the order of their first mention */
	size_t nall, all_size;
	const char **skipped;        /* "file: why" */
	size_t nskipped;
	const char **absent;         /* files that are named and not there */
	size_t nabsent;
	size_t nfile, nbytes, work;
	unsigned run, depth;
	bool too_deep, too_large;
	bool missing; /* a file that is sourced is not there */
};

/* What an evaluation starts from. */
struct kc_wish {
	const char *name, *value; /* NULL: not set, which is forced */
	bool forced; /* whatever Kconfig says */
};

/* Never NULL; what could not be read is in skipped. */
struct kconfig *kconfig_parse(struct tree *tree);
void kconfig_free(struct kconfig *kc);

/*
 * Give every option that is set, sorted by name, in @arena. Later wishes win.
 */
struct option *kconfig_evaluate(struct kconfig *kc, const struct kc_wish *wish,
				size_t nwish, struct arena *arena, size_t *n);

/*
 * Read a .config: its values as wishes, in @arena. What Kconfig answers by
 * policy is forced to what the file says. Notes about it go to @note (up to
 * one line). NULL with @err if it is no configuration or one of another
 * architecture.
 */
struct kc_wish *kconfig_read(struct kconfig *kc, const char *file,
			     struct arena *arena, size_t *n, const char **note,
			     struct err *err);

/* For the parts of the reader: */
struct kc_symbol *kc_get_symbol(struct kconfig *kc, const char *name,
				bool constant);
void kc_skip(struct kconfig *kc, const char *file, unsigned line,
	     const char *why);

/* A line as tokens; macros are expanded as they are met. */
enum kc_token { KC_END, KC_WORD, KC_QUOTED, KC_OPERATOR, KC_BAD };

struct kc_lexer {
	struct kconfig *kc;
	const char *at, *end;
	enum kc_token token;
	const char *text; /* interned; of an operator: the operator */
	bool policy;      /* a macro was answered by policy */
};

void kc_lex(struct kc_lexer *lex, struct kconfig *kc, const char *line,
	    size_t len);
void kc_next(struct kc_lexer *lex);
bool kc_word(const struct kc_lexer *lex, const char *word);

/*
 * The expression at the lexer, up to an unquoted "if" or the end. NULL if
 * there is none or it is wrong or nested too deep.
 */
struct kc_expr *kc_parse_expr(struct kc_lexer *lex);
struct kc_expr *kc_and(struct kconfig *kc, struct kc_expr *a,
		       struct kc_expr *b);
/* 0, 1 (m) or 2 (y); NULL is y. */
int kc_tri(struct kconfig *kc, const struct kc_expr *expr);
int kc_symbol_tri(struct kconfig *kc, struct kc_symbol *symbol);
const char *kc_symbol_text(struct kconfig *kc, struct kc_symbol *symbol);
bool kc_modules(struct kconfig *kc);
bool kc_enter(struct kconfig *kc);
void kc_leave(struct kconfig *kc);

/* Append @text with its macros expanded; true if policy answered one. */
bool kc_expand(struct kconfig *kc, const char *text, size_t len,
	       struct strbuf *out);
/* The end of the macro call that begins with "$(" at @at. */
const char *kc_macro_end(const char *at, const char *end);
void kc_set_variable(struct kconfig *kc, const char *name, const char *op,
		     const char *text, size_t len);

#endif
