// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "strbuf.h"

struct scan {
	const char *text;
	size_t len, pos;
	unsigned line;
};

static void skip_space(struct scan *scan)
{
	while (scan->pos < scan->len) {
		char c = scan->text[scan->pos];

		if (c == '\n')
			scan->line++;
		else if ((unsigned char)c > ' ') /* as cJSON has it */
			break;
		scan->pos++;
	}
}

/* From the opening quote to behind the closing one. */
static void skip_string(struct scan *scan)
{
	for (scan->pos++; scan->pos < scan->len; scan->pos++) {
		char c = scan->text[scan->pos];

		if (c == '\\' && scan->pos + 1 < scan->len)
			scan->pos++;
		else if (c == '\n')
			scan->line++;
		else if (c == '"')
			break;
	}
	if (scan->pos < scan->len)
		scan->pos++;
}

static void add_place(struct json *json, size_t *cap, const cJSON *item,
		      unsigned line)
{
	if (json->nplace == *cap) {
		*cap = *cap ? *cap * 2 : 64;
		json->place = xrealloc(json->place,
				       *cap * sizeof(*json->place));
	}
	json->place[json->nplace++] = (struct json_place){ item, line };
}

/*
 * The text beside the tree that was made of it: cJSON accepted it, so its
 * shape is known and only the ends of the tokens have to be found. The depth
 * was checked before.
 */
static void find_places(struct json *json, size_t *cap, struct scan *scan,
			const cJSON *item)
{
	const cJSON *kid;

	skip_space(scan);
	add_place(json, cap, item, scan->line);
	if (item->string) {
		skip_string(scan);
		skip_space(scan);
		scan->pos += scan->pos < scan->len; /* ':' */
		skip_space(scan);
	}
	if (scan->pos >= scan->len)
		return;
	if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
		scan->pos++;
		cJSON_ArrayForEach(kid, item) {
			find_places(json, cap, scan, kid);
			skip_space(scan);
			if (scan->pos < scan->len &&
			    scan->text[scan->pos] == ',')
				scan->pos++;
		}
		skip_space(scan);
		scan->pos += scan->pos < scan->len;
	} else if (scan->text[scan->pos] == '"') {
		skip_string(scan);
	} else {
		while (scan->pos < scan->len &&
		       (unsigned char)scan->text[scan->pos] > ' ' &&
		       !strchr(",]}", scan->text[scan->pos]))
			scan->pos++;
	}
}

static int by_item(const void *a, const void *b)
{
	const struct json_place *x = a, *y = b;

	return (x->item > y->item) - (x->item < y->item);
}

/* The line of the first place that is nested too deep, or 0. */
static unsigned too_deep(const char *text, size_t len)
{
	struct scan scan = { text, len, 0, 1 };
	unsigned depth = 0;

	while (skip_space(&scan), scan.pos < len) {
		char c = text[scan.pos];

		if (c == '"') {
			skip_string(&scan);
			continue;
		}
		if ((c == '{' || c == '[') && ++depth > JSON_DEPTH)
			return scan.line;
		if ((c == '}' || c == ']') && depth)
			depth--;
		scan.pos++;
	}
	return 0;
}

/* The offset of the first byte that is no part of UTF-8 text, or @len. */
static size_t not_utf8(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0, more;

	while (i < len) {
		if (s[i] && s[i] < 0x80) {
			i++;
			continue;
		}
		if (s[i] >= 0xc2 && s[i] < 0xe0)
			more = 1;
		else if (s[i] >= 0xe0 && s[i] < 0xf0)
			more = 2;
		else if (s[i] >= 0xf0 && s[i] < 0xf5)
			more = 3;
		else
			return i;
		if (len - i <= more)
			return i;
		for (size_t k = 1; k <= more; k++)
			if ((s[i + k] & 0xc0) != 0x80)
				return i;
		i += more + 1;
	}
	return len;
}

static unsigned line_at(const char *text, size_t pos)
{
	unsigned line = 1;

	for (size_t i = 0; i < pos; i++)
		line += text[i] == '\n';
	return line;
}

static int by_key(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;

	return strcmp((*x)->string, (*y)->string);
}

static int no_key_twice(const struct json *json, const cJSON *item,
			struct err *err)
{
	const cJSON *kid, **kids;
	char shown[JSON_SHOWN];
	size_t n = 0;
	int ret = 0;

	cJSON_ArrayForEach(kid, item) {
		n++;
		if (no_key_twice(json, kid, err))
			return -1;
	}
	if (!cJSON_IsObject(item) || n < 2)
		return 0;
	kids = xcalloc(n, sizeof(*kids));
	n = 0;
	cJSON_ArrayForEach(kid, item)
		kids[n++] = kid;
	qsort(kids, n, sizeof(*kids), by_key);
	for (size_t i = 1; i < n && !ret; i++)
		if (!strcmp(kids[i - 1]->string, kids[i]->string))
			ret = json_error(json, kids[i], err, "key '%s' twice",
					 json_shown(kids[i]->string, shown));
	free(kids);
	return ret;
}

