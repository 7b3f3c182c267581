// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel is: rules/kernel.json. */
#include <stdlib.h>
#include <string.h>

#include "rules_load.h"

#define KERNEL_SCHEMA "nocharge-kernel-1"

static int load_root(struct loader *load, const cJSON *item,
		     struct hot_root *root)
{
	static const struct json_key keys[] = {
		{ "name", JSON_STRING, false },
		{ "title", JSON_STRING, false },
		{ "functions", JSON_OBJECT, false },
	};
	const cJSON *functions, *function;
	char shown[JSON_SHOWN];

	if (json_check(load->json, item, "roots", keys, 3, load->err))
		return -1;
	root->name = load_word(load, json_get(item, "name"), "roots",
			       WORD_LABEL);
	if (!root->name)
		return -1;
	root->title = load_text(load, item, "title");
	functions = json_get(item, "functions");
	root->function = ARENA_ARRAY(load->arena, struct root_function,
				     (size_t)cJSON_GetArraySize(functions));
	cJSON_ArrayForEach(function, functions) {
		struct root_function *at = &root->function[root->nfunction];

		if (!rules_word(function->string, WORD_PATTERN))
			return json_error(load->json, function, load->err,
					  "'%s' in '%s' is not a name",
					  json_shown(function->string, shown),
					  root->name);
		if (!cJSON_IsNumber(function) ||
		    !(function->valuedouble > 0 &&
		      function->valuedouble <= 1e6))
			return json_error(load->json, function, load->err,
					  "'%s' in '%s' is no number above 0",
					  function->string, root->name);
		at->name = intern(load->strings, function->string);
		at->times = function->valuedouble;
		root->nfunction++;
	}
	return 0;
}

static int load_wishes(struct loader *load, const cJSON *object,
		       const char *key, struct wishes *wishes)
{
	const cJSON *map = json_get(object, key), *item;
	char shown[JSON_SHOWN];

	wishes->wish = ARENA_ARRAY(load->arena, struct wish,
				   (size_t)cJSON_GetArraySize(map));
	cJSON_ArrayForEach(item, map) {
		struct wish *wish = &wishes->wish[wishes->n];

		if (!rules_word(item->string, WORD_OPTION))
			return json_error(load->json, item, load->err,
					  "'%s' in '%s' is not an option",
					  json_shown(item->string, shown),
					  key);
		wish->name = intern(load->strings, item->string);
		wish->value = load_word(load, item, key, WORD_LABEL);
		if (!wish->value)
			return -1;
		wishes->n++;
	}
	return 0;
}

static int load_sections(struct loader *load, const cJSON *root,
			 struct kernel_rules *kernel)
{
	static const struct json_key keys[] = {
		{ "name", JSON_STRING, false },
		{ "open", JSON_ARRAY, false },
		{ "close", JSON_ARRAY, false },
	};
	const cJSON *array = json_get(root, "sections"), *item;

	kernel->section = ARENA_ARRAY(load->arena, struct section,
				      (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct section *section = &kernel->section[kernel->nsection];

		if (json_check(load->json, item, "sections", keys, 3,
			       load->err) ||
		    load_names(load, item, "open", WORD_PATTERN,
			       &section->open) ||
		    load_names(load, item, "close", WORD_PATTERN,
			       &section->close))
			return -1;
		section->name = load_text(load, item, "name");
		kernel->nsection++;
	}
	return 0;
}

static int load_key(struct loader *load, const cJSON *object,
		    struct key_words *key)
{
	static const struct json_key keys[] = {
		{ "header", JSON_STRING, false },
		{ "type", JSON_STRING, false },
		{ "declare", JSON_STRING, false },
		{ "ask", JSON_STRING, false },
		{ "define", JSON_STRING, false },
	};

