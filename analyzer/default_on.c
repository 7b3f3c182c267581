// SPDX-License-Identifier: GPL-2.0-only
#include "default_on.h"

#include <ctype.h>
#include <string.h>

#include "tree/tree.h"

static uint32_t line_of(const char *text, const char *at)
{
	uint32_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

uint32_t default_on_entry(const char *text, const char *symbol)
{
	const size_t len = strlen(symbol);
	uint32_t line = 1;

	for (; *text; text = next_line(text), line++) {
		const char *s = text;

		if (!strncmp(s, "menu", 4))
			s += 4;
		if (strncmp(s, "config", 6) || !strchr(" \t", s[6]))
			continue;
		s += 6 + strspn(s + 6, " \t");
		if (!strncmp(s, symbol, len) &&
		    (!s[len] || strchr(" \t\r\n#", s[len])))
			return line;
	}
	return 0;
}

/* The line of the entry of a parameter: one tab, its name and '='. */
static uint32_t parameter_entry(const char *text, const char *name)
{
	const size_t len = strlen(name);
	uint32_t line = 1;

	for (; *text; text = next_line(text), line++)
		if (*text == '\t' && !strncmp(text + 1, name, len) &&
		    text[1 + len] == '=')
			return line;
	return 0;
}

/* MACRO("NAME=", FUNCTION): where it is, with the function's name if asked. */
static const char *find_setup(const char *text, const char *macro,
			      const char *name, const char **function,
			      struct arena *arena)
{
	const char *quoted = arena_printf(arena, "\"%s=\"", name), *s = text;
	const size_t len = strlen(macro);

	for (; (s = strstr(s, quoted)); s++) {
		const char *from = s, *to = s + strlen(quoted);
		size_t n = 0;

		while (from > text && strchr(" \t\n", from[-1]))
			from--;
		if (from == text || *--from != '(' ||
		    (size_t)(from - text) < len ||
		    strncmp(from - len, macro, len))
			continue;
		to += strspn(to, " \t\n,");
		while (is_word(to[n]))
			n++;
		if (!n)
			continue;
		if (function)
			*function = arena_strndup(arena, to, n);
		return from - len;
	}
	return NULL;
}

/* The text of @function, which stands above @end. */
static const char *body_of(const char *text, const char *end,
			   const char *function, struct arena *arena)
{
	const char *head = arena_printf(arena, "%s(", function);
	const char *from = end;

	for (const char *s = text; (s = strstr(s, head)) && s < end; s++)
		if (s == text || !is_word(s[-1]))
			from = s;
	return arena_strndup(arena, from, (size_t)(end - from));
}

/* Is anything called there that lowers a static key? */
static bool lowers(const char *s, const struct names *lower,
		   struct arena *arena)
{
	for (size_t n; *s; s += n + (n == 0)) {
		for (n = 0; is_word(s[n]);)
			n++;
		if (n && s[n] == '(' &&
		    names_match(lower, arena_strndup(arena, s, n)))
			return true;
	}
	return false;
}

/* Is a field stored to there that says that the feature is off? */
static bool stores(const char *text, const struct rules *rules,
		   struct arena *arena)
{
	for (size_t i = 0; i < rules->nguard; i++) {
		const char *dot = strchr(rules->guard[i].name, '.');

		if (dot && strstr(text, arena_printf(arena, "->%s = ",
						     dot + 1)))
			return true;
	}
	return false;
}

struct looking {
	struct tree *tree;
	const struct config *config;
	const struct rules *rules;
	const struct kernel_rules *kernel;
	struct arena *arena;
};

static const char *read_text(const struct looking *l, const char *file)
{
	size_t len;
	const char *text = tree_read(l->tree, l->config, file, &len);

	return text && strlen(text) == len ? text : NULL;
}

static void find_handler(const struct looking *l, struct default_on *d)
{
	const struct parameter_rules *how = &l->kernel->parameter;

	for (size_t i = 0; i < how->handlers.n; i++) {
		const char *file = how->handlers.name[i], *at;
		const char *text = read_text(l, file), *body;

		at = text ? find_setup(text, how->setup, d->off, &d->handler,
				       l->arena) : NULL;
		if (!at)
			continue;
		d->file = file;
		d->line = line_of(text, at);
		body = body_of(text, at, d->handler, l->arena);
		d->by_key = lowers(body, &l->kernel->lower, l->arena);
		d->by_field = stores(body, l->rules, l->arena);
		at = find_setup(text, how->setup, d->on, NULL, l->arena);
		d->has_on = at != NULL;
		if (at && !d->has)
			d->has = arena_printf(l->arena, "'%s=' is there "
				"already (%s:%u)", d->on, file,
				line_of(text, at));
		return;
	}
}

/* An option by which the feature can be off without being asked to be. */
static void find_other(const struct looking *l, struct default_on *d,
		       const char *file, const char *text, const char *symbol)
{
	uint32_t line = default_on_entry(text, symbol);

	if (!line || d->other)
		return;
	d->other = symbol;
	d->has = arena_printf(l->arena, "%s is there already (%s:%u)", symbol,
			      file, line);
}

static void find_options(const struct looking *l, struct default_on *d)
{
	const struct names *files = &l->kernel->parameter.options;
	const struct names *other = &l->rules->asked.other;

	for (size_t i = 0; i < files->n; i++) {
		const char *text = read_text(l, files->name[i]);

		if (!text)
			continue;
		find_other(l, d, files->name[i], text, d->option);
		for (size_t k = 0; k < other->n; k++)
			find_other(l, d, files->name[i], text, other->name[k]);
		/* the first is what all others hang on */
		for (size_t k = 0; k < l->rules->symbols.n && !d->symbol; k++) {
			const char *symbol = l->rules->symbols.name[k];
			uint32_t line = default_on_entry(text, symbol);

			if (!line)
				continue;
			d->symbol = symbol;
			d->kconfig = files->name[i];
			d->kconfig_line = line;
		}
	}
}

static void find_document(const struct looking *l, struct default_on *d)
{
	const struct names *files = &l->kernel->parameter.documents;

	for (size_t i = 0; i < files->n && !d->document; i++) {
		const char *text = read_text(l, files->name[i]);
		uint32_t line = text ? parameter_entry(text, d->off) : 0;

		if (!line)
			continue;
		d->document = files->name[i];
		d->document_line = line;
	}
}

struct default_on *default_on_find(struct tree *tree,
				   const struct config *config,
				   const struct rules *rules,
				   const struct kernel_rules *kernel,
				   struct arena *arena)
{
	const struct looking l = { tree, config, rules, kernel, arena };
	const char *equals = rules->off ? strchr(rules->off, '=') : NULL;
	struct default_on *d;

	if (!rules->asked.option || !kernel->parameter.handlers.n || !equals)
		return NULL;
	d = ARENA_NEW(arena, struct default_on);
	d->off = arena_strndup(arena, rules->off,
			       (size_t)(equals - rules->off));
	d->name = equals + 1;
	d->on = arena_strndup(arena, rules->asked.boot,
			      strcspn(rules->asked.boot, "="));
	d->option = rules->asked.option;
	find_options(&l, d);
	find_handler(&l, d);
	find_document(&l, d);
	if (!d->file)
		d->lacks = arena_printf(arena, "nothing handles '%s=' in %s",
					d->off, kernel->parameter.handlers.name[0]);
	else if (!d->symbol)
		d->lacks = arena_printf(arena, "%s has no entry for %s",
					kernel->parameter.options.name[0],
					rules->symbols.name[0]);
	else if (!d->document)
		d->lacks = arena_printf(arena, "'%s=' is not described", d->off);
	return d;
}
