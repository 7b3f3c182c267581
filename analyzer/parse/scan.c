// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a unit's functions are used beyond its own code: exported to modules,
 * or run at boot. Both are said by macros at file scope, of which nothing
 * recognisable is left after preprocessing.
 */
#include <ctype.h>
#include <string.h>

#include "extract.h"

static bool word_char(int c)
{
	return isalnum(c) || c == '_';
}

/* The argument number @which of the macro call whose "(" is at @at. */
static const char *argument(struct extract *ex, const char *at,
			    const char *end, unsigned which)
{
	const char *start;

	for (at++; which && at < end && *at != ')'; at++) {
		if (*at == '"')
			for (at++; at < end && *at != '"'; at++)
				at += *at == '\\';
		else if (*at == ',')
			which--;
	}
	while (at < end && isspace((unsigned char)*at))
		at++;
	for (start = at; at < end && word_char((unsigned char)*at); at++)
		;
	if (which || at == start)
		return NULL;
	return intern_n(ex->strings, start, (size_t)(at - start));
}

static bool is_word(const char *word, size_t len, const char *what)
{
	return len == strlen(what) && !memcmp(word, what, len);
}

static void scan_word(struct extract *ex, const char *word, size_t len,
		      const char *at, const char *end)
{
	struct list *list;
	unsigned which = 0;
	const char *name;

	if (is_word(word, len, "EXPORT_SYMBOL") ||
	    is_word(word, len, "EXPORT_SYMBOL_NS"))
		list = &ex->exports;
	else if (is_word(word, len, "EXPORT_SYMBOL_GPL") ||
		 is_word(word, len, "EXPORT_SYMBOL_NS_GPL"))
		list = &ex->gpl_exports;
	else if (is_word(word, len, "__setup") ||
		 is_word(word, len, "early_param"))
		list = &ex->initcalls, which = 1;
	else if (memmem(word, len, "initcall", 8) ||
		 is_word(word, len, "module_init") ||
		 is_word(word, len, "module_exit"))
		list = &ex->initcalls;
	else
		return;
	while (at < end && isspace((unsigned char)*at))
		at++;
	if (at == end || *at != '(')
		return;
	name = argument(ex, at, end, which);
	if (name)
		list_add(list, name);
}

void scan_unit(struct extract *ex, const char *text, size_t len)
{
	const char *at = text, *end = text + len, *word;

	while (at < end) {
		if (!word_char((unsigned char)*at)) {
			at++;
			continue;
		}
		for (word = at; at < end && word_char((unsigned char)*at);
		     at++)
			;
		scan_word(ex, word, (size_t)(at - word), at, end);
	}
}
