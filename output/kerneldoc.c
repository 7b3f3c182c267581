// SPDX-License-Identifier: GPL-2.0-only
#include "kerneldoc.h"

#include <ctype.h>
#include <string.h>

#include "source.h"

/* Where the text of a comment that begins at @s in @text does; or NULL. */
static const char *comment_text(const char *text, const char *s)
{
	if (s > text && s[-1] != '\n')
		return NULL;
	if (!strncmp(s, "/**\n", 4))
		return s + 4;
	return strncmp(s, "/*\n", 3) ? NULL : s + 3;
}

/*
 * The comment that ends right above @line and whose first line names
 * @function, as kernel-doc does and what is almost that; or NULL. *@end is
 * where what follows it begins.
 */
static const char *comment_above(const char *text, const char *line,
				 const char *function, const char **end,
				 struct arena *arena)
{
	const char *s = line, *start = NULL, *first;

	while (s > text && isspace((unsigned char)s[-1]))
		s--;
	if (s - text < 2 || s[-1] != '/' || s[-2] != '*' || *s != '\n')
		return NULL;
	*end = s + 1;
	for (s -= 2; s > text && strncmp(s - 1, "*/", 2); s--)
		if (comment_text(text, s - 1))
			start = s - 1;
	if (!start)
		return NULL;
	first = comment_text(text, start);
	first = arena_strndup(arena, first, strcspn(first, "\n"));
	return source_names(first, function) ? start : NULL;
}

/* Without blanks at the ends of lines, which no patch may add. */
static void add_lines(struct strbuf *sb, const char *from, const char *to)
{
	for (const char *s = from, *eol; s < to; s = eol + 1) {
		size_t len;

		eol = memchr(s, '\n', (size_t)(to - s));
		if (!eol)
			eol = to;
		len = (size_t)(eol - s);
		while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
			len--;
		strbuf_add(sb, s, len);
		strbuf_addch(sb, '\n');
	}
}

/* @text, where @cut bytes at @at are replaced by the lines of a comment. */
static int put(struct git *git, const char *path, const char *text,
	       const char *at, size_t cut, const char *from, const char *to,
	       struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	strbuf_add(&sb, text, (size_t)(at - text));
	add_lines(&sb, from, to);
	strbuf_addstr(&sb, at + cut);
	ret = git_put(git, path, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return ret;
}

int kerneldoc_move(struct git *git, const struct rename *rename,
		   struct err *err)
{
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	const char *comment = NULL, *place = NULL, *end = NULL, *rest;
	int ret = 0;

	if (git_get(git, rename->source, &from, err) ||
	    git_get(git, rename->header, &to, err))
		ret = -1;
	else if (from.len && to.len && strlen(from.buf) == from.len &&
		 strlen(to.buf) == to.len)
		place = source_definition(from.buf, rename->inner);
	if (place)
		comment = comment_above(from.buf, place, rename->name, &end,
					git->arena);
	if (comment)
		place = source_definition(to.buf, rename->name);
	/* not two empty lines where it was */
	rest = end && *end == '\n' && comment >= from.buf + 2 &&
	       comment[-2] == '\n' ? end + 1 : end;
	if (comment && place &&
	    (put(git, rename->header, to.buf, place, 0, comment, end, err) ||
	     put(git, rename->source, from.buf, comment,
		 (size_t)(rest - comment), NULL, NULL, err)))
		ret = -1;
	strbuf_release(&from);
	strbuf_release(&to);
	return ret;
}
