// SPDX-License-Identifier: GPL-2.0-only
#include "sarif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "report.h"

/* Lines [at, at + removed) become [now, now + added), whose text is this. */
struct edit {
	const char *path;
	uint32_t at, removed, now, added;
	const char *text;
	uint32_t patch; /* by its number, the first 0 */
};

struct change {
	const char *file;
	bool whole; /* every edit is one in lines of the tree */
};

struct sarif_fixes {
	struct arena *arena;
	struct edit *edit;
	size_t nedit, edit_cap;
	struct change *change;
	size_t nchange, change_cap;
};

/* The line of the tree that line @line is before patch @patch, 0: none. */
static uint32_t trace(const struct sarif_fixes *fixes, const char *path,
		      uint32_t line, uint32_t patch)
{
	while (patch-- && line) {
		int64_t moved = 0;

		for (size_t i = 0; i < fixes->nedit && line; i++) {
			const struct edit *e = &fixes->edit[i];

			if (e->patch != patch || strcmp(e->path, path) ||
			    line < e->now)
				continue;
			if (line < e->now + e->added)
				return 0;
			moved += (int64_t)e->removed - e->added;
		}
		line = (uint32_t)(line + moved);
	}
	return line;
}

struct reading {
	struct sarif_fixes *fixes;
	uint32_t patch;
	const char *path;        /* NULL: not in a file */
	uint32_t old, new;       /* the line that is next */
	uint32_t left_old, left_new; /* of the hunk */
	struct edit edit;        /* that is being read */
	struct strbuf text;
};

static void finish_edit(struct reading *r)
{
	struct sarif_fixes *fixes = r->fixes;

	if (!r->edit.removed && !r->edit.added)
		return;
	r->edit.path = r->path;
	r->edit.patch = r->patch;
	r->edit.text = arena_strndup(fixes->arena,
				     r->text.buf ? r->text.buf : "",
				     r->text.len);
	GROW_LIST(fixes->arena, fixes->edit, fixes->nedit, fixes->edit_cap);
	fixes->edit[fixes->nedit++] = r->edit;
	r->edit = (struct edit){ 0 };
	r->text.len = 0;
}

static void start_edit(struct reading *r)
{
	if (r->edit.removed || r->edit.added)
		return;
	r->edit.at = r->old;
	r->edit.now = r->new;
}

static void read_body(struct reading *r, const char *line, size_t len)
{
	if (*line == '-') {
		start_edit(r);
		r->edit.removed++;
		r->old++;
		r->left_old--;
	} else if (*line == '+') {
		start_edit(r);
		r->edit.added++;
		strbuf_add(&r->text, line + 1, len - 1);
		strbuf_addch(&r->text, '\n');
		r->new++;
		r->left_new--;
	} else if (*line != '\\') {
		finish_edit(r);
		r->old++;
		r->new++;
		r->left_old--;
		r->left_new--;
	}
	if (!r->left_old && !r->left_new)
		finish_edit(r);
}

static void read_line(struct reading *r, const char *line, size_t len)
{
	struct change *change = &r->fixes->change[r->patch];
	unsigned old, new, nold = 1, nnew = 1;
	char *copy;

	if (r->left_old || r->left_new) {
		read_body(r, line, len);
		return;
	}
	copy = arena_strndup(r->fixes->arena, line, len);
	if (!strncmp(copy, "diff --git ", 11)) {
		r->path = NULL;
	} else if (!strncmp(copy, "new file ", 9) ||
		   !strncmp(copy, "deleted file ", 13)) {
		change->whole = false;
	} else if (!strncmp(copy, "+++ b/", 6)) {
		r->path = copy + 6;
	} else if (r->path && !strncmp(copy, "@@ -", 4)) {
		if (sscanf(copy, "@@ -%u,%u", &old, &nold) < 1)
			return;
		copy = strchr(copy, '+');
		if (!copy || sscanf(copy, "+%u,%u", &new, &nnew) < 1)
			return;
		/* of no lines it is the line before that is told */
		r->old = nold ? old : old + 1;
		r->new = nnew ? new : new + 1;
		r->left_old = nold;
		r->left_new = nnew;
	}
}

