// SPDX-License-Identifier: GPL-2.0-only
/* Makefiles as lines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "kbuild.h"
#include "make.h"
#include "tree_private.h"

#define LINE_LIMIT 100000

struct reader {
	struct tree *tree;
	struct makefile *file;
	bool in_rule;    /* lines that begin with a tab are a recipe */
	unsigned define; /* inside of define ... endef */
};

static void add(struct reader *r, enum mk_kind kind, char op, const char *word,
		size_t word_len, const char *text, size_t len)
{
	struct makefile *file = r->file;
	struct mk_line *line;

	if (file->n == LINE_LIMIT)
		return;
	if (file->n == file->size) {
		file->size = file->size ? file->size * 2 : 16;
		file->line = xrealloc(file->line,
				      file->size * sizeof(*file->line));
	}
	line = &file->line[file->n++];
	line->kind = kind;
	line->op = op;
	line->word = intern_n(r->tree->strings, word, word_len);
	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	line->text = arena_strndup(r->tree->arena, text, len);
}

/* Behind the variable reference that begins at @at. */
static const char *skip_reference(const char *at, const char *end)
{
	char open, close;
	size_t depth = 0;

	if (at + 1 >= end || (at[1] != '(' && at[1] != '{'))
		return at + 1;
	open = at[1];
	close = open == '(' ? ')' : '}';
	for (at++; at < end; at++) {
		if (*at == open)
			depth++;
		else if (*at == close && !--depth)
			return at + 1;
	}
	return end;
}

static bool is_word(const char *at, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(at, word, len);
}

/*
 * NAME op VALUE. A colon that is not part of the operator makes it a rule,
 * a second word in front of the operator none of both.
 */
static bool assignment(struct reader *r, const char *line, const char *end)
{
	const char *at = line, *name_end;
	char op = '=';

	while (at < end && !isspace((unsigned char)*at)) {
		if (*at == '$') {
			at = skip_reference(at, end);
			continue;
		}
		if (*at == '=' || *at == '#')
			break;
		if ((*at == '+' || *at == '?' || *at == ':') &&
		    memchr(at, '=', (size_t)(end - at)) &&
		    at[strspn(at, "+?:")] == '=')
			break;
		if (*at == ':')
			return false;
		at++;
	}
	name_end = at;
	while (at < end && isspace((unsigned char)*at))
		at++;
	if (at < end && *at != '=') {
		op = *at;
		if (op != '+' && op != '?' && op != ':')
			return false;
		at += strspn(at, op == ':' ? ":" : op == '+' ? "+" : "?");
	}
	if (at >= end || *at != '=' || name_end == line)
		return false;
	add(r, MK_ASSIGN, op, line, (size_t)(name_end - line), at + 1,
	    (size_t)(end - at - 1));
	return true;
}

static void condition(struct reader *r, const char *word, size_t len,
		      const char *at, const char *end)
{
	if (is_word(word, len, "endif"))
		add(r, MK_ENDIF, 0, word, len, at, 0);
	else if (is_word(word, len, "else"))
		add(r, MK_ELSE, 0, word, len, at, (size_t)(end - at));
	else
		add(r, MK_IF, 0, word, len, at, (size_t)(end - at));
}

static void read_line(struct reader *r, const char *line, size_t size)
{
	static const char *const conditions[] = {
		"ifdef", "ifndef", "ifeq", "ifneq", "else", "endif"
	};
	const char *end = line + size, *at, *word;
	bool tab = *line == '\t';
	size_t len, i;

again:
	while (line < end && isspace((unsigned char)*line))
		line++;
	for (at = word = line; at < end && !isspace((unsigned char)*at) &&
	     *at != '(';)
		at++;
	len = (size_t)(at - word);
	if (!len)
		return;
	if (r->define) {
		if (is_word(word, len, "define"))
			r->define++;
		else if (is_word(word, len, "endef"))
			r->define--;
		return;
	}
	for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		if (is_word(word, len, conditions[i])) {
			condition(r, word, len, at, end);
			return;
		}
	}
	if (tab && r->in_rule)
		return;
	if (is_word(word, len, "define")) {
		r->define = 1;
	} else if (is_word(word, len, "export") ||
		   is_word(word, len, "override") ||
		   is_word(word, len, "private")) {
		line = at;
		goto again;
	} else if (is_word(word, len, "include") ||
		   is_word(word, len, "-include") ||
		   is_word(word, len, "sinclude")) {
		add(r, MK_INCLUDE, 0, word, len, at, (size_t)(end - at));
		r->in_rule = false;
	} else if (assignment(r, line, end)) {
		r->in_rule = false;
	} else if (*line == '$' && skip_reference(line, end) == end) {
		/* only expanded for what it does on the way */
		add(r, MK_EXPAND, 0, "", 0, line, (size_t)(end - line));
	} else if (memchr(line, ':', (size_t)(end - line))) {
		r->in_rule = true;
	}
}

static void strip_comment(struct strbuf *line)
{
	char *at = line->buf;

	while ((at = strchr(at, '#'))) {
		if (at > line->buf && at[-1] == '\\') {
			memmove(at - 1, at, strlen(at) + 1);
			line->len--;
			continue;
		}
		*at = '\0';
		line->len = (size_t)(at - line->buf);
		return;
	}
}

static void read_lines(struct reader *r, const char *at, const char *end)
{
	struct strbuf line = STRBUF_INIT;
	const char *eol;
	size_t len;

	while (at < end) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		len = (size_t)(eol - at);
		while (len && (at[len - 1] == '\r' || !at[len - 1]))
			len--;
		if (len && at[len - 1] == '\\' && eol < end) {
			strbuf_add(&line, at, len - 1);
			strbuf_addch(&line, ' ');
		} else {
			strbuf_add(&line, at, len);
			line.len = strlen(line.buf);
			strip_comment(&line);
			if (line.len)
				read_line(r, line.buf, line.len);
			line.len = 0;
		}
		at = eol + 1;
	}
	/* a continuation of nothing at the end of the file */
	if (line.len) {
		strip_comment(&line);
		read_line(r, line.buf, line.len);
	}
	strbuf_release(&line);
}

const struct makefile *makefile_get(struct tree *tree, const char *path)
{
	struct tree_private *priv = tree->priv;
	struct strbuf text = STRBUF_INIT;
	struct reader r = { .tree = tree };
	struct makefile *file;

	if (!priv->makefiles)
		priv->makefiles = xcalloc(1, sizeof(*priv->makefiles));
	path = intern(tree->strings, path);
	HASH_FIND_PTR(priv->makefiles->file, &path, file);
	if (file)
		return file;
	file = xcalloc(1, sizeof(*file));
	file->path = path;
	file->result = tree_files_read(priv->files, path, &text);
	r.file = file;
	if (file->result == READ_OK && text.len)
		read_lines(&r, text.buf, text.buf + text.len);
	strbuf_release(&text);
	HASH_ADD_PTR(priv->makefiles->file, path, file);
	return file;
}

void makefile_parse(struct tree *tree, const char *text, size_t len,
		    struct makefile *file)
{
	struct reader r = { .tree = tree, .file = file };

	memset(file, 0, sizeof(*file));
	read_lines(&r, text, text + len);
}

void makefiles_free(struct makefiles *makefiles)
{
	struct makefile *file, *next;

	if (!makefiles)
		return;
	HASH_ITER(hh, makefiles->file, file, next) {
		HASH_DEL(makefiles->file, file);
		free(file->line);
		free(file);
	}
	kbuild_names_free(makefiles->names);
	free(makefiles);
}
