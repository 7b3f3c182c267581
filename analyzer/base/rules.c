// SPDX-License-Identifier: GPL-2.0-only
#include "rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rules_load.h"
#include "strbuf.h"

#define RULES_SCHEMA "nocharge-rules-1"

void names_add(struct names *names, const char *name, struct arena *arena)
{
	const char **more = ARENA_ARRAY(arena, const char *, names->n + 1);

	if (names->n)
		memcpy(more, names->name, names->n * sizeof(*more));
	more[names->n++] = name;
	names->name = more;
}

bool rules_word(const char *text, enum word word)
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
const char *load_word(struct loader *load, const cJSON *item,
		      const char *where, enum word word)
{
	char shown[JSON_SHOWN];

	if (!cJSON_IsString(item)) {
		json_error(load->json, item, load->err,
			   "something in '%s' is not a string", where);
		return NULL;
	}
	if (!rules_word(item->valuestring, word)) {
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

int load_names(struct loader *load, const cJSON *object, const char *key,
	       enum word word, struct names *names)
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

const char *load_text(struct loader *load, const cJSON *object,
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

static int load_default(struct loader *load, const cJSON *object,
			struct default_rules *asked)
{
	static const struct json_key keys[] = {
		{ "boot", JSON_STRING, false },
		{ "option", JSON_STRING, false },
		{ "other", JSON_ARRAY, false },
		{ "prompt", JSON_STRING, false },
		{ "help", JSON_ARRAY, false },
	};
	const cJSON *help, *item;

	if (!object)
		return 0;
	if (json_check(load->json, object, "default", keys, 5, load->err))
		return -1;
	help = json_get(object, "help");
	asked->boot = load_text(load, object, "boot");
	asked->prompt = load_text(load, object, "prompt");
	asked->option = load_word(load, json_get(object, "option"), "default",
				  WORD_OPTION);
	asked->help = ARENA_ARRAY(load->arena, const char *,
				  (size_t)cJSON_GetArraySize(help));
	cJSON_ArrayForEach(item, help) {
		if (!cJSON_IsString(item))
			return json_error(load->json, item, load->err,
					  "something in 'help' is not a "
					  "string");
		asked->help[asked->nhelp++] = intern(load->strings,
						     item->valuestring);
	}
	return asked->option ? load_names(load, object, "other", WORD_OPTION,
					  &asked->other) : -1;
}

int check_schema(struct loader *load, const char *schema)
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
		{ "default", JSON_OBJECT, true },
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
	    load_default(load, json_get(root, "default"), &rules->asked) ||
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
