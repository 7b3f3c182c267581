// SPDX-License-Identifier: GPL-2.0-only
#include "history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "git.h"

/* How far back: a file that rarely changes is not looked for for ever. */
#define SECONDS (365 * 24 * 3600L)
#define SUBJECTS "60"
/* Fewer that agree are no habit. */
#define HABIT 3
/* A longer one leaves no room for a subject. */
#define LEN_MAX 28

struct habit {
	const char *file, *prefix; /* NULL: none */
	struct habit *next;
};

struct history {
	const char *root;
	struct arena *arena;
	struct habit *habit;
	struct git git;    /* dir NULL: not made */
	const char *since; /* "--since=@..."; NULL: there is no history */
	const char *head;
	bool asked;
};

struct history *history_new(const char *root, struct arena *arena)
{
	struct history *h = ARENA_NEW(arena, struct history);

	h->root = root;
	h->arena = arena;
	return h;
}

void history_release(struct history *h)
{
	if (h->git.dir)
		git_release(&h->git);
}

/*
 * What git printed counts even where it failed: where a clone was cut, the
 * commits above that are there.
 */
static void ask(struct history *h, const char *const *argv,
		struct strbuf *out)
{
	struct err err = { 0 };

	git_run(&h->git, argv, NULL, out, &err);
	err_clear(&err);
}

static void begin(struct history *h)
{
	const char *argv[] = { "log", "-1", "--format=%ct", NULL, "--", NULL };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	long date;

	h->asked = true;
	h->head = git_head(h->root, h->arena);
	if (!h->head)
		return;
	if (git_init(&h->git, NULL, NULL, h->arena, &err) ||
	    git_borrow(&h->git, h->root, &err)) {
		err_clear(&err);
		return;
	}
	argv[3] = h->head;
	ask(h, argv, &out);
	date = out.len ? strtol(out.buf, NULL, 10) : 0;
	if (date > SECONDS)
		h->since = arena_printf(h->arena, "--since=@%ld",
					date - SECONDS);
	strbuf_release(&out);
}

/* "mm: memcontrol" of "mm: memcontrol: do less": words with a colon each. */
static size_t prefix_len(const char *subject, size_t len)
{
	size_t end = 0;

	for (size_t i = 0; i + 1 < len && i <= LEN_MAX; i++) {
		if (subject[i] == ':' && subject[i + 1] == ' ' && i > end) {
			end = i++;
			continue;
		}
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-./,", subject[i]))
			break;
	}
	return end;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The text that most lines begin with; the first of equals. */
static const char *most_common(struct history *h, const struct strbuf *lines)
{
	const char **text, *best = NULL, *at = lines->buf;
	size_t n = 0, same = 0, most = HABIT - 1;

	text = ARENA_ARRAY(h->arena, const char *, lines->len + 1);
	while (at < lines->buf + lines->len) {
		size_t len = strcspn(at, "\n"), end = prefix_len(at, len);

		if (end)
			text[n++] = arena_strndup(h->arena, at, end);
		at += len + (at[len] == '\n');
	}
	if (n)
		qsort(text, n, sizeof(*text), by_text);
	for (size_t i = 0; i < n; i++) {
		same = i && !strcmp(text[i], text[i - 1]) ? same + 1 : 1;
		if (same > most) {
			most = same;
			best = text[i];
		}
	}
	return best;
}

const char *history_prefix(struct history *h, const char *file)
{
	const char *argv[] = { "log", "--no-merges", "--no-renames",
			       "--format=%s", "-n", SUBJECTS, NULL, NULL,
			       "--", NULL, NULL };
	struct strbuf out = STRBUF_INIT;
	struct habit *habit;

	if (!h->asked)
		begin(h);
	if (!h->since)
		return NULL;
	for (habit = h->habit; habit; habit = habit->next)
		if (!strcmp(habit->file, file))
			return habit->prefix;
	argv[6] = h->since;
	argv[7] = h->head;
	argv[9] = arena_printf(h->arena, ":(literal)%s", file);
	ask(h, argv, &out);
	habit = ARENA_NEW(h->arena, struct habit);
	*habit = (struct habit){
		.file = file, .next = h->habit,
		.prefix = out.len ? most_common(h, &out) : NULL,
	};
	h->habit = habit;
	strbuf_release(&out);
	return habit->prefix;
}
