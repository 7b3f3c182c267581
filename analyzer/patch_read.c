// SPDX-License-Identifier: GPL-2.0-only
#include "patch_read.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAIL_FOLDER ".git/mail"

static int refuse(const struct patch_text *patch, const char *what,
		  const char *why, struct err *err)
{
	return err_set(err, STATUS_USAGE, "'%s' is refused: '%s' %s",
		       patch->name, what, why);
}

/* Why a path of a patch is none of a tree's, or NULL. */
static const char *bad_path(const char *path)
{
	for (const char *s = path; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f || *s == '\\')
			return "is no name of a source";
	if (!*path || *path == '/')
		return "is absolute";
	for (const char *part = path; part; ) {
		size_t len = strcspn(part, "/");

		if (len == 2 && !strncmp(part, "..", 2))
			return "leaves the tree";
		if (!len || (len == 1 && *part == '.'))
			return "is no name of a source";
		if (len == 4 && !strncasecmp(part, ".git", 4))
			return "is git's own";
		part = part[len] ? part + len + 1 : NULL;
	}
	return NULL;
}

static int take_path(struct patch_text *patch, const char *path, bool prefix,
		     struct arena *arena, struct err *err)
{
	const char *why;

	if (!strcmp(path, "/dev/null"))
		return 0;
	if (*path == '"')
		return refuse(patch, path, "is no name of a source", err);
	if (prefix) {
		/* a/ and b/, or whatever one folder */
		const char *slash = strchr(path, '/');

		if (*path == '/' || !slash)
			return refuse(patch, path, *path == '/' ?
				      "is absolute" : "has no folder in front "
				      "(-p1)", err);
		path = slash + 1;
	}
	why = bad_path(path);
	if (why)
		return refuse(patch, path, why, err);
	for (size_t i = 0; i < patch->npath; i++)
		if (!strcmp(patch->path[i], path))
			return 0;
	GROW_LIST(arena, patch->path, patch->npath, patch->cap);
	patch->path[patch->npath++] = path;
	return 0;
}

static const char *behind(const char *line, const char *word)
{
	size_t len = strlen(word);

	return strncmp(line, word, len) ? NULL : line + len;
}

static int read_mode(const struct patch_text *patch, const char *mode,
		     const char *file, struct err *err)
{
	if (!strncmp(mode, "120", 3))
		return refuse(patch, file, "is a symbolic link", err);
	if (strncmp(mode, "100", 3))
		return refuse(patch, file, "is no regular file", err);
	return 0;
}

/* A line that is in no hunk. */
static int read_header(struct patch_text *patch, const char *line,
		       const char **file, struct arena *arena,
		       struct err *err)
{
	static const char *const modes[] = { "old mode ", "new mode ",
		"new file mode ", "deleted file mode " };
	static const char *const names[] = { "rename from ", "rename to ",
		"copy from ", "copy to " };
	const char *rest;
	char *path;

	rest = behind(line, "diff --git ");
	if (rest) {
		*file = rest;
		return 0;
	}
	if (behind(line, "GIT binary patch") || (behind(line, "Binary files ")
						 && strstr(line, " differ")))
		return refuse(patch, *file, "is binary", err);
	/* words of a message may look like these; of a diff they are */
	for (size_t i = 0; i < 4 && **file; i++) {
		rest = behind(line, modes[i]);
		if (rest)
			return read_mode(patch, rest, *file, err);
		rest = behind(line, names[i]);
		if (rest)
			return take_path(patch, rest, false, arena, err);
	}
	rest = behind(line, "--- ");
	if (!rest)
		rest = behind(line, "+++ ");
	if (!rest)
		return 0;
	/* behind a tab there may be a date */
	path = arena_strndup(arena, rest, strcspn(rest, "\t"));
	return take_path(patch, path, true, arena, err);
}

/* All lines of the diff: which files, and is there any hunk? */
static int scan(struct patch_text *patch, bool *diff, struct arena *arena,
		struct err *err)
{
	unsigned old = 0, new = 0;
	const char *file = "";

