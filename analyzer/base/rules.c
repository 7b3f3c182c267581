// SPDX-License-Identifier: GPL-2.0-only
#include "rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "strbuf.h"

#define RULES_SCHEMA "nocharge-rules-1"
#define KERNEL_SCHEMA "nocharge-kernel-1"

/* What a string of a rules file may be made of. */
enum word {
	WORD_NAME,     /* a C identifier */
	WORD_DOTTED,   /* record.field, or a C identifier */
	WORD_PATTERN,  /* of fnmatch(3) over C identifiers */
	WORD_OPTION,   /* a Kconfig symbol */
	WORD_LABEL,    /* "anon-fault" */
	WORD_PATH,     /* a directory of the tree */
};

struct loader {
	const struct json *json;
	struct arena *arena;
	struct strtab *strings;
	struct strtab *kernel; /* the kernel identifiers seen */
	size_t nkernel;
	struct err *err;
};

void names_add(struct names *names, const char *name, struct arena *arena)
{
	const char **more = ARENA_ARRAY(arena, const char *, names->n + 1);

	if (names->n)
		memcpy(more, names->name, names->n * sizeof(*more));
	more[names->n++] = name;
	names->name = more;
}

static bool is_word(const char *text, enum word word)
{
	const char *more = "";
	size_t i;

	switch (word) {
	case WORD_NAME:
		break;
	case WORD_DOTTED:
		more = ".";
		break;
	case WORD_PATTERN:
		more = "*?[]!-";
		break;
	case WORD_OPTION:
		break;
	case WORD_LABEL:
		more = "-";
		break;
	case WORD_PATH:
		more = "-./+";
		break;
	}
	for (i = 0; text[i]; i++) {
		char c = text[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      (c >= '0' && c <= '9') || c == '_' || strchr(more, c)))
			return false;
	}
	return i > 0 && i < 256;
}

/* @item as an interned word; NULL with the error set. */
static const char *load_word(struct loader *load, const cJSON *item,
			     const char *where, enum word word)
{
	char shown[JSON_SHOWN];

	if (!cJSON_IsString(item)) {
		json_error(load->json, item, load->err,
			   "something in '%s' is not a string", where);
		return NULL;
	}
	if (!is_word(item->valuestring, word)) {
		json_error(load->json, item, load->err,
			   "'%s' in '%s' is not a name",
			   json_shown(item->valuestring, shown), where);
		return NULL;
	}
	if (load->kernel && word <= WORD_DOTTED &&
	    !interned(load->kernel, item->valuestring)) {
		intern(load->kernel, item->valuestring);
		load->nkernel++;
	}
	return intern(load->strings, item->valuestring);
}

