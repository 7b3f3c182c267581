// SPDX-License-Identifier: GPL-2.0-only
#include "fold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "source.h"

#define MARK "\tnocharge_folded_"

/* A body that is no longer than this is not worth it. */
#define BODY_MIN 80

static const char *line_end(const char *s)
{
	s += strcspn(s, "\n");
	return *s ? s + 1 : s;
}

/* The end of the body that begins at @body: a line with '}'; or NULL. */
static const char *body_end(const char *body)
{
	const char *s = body;

	while (*s && *s != '}') {
		/* one more function, or half of one, may begin here */
		if (*s == '#' || *s == '{')
			return NULL;
		s = line_end(s);
	}
	return *s ? s : NULL;
}

static bool any_stands(const char *from, const char *to,
		       const char *const *word, size_t n, struct arena *arena)
{
	const char *text;
	bool found = false;

	/* a look for the bytes is quick, one for words is not */
	for (size_t i = 0; i < n && !found; i++)
		found = memmem(from, (size_t)(to - from), word[i],
			       strlen(word[i])) != NULL;
	if (!found)
		return false;
	text = arena_strndup(arena, from, (size_t)(to - from));
	for (size_t i = 0; i < n; i++)
		if (source_names(text, word[i]))
			return true;
	return false;
}

char *fold_make(const char *text, const char *const *word, size_t n,
		struct fold *fold, struct arena *arena)
{
	const char *head = text, *copied = text, *next;
	struct strbuf out = STRBUF_INIT;
	size_t cap = 0;
	char *folded;

	*fold = (struct fold){ .n = 0 };
	for (const char *s = text; *s && !strstr(text, MARK); s = next) {
		const char *end = NULL, **more;

		next = line_end(s);
		if (*s == '\n')
			head = next;
		if (!strncmp(s, "{\n", 2))
			end = body_end(next);
		if (!end)
			continue;
		if (end - next > BODY_MIN &&
		    !any_stands(head, end, word, n, arena)) {
			if (fold->n == cap) {
				cap = cap ? 2 * cap : 64;
				more = ARENA_ARRAY(arena, const char *, cap);
				if (fold->n)
					memcpy(more, fold->body,
					       fold->n * sizeof(*more));
				fold->body = more;
			}
			strbuf_add(&out, copied, (size_t)(next - copied));
			strbuf_addf(&out, MARK "%zu();\n", fold->n);
			fold->body[fold->n++] = arena_strndup(arena, next,
						(size_t)(end - next));
			copied = end;
		}
		head = next = end;
	}
	strbuf_addstr(&out, copied);
	folded = arena_strndup(arena, out.buf ? out.buf : "", out.len);
	strbuf_release(&out);
	return folded;
}

char *fold_undo(const char *text, const struct fold *fold,
		struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	const char *at, *copied = text;
	char *whole = NULL, *end;
	size_t n = 0;

	/* spatch keeps the order of what it does not touch */
	while ((at = strstr(copied, MARK))) {
		if (strtoul(at + strlen(MARK), &end, 10) != n ||
		    n == fold->n || strncmp(end, "();\n", 4))
			break;
		strbuf_add(&out, copied, (size_t)(at - copied));
		strbuf_addstr(&out, fold->body[n++]);
		copied = end + strlen("();\n");
	}
	if (!at && n == fold->n) {
		strbuf_addstr(&out, copied);
		whole = arena_strndup(arena, out.buf ? out.buf : "", out.len);
	}
	strbuf_release(&out);
	return whole;
}
