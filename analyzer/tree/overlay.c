// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overlays: what is appended, in memory, to headers of the tree, so that
 * what macros hide becomes a plain call or plain C.
 *
 * A line
 *	#pragma nocharge replace "old" "new"
 * changes the tree's own text instead, for what cannot be undone afterwards;
 * with "compile" in place of "replace" compilers are given it so, too: what
 * gcc took and clang does not.
 * An overlay with a line
 *	#pragma nocharge generated "maker"
 * stands for a header that the tree's file "maker" would generate.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/strbuf.h"
#include "files.h"
#include "generate.h"
#include "tree_private.h"

#define DEPTH_LIMIT 12

struct overlay {
	const struct config *config;
	struct memfiles *files;
	struct err *err;
};

/* The string in quotes at *@at, in place; NULL if there is none. */
static char *quoted(char **at)
{
	char *from, *in, *out;

	from = in = out = strchr(*at, '"');
	if (!from)
		return NULL;
	for (in++; *in && *in != '"'; in++) {
		if (*in == '\\' && in[1])
			in++;
		*out++ = *in;
	}
	*at = *in ? in + 1 : in;
	*out = '\0';
	return from;
}

static void replace(struct strbuf *text, const char *old, const char *new)
{
	struct strbuf out = STRBUF_INIT;
	const char *at = text->buf, *hit;

	if (!*old)
		return;
	while ((hit = strstr(at, old))) {
		strbuf_add(&out, at, (size_t)(hit - at));
		strbuf_addstr(&out, new);
		at = hit + strlen(old);
	}
	strbuf_add(&out, at, (size_t)(text->buf + text->len - at));
	strbuf_release(text);
	*text = out;
}

/* What stands behind @pragma, or NULL if @line is another one. */
static char *behind(char *line, const char *pragma)
{
	size_t len = strlen(pragma);

	return strncmp(line, pragma, len) ? NULL : line + len;
}

/*
 * Append @overlay to @text, following the pragmas in it. True if there is
 * something for compilers: it is done to @compiled.
 */
static bool merge(struct strbuf *text, struct strbuf *compiled, char *overlay)
{
	char *line, *next, *old, *new, *at;
	bool found = false, both;

	strbuf_addch(text, '\n');
	for (line = overlay; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		at = behind(line, "#pragma nocharge compile ");
		both = at;
		if (!at)
			at = behind(line, "#pragma nocharge replace ");
		if (!at) {
			strbuf_addstr(text, line);
			strbuf_addch(text, '\n');
			continue;
		}
		old = quoted(&at);
		new = old ? quoted(&at) : NULL;
		if (new)
			replace(text, old, new);
		if (new && both)
			replace(compiled, old, new);
		found |= both;
	}
	return found;
}

/* True if kbuild would have made the file that @overlay stands for. */
static bool is_generated(struct tree *tree, struct strbuf *overlay)
{
	static const char pragma[] = "#pragma nocharge generated ";
	char *at = overlay->len ? strstr(overlay->buf, pragma) : NULL, *end;
	const char *maker;

	if (!at)
		return false;
	maker = strchr(at, '"');
	end = maker ? strchr(maker + 1, '"') : NULL;
	if (!end)
		return false;
	maker = intern_n(tree->strings, maker + 1,
			 (size_t)(end - maker - 1));
	for (end = at; *end && *end != '\n';)
		*end++ = ' ';
	return tree_files_have(tree->priv->files, maker);
}

static int apply_file(struct overlay *o, const char *from, const char *path)
{
	struct strbuf text = STRBUF_INIT, overlay = STRBUF_INIT;
	struct strbuf compiled = STRBUF_INIT;
	struct tree *tree = o->config->tree;
	struct memfile *file;
	bool made, both;
	int ret = -1;

	if (strbuf_read_file(&overlay, from, o->err) < 0)
		goto out;
	ret = 0;
	made = is_generated(tree, &overlay);
	if (!made && tree_files_read(tree->priv->files, path,
				     &text) != READ_OK)
		goto out;
	strbuf_addstr(&text, "");
	strbuf_add(&compiled, text.buf, text.len);
	both = overlay.len && merge(&text, &compiled, overlay.buf);
	file = memfiles_put(o->files, arena_printf(tree->arena, "%s/%s",
						   tree->root, path), &text);
	file->overlaid = !made;
	if (both)
		file->compiled = arena_strndup(tree->arena, compiled.buf,
					       compiled.len);
out:
	strbuf_release(&text);
	strbuf_release(&compiled);
	strbuf_release(&overlay);
	return ret;
}

static int not_hidden(const struct dirent *ent)
{
	return ent->d_name[0] != '.';
}

static int apply_dir(struct overlay *o, const char *from, const char *path,
		     int depth)
{
	struct arena *arena = o->config->tree->arena;
	struct dirent **ent;
	struct stat st;
	int n, i, ret = 0;

	if (depth > DEPTH_LIMIT)
		return 0;
	n = scandir(from, &ent, not_hidden, alphasort);
	if (n < 0)
		return err_set(o->err, STATUS_USAGE, "cannot read '%s': %s",
			       from, strerror(errno));
	for (i = 0; i < n; i++) {
		const char *sub = arena_printf(arena, "%s/%s", from,
					       ent[i]->d_name);
		const char *rel = *path ?
			arena_printf(arena, "%s/%s", path, ent[i]->d_name) :
			arena_strdup(arena, ent[i]->d_name);

		free(ent[i]);
		if (ret < 0 || stat(sub, &st) < 0)
			continue;
		ret = S_ISDIR(st.st_mode) ? apply_dir(o, sub, rel, depth + 1)
					  : apply_file(o, sub, rel);
	}
	free(ent);
	return ret;
}

int overlay_apply(const struct config *config, const struct configure *how,
		  struct memfiles *files, struct err *err)
{
	struct overlay o = { config, files, err };

	return apply_dir(&o, how->overlay_dir, "", 0);
}
