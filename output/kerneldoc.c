// SPDX-License-Identifier: GPL-2.0-only
#include "kerneldoc.h"

#include <ctype.h>
#include <string.h>

/* The comment that starts "FUNCTION -" or "FUNCTION()", or NULL. */
static const char *find_comment(const char *text, const char *function,
				size_t *len)
{
	size_t name = strlen(function);

	for (const char *s = text; (s = strstr(s, "/**\n")); s += 4) {
		const char *line = s + 4 + strspn(s + 4, " *\t");
		const char *end = strstr(s, "*/");

		if (!end || strncmp(line, function, name) ||
		    (line[name] != ' ' && line[name] != '(' &&
		     line[name] != ':'))
			continue;
		end += 2;
		end += *end == '\n';
		*len = (size_t)(end - s);
		return s;
	}
	return NULL;
}

/* Where the line of the definition of @function begins, or NULL. */
static const char *find_definition(const char *text, const char *function)
{
	size_t name = strlen(function);

	for (const char *s = text; (s = strstr(s, function)); s += name) {
		const char *close, *line = s;

		if (s[name] != '(' || (s > text &&
		    (isalnum((unsigned char)s[-1]) || s[-1] == '_')))
			continue;
		close = strchr(s, ')');
		if (!close || close[1 + strspn(close + 1, " \n\t")] != '{')
			continue;
		/* the type may stand on a line of its own */
		while (line > text && !(line[-1] == '\n' &&
		       (line - text < 2 || strchr("\n}/;", line[-2]))))
			line--;
		return line;
	}
	return NULL;
}

static int put(struct git *git, const char *path, const char *text,
	       size_t cut, size_t len, const char *add, size_t nadd,
	       struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	strbuf_add(&sb, text, cut);
	if (nadd)
		strbuf_add(&sb, add, nadd);
	strbuf_addstr(&sb, text + cut + len);
	ret = git_put(git, path, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return ret;
}

int kerneldoc_move(struct git *git, const char *source, const char *header,
		   const char *function, struct err *err)
{
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	const char *comment = NULL, *place = NULL;
	size_t len;
	int ret = 0;

	if (git_get(git, source, &from, err) || git_get(git, header, &to, err))
		ret = -1;
	else if (from.len && to.len && strlen(from.buf) == from.len &&
		 strlen(to.buf) == to.len)
		comment = find_comment(from.buf, function, &len);
	if (comment)
		place = find_definition(to.buf, function);
	if (place)
		ret = put(git, header, to.buf, (size_t)(place - to.buf), 0,
			  comment, len, err) ||
		      put(git, source, from.buf,
			  (size_t)(comment - from.buf), len, "", 0, err) ?
		      -1 : 0;
	strbuf_release(&from);
	strbuf_release(&to);
	return ret;
}
