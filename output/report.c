// SPDX-License-Identifier: GPL-2.0-only
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/strbuf.h"
#include "git.h"
#include "text.h"

struct report_series {
	const char *dir;
	struct json *series;
	struct json *proof;   /* NULL: there is none yet */
};

static struct json *read_file(const char *path, const char *schema,
			      struct err *err)
{
	struct json *json = json_read(path, err);
	const char *found = json ? json_text(json->root, "schema") : NULL;
	char shown[JSON_SHOWN];

	if (!json || (found && !strcmp(found, schema)))
		return json;
	json_error(json, json->root, err, "'schema' is '%s', not '%s'",
		   found ? json_shown(found, shown) : "", schema);
	json_free(json);
	return NULL;
}

/* A list of objects, each with the strings that are asked for. */
static int check_list(const struct json *json, const char *key,
		      const char *const *want, struct err *err)
{
	const cJSON *list = json_get(json->root, key), *item;

	if (!cJSON_IsArray(list))
		return json_error(json, json->root, err,
				  "'%s' is not a list", key);
	cJSON_ArrayForEach(item, list)
		for (size_t i = 0; want[i]; i++)
			if (!json_text(item, want[i]))
				return json_error(json, item, err, "one of "
					"'%s' has no '%s'", key, want[i]);
	return 0;
}

/*
 * A patch that was edited is another one than series.json tells of: what was
 * proven is known by the diff that lies there now.
 */
static int take_ids(struct report_series *s, struct arena *arena,
		    struct err *err)
{
	struct git git;
	cJSON *patch, *id;
	int ret = 0;

	if (git_init(&git, NULL, NULL, arena, err))
		return -1;
	cJSON_ArrayForEach(patch, json_get(s->series->root, "patches")) {
		struct strbuf text = STRBUF_INIT;
		const char *name = json_text(patch, "file"), *now = NULL;

		if (strchr(name, '/') ||
		    strbuf_read_file(&text, arena_printf(arena, "%s/%s",
							 s->dir, name), NULL))
			continue;
		now = git_patch_id(&git, text.buf ? text.buf : "", err);
		strbuf_release(&text);
		id = now ? cJSON_CreateString(now) : NULL;
		if (!id || !cJSON_ReplaceItemInObjectCaseSensitive(patch,
							"patch_id", id)) {
			ret = -1;
			break;
		}
	}
	git_release(&git);
	return ret;
}

struct report_series *report_series_read(const char *dir, struct arena *arena,
					 struct err *err)
{
	static const char *const patch[] = { "file", "subject", "patch_id",
					     NULL };
	static const char *const left[] = { "finding", "why", NULL };
	static const char *const proof[] = { "patch_id", NULL };
	struct report_series *s = ARENA_NEW(arena, struct report_series);
	const char *path = arena_printf(arena, "%s/proof.json", dir);

	s->dir = dir;
	s->series = read_file(arena_printf(arena, "%s/series.json", dir),
			      "nocharge-series-1", err);
	if (!s->series || check_list(s->series, "patches", patch, err) ||
	    check_list(s->series, "left", left, err))
		goto failed;
	if (access(path, F_OK))
		return s;
	s->proof = read_file(path, "nocharge-proof-1", err);
	if (s->proof && !check_list(s->proof, "patches", proof, err) &&
	    !take_ids(s, arena, err))
		return s;
failed:
	report_series_free(s);
	return NULL;
}

void report_series_free(struct report_series *s)
{
	if (!s)
		return;
	json_free(s->series);
	json_free(s->proof);
	s->series = s->proof = NULL;
}

static const cJSON *find_patch(const struct report_series *s, const char *id)
{
	const cJSON *patch, *finding;

	cJSON_ArrayForEach(patch, json_get(s->series->root, "patches"))
		cJSON_ArrayForEach(finding, json_get(patch, "findings"))
			if (cJSON_IsString(finding) &&
			    !strcmp(finding->valuestring, id))
				return patch;
	return NULL;
}

