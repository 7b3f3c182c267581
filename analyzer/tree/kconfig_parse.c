// SPDX-License-Identifier: GPL-2.0-only
/* Kconfig files to symbols, with what decides the value of each. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "files.h"
#include "kconfig.h"
#include "tree.h"
#include "tree_private.h"

/* Files sourced within each other, blocks within each other. */
#define SOURCE_LIMIT 64
#define BLOCK_LIMIT 500
/* More than ten times what a tree has. */
#define FILE_LIMIT 20000
#define BYTE_LIMIT (64u << 20)
#define SKIP_LIMIT 100

enum block_kind { BLOCK_FILE, BLOCK_IF, BLOCK_MENU, BLOCK_CHOICE };

struct block {
	enum block_kind kind;
	struct kc_menu *menu;
	struct kc_symbol *choice;
};

struct source {
	const char *path;
	const struct source *outer;
	unsigned depth;
};

struct parser {
	struct kconfig *kc;
	struct source source;
	unsigned line;
	struct block *block; /* [0]: what the file stands in */
	size_t nblock;
	struct kc_menu *entry; /* attributes go here; NULL: nowhere */
	struct kc_symbol *symbol;
};

static void parse_file(struct kconfig *kc, const char *path,
		       const struct block *in, const struct source *outer);

void kc_skip(struct kconfig *kc, const char *file, unsigned line,
	     const char *why)
{
	if (kc->nskipped >= SKIP_LIMIT)
		return;
	if (!kc->skipped)
		kc->skipped = ARENA_ARRAY(kc->arena, const char *, SKIP_LIMIT);
	if (kc->nskipped == SKIP_LIMIT - 1)
		why = "this and more that is not listed";
	kc->skipped[kc->nskipped++] = line ?
		arena_printf(kc->arena, "%s:%u: %s", file, line, why) :
		arena_printf(kc->arena, "%s: %s", file, why);
}

static void kc_absent(struct kconfig *kc, const char *file)
{
	if (!kc->absent)
		kc->absent = ARENA_ARRAY(kc->arena, const char *, SKIP_LIMIT);
	if (kc->nabsent < SKIP_LIMIT)
		kc->absent[kc->nabsent++] = file;
	kc->missing = true;
}

static void skip_here(struct parser *p, const char *why)
{
	kc_skip(p->kc, p->source.path, p->line, why);
}

static void add_prop(struct kconfig *kc, struct kc_props *props,
		     struct kc_prop prop)
{
	struct kc_prop *copy = ARENA_NEW(kc->arena, struct kc_prop);

	*copy = prop;
	if (!props->last)
		props->last = &props->first;
	*props->last = copy;
	props->last = &copy->next;
}

static struct kc_symbol *new_symbol(struct kconfig *kc)
{
	struct kc_symbol *symbol = ARENA_NEW(kc->arena, struct kc_symbol);

	if (kc->nall == kc->all_size) {
		kc->all_size = kc->all_size ? kc->all_size * 2 : 4096;
		kc->all = xrealloc(kc->all,
				   kc->all_size * sizeof(kc->all[0]));
	}
	kc->all[kc->nall++] = symbol;
	return symbol;
}

struct kc_symbol *kc_get_symbol(struct kconfig *kc, const char *name,
				bool constant)
{
	struct kc_symbol **table = constant ? &kc->constants : &kc->symbols;
	struct kc_symbol *symbol;

	HASH_FIND_PTR(*table, &name, symbol);
	if (symbol)
		return symbol;
	if (constant)
		symbol = ARENA_NEW(kc->arena, struct kc_symbol);
	else
		symbol = new_symbol(kc);
	symbol->name = name;
	symbol->constant = constant;
	HASH_ADD_PTR(*table, name, symbol);
	return symbol;
}

static struct block *top(struct parser *p)
{
	return &p->block[p->nblock - 1];
}

static struct kc_menu *new_menu(struct parser *p, struct kc_symbol *symbol)
{
	struct kc_menu *menu = ARENA_NEW(p->kc->arena, struct kc_menu);

