// SPDX-License-Identifier: GPL-2.0-only
#include "place.h"

#include <ctype.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "../analyzer/default_on.h"

const char *place_value(const struct edit *edit, const char *name)
{
	for (size_t i = 0; i < edit->nname; i++)
		if (!strcmp(edit->name[i].name, name))
			return edit->name[i].value;
	BUG("an edit of '%s' without '%s'", edit->file, name);
}

static bool is_blank(const char *line)
{
	line += strspn(line, " \t\r");
	return !*line || *line == '\n';
}

/* @text with @entry at @at, and an empty line between it and each neighbour. */
static char *insert(const char *text, const char *at, const char *entry,
		    struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	char *copy;

	strbuf_add(&out, text, (size_t)(at - text));
	if (out.len && out.buf[out.len - 1] != '\n')
		strbuf_addch(&out, '\n');
	if (out.len > 1 && out.buf[out.len - 2] != '\n')
		strbuf_addch(&out, '\n');
	strbuf_addstr(&out, entry);
	if (*at && *at != '\n')
		strbuf_addch(&out, '\n');
	strbuf_addstr(&out, at);
	copy = arena_strndup(arena, out.buf, out.len);
	strbuf_release(&out);
	return copy;
}

/* What ends an entry: all that begins a line but what an #if has, too. */
static const char *entry_end(const char *s)
{
	const char *end = s;

	for (; *s && (is_blank(s) || isspace((unsigned char)*s));
	     s = next_line(s))
		if (!is_blank(s))
			end = next_line(s);
	return end;
}

char *place_option(const struct edit *edit, const char *text,
		   const char **why, struct arena *arena)
{
	const char *below = place_value(edit, "below"), *s = text;
	uint32_t line = default_on_entry(text, below);

	if (!line) {
		*why = arena_printf(arena, "%s has no entry for %s",
				    edit->file, below);
		return NULL;
	}
	while (line--)
		s = next_line(s);
	s = entry_end(s);
	/* the gap that is there stays behind the new one */
	return insert(text, s, place_value(edit, "entry"), arena);
}

/* The name of the parameter whose entry begins here: its length, or 0. */
static size_t parameter_name(const char *line)
{
	if (*line != '\t' || !line[1] || isspace((unsigned char)line[1]))
		return 0;
	return strcspn(line + 1, "= \t\n[");
}

/* As the file sorts them: '_' and '-' are the same, and '.' comes last. */
static int rank(char c)
{
	if (c == '-' || c == '_')
		return 1;
	return c == '.' ? 0x7f : tolower((unsigned char)c);
}

static int compare(const char *a, size_t na, const char *b, size_t nb)
{
	for (size_t i = 0; i < na && i < nb; i++)
		if (rank(a[i]) != rank(b[i]))
			return rank(a[i]) - rank(b[i]);
	return (na > nb) - (na < nb);
}

char *place_parameter(const struct edit *edit, const char *text,
		      const char **why, struct arena *arena)
{
	const char *below = place_value(edit, "below"), *s = text;
	const char *name = place_value(edit, "name");
	size_t n;

	while (*s && (strncmp(s, "\t", 1) ||
		      parameter_name(s) != strlen(below) ||
		      strncmp(s + 1, below, strlen(below))))
		s = next_line(s);
	if (!*s) {
		*why = arena_printf(arena, "%s does not describe '%s='",
				    edit->file, below);
		return NULL;
	}
	do {
		s = next_line(s);
		while (*s && (is_blank(s) ||
			      (*s == '\t' && !parameter_name(s))))
			s = next_line(s);
		n = *s ? parameter_name(s) : 0;
	} while (n && compare(s + 1, n, name, strlen(name)) < 0);
	return insert(text, s, place_value(edit, "entry"), arena);
}

/* Does "NAME(" stand in the line? */
static bool declares(const char *line, size_t len, const char *name)
{
	const size_t n = strlen(name);

	for (const char *s = line; s + n < line + len; s++)
		if (!strncmp(s, name, n) && s[n] == '(' &&
		    (s == line || strchr(" \t*", s[-1])))
			return true;
	return false;
}

char *place_declaration(const struct edit *edit, const char *text,
			const char **why, struct arena *arena)
{
	const char *beside = place_value(edit, "beside");
	struct strbuf out = STRBUF_INIT;
	unsigned prototypes = 0, stubs = 0;
	char *copy = NULL;

	for (const char *s = text, *next; *s; s = next) {
		size_t len = strcspn(s, "\n");

		next = next_line(s);
		strbuf_add(&out, s, (size_t)(next - s));
		if (!declares(s, len, beside))
			continue;
		if (s[len - 1] == ';') {
			strbuf_addf(&out, "%s\n",
				    place_value(edit, "prototype"));
			prototypes++;
		} else if (s[len - 1] == '}') {
			strbuf_addf(&out, "%s\n", place_value(edit, "stub"));
			stubs++;
		}
	}
	if (prototypes == 1 && stubs == 1)
		copy = arena_strndup(arena, out.buf, out.len);
	else
		*why = arena_printf(arena, "%s does not have one prototype "
				    "and one stub of '%s'", edit->file,
				    beside);
	strbuf_release(&out);
	return copy;
}