static int read_patch(struct sarif_fixes *fixes, const char *path,
		      struct err *err)
{
	struct reading r = {
		.fixes = fixes, .patch = (uint32_t)fixes->nchange - 1,
	};
	struct strbuf text = STRBUF_INIT;
	size_t first = fixes->nedit;

	if (strbuf_read_file(&text, path, err))
		return -1;
	for (size_t at = 0; at < text.len; ) {
		const char *line = text.buf + at;
		const char *end = memchr(line, '\n', text.len - at);
		size_t len = end ? (size_t)(end - line) : text.len - at;

		read_line(&r, line, len);
		at += len + 1;
	}
	strbuf_release(&r.text);
	strbuf_release(&text);
	for (size_t i = first; i < fixes->nedit; i++) {
		struct edit *e = &fixes->edit[i];
		uint32_t line = trace(fixes, e->path, e->at, r.patch);

		/* what is in between must be one piece of the tree, too */
		for (uint32_t k = 1; k < e->removed && line; k++)
			if (trace(fixes, e->path, e->at + k, r.patch) !=
			    line + k)
				line = 0;
		if (!line)
			fixes->change[r.patch].whole = false;
	}
	return 0;
}

struct sarif_fixes *sarif_fixes_read(const struct report_series *series,
				     struct arena *arena, struct err *err)
{
	struct sarif_fixes *fixes = ARENA_NEW(arena, struct sarif_fixes);
	const char *file, *path;

	fixes->arena = arena;
	for (size_t i = 0; (file = report_series_file(series, i, arena,
						      &path)); i++) {
		GROW_LIST(arena, fixes->change, fixes->nchange,
			  fixes->change_cap);
		fixes->change[fixes->nchange++] = (struct change){
			arena_strdup(arena, file), true };
		if (read_patch(fixes, path, err))
			return NULL;
	}
	return fixes;
}

static void put_edit(struct json_out *json, const struct sarif_fixes *fixes,
		     const struct edit *e)
{
	const uint32_t line = trace(fixes, e->path, e->at, e->patch);

	json_out_open(json, NULL, '{');
	json_out_open(json, "deletedRegion", '{');
	json_out_number(json, "startLine", line);
	json_out_number(json, "startColumn", 1);
	json_out_number(json, "endLine", line + e->removed);
	json_out_number(json, "endColumn", 1);
	json_out_close(json);
	if (e->added) {
		json_out_open(json, "insertedContent", '{');
		json_out_string(json, "text", e->text);
		json_out_close(json);
	}
	json_out_close(json);
}

void sarif_fix_write(struct json_out *json, const struct sarif_fixes *fixes,
		     const char *file)
{
	const char *path = NULL;
	uint32_t patch = 0;

	while (patch < fixes->nchange &&
	       strcmp(fixes->change[patch].file, file))
		patch++;
	if (patch == fixes->nchange || !fixes->change[patch].whole)
		return;
	json_out_open(json, "fixes", '[');
	json_out_open(json, NULL, '{');
	json_out_open(json, "description", '{');
	json_out_string(json, "text", arena_printf(fixes->arena, "as '%s' of "
						   "the series does", file));
	json_out_close(json);
	json_out_open(json, "artifactChanges", '[');
	/* edits of one file follow each other */
	for (size_t i = 0; i < fixes->nedit; i++) {
		const struct edit *e = &fixes->edit[i];

		if (e->patch != patch)
			continue;
		if (!path || strcmp(path, e->path)) {
			if (path) {
				json_out_close(json);
				json_out_close(json);
			}
			path = e->path;
			json_out_open(json, NULL, '{');
			json_out_open(json, "artifactLocation", '{');
			json_out_string(json, "uri",
					sarif_uri(path, fixes->arena));
			json_out_string(json, "uriBaseId", "SRCROOT");
			json_out_close(json);
			json_out_open(json, "replacements", '[');
		}
		put_edit(json, fixes, e);
	}
	if (path) {
		json_out_close(json);
		json_out_close(json);
	}
	json_out_close(json);
	json_out_close(json);
	json_out_close(json);
}