	menu->parent = top(p)->menu;
	menu->symbol = symbol;
	if (symbol) {
		menu->next = symbol->menus;
		symbol->menus = menu;
	}
	return menu;
}

/* False if blocks are nested too deep; the block is then not opened. */
static bool push(struct parser *p, enum block_kind kind, struct kc_menu *menu,
		 struct kc_symbol *choice)
{
	if (p->nblock == BLOCK_LIMIT) {
		skip_here(p, "blocks are nested too deep");
		return false;
	}
	p->block[p->nblock++] = (struct block){ kind, menu, choice };
	return true;
}

static void pop(struct parser *p, enum block_kind kind)
{
	p->entry = NULL;
	p->symbol = NULL;
	if (top(p)->kind == kind)
		p->nblock--;
	else
		skip_here(p, "end of a block that is not open");
}

/* The expression at @lex; a wrong one is never true. */
static struct kc_expr *expression(struct parser *p, struct kc_lexer *lex)
{
	struct kc_expr *expr = kc_parse_expr(lex);

	if (!expr) {
		struct kc_lexer never;

		skip_here(p, "expression not understood");
		kc_lex(&never, p->kc, "n", 1);
		expr = kc_parse_expr(&never);
	}
	return expr;
}

static struct kc_expr *condition(struct parser *p, struct kc_lexer *lex)
{
	if (!kc_word(lex, "if"))
		return NULL;
	kc_next(lex);
	return expression(p, lex);
}

static void add_member(struct parser *p, struct kc_symbol *choice,
		       struct kc_symbol *symbol)
{
	struct kc_symbol **member;

	if (symbol->choice)
		return;
	symbol->choice = choice;
	/* grows by doubling at powers of two */
	if (!(choice->nmember & (choice->nmember - 1))) {
		member = ARENA_ARRAY(p->kc->arena, struct kc_symbol *,
				     choice->nmember ? choice->nmember * 2 : 1);
		if (choice->nmember)
			memcpy(member, choice->member,
			       choice->nmember * sizeof(*member));
		choice->member = member;
	}
	choice->member[choice->nmember++] = symbol;
}

static void open_config(struct parser *p, struct kc_lexer *lex)
{
	struct kc_symbol *symbol;

	p->entry = NULL;
	p->symbol = NULL;
	if ((lex->token != KC_WORD && lex->token != KC_QUOTED) ||
	    !*lex->text) {
		skip_here(p, "config without a name");
		return;
	}
	symbol = kc_get_symbol(p->kc, lex->text, false);
	p->entry = new_menu(p, symbol);
	p->symbol = symbol;
	if (top(p)->choice)
		add_member(p, top(p)->choice, symbol);
}

static void open_choice(struct parser *p)
{
	struct kc_symbol *choice = new_symbol(p->kc);

	choice->is_choice = true;
	p->entry = new_menu(p, choice);
	p->symbol = choice;
	push(p, BLOCK_CHOICE, p->entry, choice);
}

static void open_if(struct parser *p, struct kc_lexer *lex)
{
	struct kc_menu *menu = new_menu(p, NULL);

	menu->dep = expression(p, lex);
	push(p, BLOCK_IF, menu, top(p)->choice);
	p->entry = NULL;
	p->symbol = NULL;
}

static void source_glob(struct parser *p, const char *dir,
			const char *pattern)
{
	struct kconfig *kc = p->kc;
	const char *slash = strchr(pattern, '/'), *path, *part;
	const char *const *name;
	size_t i, n;

	part = intern_n(kc->strings, pattern,
			slash ? (size_t)(slash - pattern) : strlen(pattern));
	if (slash && !strpbrk(part, "*?[")) {
		path = path_resolve(kc->strings, dir, part);
		if (path)
			source_glob(p, path, slash + 1);
		else
			skip_here(p, "source leaves the tree");
		return;
	}
	name = tree_files_list(kc->tree->priv->files, dir, &n);
	for (i = 0; i < n; i++) {
		if (fnmatch(part, name[i], FNM_PERIOD))
			continue;
		path = path_resolve(kc->strings, dir, name[i]);
		if (path && slash)
			source_glob(p, path, slash + 1);
		else if (path)
			parse_file(kc, path, top(p), &p->source);
	}
}