static int load_names(struct loader *load, const cJSON *object,
		      const char *key, enum word word, struct names *names)
{
	const cJSON *array = json_get(object, key), *item;

	if (!array)
		return 0;
	names->name = ARENA_ARRAY(load->arena, const char *,
				  (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		const char *name = load_word(load, item, key, word);

		if (!name)
			return -1;
		names->name[names->n++] = name;
	}
	return 0;
}

static const char *load_text(struct loader *load, const cJSON *object,
			     const char *key)
{
	const char *text = json_text(object, key);

	return text ? intern(load->strings, text) : NULL;
}

static int load_integer(struct loader *load, const cJSON *item,
			const char *key, int64_t *value)
{
	double number = item->valuedouble;

	if (!(number >= -9e15 && number <= 9e15) ||
	    number != (double)(int64_t)number)
		return json_error(load->json, item, load->err,
				  "'%s' is not an integer", key);
	*value = (int64_t)number;
	return 0;
}

static int load_values(struct loader *load, const cJSON *object,
		       const char *key, struct known_value **value, size_t *n)
{
	static const struct json_key keys[] = {
		{ "name", JSON_STRING, false },
		{ "value", JSON_NUMBER, false },
		{ "why", JSON_STRING, true },
	};
	const cJSON *array = json_get(object, key), *item;

	*n = 0;
	*value = ARENA_ARRAY(load->arena, struct known_value,
			     (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct known_value *known = &(*value)[*n];

		if (json_check(load->json, item, key, keys, 3, load->err))
			return -1;
		known->name = load_word(load, json_get(item, "name"), key,
					WORD_DOTTED);
		if (!known->name ||
		    load_integer(load, json_get(item, "value"), "value",
				 &known->value))
			return -1;
		known->why = load_text(load, item, "why");
		++*n;
	}
	return 0;
}

static int load_arg(struct loader *load, const cJSON *item,
		    struct callback *callback)
{
	static const char *const arg[] = {
		[ARG_UNKNOWN] = "unknown",
		[ARG_NULL] = "null",
		[ARG_ROOT] = "root",
	};
	char shown[JSON_SHOWN];

	if (callback->narg ==
	    sizeof(callback->arg) / sizeof(callback->arg[0]))
		return json_error(load->json, item, load->err,
				  "too many 'args' of '%s'", callback->name);
	if (!cJSON_IsString(item))
		return json_error(load->json, item, load->err,
				  "something in 'args' is not a string");
	for (size_t i = 0; i < sizeof(arg) / sizeof(arg[0]); i++) {
		if (!strcmp(item->valuestring, arg[i])) {
			callback->arg[callback->narg++] =
				(enum callback_arg)i;
			return 0;
		}
	}
	return json_error(load->json, item, load->err,
			  "'%s' in 'args' is none of unknown, null, root",
			  json_shown(item->valuestring, shown));
}

static int load_callbacks(struct loader *load, const cJSON *object,
			  struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "tables", JSON_ARRAY, false },
		{ "run", JSON_ARRAY, false },
	};
	static const struct json_key run_keys[] = {
		{ "name", JSON_STRING, false },
		{ "args", JSON_ARRAY, false },
		{ "hot", JSON_STRING, true },
		{ "when", JSON_STRING, true },
	};
	const cJSON *array, *item, *arg;

	if (!object)
		return 0;
	if (json_check(load->json, object, "callbacks", keys, 2, load->err) ||
	    load_names(load, object, "tables", WORD_NAME, &rules->table))
		return -1;
	array = json_get(object, "run");
	rules->callback = ARENA_ARRAY(load->arena, struct callback,
				      (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct callback *callback = &rules->callback[rules->ncallback];
		const cJSON *hot;
		const char *when;

		if (json_check(load->json, item, "run", run_keys, 4,
			       load->err))
			return -1;
		callback->name = load_word(load, json_get(item, "name"), "run",
					   WORD_NAME);
		if (!callback->name)
			return -1;
		cJSON_ArrayForEach(arg, json_get(item, "args"))
			if (load_arg(load, arg, callback))
				return -1;
		hot = json_get(item, "hot");
		if (hot) {
			callback->root = load_word(load, hot, "hot",
						   WORD_LABEL);
			if (!callback->root)
				return -1;
		}
		when = json_text(item, "when");
		if (when && strcmp(when, "boot"))
			return json_error(load->json, json_get(item, "when"),
					  load->err, "'when' of '%s' is not "
					  "\"boot\"", callback->name);
		callback->boot = when != NULL;
		rules->ncallback++;
	}
	return 0;
}

static int load_arrays(struct loader *load, const cJSON *object,
		       struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "field", JSON_STRING, false },
		{ "index", JSON_STRING, false },
	};
	const cJSON *array = json_get(object, "arrays"), *item;

	rules->root_array = ARENA_ARRAY(load->arena, struct root_array,
					(size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct root_array *at = &rules->root_array[rules->nroot_array];

		if (json_check(load->json, item, "arrays", keys, 2, load->err))
			return -1;
		at->field = load_word(load, json_get(item, "field"), "arrays",
				      WORD_DOTTED);
		at->index = at->field ?
			load_word(load, json_get(item, "index"), "arrays",
				  WORD_NAME) : NULL;
		if (!at->index)
			return -1;
		rules->nroot_array++;
	}
	return 0;
}