	if (json_check(load->json, object, "key", keys, 5, load->err))
		return -1;
	key->header = load_text(load, object, "header");
	key->type = load_word(load, json_get(object, "type"), "key",
			      WORD_NAME);
	key->declare = load_word(load, json_get(object, "declare"), "key",
				 WORD_NAME);
	key->ask = load_word(load, json_get(object, "ask"), "key", WORD_NAME);
	key->define = load_word(load, json_get(object, "define"), "key",
				WORD_NAME);
	return key->type && key->declare && key->ask && key->define ? 0 : -1;
}

static int load_parameter(struct loader *load, const cJSON *object,
			  struct parameter_rules *parameter)
{
	static const struct json_key keys[] = {
		{ "handlers", JSON_ARRAY, false },
		{ "setup", JSON_STRING, false },
		{ "both", JSON_STRING, false },
		{ "init", JSON_STRING, false },
		{ "beside", JSON_STRING, false },
		{ "parse", JSON_STRING, false },
		{ "header", JSON_STRING, false },
		{ "main", JSON_STRING, false },
		{ "order", JSON_STRING, false },
		{ "options", JSON_ARRAY, false },
		{ "documents", JSON_ARRAY, false },
	};

	if (!object)
		return 0;
	if (json_check(load->json, object, "parameters", keys, 11, load->err))
		return -1;
	parameter->setup = load_text(load, object, "setup");
	parameter->both = load_text(load, object, "both");
	parameter->init = load_text(load, object, "init");
	parameter->beside = load_text(load, object, "beside");
	parameter->parse = load_text(load, object, "parse");
	parameter->header = load_text(load, object, "header");
	parameter->main = load_text(load, object, "main");
	parameter->order = load_text(load, object, "order");
	return load_names(load, object, "options", WORD_PATH,
			  &parameter->options) ||
	       load_names(load, object, "documents", WORD_PATH,
			  &parameter->documents) ||
	       load_names(load, object, "handlers", WORD_PATH,
			  &parameter->handlers) ? -1 : 0;
}

static int load_object(struct loader *load, const cJSON *item,
		       struct object_rules *object)
{
	static const struct json_key keys[] = {
		{ "records", JSON_ARRAY, false },
		{ "flags", JSON_ARRAY, false },
		{ "allocate", JSON_ARRAY, false },
		{ "drop", JSON_ARRAY, false },
		{ "publish", JSON_ARRAY, false },
	};