static void source(struct parser *p, struct kc_lexer *lex, bool relative,
		   bool optional)
{
	struct kconfig *kc = p->kc;
	const char *dir = "", *path;

	p->entry = NULL;
	p->symbol = NULL;
	if (lex->token != KC_WORD && lex->token != KC_QUOTED) {
		skip_here(p, "source without a file");
		return;
	}
	if (relative)
		dir = path_dir(kc->strings, p->source.path);
	path = path_resolve(kc->strings, dir, lex->text);
	if (!path) {
		skip_here(p, "source leaves the tree");
		return;
	}
	if (strpbrk(path, "*?["))
		source_glob(p, "", path);
	else if (!optional || tree_files_have(kc->tree->priv->files, path))
		parse_file(kc, path, top(p), &p->source);
}

static bool parse_block(struct parser *p, struct kc_lexer *lex,
			const char *word)
{
	if (!strcmp(word, "config") || !strcmp(word, "menuconfig")) {
		open_config(p, lex);
	} else if (!strcmp(word, "if")) {
		open_if(p, lex);
	} else if (!strcmp(word, "endif")) {
		pop(p, BLOCK_IF);
	} else if (!strcmp(word, "menu")) {
		p->symbol = NULL;
		p->entry = new_menu(p, NULL);
		push(p, BLOCK_MENU, p->entry, NULL);
	} else if (!strcmp(word, "endmenu")) {
		pop(p, BLOCK_MENU);
	} else if (!strcmp(word, "choice")) {
		open_choice(p);
	} else if (!strcmp(word, "endchoice")) {
		pop(p, BLOCK_CHOICE);
	} else if (!strcmp(word, "comment")) {
		p->symbol = NULL;
		p->entry = new_menu(p, NULL);
	} else if (!strcmp(word, "mainmenu")) {
		p->symbol = NULL;
		p->entry = NULL;
	} else if (!strcmp(word, "source")) {
		source(p, lex, false, false);
	} else if (!strcmp(word, "osource")) {
		source(p, lex, false, true);
	} else if (!strcmp(word, "rsource")) {
		source(p, lex, true, false);
	} else if (!strcmp(word, "orsource")) {
		source(p, lex, true, true);
	} else {
		return false;
	}
	return true;
}

static void add_prompt(struct parser *p, struct kc_lexer *lex)
{
	struct kc_prop prop = { .menu = p->entry };

	if (lex->token != KC_QUOTED && lex->token != KC_WORD)
		return;
	kc_next(lex);
	prop.cond = condition(p, lex);
	add_prop(p->kc, &p->symbol->prompts, prop);
}

static void set_type(struct kc_symbol *symbol, enum kc_type type)
{
	if (symbol->type == KC_UNKNOWN)
		symbol->type = type;
}

/* In a value m is m, also where there are no modules. */
static void plain_m(struct kconfig *kc, struct kc_expr *expr)
{
	uint32_t i;

	if (expr->left && expr->left->constant &&
	    expr->left->name == kc->m_name)
		expr->left = kc->plain_m;
	for (i = 0; i < expr->nkid; i++)
		plain_m(kc, expr->kid[i]);
}

static void add_default(struct parser *p, struct kc_lexer *lex)
{
	struct kc_prop prop = { .menu = p->entry };

	prop.value = expression(p, lex);
	plain_m(p->kc, prop.value);
	prop.cond = condition(p, lex);
	add_prop(p->kc, &p->symbol->defaults, prop);
}

