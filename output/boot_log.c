// SPDX-License-Identifier: GPL-2.0-only
/* What is known of boots beforehand, and what their logs say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot.h"

#define MARK "nocharge: "

const char *boot_text(struct arena *arena, const char *name, struct err *err)
{
	const char *sub = arena_printf(arena, "rules/boot/%s", name);
	const char *path = data_path(arena, sub), *copy = NULL;
	struct strbuf text = STRBUF_INIT;

	if (!path)
		err_set(err, STATUS_USAGE, "'%s' is not installed", sub);
	else if (!strbuf_read_file(&text, path, err))
		copy = arena_strndup(arena, text.len ? text.buf : "",
				     text.len);
	strbuf_release(&text);
	return copy;
}

const char *boot_options(struct arena *arena, const struct boot_arch *arch,
			 const char *name, struct err *err)
{
	const char *file[] = {
		"config", arena_printf(arena, "%s.config", arch->name),
		arena_printf(arena, "%s.config", name),
	};
	const char *all = "";

	for (size_t i = 0; all && i < sizeof(file) / sizeof(file[0]); i++) {
		const char *text = boot_text(arena, file[i], err);

		all = text ? arena_printf(arena, "%s%s\n", all, text) : NULL;
	}
	return all;
}

int boot_words(struct arena *arena, const char *name, struct names *words,
	       struct err *err)
{
	const char *at = boot_text(arena, name, err);
	size_t n = 0;

	if (!at)
		return -1;
	for (const char *line = at; *line; line++)
		n += *line == '\n';
	words->name = ARENA_ARRAY(arena, const char *, n + 1);
	words->n = 0;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (len && *at != '#')
			words->name[words->n++] = arena_strndup(arena, at,
								len);
	}
	return 0;
}

/* The option of "CONFIG_X=y" or "# CONFIG_X is not set"; 0: none is there. */
static size_t option_of(const char **line)
{
	if (!strncmp(*line, "# ", 2))
		*line += 2;
	return strncmp(*line, "CONFIG_", 7) ? 0 : strcspn(*line, "= \n");
}

bool boot_has_line(const struct strbuf *text, const char *line, size_t len)
{
	for (const char *at = text->len ? text->buf : ""; *at;
	     at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, line, len) && (!at[len] || at[len] == '\n'))
			return true;
	return false;
}

void boot_config_differ(const struct strbuf *a, const struct strbuf *b,
			struct names *options, struct arena *arena)
{
	const struct strbuf *text[2] = { a, b };

	for (size_t i = 0; i < 2; i++) {
		const char *at = text[i]->len ? text[i]->buf : "";

		for (size_t len; *at; at += len + (at[len] == '\n')) {
			const char *option = at, *name;
			size_t n = option_of(&option);

			len = strcspn(at, "\n");
			/* what is off is not always told */
			if (!n || *at == '#' || boot_has_line(text[!i], at, len))
				continue;
			name = arena_strndup(arena, option, n);
			if (!names_have(options, name))
				names_add(options, name, arena);
		}
	}
}

/* Behind "[    1.234567] ", if that is there. */
static const char *skip_time(const char *line)
{
	const char *at = line;

	if (*at != '[')
		return line;
	at += 1 + strspn(at + 1, " 0123456789.");
	return at[0] == ']' && at[1] == ' ' ? at + 2 : line;
}

const char *boot_trouble(const struct strbuf *console,
			 const struct names *words, struct arena *arena,
			 const char **where)
{
	const char *at = console->len ? console->buf : "", *step = NULL;

	*where = NULL;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		const char *line = skip_time(at);
		char *copy;

		len = strcspn(at, "\r\n");
		if (line > at + len)
			line = at;
		if (!strncmp(line, MARK, sizeof(MARK) - 1)) {
			step = line + sizeof(MARK) - 1;
		} else {
			copy = arena_strndup(arena, line,
					     (size_t)(at + len - line));
			for (size_t i = 0; i < words->n; i++)
				if (strstr(copy, words->name[i])) {
					if (step)
						*where = arena_strndup(arena,
							step, strcspn(step,
							"\r\n"));
					return copy;
				}
			arena_drop(arena, copy);
		}
		len += at[len] == '\r';
	}
	return NULL;
}

/* "NAME", "NAME.part.0", "NAME.cold" and the like. */
static bool is_part_of(const char *symbol, size_t len, const char *name)
{
	size_t n = strlen(name);

	return len >= n && !strncmp(symbol, name, n) &&
		(len == n || symbol[n] == '.');
}

bool boot_find(const struct strbuf *map, const char *name,
	       struct strbuf *ranges)
{
	const char *at = map->len ? map->buf : "";
	unsigned long long start = 0;
	bool inside = false, found = false;

	/* sorted by address: it ends where the next one begins */
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		unsigned long long address;
		char *end;

		len = strcspn(at, "\n");
		address = strtoull(at, &end, 16);
		if (end == at || end + 3 > at + len || *end != ' ')
			continue;
		if (inside && address > start) {
			strbuf_addf(ranges, "%s0x%llx+0x%llx",
				    ranges->len ? "," : "", start,
				    address - start);
			inside = false;
			found = true;
		}
		if (strchr("tTwW", end[1]) &&
		    is_part_of(end + 3, (size_t)(at + len - end - 3), name)) {
			start = address;
			inside = true;
		}
	}
	return found;
}

bool boot_saw(const struct strbuf *seen, const char *ranges)
{
	const char *range = ranges;

	while (*range) {
		char *end;
		unsigned long long start = strtoull(range, &end, 16), len;
		const char *at = seen->len ? seen->buf : "";

		len = *end == '+' ? strtoull(end + 1, &end, 16) : 0;
		for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
			if (strtoull(at, NULL, 16) - start < len)
				return true;
		range = end + strspn(end, ",");
		if (*end && range == end)
			return false;
	}
	return false;
}