struct json *json_parse(const char *path, const char *text, size_t len,
			struct err *err)
{
	struct scan scan = { text, len, 0, 1 };
	struct json *json;
	const char *end = NULL;
	size_t cap = 0, bad;
	unsigned line;

	bad = not_utf8(text, len);
	if (bad < len) {
		err_set(err, STATUS_USAGE, "%s:%u: not UTF-8 text", path,
			line_at(text, bad));
		return NULL;
	}
	line = too_deep(text, len);
	if (line) {
		err_set(err, STATUS_USAGE,
			"%s:%u: nested deeper than %d levels", path, line,
			JSON_DEPTH);
		return NULL;
	}
	json = xcalloc(1, sizeof(*json));
	json->path = xstrdup(path);
	json->hash = XXH3_64bits(text, len);
	/* the length counts the NUL that strbuf keeps behind the text */
	json->root = cJSON_ParseWithLengthOpts(text, len + 1, &end, 1);
	if (!json->root) {
		size_t at = end >= text && end <= text + len ?
			(size_t)(end - text) : len;

		err_set(err, STATUS_USAGE, "%s:%u: not JSON", path,
			line_at(text, at));
		json_free(json);
		return NULL;
	}
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		scan.pos = 3;
	find_places(json, &cap, &scan, json->root);
	qsort(json->place, json->nplace, sizeof(*json->place), by_item);
	if (no_key_twice(json, json->root, err)) {
		json_free(json);
		return NULL;
	}
	return json;
}

struct json *json_read(const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct json *json = NULL;

	if (strbuf_read_file(&text, path, err)) {
		strbuf_release(&text);
		return NULL;
	}
	json = json_parse(path, text.buf ? text.buf : "", text.len, err);
	strbuf_release(&text);
	return json;
}

void json_free(struct json *json)
{
	if (!json)
		return;
	cJSON_Delete(json->root);
	free(json->place);
	free(json->path);
	free(json);
}

/* The line of @item's key, or of the item itself in an array. */
static unsigned json_line(const struct json *json, const cJSON *item)
{
	struct json_place key = { item, 0 }, *place;

	place = bsearch(&key, json->place, json->nplace, sizeof(key), by_item);
	return place ? place->line : 1;
}

int json_error(const struct json *json, const cJSON *item, struct err *err,
	       const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_set(err, STATUS_USAGE, "%s:%u: %s", json->path,
		       json_line(json, item), text);
}

static bool is_type(const cJSON *item, enum json_type type)
{
	switch (type) {
	case JSON_OBJECT:
		return cJSON_IsObject(item);
	case JSON_ARRAY:
		return cJSON_IsArray(item);
	case JSON_STRING:
		return cJSON_IsString(item);
	case JSON_NUMBER:
		return cJSON_IsNumber(item);
	}
	return false;
}

static const char *const type_name[] = {
	[JSON_OBJECT] = "an object",
	[JSON_ARRAY] = "an array",
	[JSON_STRING] = "a string",
	[JSON_NUMBER] = "a number",
};

int json_check(const struct json *json, const cJSON *object,
	       const char *where, const struct json_key *keys, size_t nkeys,
	       struct err *err)
{
	char shown[JSON_SHOWN];
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return json_error(json, object, err, "'%s' is not an object",
				  where);
	cJSON_ArrayForEach(item, object) {
		size_t i;

		for (i = 0; i < nkeys; i++)
			if (!strcmp(item->string, keys[i].name))
				break;
		if (i == nkeys)
			return json_error(json, item, err,
					  "unknown key '%s' in '%s'",
					  json_shown(item->string, shown),
					  where);
		if (!is_type(item, keys[i].type))
			return json_error(json, item, err,
					  "'%s' in '%s' is not %s",
					  keys[i].name, where,
					  type_name[keys[i].type]);
	}
	for (size_t i = 0; i < nkeys; i++)
		if (!keys[i].optional && !json_get(object, keys[i].name))
			return json_error(json, object, err,
					  "missing key '%s' in '%s'",
					  keys[i].name, where);
	return 0;
}

const cJSON *json_get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *json_text(const cJSON *object, const char *key)
{
	const cJSON *item = json_get(object, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

const char *json_shown(const char *text, char shown[JSON_SHOWN])
{
	size_t i;

	for (i = 0; text[i] && i < JSON_SHOWN - 1; i++)
		shown[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
	if (text[i])
		memcpy(shown + JSON_SHOWN - 4, "...", 3);
	shown[i] = 0;
	return shown;
}