static void add_select(struct parser *p, struct kc_lexer *lex, bool imply)
{
	struct kc_prop prop = { .menu = p->entry, .left = p->symbol };
	struct kc_symbol *target;

	if (lex->token != KC_WORD || !*lex->text) {
		skip_here(p, "select without a symbol");
		return;
	}
	target = kc_get_symbol(p->kc, lex->text, false);
	kc_next(lex);
	prop.cond = condition(p, lex);
	add_prop(p->kc, imply ? &target->implied : &target->selected, prop);
}

static void add_range(struct parser *p, struct kc_lexer *lex)
{
	struct kc_prop prop = { .menu = p->entry };
	struct kc_symbol **bound[2] = { &prop.left, &prop.right };
	int i;

	for (i = 0; i < 2; i++) {
		if (lex->token != KC_WORD && lex->token != KC_QUOTED) {
			skip_here(p, "range without two bounds");
			return;
		}
		*bound[i] = kc_get_symbol(p->kc, lex->text,
					  lex->token == KC_QUOTED);
		kc_next(lex);
	}
	prop.cond = condition(p, lex);
	add_prop(p->kc, &p->symbol->ranges, prop);
}

/* option env="NAME", option modules: how it was said before 5.x */
static void add_option(struct parser *p, struct kc_lexer *lex)
{
	struct kc_prop prop = { .menu = p->entry };
	struct strbuf text = STRBUF_INIT;
	struct kc_lexer value;

	if (kc_word(lex, "modules")) {
		p->kc->modules = p->symbol;
		return;
	}
	if (!kc_word(lex, "env"))
		return;
	kc_next(lex);
	if (lex->token != KC_OPERATOR)
		return;
	kc_next(lex);
	strbuf_addf(&text, "\"$(%s)\"", lex->text);
	kc_lex(&value, p->kc, text.buf, text.len);
	prop.value = expression(p, &value);
	add_prop(p->kc, &p->symbol->defaults, prop);
	p->symbol->environment = true;
	strbuf_release(&text);
}

static const struct {
	const char *word;
	enum kc_type type;
	bool def;
} types[] = {
	{ "bool", KC_BOOL, false },
	{ "boolean", KC_BOOL, false },
	{ "tristate", KC_TRISTATE, false },
	{ "int", KC_INT, false },
	{ "hex", KC_HEX, false },
	{ "string", KC_STRING, false },
	{ "def_bool", KC_BOOL, true },
	{ "def_tristate", KC_TRISTATE, true },
};

/* What only a config or a choice has. */
static bool symbol_attribute(struct parser *p, struct kc_lexer *lex,
			     const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(word, types[i].word))
			continue;
		set_type(p->symbol, types[i].type);
		if (types[i].def)
			add_default(p, lex);
		else
			add_prompt(p, lex);
		return true;
	}
	if (!strcmp(word, "prompt"))
		add_prompt(p, lex);
	else if (!strcmp(word, "default"))
		add_default(p, lex);
	else if (!strcmp(word, "select"))
		add_select(p, lex, false);
	else if (!strcmp(word, "imply"))
		add_select(p, lex, true);
	else if (!strcmp(word, "range"))
		add_range(p, lex);
	else if (!strcmp(word, "option"))
		add_option(p, lex);
	else if (!strcmp(word, "modules"))
		p->kc->modules = p->symbol;
	else if (!strcmp(word, "optional"))
		p->symbol->optional = true;
	else if (strcmp(word, "transitional"))
		return false;
	return true;
}

static bool parse_attribute(struct parser *p, struct kc_lexer *lex,
			    const char *word)
{
	if (!strcmp(word, "depends")) {
		if (kc_word(lex, "on"))
			kc_next(lex);
		p->entry->dep = kc_and(p->kc, p->entry->dep,
				       expression(p, lex));
		return true;
	}
	if (!strcmp(word, "visible")) {
		p->entry->visible = kc_and(p->kc, p->entry->visible,
					   condition(p, lex));
		return true;
	}
	return p->symbol && symbol_attribute(p, lex, word);
}

