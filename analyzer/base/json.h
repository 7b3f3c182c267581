/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON files read strictly, over cJSON: every complaint names file, line and
 * key. cJSON keeps no positions, so the text is walked once more beside the
 * parsed tree and the line of each item is remembered.
 */
#ifndef NOCHARGE_JSON_H
#define NOCHARGE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "err.h"

/* Deeper nesting is refused before cJSON sees it. */
#define JSON_DEPTH 24

struct json_place {
	const cJSON *item;
	unsigned line;
};

struct json {
	char *path;        /* as it was given, for messages */
	cJSON *root;
	uint64_t hash;     /* of the file's bytes */
	struct json_place *place; /* sorted by item */
	size_t nplace;
};

/*
 * Read @path. NULL with @err set (STATUS_USAGE) when it cannot be read, is
 * no JSON, is not UTF-8, is nested deeper than JSON_DEPTH or has a key twice
 * in one object. The caller frees.
 */
struct json *json_read(const char *path, struct err *err);
/* The same for text in memory; @path is for messages. */
struct json *json_parse(const char *path, const char *text, size_t len,
			struct err *err);
void json_free(struct json *json);

/* err_set() with "path:line: " in front. Returns -1. */
int json_error(const struct json *json, const cJSON *item, struct err *err,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

enum json_type {
	JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER,
};

struct json_key {
	const char *name;
	enum json_type type;
	bool optional;
};

/*
 * Check that @object is an object that has the keys of @keys, each of its
 * type, and no other. @where names the object in messages ("off"). Returns
 * 0, or -1 with @err set.
 */
int json_check(const struct json *json, const cJSON *object,
	       const char *where, const struct json_key *keys, size_t nkeys,
	       struct err *err);

/* NULL if there is no such key. */
const cJSON *json_get(const cJSON *object, const char *key);
/* The string at @key, or NULL. */
const char *json_text(const cJSON *object, const char *key);

/* @text made fit for a message: short, printable, in a static-size buffer. */
#define JSON_SHOWN 64
const char *json_shown(const char *text, char shown[JSON_SHOWN]);

#endif