	*diff = false;
	for (const char *at = patch->text; *at; ) {
		size_t len = strcspn(at, "\n");
		const char *line = arena_strndup(arena, at, len && at[len - 1]
						 == '\r' ? len - 1 : len);

		at += len + (at[len] == '\n');
		if (old || new) {
			old -= old && (*line == '-' || *line == ' ' || !*line);
			new -= new && (*line == '+' || *line == ' ' || !*line);
		} else if (sscanf(line, "@@ -%*u,%u", &old) == 1 ||
			   behind(line, "@@ -")) {
			const char *plus = strchr(line, '+');

			if (!strchr(line, ',') || strchr(line, ',') > plus)
				old = 1;
			if (!plus || sscanf(plus, "+%*u,%u", &new) != 1)
				new = 1;
			*diff = true;
		} else if (read_header(patch, line, &file, arena, err)) {
			return -1;
		} else if (behind(line, "rename to ") ||
			   behind(line, "deleted file mode ") ||
			   behind(line, "new file mode ")) {
			*diff = true;
		}
	}
	return 0;
}

/* Take what is a diff of @text to the list. */
static int add(struct patch_list *list, struct git *git, const char *name,
	       const struct strbuf *text, struct err *err)
{
	struct patch_text patch = {
		.name = name,
		.text = arena_strndup(git->arena, text->buf ? text->buf : "",
				      text->len),
	};
	bool diff;

	if (memchr(patch.text, 0, text->len))
		return err_set(err, STATUS_USAGE, "'%s' is refused: it has "
			       "bytes that are 0", name);
	if (scan(&patch, &diff, git->arena, err))
		return -1;
	if (!diff)
		return 0;
	GROW_LIST(git->arena, list->patch, list->n, list->cap);
	list->patch[list->n++] = patch;
	return 0;
}

/* "From " of a mailbox, or a header's name and a colon. */
static bool is_mail(const char *text)
{
	size_t len = 0;

	if (!strncmp(text, "From ", 5))
		return true;
	while (isalnum((unsigned char)text[len]) || text[len] == '-')
		len++;
	return len && text[len] == ':' && strncmp(text, "Index:", 6);
}

static int read_mail(struct patch_list *list, struct git *git,
		     const char *name, unsigned n, unsigned all,
		     struct err *err)
{
	const char *const info[] = { "mailinfo", ".git/message", ".git/diff",
				     NULL };
	struct strbuf mail = STRBUF_INIT, diff = STRBUF_INIT;
	int ret;

	if (all > 1)
		name = arena_printf(git->arena, "%s, mail %u of %u", name, n,
				    all);
	ret = git_get(git, arena_printf(git->arena, MAIL_FOLDER "/%04u", n),
		      &mail, err);
	if (!ret)
		ret = git_run(git, info, mail.buf ? mail.buf : "", NULL, err);
	if (!ret)
		ret = git_get(git, ".git/diff", &diff, err);
	if (!ret)
		ret = add(list, git, name, &diff, err);
	strbuf_release(&diff);
	strbuf_release(&mail);
	return ret;
}

int patch_read(struct patch_list *list, struct git *git, const char *name,
	       const struct strbuf *text, struct err *err)
{
	const char *const argv[] = { "mailsplit", "-b", "-o" MAIL_FOLDER,
				     "--", ".git/mailbox", NULL };
	struct strbuf out = STRBUF_INIT;
	unsigned all;
	int ret;

	if (!is_mail(text->buf)) {
		ret = add(list, git, name, text, err);
	} else {
		ret = git_put(git, MAIL_FOLDER "/none", "", 0, err) ||
		      git_put(git, ".git/mailbox", text->buf, text->len, err)
		      || git_run(git, argv, NULL, &out, err) ? -1 : 0;
		all = out.buf ? (unsigned)strtoul(out.buf, NULL, 10) : 0;
		for (unsigned i = 1; i <= all && !ret; i++)
			ret = read_mail(list, git, name, i, all, err);
	}
	strbuf_release(&out);
	if (!ret && !list->n)
		ret = err_set(err, STATUS_USAGE, "'%s' has no patch", name);
	return ret;
}