static const cJSON *find_left(const struct report_series *s, const char *id)
{
	const cJSON *left;

	cJSON_ArrayForEach(left, json_get(s->series->root, "left"))
		if (!strcmp(json_text(left, "finding"), id))
			return left;
	return NULL;
}

const char *report_series_patch(const struct report_series *s, const char *id,
				const char **left)
{
	const cJSON *patch = find_patch(s, id);
	const cJSON *alone = patch ? NULL : find_left(s, id);

	*left = alone ? json_text(alone, "why")
		      : "not asked for in that series";
	return patch ? json_text(patch, "file") : NULL;
}

const char *report_series_file(const struct report_series *s, size_t i,
			       struct arena *arena, const char **path)
{
	const cJSON *patch;

	cJSON_ArrayForEach(patch, json_get(s->series->root, "patches")) {
		const char *file = json_text(patch, "file");

		if (i--)
			continue;
		/* a path out of the series' folder is no file of it */
		*path = arena_printf(arena, "%s/%s", s->dir,
				     strchr(file, '/') ? "." : file);
		return file;
	}
	return NULL;
}

/* The checks of a patch, or NULL: it is known by its diff. */
static const cJSON *find_checks(const struct report_series *s,
				const cJSON *patch)
{
	const char *id = json_text(patch, "patch_id");
	const cJSON *proof, *checks = NULL;

	if (!s->proof)
		return NULL;
	cJSON_ArrayForEach(proof, json_get(s->proof->root, "patches"))
		if (!strcmp(json_text(proof, "patch_id"), id))
			checks = json_get(proof, "checks");
	return cJSON_IsObject(checks) ? checks : NULL;
}

enum status report_series_status(const struct report_series *s)
{
	enum status status = STATUS_CLEAN;
	const cJSON *patch, *check;

	if (!s)
		return status;
	cJSON_ArrayForEach(patch, json_get(s->series->root, "patches")) {
		const cJSON *checks = find_checks(s, patch);

		if (!checks || !checks->child)
			status = STATUS_INCOMPLETE;
		cJSON_ArrayForEach(check, checks) {
			const char *result = json_text(check, "result");

			if (result && !strcmp(result, "fail"))
				return STATUS_PROOF;
			if (!result || !strcmp(result, "not-run"))
				status = STATUS_INCOMPLETE;
		}
	}
	return status;
}

/* --- text --- */

static void note(struct out *out, const struct finding *f)
{
	out_printf(out, TINT_BOLD, "%s:%u:%u: ", f->file, f->line, f->column);
	out_text(out, TINT_CYAN, "note: ");
}

static bool same_why(const cJSON *a, const cJSON *b)
{
	const char *result = json_text(a, "result");
	const char *why = json_text(a, "why");

	return !strcmp(result ? result : "", json_text(b, "result")) &&
	       !strcmp(why ? why : "", json_text(b, "why"));
}

/* Why @check did not pass, with all others of which that is true. */
static void note_why(struct out *out, const struct finding *f,
		     const cJSON *checks, const cJSON *check)
{
	const char *result = json_text(check, "result");
	const char *why = json_text(check, "why");
	const cJSON *other;

	if (!result || !why || !*why || !strcmp(result, "pass"))
		return;
	for (other = checks->child; other != check; other = other->next)
		if (same_why(other, check))
			return;
	note(out, f);
	out_printf(out, TINT_PLAIN, "%s: %s", result, check->string);
	for (other = check->next; other; other = other->next)
		if (same_why(other, check))
			out_printf(out, TINT_PLAIN, ", %s", other->string);
	out_printf(out, TINT_PLAIN, ": %s\n", why);
}

/* That one measures. */
static void note_size(struct out *out, const struct finding *f,
		      const cJSON *check)
{
	const char *result = json_text(check, "result");
	const char *why = json_text(check, "why");

	if (!result || strcmp(result, "pass") || !why)
		return;
	note(out, f);
	out_printf(out, TINT_PLAIN, "text size: %s\n", why);
}