static int load_same(struct loader *load, const cJSON *object,
		     struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "field", JSON_STRING, false },
		{ "member", JSON_STRING, false },
	};
	const cJSON *array = json_get(object, "same"), *item;

	rules->same = ARENA_ARRAY(load->arena, struct same_object,
				  (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct same_object *same = &rules->same[rules->nsame];

		if (json_check(load->json, item, "same", keys, 2, load->err))
			return -1;
		same->field = load_word(load, json_get(item, "field"), "same",
					WORD_DOTTED);
		same->member = same->field ?
			load_word(load, json_get(item, "member"), "same",
				  WORD_DOTTED) : NULL;
		if (!same->member)
			return -1;
		rules->nsame++;
	}
	return 0;
}

static int load_group(struct loader *load, const cJSON *object,
		      struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "record", JSON_STRING, false },
		{ "root", JSON_ARRAY, false },
		{ "fields", JSON_ARRAY, true },
		{ "arrays", JSON_ARRAY, true },
		{ "same", JSON_ARRAY, true },
		{ "limits", JSON_ARRAY, true },
	};

	if (!object)
		return 0;
	if (json_check(load->json, object, "group", keys, 6, load->err))
		return -1;
	rules->group = load_word(load, json_get(object, "record"), "record",
				 WORD_NAME);
	if (!rules->group ||
	    load_names(load, object, "root", WORD_NAME, &rules->root) ||
	    load_values(load, object, "fields", &rules->root_field,
			&rules->nroot_field) ||
	    load_names(load, object, "limits", WORD_DOTTED, &rules->limit) ||
	    load_arrays(load, object, rules) ||
	    load_same(load, object, rules))
		return -1;
	return 0;
}

static int load_off(struct loader *load, const cJSON *object,
		    struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "boot", JSON_STRING, false },
		{ "predicate", JSON_ARRAY, false },
		{ "guard", JSON_ARRAY, false },
		{ "known", JSON_ARRAY, true },
	};

	if (json_check(load->json, object, "off", keys, 4, load->err))
		return -1;
	rules->off = load_text(load, object, "boot");
	if (load_names(load, object, "predicate", WORD_NAME,
		       &rules->predicate) ||
	    load_values(load, object, "guard", &rules->guard,
			&rules->nguard) ||
	    load_values(load, object, "known", &rules->known,
			&rules->nknown))
		return -1;
	if (!rules->predicate.n)
		return json_error(load->json, json_get(object, "predicate"),
				  load->err, "'predicate' is empty");
	if (!rules->nguard)
		return json_error(load->json, json_get(object, "guard"),
				  load->err, "'guard' is empty");
	return 0;
}

static int check_schema(struct loader *load, const char *schema)
{
	const cJSON *item = json_get(load->json->root, "schema");
	char shown[JSON_SHOWN];

	if (!strcmp(item->valuestring, schema))
		return 0;
	return json_error(load->json, item, load->err,
			  "'schema' is '%s', not '%s'",
			  json_shown(item->valuestring, shown), schema);
}

static int load_published(struct loader *load, const cJSON *array,
			  struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "rule", JSON_STRING, false },
		{ "text", JSON_STRING, false },
	};
	const cJSON *item;

	rules->published = ARENA_ARRAY(load->arena, struct published,
				       (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array) {
		struct published *at = &rules->published[rules->npublished];

		if (json_check(load->json, item, "published", keys, 2,
			       load->err))
			return -1;
		at->rule = load_word(load, json_get(item, "rule"), "published",
				     WORD_LABEL);
		if (!at->rule)
			return -1;
		at->text = load_text(load, item, "text");
		rules->npublished++;
	}
	return 0;
}

const char *rules_published(const struct rules *rules, const char *rule)
{
	for (size_t i = 0; i < rules->npublished; i++)
		if (!strcmp(rules->published[i].rule, rule))
			return rules->published[i].text;
	return "";
}

