// SPDX-License-Identifier: GPL-2.0-only
#include "send.h"

#include <string.h>
#include <unistd.h>

#include "../analyzer/base/process.h"
#include "../analyzer/interrupt.h"
#include "prose.h"

#define SCRIPT "scripts/get_maintainer.pl"
#define SCRIPT_SECONDS 120

struct people {
	const char **who;
	bool *maintains;
	size_t n, cap;
};

static void add(struct people *people, const char *who, bool maintains,
		struct arena *arena)
{
	for (size_t i = 0; i < people->n; i++)
		if (!strcmp(people->who[i], who)) {
			people->maintains[i] |= maintains;
			return;
		}
	if (people->n == people->cap) {
		size_t cap = people->cap ? 2 * people->cap : 32;
		const char **more = ARENA_ARRAY(arena, const char *, cap);
		bool *which = ARENA_ARRAY(arena, bool, cap);

		for (size_t i = 0; i < people->n; i++) {
			more[i] = people->who[i];
			which[i] = people->maintains[i];
		}
		people->who = more;
		people->maintains = which;
		people->cap = cap;
	}
	people->who[people->n] = who;
	people->maintains[people->n++] = maintains;
}

/* "Name <address> (role:SECTION)" or "address (open list)" */
static void take_line(struct people *people, const char *line,
		      struct arena *arena)
{
	const char *open = strchr(line, '<');
	const char *end = open ? strchr(open, '>') : NULL;
	size_t len = end ? (size_t)(end - line) + 1 : strcspn(line, " ");
	char *who;

	for (const char *s = line; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return;
	who = arena_strndup(arena, line, len);
	if (!strchr(who, '@') || *who == '-')
		return;
	line += len;
	add(people, who, !strncmp(line, " (maintainer", 12) ||
	    !strncmp(line, " (supporter", 11), arena);
}

static void write_command(const struct people *people,
			  const char *const *name, size_t n,
			  struct strbuf *out)
{
	strbuf_addstr(out,
		"# SPDX-License-Identifier: GPL-2.0-only\n"
		"#\n"
		"# Written by nocharge, which sent nothing: whom the tree's\n"
		"# " SCRIPT " names for these patches. Read it,\n"
		"# change it, and run it here by yourself (sh send.cmd). The "
		"patches are not\n"
		"# signed off: that is yours, too.\n"
		"git send-email \\\n");
	for (int cc = 0; cc < 2; cc++)
		for (size_t i = 0; i < people->n; i++) {
			if (people->maintains[i] == cc)
				continue;
			strbuf_addstr(out, cc ? "\t--cc=" : "\t--to=");
			prose_word(out, people->who[i]);
			strbuf_addstr(out, " \\\n");
		}
	for (size_t i = 0; i < n; i++) {
		strbuf_addch(out, '\t');
		prose_word(out, name[i]);
		strbuf_addstr(out, i + 1 < n ? " \\\n" : "\n");
	}
}

const char *send_command(const struct tree *tree, const char *dir,
			 const char *const *name, size_t n, const char *home,
			 struct strbuf *out, int *ret, struct arena *arena,
			 struct err *err)
{
	const char *const env[] = {
		arena_printf(arena, "HOME=%s", home), "LC_ALL=C",
		"GIT_DIR=/dev/null", NULL
	};
	struct people people = { 0 };

	*ret = 0;
	if (access(arena_printf(arena, "%s/" SCRIPT, tree->root), R_OK))
		return "the tree has no " SCRIPT;
	for (size_t i = 1; i < n; i++) {
		const char *const argv[] = {
			"perl", SCRIPT, "--nogit", "--nogit-fallback",
			"--nogit-blame", "--norolestats", "--roles",
			arena_printf(arena, "%s/%s", dir, name[i]), NULL
		};
		const struct process process = {
			.argv = argv, .dir = tree->root, .env = env,
			.seconds = SCRIPT_SECONDS,
			.interrupted = interrupt_flag(),
		};
		struct strbuf text = STRBUF_INIT;
		char *line, *save;
		int status = process_run(&process, &text, NULL, err);

		if (status < 0) {
			*ret = -1;
			strbuf_release(&text);
			return NULL;
		}
		line = text.buf ? strtok_r(text.buf, "\n", &save) : NULL;
		for (; line; line = strtok_r(NULL, "\n", &save))
			take_line(&people, line, arena);
		strbuf_release(&text);
		if (status)
			return arena_printf(arena, SCRIPT " ended with %d",
					    status);
	}
	write_command(&people, name, n, out);
	return NULL;
}