/* NAME = value, at the beginning of a line */
static bool assignment(struct parser *p, const char *line, size_t len)
{
	const char *at = line, *end = line + len, *name;

	while (at < end && (isalnum((unsigned char)*at) || *at == '_' ||
			    *at == '-'))
		at++;
	name = intern_n(p->kc->strings, line, (size_t)(at - line));
	while (at < end && isspace((unsigned char)*at))
		at++;
	if (at == end || !*name)
		return false;
	line = at;
	if ((*at == ':' || *at == '+') && at + 1 < end && at[1] == '=')
		at += 2;
	else if (*at == '=')
		at++;
	else
		return false;
	while (at < end && isspace((unsigned char)*at))
		at++;
	kc_set_variable(p->kc, name, line, at, (size_t)(end - at));
	return true;
}

/* True if help text begins behind this line. */
static bool parse_line(struct parser *p, const char *line, size_t len)
{
	struct kc_lexer lex;
	const char *word;

	/* a macro on a line of its own is only a check of the toolchain */
	if (!len || *line == '#' || *line == '$')
		return false;
	if (assignment(p, line, len))
		return false;
	kc_lex(&lex, p->kc, line, len);
	if (lex.token != KC_WORD) {
		skip_here(p, "line not understood");
		return false;
	}
	word = lex.text;
	/* old trees have dashes around it, sometimes four */
	len = strspn(word, "-");
	if (!strncmp(word + len, "help", 4) &&
	    !word[len + 4 + strspn(word + len + 4, "-")])
		return true;
	kc_next(&lex);
	if (parse_block(p, &lex, word))
		return false;
	if (!p->entry) {
		skip_here(p, "line not understood");
	} else if (!parse_attribute(p, &lex, word)) {
		skip_here(p, "attribute not understood");
	} else if (p->symbol && lex.policy) {
		p->symbol->policy = true;
	}
	return false;
}

static unsigned indent_of(const char *line, size_t len, size_t *skip)
{
	unsigned indent = 0;
	size_t i;

	for (i = 0; i < len && (line[i] == ' ' || line[i] == '\t'); i++)
		indent = line[i] == '\t' ? (indent & ~7u) + 8 : indent + 1;
	*skip = i;
	return indent;
}

static void parse_text(struct parser *p, const char *at, const char *end)
{
	struct strbuf joined = STRBUF_INIT;
	unsigned indent, help_indent = 0;
	bool help = false;
	size_t len, skip;
	const char *eol;

	for (; at < end; at = eol < end ? eol + 1 : end) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		p->line++;
		len = (size_t)(eol - at);
		while (len && (at[len - 1] == '\r' || at[len - 1] == '\0'))
			len--;
		indent = indent_of(at, len, &skip);
		if (skip == len)
			continue;
		if (help) {
			if (!help_indent)
				help_indent = indent;
			if (indent && indent >= help_indent)
				continue;
			help = false;
		}
		if (at[len - 1] == '\\') {
			strbuf_add(&joined, at + (joined.len ? 0 : skip),
				   len - 1 - (joined.len ? 0 : skip));
			strbuf_addch(&joined, ' ');
			continue;
		}
		if (joined.len) {
			strbuf_add(&joined, at, len);
			help = parse_line(p, joined.buf, joined.len);
			joined.len = 0;
		} else {
			help = parse_line(p, at + skip, len - skip);
		}
		help_indent = 0;
	}
	if (joined.len)
		parse_line(p, joined.buf, joined.len);
	strbuf_release(&joined);
}

static bool may_read(struct kconfig *kc, const char *path,
		     const struct source *outer)
{
	const struct source *s;

	for (s = outer; s; s = s->outer) {
		if (s->path == path) {
			kc_skip(kc, path, 0, "sources itself");
			return false;
		}
	}
	if (outer && outer->depth >= SOURCE_LIMIT) {
		kc_skip(kc, path, 0, "sourced too deep");
		return false;
	}
	if (kc->nfile >= FILE_LIMIT || kc->nbytes >= BYTE_LIMIT) {
		kc_skip(kc, path, 0, "too many Kconfig files");
		return false;
	}
	return true;
}

