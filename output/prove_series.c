// SPDX-License-Identifier: GPL-2.0-only
/*
 * A series as it lies in its directory. Whoever wrote it is not trusted: what
 * a patch may do is decided here by its text, and once more by what git made
 * of it.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "../analyzer/base/json.h"
#include "prove.h"

#define PATCH_LIMIT   (8u << 20)
#define PATCHES_LIMIT 1000
#define FILES_LIMIT   1000

static const struct json_key series_keys[] = {
	{ "schema", JSON_STRING, false },
	{ "rules", JSON_ARRAY, false },
	{ "patches", JSON_ARRAY, false },
};

static int strings(struct prove *prove, const struct json *json,
		   const cJSON *array, struct names *names, struct err *err)
{
	const cJSON *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, array)
		n++;
	names->name = ARENA_ARRAY(prove->arena, const char *, n);
	cJSON_ArrayForEach(item, array) {
		if (!cJSON_IsString(item))
			return json_error(json, item, err,
					  "a string is needed here");
		names->name[names->n++] = arena_strdup(prove->arena,
						       item->valuestring);
	}
	return 0;
}

/* May @name be a file of the series' directory, and of no other? */
static bool is_plain_name(const char *name)
{
	if (!*name || *name == '.' || *name == '-' || strlen(name) > NAME_MAX)
		return false;
	for (; *name; name++)
		if (*name == '/' || (unsigned char)*name < ' ' ||
		    *name == 0x7f)
			return false;
	return true;
}

/* May a patch touch this path? It stays inside, and is none of git's own. */
static bool is_tame_path(const char *path)
{
	if (!*path || strlen(path) >= PATH_MAX)
		return false;
	for (const char *at = path; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f || *at == '"' ||
		    *at == '\\' || *at == '~' || *at == ':')
			return false;
	while (true) {
		size_t len = strcspn(path, "/");

		/* empty, ".", ".." and ".git" with all that begins so */
		if (!len || (len == 1 && *path == '.') ||
		    (len == 2 && !strncmp(path, "..", 2)) ||
		    !strncasecmp(path, ".git", 4))
			return false;
		if (!path[len])
			return true;
		path += len + 1;
	}
}

static struct prove_file *file_of(struct prove *prove, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < prove->nfile; i++)
		if (!strcmp(prove->file[i].path, path))
			return &prove->file[i];
	if (prove->nfile == FILES_LIMIT)
		return NULL;
	prove->file[prove->nfile] = (struct prove_file){
		.path = path,
		.c = len > 2 && !strcmp(path + len - 2, ".c"),
	};
	return &prove->file[prove->nfile++];
}

static int refuse(struct err *err, const struct prove_patch *patch,
		  const char *why)
{
	return err_set(err, STATUS_USAGE, "'%s' is refused: %s", patch->file,
		       why);
}

static int touch(struct prove *prove, struct prove_patch *patch,
		 const char *path, struct err *err)
{
	struct prove_file *file;

	if (!is_tame_path(path))
		return refuse(err, patch, "it names a path that is not "
			      "plainly inside the tree");
	file = file_of(prove, path);
	if (!file)
		return refuse(err, patch, "the series touches too many files");
	for (size_t i = 0; i < patch->ntouched; i++)
		if (patch->touched[i] == file)
			return 0;
	patch->touched[patch->ntouched++] = file;
	return 0;
}