static void note_checks(struct out *out, const struct finding *f,
			const struct report_series *s, const cJSON *patch)
{
	const cJSON *checks = find_checks(s, patch), *check;
	bool first = true;

	note(out, f);
	if (!checks) {
		out_text(out, TINT_PLAIN, "nothing is proven of that patch\n");
		return;
	}
	cJSON_ArrayForEach(check, checks) {
		const char *result = json_text(check, "result");

		out_printf(out, TINT_PLAIN, "%s%s: ", first ? "" : ", ",
			   check->string);
		if (!result)
			result = "?";
		out_printf(out, !strcmp(result, "pass") ? TINT_GREEN :
			   !strcmp(result, "fail") ? TINT_RED : TINT_PLAIN,
			   "%s", result);
		first = false;
	}
	out_text(out, TINT_PLAIN, "\n");
	cJSON_ArrayForEach(check, checks)
		note_why(out, f, checks, check);
	note_size(out, f, json_get(checks, "size"));
}

static void note_series(struct out *out, const struct finding *f,
			const struct report_series *s)
{
	const cJSON *patch = find_patch(s, f->id), *left;

	if (patch) {
		note(out, f);
		out_printf(out, TINT_PLAIN, "patch '%s': %s\n",
			   json_text(patch, "file"),
			   json_text(patch, "subject"));
		note_checks(out, f, s, patch);
		return;
	}
	left = find_left(s, f->id);
	note(out, f);
	if (left)
		out_printf(out, TINT_PLAIN, "left alone: %s\n",
			   json_text(left, "why"));
	else
		out_text(out, TINT_PLAIN, "not asked for in that series\n");
}

void report_text(struct out *out, const struct finding_set *set,
		 const struct report_series *s)
{
	for (size_t i = 0; i < set->nfinding; i++) {
		text_finding(out, &set->finding[i]);
		if (s)
			note_series(out, &set->finding[i], s);
	}
	for (size_t i = 0; i < set->ncomment; i++)
		text_finding(out, &set->comment[i]);
	for (size_t i = 0; i < set->nsuppressed; i++)
		text_allowed(out, &set->suppressed[i]);
}

/* --- JSON --- */

static void add(cJSON *to, const char *key, cJSON *item)
{
	/* what the file has of that name gives way */
	cJSON_DeleteItemFromObjectCaseSensitive(to, key);
	if (!item || !cJSON_AddItemToObject(to, key, item))
		die("out of memory");
}

static void add_text(cJSON *to, const cJSON *from, const char *key)
{
	add(to, key, cJSON_CreateString(json_text(from, key)));
}

static void add_series(cJSON *finding, const struct report_series *s)
{
	const char *id = json_text(finding, "id");
	const cJSON *patch = find_patch(s, id), *left, *checks;
	cJSON *item;

	item = cJSON_CreateObject();
	if (!item)
		die("out of memory");
	if (patch) {
		add_text(item, patch, "file");
		add_text(item, patch, "subject");
		add_text(item, patch, "patch_id");
		checks = find_checks(s, patch);
		if (checks)
			add(item, "checks", cJSON_Duplicate(checks, true));
		add(finding, "patch", item);
		return;
	}
	left = find_left(s, id);
	add(item, "why", cJSON_CreateString(left ? json_text(left, "why") :
					"not asked for in that series"));
	add(finding, "left", item);
}

void report_json(struct out *out, struct json *json,
		 const struct report_series *s)
{
	cJSON *list = cJSON_GetObjectItemCaseSensitive(json->root,
						       "findings");
	cJSON *finding;
	char *text;

	if (s)
		cJSON_ArrayForEach(finding, list)
			add_series(finding, s);
	text = cJSON_Print(json->root);
	if (!text)
		die("out of memory");
	fputs(text, out->stream);
	fputc('\n', out->stream);
	cJSON_free(text);
}