	if (json_check(load->json, item, "object", keys, 5, load->err) ||
	    load_names(load, item, "records", WORD_NAME, &object->records) ||
	    load_names(load, item, "flags", WORD_DOTTED, &object->flags) ||
	    load_names(load, item, "allocate", WORD_PATTERN,
		       &object->allocate) ||
	    load_names(load, item, "drop", WORD_PATTERN, &object->drop) ||
	    load_names(load, item, "publish", WORD_PATTERN, &object->publish))
		return -1;
	return 0;
}

static int load_lock_batch(struct loader *load, const cJSON *item,
			   struct kernel_rules *kernel)
{
	if (item)
		kernel->lock_batch = load_word(load, item, "lock_batch",
					       WORD_NAME);
	return item && !kernel->lock_batch ? -1 : 0;
}

static int load_kernel(struct loader *load, struct kernel_rules *kernel)
{
	static const struct json_key keys[] = {
		{ "schema", JSON_STRING, false },
		{ "roots", JSON_ARRAY, false },
		{ "cold", JSON_ARRAY, false },
		{ "free", JSON_ARRAY, false },
		{ "periodic", JSON_ARRAY, false },
		{ "raise", JSON_ARRAY, false },
		{ "lower", JSON_ARRAY, false },
		{ "barrier", JSON_ARRAY, false },
		{ "counters", JSON_ARRAY, false },
		{ "later", JSON_ARRAY, false },
		{ "make", JSON_ARRAY, true },
		{ "pure", JSON_ARRAY, false },
		{ "error", JSON_ARRAY, true },
		{ "yield", JSON_ARRAY, true },
		{ "lock_batch", JSON_STRING, true },
		{ "key", JSON_OBJECT, false },
		{ "parameters", JSON_OBJECT, true },
		{ "sections", JSON_ARRAY, false },
		{ "object", JSON_OBJECT, false },
		{ "exclude", JSON_ARRAY, false },
		{ "gated", JSON_ARRAY, false },
		{ "ungated", JSON_ARRAY, false },
		{ "config", JSON_OBJECT, false },
	};
	static const struct json_key config_keys[] = {
		{ "all", JSON_OBJECT, false },
		{ "x86", JSON_OBJECT, false },
		{ "arm64", JSON_OBJECT, false },
		{ "forced", JSON_OBJECT, false },
	};
	const cJSON *root = load->json->root, *array, *item, *config;

	if (json_check(load->json, root, "the file", keys,
		       sizeof(keys) / sizeof(*keys), load->err) ||
	    check_schema(load, KERNEL_SCHEMA))
		return -1;
	array = json_get(root, "roots");
	kernel->root = ARENA_ARRAY(load->arena, struct hot_root,
				   (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		if (load_root(load, item, &kernel->root[kernel->nroot]))
			return -1;
		kernel->nroot++;
	}
	if (load_names(load, root, "cold", WORD_PATTERN, &kernel->cold) ||
	    load_names(load, root, "free", WORD_PATTERN, &kernel->free) ||
	    load_names(load, root, "periodic", WORD_PATTERN,
		       &kernel->periodic) ||
	    load_names(load, root, "raise", WORD_PATTERN, &kernel->raise) ||
	    load_names(load, root, "lower", WORD_PATTERN, &kernel->lower) ||
	    load_names(load, root, "barrier", WORD_PATTERN,
		       &kernel->barrier) ||
	    load_names(load, root, "counters", WORD_PATTERN,
		       &kernel->counter) ||
	    load_names(load, root, "later", WORD_PATTERN, &kernel->later) ||
	    load_names(load, root, "make", WORD_PATTERN, &kernel->make) ||
	    load_names(load, root, "pure", WORD_PATTERN, &kernel->pure) ||
	    load_names(load, root, "error", WORD_PATTERN, &kernel->error) ||
	    load_names(load, root, "yield", WORD_PATTERN, &kernel->yield) ||
	    load_lock_batch(load, json_get(root, "lock_batch"), kernel) ||
	    load_key(load, json_get(root, "key"), &kernel->key) ||
	    load_parameter(load, json_get(root, "parameters"),
			   &kernel->parameter) ||
	    load_sections(load, root, kernel) ||
	    load_object(load, json_get(root, "object"), &kernel->object) ||
	    load_names(load, root, "exclude", WORD_PATH, &kernel->exclude) ||
	    load_names(load, root, "gated", WORD_PATH, &kernel->gated) ||
	    load_names(load, root, "ungated", WORD_OPTION,
		       &kernel->ungated))
		return -1;
	config = json_get(root, "config");
	if (json_check(load->json, config, "config", config_keys, 4,
		       load->err) ||
	    load_wishes(load, config, "all", &kernel->config) ||
	    load_wishes(load, config, "x86", &kernel->config_x86) ||
	    load_wishes(load, config, "arm64", &kernel->config_arm64) ||
	    load_wishes(load, config, "forced", &kernel->forced))
		return -1;
	return 0;
}

static struct kernel_rules *kernel_from(struct json *json, const char *path,
					struct arena *arena,
					struct strtab *strings,
					struct err *err)
{
	struct kernel_rules *kernel = ARENA_NEW(arena, struct kernel_rules);
	struct loader load = {
		.json = json,
		.arena = arena,
		.strings = strings,
		.err = err,
	};

	kernel->file = intern(strings, path);
	if (json && !load_kernel(&load, kernel))
		kernel->hash = json->hash;
	else
		kernel = NULL;
	json_free(json);
	return kernel;
}

struct kernel_rules *kernel_rules_load(const char *path, struct arena *arena,
				       struct strtab *strings,
				       struct err *err)
{
	return kernel_from(json_read(path, err), path, arena, strings, err);
}

struct kernel_rules *kernel_rules_parse(const char *path, const char *text,
					size_t len, struct arena *arena,
					struct strtab *strings,
					struct err *err)
{
	return kernel_from(json_parse(path, text, len, err), path, arena,
			   strings, err);
}
