// SPDX-License-Identifier: GPL-2.0-only
#include "json_out.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/err.h"

void json_out_begin(struct json_out *json, FILE *stream)
{
	*json = (struct json_out){ .stream = stream };
}

static void add(struct json_out *json, const char *key, cJSON *item)
{
	cJSON *parent = json->depth ? json->open[json->depth - 1] : NULL;
	bool added;

	if (!item)
		die("out of memory");
	if (!parent) {
		if (json->root)
			BUG("two outermost JSON values");
		json->root = item;
		return;
	}
	if (key)
		added = cJSON_AddItemToObject(parent, key, item);
	else
		added = cJSON_AddItemToArray(parent, item);
	if (!added)
		die("out of memory");
}

void json_out_open(struct json_out *json, const char *key, char kind)
{
	cJSON *item = kind == '{' ? cJSON_CreateObject() : cJSON_CreateArray();

	add(json, key, item);
	if (json->depth == JSON_OUT_DEPTH)
		BUG("JSON nested too deep");
	json->open[json->depth++] = item;
}

void json_out_close(struct json_out *json)
{
	if (!json->depth)
		BUG("nothing is open");
	json->depth--;
}

/* The length of the UTF-8 sequence at @s, or 0 if there is none. */
static size_t sequence(const unsigned char *s)
{
	size_t len = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 :
		*s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xf0 && *s < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* @text with what is no UTF-8 replaced; malloc'd. */
static char *clean(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	char *copy = xmalloc(strlen(text) + 1), *to = copy;

	while (*s) {
		size_t len = sequence(s);

		if (len) {
			memcpy(to, s, len);
			to += len;
			s += len;
		} else {
			*to++ = '?';
			s++;
		}
	}
	*to = 0;
	return copy;
}

static cJSON *string(const char *text)
{
	char *copy;
	cJSON *item;

	if (!text)
		return cJSON_CreateNull();
	copy = clean(text);
	item = cJSON_CreateString(copy);
	free(copy);
	return item;
}

void json_out_string(struct json_out *json, const char *key, const char *text)
{
	add(json, key, string(text));
}

void json_out_number(struct json_out *json, const char *key, double number)
{
	add(json, key, cJSON_CreateNumber(number));
}

void json_out_bool(struct json_out *json, const char *key, bool value)
{
	add(json, key, cJSON_CreateBool(value));
}

void json_out_strings(struct json_out *json, const char *key,
		      const char *const *text, size_t n)
{
	json_out_open(json, key, '[');
	for (size_t i = 0; i < n; i++)
		add(json, NULL, string(text[i]));
	json_out_close(json);
}

void json_out_end(struct json_out *json)
{
	char *text;

	if (json->depth || !json->root)
		BUG("JSON that is not whole");
	text = cJSON_Print(json->root);
	if (!text)
		die("out of memory");
	fputs(text, json->stream);
	fputc('\n', json->stream);
	cJSON_free(text);
	cJSON_Delete(json->root);
	json->root = NULL;
}