static void parse_file(struct kconfig *kc, const char *path,
		       const struct block *in, const struct source *outer)
{
	struct strbuf text = STRBUF_INIT;
	struct block *blocks;
	struct parser p = {
		.kc = kc,
		.source = { path, outer, outer ? outer->depth + 1 : 0 },
		.nblock = 1,
	};
	enum read_result result;

	if (!may_read(kc, path, outer))
		return;
	result = tree_files_read(kc->tree->priv->files, path, &text);
	if (result != READ_OK) {
		if (result == READ_MISSING)
			kc_absent(kc, path);
		else
			kc_skip(kc, path, 0, read_result_why(result));
		strbuf_release(&text);
		return;
	}
	kc->nfile++;
	kc->nbytes += text.len;
	blocks = xmalloc(BLOCK_LIMIT * sizeof(*blocks));
	blocks[0] = *in;
	blocks[0].kind = BLOCK_FILE;
	p.block = blocks;
	if (text.len)
		parse_text(&p, text.buf, text.buf + text.len);
	if (p.nblock > 1)
		kc_skip(kc, path, 0, "a block is not closed");
	free(blocks);
	strbuf_release(&text);
}

/* True if @expr cannot hold without @symbol. */
static bool needs(const struct kc_expr *expr, const struct kc_symbol *symbol)
{
	uint32_t i;

	if (!expr)
		return false;
	if (expr->op == KC_SYMBOL)
		return expr->left == symbol;
	for (i = 0; expr->op == KC_AND && i < expr->nkid; i++)
		if (needs(expr->kid[i], symbol))
			return true;
	return false;
}

static bool menu_needs(const struct kc_menu *menu, const struct kc_menu *end,
		       const struct kc_symbol *symbol)
{
	for (; menu && menu != end; menu = menu->parent)
		if (needs(menu->dep, symbol))
			return true;
	return false;
}

/*
 * Before 6.11, what depended on the value of a choice in front of it was its
 * submenu and not another value of the choice.
 */
static void drop_submenus(struct kc_symbol *choice)
{
	struct kc_symbol *last = NULL, *member;
	size_t i, n = 0;

	for (i = 0; i < choice->nmember; i++) {
		member = choice->member[i];
		if (last && menu_needs(member->menus, choice->menus, last)) {
			member->choice = NULL;
			continue;
		}
		last = member;
		choice->member[n++] = member;
	}
	choice->nmember = n;
}

struct kconfig *kconfig_parse(struct tree *tree)
{
	struct kconfig *kc = xcalloc(1, sizeof(*kc));
	struct block root = { 0 };
	struct kc_symbol *symbol;
	size_t i, j;

	kc->tree = tree;
	kc->arena = arena_new();
	kc->strings = tree->strings;
	kc->m_name = intern(kc->strings, "m");
	kc->plain_m = ARENA_NEW(kc->arena, struct kc_symbol);
	kc->plain_m->name = arena_strdup(kc->arena, "m");
	kc->plain_m->constant = true;
	kc->plain_choices = tree->version[0] * 1000 + tree->version[1] >= 6011;
	parse_file(kc, intern(kc->strings, "Kconfig"), &root, NULL);
	if (kc->too_large)
		kc_skip(kc, "Kconfig", 0, "too large when expanded");
	/* a choice without a type has that of its values */
	for (i = 0; i < kc->nall; i++) {
		symbol = kc->all[i];
		if (!symbol->is_choice)
			continue;
		if (!kc->plain_choices)
			drop_submenus(symbol);
		for (j = 0; j < symbol->nmember; j++)
			set_type(symbol, symbol->member[j]->type);
		for (j = 0; j < symbol->nmember; j++)
			set_type(symbol->member[j], symbol->type);
	}
	return kc;
}

void kconfig_free(struct kconfig *kc)
{
	if (!kc)
		return;
	HASH_CLEAR(hh, kc->symbols);
	HASH_CLEAR(hh, kc->constants);
	HASH_CLEAR(hh, kc->variables);
	free(kc->all);
	arena_free(kc->arena);
	free(kc);
}
