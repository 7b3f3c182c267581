// SPDX-License-Identifier: GPL-2.0-only
#include "prose.h"

#include <string.h>

void prose_item(struct strbuf *out, const char *first, const char *text)
{
	size_t indent = strlen(first), column = indent;
	bool start = true;

	strbuf_addstr(out, first);
	while (*text) {
		size_t space = strspn(text, " \n\t"), len;

		text += space;
		len = strcspn(text, " \n\t");
		if (!len)
			break;
		if (!start && column + 1 + len > PROSE_COLUMNS) {
			strbuf_addf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!start) {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, text, len);
		column += len;
		text += len;
		start = false;
	}
	strbuf_addch(out, '\n');
}

void prose_paragraph(struct strbuf *out, const char *text)
{
	prose_item(out, "", text);
	strbuf_addch(out, '\n');
}

char *prose_list(struct arena *arena, const char *const *word, size_t n,
		 size_t most)
{
	char *text = arena_strdup(arena, n ? word[0] : "");
	size_t shown = n <= most ? n : most;

	for (size_t i = 1; i < shown; i++)
		text = arena_printf(arena, "%s%s%s", text,
				    i + 1 == n ? " and " : ", ", word[i]);
	if (shown < n)
		text = arena_printf(arena, "%s and %zu more", text,
				    n - shown);
	return text;
}

void prose_word(struct strbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+=:,@";

	if (*word && strspn(word, plain) == strlen(word)) {
		strbuf_addstr(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_addstr(out, "'\\'");
		strbuf_addch(out, *word);
	}
	strbuf_addch(out, '\'');
}
