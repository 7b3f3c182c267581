/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON written in the order in which it is told, over cJSON. Text that is not
 * UTF-8 (a tree may name its files as it likes) is made so.
 */
#ifndef NOCHARGE_JSON_OUT_H
#define NOCHARGE_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#define JSON_OUT_DEPTH 24

struct json_out {
	FILE *stream;
	cJSON *open[JSON_OUT_DEPTH]; /* objects and arrays that are open */
	unsigned depth;
	cJSON *root;
};

/* Nothing is written before the end; @stream stays the caller's. */
void json_out_begin(struct json_out *json, FILE *stream);
/* @kind '{' or '['; @key NULL: in an array, or the outermost. */
void json_out_open(struct json_out *json, const char *key, char kind);
void json_out_close(struct json_out *json);
/* @text NULL: null */
void json_out_string(struct json_out *json, const char *key,
		     const char *text);
void json_out_number(struct json_out *json, const char *key, double number);
void json_out_bool(struct json_out *json, const char *key, bool value);
void json_out_strings(struct json_out *json, const char *key,
		      const char *const *text, size_t n);
/* Write it all and a newline. */
void json_out_end(struct json_out *json);

#endif