/* One line of what stands between "diff --git" and the first hunk. */
static const char *header_line(const char *line)
{
	static const struct {
		const char *begin, *why;
	} bad[] = {
		{ "GIT binary patch", "it is binary" },
		{ "Binary files ", "it is binary" },
		{ "rename from ", "it renames a file" },
		{ "rename to ", "it renames a file" },
		{ "copy from ", "it copies a file" },
		{ "copy to ", "it copies a file" },
		{ "deleted file ", "it removes a file" },
		{ "old mode ", "it changes a file's mode" },
		{ "new mode ", "it changes a file's mode" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!strncmp(line, bad[i].begin, strlen(bad[i].begin)))
			return bad[i].why;
	if (!strncmp(line, "new file mode ", 14) && strcmp(line + 14, "100644")
	    && strcmp(line + 14, "100755"))
		return "it makes something that is no plain file";
	if (!strncmp(line, "index ", 6) && strstr(line, " 120000"))
		return "it changes a link";
	if (!strncmp(line, "index ", 6) && strstr(line, " 160000"))
		return "it changes a submodule";
	return NULL;
}

/* "diff --git a/X b/X": both halves are the same, so the middle is known. */
static const char *diff_path(struct prove *prove, const char *line)
{
	size_t len = strlen(line), half;

	/* "a/" X " b/" X */
	if (len < 7 || !(len & 1))
		return NULL;
	half = (len - 1) / 2;
	if (strncmp(line, "a/", 2) || strncmp(line + half, " b/", 3) ||
	    strncmp(line + 2, line + half + 3, half - 2))
		return NULL;
	return arena_strndup(prove->arena, line + 2, half - 2);
}

static int read_diff(struct prove *prove, struct prove_patch *patch,
		     struct err *err)
{
	static const char diff[] = "diff --git ";
	char *text = arena_strndup(prove->arena, patch->text, patch->len);
	const char *path = NULL, *why;
	bool header = false;
	char *line, *next;

	patch->touched = ARENA_ARRAY(prove->arena, struct prove_file *,
				     FILES_LIMIT);
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, diff, sizeof(diff) - 1)) {
			path = diff_path(prove, line + sizeof(diff) - 1);
			if (!path)
				return refuse(err, patch, "it renames a file, "
					      "or names one in quotes");
			if (touch(prove, patch, path, err))
				return -1;
			header = true;
			continue;
		}
		if (!path)
			continue;
		if (!strncmp(line, "@@ ", 3))
			header = false;
		if (!header)
			continue;
		why = header_line(line);
		if (why)
			return refuse(err, patch, why);
		if (strncmp(line, "--- ", 4) && strncmp(line, "+++ ", 4))
			continue;
		/* "--- a/X", or "--- /dev/null" of a new file */
		if (strcmp(line, "--- /dev/null") &&
		    (strncmp(line + 4, line[0] == '-' ? "a/" : "b/", 2) ||
		     strcmp(line + 6, path)))
			return refuse(err, patch, "its diff names one file in "
				      "two ways");
	}
	if (!patch->ntouched)
		return refuse(err, patch, "there is no diff of git's in it");
	return 0;
}

static int read_patch_text(struct prove *prove, struct prove_patch *patch,
			   struct err *err)
{
	const char *path = arena_printf(prove->arena, "%s/%s", prove->dir,
					patch->file);
	struct strbuf text = STRBUF_INIT;
	struct stat st;
	int ret = -1;

	if (lstat(path, &st))
		return err_set(err, STATUS_USAGE, "cannot read '%s': %s", path,
			       strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > PATCH_LIMIT)
		return refuse(err, patch, S_ISREG(st.st_mode) ?
			      "it is larger than 8 MB" : "it is no plain file");
	if (strbuf_read_file(&text, path, err))
		return -1;
	if (text.len && memchr(text.buf, '\0', text.len)) {
		refuse(err, patch, "it is binary");
	} else {
		patch->len = text.len;
		patch->text = arena_strndup(prove->arena,
					    text.buf ? text.buf : "",
					    text.len);
		ret = read_diff(prove, patch, err);
	}
	strbuf_release(&text);
	return ret;
}

static int read_renames(struct prove *prove, const struct json *json,
			const cJSON *object, struct prove_patch *patch,
			struct err *err)
{
	const cJSON *item;
	size_t n = 0;

	if (!object)
		return 0;
	if (!cJSON_IsObject(object))
		return json_error(json, object, err,
				  "'renamed' is not an object");
	cJSON_ArrayForEach(item, object)
		n++;
	patch->rename = ARENA_ARRAY(prove->arena, struct prove_rename, n);
	cJSON_ArrayForEach(item, object) {
		if (!cJSON_IsString(item))
			return json_error(json, item, err,
					  "a string is needed here");
		patch->rename[patch->nrename++] = (struct prove_rename){
			arena_strdup(prove->arena, item->string),
			arena_strdup(prove->arena, item->valuestring),
		};
	}
	return 0;
}

static int read_patch(struct prove *prove, const struct json *json,
		      const cJSON *item, struct prove_patch *patch,
		      struct err *err)
{
	const char *file, *kind, *predicate;
	const cJSON *functions, *findings, *rules;

