// SPDX-License-Identifier: GPL-2.0-only
#include "told.h"

#include <string.h>

/* Where a line begins so, in front of @end; NULL: nowhere. */
static const char *line_with(const char *text, const char *end,
			     const char *start)
{
	size_t len = strlen(start);

	for (const char *at = text; at && at < end;) {
		if ((size_t)(end - at) >= len && !strncmp(at, start, len))
			return at;
		at = memchr(at, '\n', (size_t)(end - at));
		if (at)
			at++;
	}
	return NULL;
}

bool told_put(const char *text, size_t len, const char *start,
	      const char *paragraph, const char *before, struct strbuf *out)
{
	const char *end = strstr(text, "\n---\n"), *old, *rest;
	size_t first = out->len;

	/* a cover letter has none */
	if (!end)
		end = text + len;
	old = line_with(text, end, start);
	rest = old ? strstr(old, "\n\n") : line_with(text, end, before);
	if (!rest)
		return false;
	if (old)
		rest += 2;
	strbuf_add(out, text, (size_t)((old ? old : rest) - text));
	strbuf_addstr(out, paragraph);
	strbuf_addstr(out, rest);
	return out->len - first != len ||
		memcmp(out->buf + first, text, len) != 0;
}