static int load_rules(struct loader *load, struct rules *rules)
{
	static const struct json_key keys[] = {
		{ "schema", JSON_STRING, false },
		{ "feature", JSON_STRING, false },
		{ "title", JSON_STRING, false },
		{ "config", JSON_OBJECT, false },
		{ "off", JSON_OBJECT, false },
		{ "group", JSON_OBJECT, true },
		{ "callbacks", JSON_OBJECT, true },
		{ "charge", JSON_ARRAY, true },
		{ "statistics", JSON_ARRAY, true },
		{ "published", JSON_ARRAY, true },
	};
	static const struct json_key config_keys[] = {
		{ "symbols", JSON_ARRAY, false },
		{ "wants", JSON_ARRAY, true },
	};
	const cJSON *root = load->json->root, *config;

	if (json_check(load->json, root, "the file", keys,
		       sizeof(keys) / sizeof(*keys), load->err) ||
	    check_schema(load, RULES_SCHEMA))
		return -1;
	rules->feature = load_word(load, json_get(root, "feature"), "feature",
				   WORD_LABEL);
	if (!rules->feature)
		return -1;
	rules->title = load_text(load, root, "title");
	config = json_get(root, "config");
	if (json_check(load->json, config, "config", config_keys, 2,
		       load->err) ||
	    load_names(load, config, "symbols", WORD_OPTION,
		       &rules->symbols) ||
	    load_names(load, config, "wants", WORD_OPTION, &rules->wants))
		return -1;
	if (!rules->symbols.n)
		return json_error(load->json, config, load->err,
				  "'symbols' is empty");
	if (load_off(load, json_get(root, "off"), rules) ||
	    load_group(load, json_get(root, "group"), rules) ||
	    load_callbacks(load, json_get(root, "callbacks"), rules) ||
	    load_names(load, root, "charge", WORD_NAME, &rules->charge) ||
	    load_names(load, root, "statistics", WORD_NAME,
		       &rules->statistics) ||
	    load_published(load, json_get(root, "published"), rules))
		return -1;
	return 0;
}

/* Frees @json, which may be NULL when it could not be read. */
static struct rules *rules_from(struct json *json, const char *path,
				struct arena *arena, struct strtab *strings,
				struct err *err)
{
	struct rules *rules = ARENA_NEW(arena, struct rules);
	struct arena *scratch = arena_new();
	struct loader load = {
		.json = json,
		.arena = arena,
		.strings = strings,
		.kernel = strtab_new(scratch),
		.err = err,
	};

	rules->file = intern(strings, path);
	if (json && !load_rules(&load, rules)) {
		rules->hash = json->hash;
		rules->nidentifier = load.nkernel;
	} else {
		rules = NULL;
	}
	arena_free(scratch);
	json_free(json);
	return rules;
}

struct rules *rules_load(const char *path, struct arena *arena,
			 struct strtab *strings, struct err *err)
{
	return rules_from(json_read(path, err), path, arena, strings, err);
}

struct rules *rules_parse(const char *path, const char *text, size_t len,
			  struct arena *arena, struct strtab *strings,
			  struct err *err)
{
	return rules_from(json_parse(path, text, len, err), path, arena,
			  strings, err);
}

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

		if (!is_word(function->string, WORD_PATTERN))
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

		if (!is_word(item->string, WORD_OPTION))
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

bool names_have(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

bool pattern_match(const char *pattern, const char *name)
{
	/* most patterns differ in the first letter: don't start fnmatch() */
	if (*pattern != *name && !strchr("*?[", *pattern))
		return false;
	if (!strpbrk(pattern, "*?["))
		return !strcmp(pattern, name);
	return !fnmatch(pattern, name, 0);
}

bool names_match(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (pattern_match(names->name[i], name))
			return true;
	return false;
}

#ifndef NOCHARGE_DATADIR
#define NOCHARGE_DATADIR "/usr/local/share/nocharge"
#endif

const char *data_path(struct arena *arena, const char *sub)
{
	const char *env = getenv("NOCHARGE_DATA");
	char self[4096], *slash;
	const char *path;
	ssize_t len;

	if (env && *env) {
		path = arena_printf(arena, "%s/%s", env, sub);
		return access(path, F_OK) ? NULL : path;
	}
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len > 0) {
		self[len] = 0;
		slash = strrchr(self, '/');
		if (slash) {
			*slash = 0;
			path = arena_printf(arena, "%s/%s", self, sub);
			if (!access(path, F_OK))
				return path;
			/* bin/nocharge and share/nocharge, wherever they are */
			path = arena_printf(arena, "%s/../share/nocharge/%s",
					    self, sub);
			if (!access(path, F_OK))
				return path;
		}
	}
	path = arena_printf(arena, "%s/%s", NOCHARGE_DATADIR, sub);
	return access(path, F_OK) ? NULL : path;
}