	if (!cJSON_IsObject(item))
		return json_error(json, item, err, "a patch is an object");
	file = json_text(item, "file");
	kind = json_text(item, "kind");
	predicate = json_text(item, "predicate");
	functions = json_get(item, "functions");
	findings = json_get(item, "findings");
	rules = json_get(item, "rules");
	if (!file || !is_plain_name(file))
		return json_error(json, item, err, "a patch needs the name of "
				  "a file of this directory");
	patch->file = arena_strdup(prove->arena, file);
	patch->number = arena_printf(prove->arena, "%zu",
				     (size_t)(patch - prove->patch) + 1);
	patch->kind = kind ? arena_strdup(prove->arena, kind) : "";
	patch->predicate = predicate ?
		arena_strdup(prove->arena, predicate) : "";
	if ((functions && !cJSON_IsArray(functions)) ||
	    (findings && !cJSON_IsArray(findings)) ||
	    (rules && !cJSON_IsArray(rules)))
		return json_error(json, item, err, "'functions', 'findings' "
				  "and 'rules' are arrays");
	if (strings(prove, json, functions, &patch->functions, err) ||
	    strings(prove, json, findings, &patch->findings, err) ||
	    strings(prove, json, rules, &patch->rules, err) ||
	    read_renames(prove, json, json_get(item, "renamed"), patch, err))
		return -1;
	return read_patch_text(prove, patch, err);
}

/* The architecture stands in "tree" as in findings, or on top. */
static int read_arch(struct prove *prove, const struct json *json,
		     struct err *err)
{
	const char *arch = json_text(json->root, "arch");

	if (!arch)
		arch = json_text(json_get(json->root, "tree"), "arch");
	prove->arch = arena_strdup(prove->arena, arch ? arch : "x86");
	if (strcmp(prove->arch, "x86") && strcmp(prove->arch, "arm64"))
		return json_error(json, json->root, err, "'arch' is neither "
				  "x86 nor arm64");
	return 0;
}

static int read_all(struct prove *prove, const struct json *json,
		    struct err *err)
{
	const char *schema = json_text(json->root, "schema");
	const char *config = json_text(json->root, "config");
	const cJSON *item, *patches;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(series_keys) / sizeof(series_keys[0]);
	     i++)
		if (!json_get(json->root, series_keys[i].name))
			return json_error(json, json->root, err, "there is no "
					  "'%s'", series_keys[i].name);
	if (!schema || strcmp(schema, "nocharge-series-1"))
		return json_error(json, json->root, err, "this is no "
				  "nocharge-series-1");
	prove->config = config ? arena_strdup(prove->arena, config) : NULL;
	patches = json_get(json->root, "patches");
	if (!cJSON_IsArray(json_get(json->root, "rules")) ||
	    !cJSON_IsArray(patches))
		return json_error(json, json->root, err, "'rules' and "
				  "'patches' are arrays");
	if (read_arch(prove, json, err) ||
	    strings(prove, json, json_get(json->root, "rules"), &prove->rules,
		    err))
		return -1;
	cJSON_ArrayForEach(item, patches)
		n++;
	if (n > PATCHES_LIMIT)
		return json_error(json, patches, err, "more than %u patches "
				  "are refused", PATCHES_LIMIT);
	prove->patch = ARENA_ARRAY(prove->arena, struct prove_patch, n);
	/* the predicates' own files come on top */
	prove->file_limit = FILES_LIMIT + 16;
	prove->file = ARENA_ARRAY(prove->arena, struct prove_file,
				  prove->file_limit);
	cJSON_ArrayForEach(item, patches) {
		if (read_patch(prove, json, item,
			       &prove->patch[prove->npatch], err))
			return -1;
		prove->npatch++;
	}
	return 0;
}

int prove_series_read(struct prove *prove, struct err *err)
{
	const char *path = arena_printf(prove->arena, "%s/series.json",
					prove->dir);
	struct json *json = json_read(path, err);
	int ret;

	if (!json)
		return -1;
	ret = cJSON_IsObject(json->root) ? read_all(prove, json, err) :
		json_error(json, json->root, err, "this is no object");
	json_free(json);
	return ret;
}
