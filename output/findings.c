// SPDX-License-Identifier: GPL-2.0-only
#include "findings.h"

#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/json.h"
#include "../analyzer/base/strbuf.h"
#include "../analyzer/checks/checks.h"
#include "../analyzer/options.h"
#include "json_out.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void index_ids(struct finding_set *set, struct arena *arena)
{
	set->id = ARENA_ARRAY(arena, const char *,
			      set->nfinding + set->ncomment);
	for (size_t i = 0; i < set->nfinding; i++)
		set->id[set->nid++] = set->finding[i].id;
	for (size_t i = 0; i < set->ncomment; i++)
		set->id[set->nid++] = set->comment[i].id;
	qsort(set->id, set->nid, sizeof(*set->id), by_text);
}

bool findings_have(const struct finding_set *set, const char *id)
{
	return set && bsearch(&id, set->id, set->nid, sizeof(id), by_text);
}

size_t findings_new(const struct report *report,
		    const struct finding_set *baseline)
{
	size_t n = 0;

	for (size_t i = 0; i < report->nfinding; i++)
		n += !findings_have(baseline, report->finding[i].id);
	for (size_t i = 0; i < report->ncomment; i++)
		n += !findings_have(baseline, report->comment[i].id);
	return n;
}

static bool is_asked_for(const struct finding *finding,
			 const struct options *options)
{
	const struct names *rule = &options->rule;

	/* a rule that is on request only was in the baseline's command line */
	if (rule->n ? !names_have(rule, finding->rule)
		    : check_find(finding->rule) &&
		      check_find(finding->rule)->on_request)
		return false;
	for (size_t i = 0; i < options->function.n; i++)
		if (!strcmp(options->function.name[i], finding->function))
			return true;
	return !options->function.n;
}

void findings_tell_stale(struct report *report,
			 const struct finding_set *baseline,
			 const struct options *options, struct arena *arena)
{
	const struct finding_set *now = findings_of(report, "", arena);

	if (report->nskipped) {
		struct names names = { report->note, report->nnote };

		names_add(&names, "what of the baseline is found no more is "
			  "not told: not everything was analysed", arena);
		report->note = names.name;
		report->nnote = names.n;
		return;
	}
	report->stale_told = true;
	report->stale = ARENA_ARRAY(arena, const struct finding *,
				    baseline->nfinding);
	for (size_t i = 0; i < baseline->nfinding; i++) {
		const struct finding *finding = &baseline->finding[i];

		if (!findings_have(now, finding->id) &&
		    is_asked_for(finding, options))
			report->stale[report->nstale++] = finding;
	}
}

struct finding_set *findings_of(const struct report *report, const char *from,
				struct arena *arena)
{
	struct finding_set *set = ARENA_NEW(arena, struct finding_set);

	set->from = from;
	set->tree_version = report->tree_version;
	set->finding = report->finding;
	set->nfinding = report->nfinding;
	set->suppressed = report->suppressed;
	set->nsuppressed = report->nsuppressed;
	set->comment = report->comment;
	set->ncomment = report->ncomment;
	set->whole = !report->nskipped;
	index_ids(set, arena);
	return set;
}

struct finding_set *findings_either(const struct finding_set *a,
				    const struct finding_set *b,
				    struct arena *arena)
{
	struct finding_set *set = ARENA_NEW(arena, struct finding_set);
	const size_t na = a ? a->nid : 0, nb = b ? b->nid : 0;

	set->id = ARENA_ARRAY(arena, const char *, na + nb);
	if (na)
		memcpy(set->id, a->id, na * sizeof(*a->id));
	if (nb)
		memcpy(set->id + na, b->id, nb * sizeof(*b->id));
	set->nid = na + nb;
	qsort(set->id, set->nid, sizeof(*set->id), by_text);
	return set;
}

/* A string that must be there. */
static int read_string(const struct json *json, const cJSON *object,
		       const char *key, struct arena *arena,
		       const char **text, struct err *err)
{
	const cJSON *item = json_get(object, key);

	if (!item)
		return json_error(json, object, err, "a finding has no '%s'",
				  key);
	if (!cJSON_IsString(item))
		return json_error(json, item, err, "'%s' is not a string",
				  key);
	*text = arena_strdup(arena, item->valuestring);
	return 0;
}

static int read_line(const struct json *json, const cJSON *object,
		     const char *key, uint32_t *line, struct err *err)
{
	const cJSON *item = json_get(object, key);

	if (!item)
		return json_error(json, object, err, "a finding has no '%s'",
				  key);
	if (!cJSON_IsNumber(item) ||
	    !(item->valuedouble >= 0 && item->valuedouble <= 1e9))
		return json_error(json, item, err, "'%s' is not a line", key);
	*line = (uint32_t)item->valuedouble;
	return 0;
}

/* Names, where they are there: a list of strings. */
static const char **read_names(const cJSON *object, const char *key,
			       struct arena *arena, size_t *n)
{
	const cJSON *list = json_get(object, key), *item;
	const char **name = ARENA_ARRAY(arena, const char *,
					(size_t)cJSON_GetArraySize(list));

	*n = 0;
	cJSON_ArrayForEach(item, list)
		if (cJSON_IsString(item))
			name[(*n)++] = arena_strdup(arena, item->valuestring);
	return name;
}

static int read_why(const struct json *json, const cJSON *object,
		    struct arena *arena, struct finding *finding,
		    struct err *err)
{
	const cJSON *list = json_get(object, "why"), *item;

	finding->why = ARENA_ARRAY(arena, struct why,
				   (size_t)cJSON_GetArraySize(list));
	cJSON_ArrayForEach(item, list) {
		struct why *why = &finding->why[finding->nwhy++];

		if (read_string(json, item, "file", arena, &why->file, err) ||
		    read_string(json, item, "text", arena, &why->text, err) ||
		    read_line(json, item, "line", &why->line, err))
			return -1;
	}
	return 0;
}

const char *level_name(enum level level)
{
	switch (level) {
	case LEVEL_LOW:
		return "low";
	case LEVEL_MEDIUM:
		return "medium";
	case LEVEL_HIGH:
		return "high";
	}
	BUG("level %d has no name", (int)level);
}

/* As it was written; what is nothing of the kind is taken for the least. */
static enum level read_level(const cJSON *object, const char *key)
{
	const char *text = json_text(object, key);
	enum level level = LEVEL_HIGH;

	while (level > LEVEL_LOW && (!text || strcmp(text, level_name(level))))
		level--;
	return level;
}

static int read_finding(const struct json *json, const cJSON *item,
			struct arena *arena, struct finding *finding,
			struct err *err)
{
	const cJSON *allowed;
	const char *state;

	if (!cJSON_IsObject(item))
		return json_error(json, item, err,
				  "a finding is not an object");
	if (read_string(json, item, "id", arena, &finding->id, err) ||
	    read_string(json, item, "rule", arena, &finding->rule, err) ||
	    read_string(json, item, "function", arena, &finding->function,
			err) ||
	    read_string(json, item, "file", arena, &finding->file, err) ||
	    read_string(json, item, "message", arena, &finding->message,
			err) ||
	    read_line(json, item, "line", &finding->line, err) ||
	    read_line(json, item, "column", &finding->column, err))
		return -1;
	finding->confidence = read_level(item, "confidence");
	finding->severity = read_level(item, "severity");
	state = json_text(item, "subsystem");
	finding->subsystem = state ? arena_strdup(arena, state) : NULL;
	if (json_get(item, "end_line") &&
	    (read_line(json, item, "end_line", &finding->end_line, err) ||
	     read_line(json, item, "end_column", &finding->end_column, err)))
		return -1;
	allowed = json_get(item, "allowed");
	if (allowed &&
	    (read_string(json, allowed, "reason", arena, &finding->allowed,
			 err) ||
	     read_string(json, allowed, "file", arena, &finding->allowed_file,
			 err) ||
	     read_line(json, allowed, "line", &finding->allowed_line, err)))
		return -1;
	state = json_text(item, "state");
	finding->state = state ? arena_strdup(arena, state) : NULL;
	finding->hot = read_names(item, "hot", arena, &finding->nhot);
	finding->covers = read_names(item, "covers", arena,
				     &finding->ncovers);
	return read_why(json, item, arena, finding, err);
}

static int read_list(const struct json *json, const char *key,
		     struct arena *arena, struct finding **finding, size_t *n,
		     struct err *err)
{
	const cJSON *list = json_get(json->root, key), *item;

	*finding = ARENA_ARRAY(arena, struct finding,
			       (size_t)cJSON_GetArraySize(list));
	cJSON_ArrayForEach(item, list)
		if (read_finding(json, item, arena, &(*finding)[(*n)++], err))
			return -1;
	return 0;
}

struct finding_set *findings_of_json(const struct json *json,
				     struct arena *arena, struct err *err)
{
	struct finding_set *set = ARENA_NEW(arena, struct finding_set);
	const char *schema = json_text(json->root, "schema"), *version;
	const cJSON *list = json_get(json->root, "findings"), *item;
	char shown[JSON_SHOWN];

	if (!schema || strcmp(schema, FINDINGS_SCHEMA)) {
		json_error(json, json->root, err, "not a findings file "
			   "('schema' is '%s', not '" FINDINGS_SCHEMA "')",
			   schema ? json_shown(schema, shown) : "");
		return NULL;
	}
	if (!cJSON_IsArray(list)) {
		json_error(json, json->root, err,
			   "a findings file without 'findings'");
		return NULL;
	}
	set->from = arena_strdup(arena, json->path);
	version = json_text(json_get(json->root, "tree"), "version");
	set->tree_version = version ? arena_strdup(arena, version) : NULL;
	item = json_get(json_get(json->root, "coverage"), "skipped");
	set->whole = !cJSON_GetArraySize(item);
	/* lists that a file of an older version has not are empty */
	if (read_list(json, "findings", arena, &set->finding, &set->nfinding,
		      err) ||
	    read_list(json, "suppressed", arena, &set->suppressed,
		      &set->nsuppressed, err) ||
	    read_list(json, "suppressions", arena, &set->comment,
		      &set->ncomment, err))
		return NULL;
	index_ids(set, arena);
	return set;
}

struct finding_set *findings_parse(const char *path, const char *text,
				   size_t len, struct arena *arena,
				   struct err *err)
{
	struct json *json = json_parse(path, text, len, err);
	struct finding_set *set = json ? findings_of_json(json, arena, err)
				       : NULL;

	json_free(json);
	return set;
}

struct finding_set *findings_read(const char *path, struct arena *arena,
				  struct err *err)
{
	struct json *json = json_read(path, err);
	struct finding_set *set = json ? findings_of_json(json, arena, err)
				       : NULL;

	json_free(json);
	return set;
}

static void write_place(struct json_out *json, const char *key,
			const char *file, uint32_t line)
{
	char *text = NULL;

	if (!line || !file) {
		json_out_string(json, key, NULL);
		return;
	}
	if (asprintf(&text, "%s:%u", file, line) < 0)
		die("out of memory");
	json_out_string(json, key, text);
	free(text);
}

static void write_entry(struct json_out *json,
			const struct entry_point *entry)
{
	json_out_open(json, NULL, '{');
	json_out_string(json, "name", entry->name);
	write_place(json, "declared", entry->declared_file,
		    entry->declared_line);
	write_place(json, "defined", entry->defined_file,
		    entry->defined_line);
	json_out_string(json, "stub", entry->stub);
	json_out_string(json, "kind", entry->kind);
	json_out_string(json, "state", entry->state);
	json_out_string(json, "off_returns", entry->off_returns);
	json_out_number(json, "residue", entry->residue);
	if (entry->shared)
		json_out_number(json, "profile", entry->share);
	json_out_strings(json, "hot", entry->hot, entry->nhot);
	json_out_close(json);
}

static void write_finding(struct json_out *json,
			  const struct finding *finding)
{
	json_out_open(json, NULL, '{');
	json_out_string(json, "id", finding->id);
	json_out_string(json, "rule", finding->rule);
	json_out_string(json, "subsystem", finding->subsystem);
	json_out_string(json, "function", finding->function);
	json_out_string(json, "file", finding->file);
	json_out_number(json, "line", finding->line);
	json_out_number(json, "column", finding->column);
	json_out_number(json, "end_line", finding->end_line);
	json_out_number(json, "end_column", finding->end_column);
	json_out_string(json, "severity", level_name(finding->severity));
	json_out_string(json, "confidence", level_name(finding->confidence));
	json_out_number(json, "residue", finding->residue);
	if (finding->shared)
		json_out_number(json, "profile", finding->share);
	json_out_strings(json, "hot", finding->hot, finding->nhot);
	json_out_string(json, "message", finding->message);
	json_out_string(json, "state", finding->state);
	json_out_open(json, "why", '[');
	for (size_t i = 0; i < finding->nwhy; i++) {
		json_out_open(json, NULL, '{');
		json_out_string(json, "file", finding->why[i].file);
		json_out_number(json, "line", finding->why[i].line);
		json_out_string(json, "text", finding->why[i].text);
		json_out_close(json);
	}
	json_out_close(json);
	json_out_strings(json, "covers", finding->covers, finding->ncovers);
	if (finding->cause)
		json_out_string(json, "cause", finding->cause);
	if (finding->allowed) {
		json_out_open(json, "allowed", '{');
		json_out_string(json, "reason", finding->allowed);
		json_out_string(json, "file", finding->allowed_file);
		json_out_number(json, "line", finding->allowed_line);
		json_out_close(json);
	}
	json_out_close(json);
}

static void write_coverage(struct json_out *json, const struct report *report)
{
	json_out_open(json, "coverage", '{');
	json_out_number(json, "built", report->built);
	json_out_number(json, "units", report->units);
	json_out_number(json, "analysed", report->analysed);
	json_out_open(json, "excluded", '[');
	for (size_t i = 0; i < report->nexcluded; i++) {
		json_out_open(json, NULL, '{');
		json_out_string(json, "why", report->excluded[i].why);
		json_out_number(json, "count", report->excluded[i].count);
		json_out_close(json);
	}
	json_out_close(json);
	json_out_open(json, "skipped", '[');
	for (size_t i = 0; i < report->nskipped; i++) {
		json_out_open(json, NULL, '{');
		json_out_string(json, "file", report->skipped[i].file);
		json_out_string(json, "function", report->skipped[i].function);
		json_out_string(json, "why", report->skipped[i].why);
		json_out_close(json);
	}
	json_out_close(json);
	json_out_strings(json, "notes", report->note, report->nnote);
	json_out_close(json);
}

static void write_list(struct json_out *json, const char *key,
		       const struct finding *finding, size_t n,
		       const struct finding_set *baseline)
{
	json_out_open(json, key, '[');
	for (size_t i = 0; i < n; i++)
		if (!findings_have(baseline, finding[i].id))
			write_finding(json, &finding[i]);
	json_out_close(json);
}

static void write_stale(struct json_out *json, const struct report *report)
{
	json_out_open(json, "stale", '[');
	for (size_t i = 0; i < report->nstale; i++) {
		const struct finding *finding = report->stale[i];

		json_out_open(json, NULL, '{');
		json_out_string(json, "id", finding->id);
		json_out_string(json, "rule", finding->rule);
		json_out_string(json, "function", finding->function);
		json_out_string(json, "file", finding->file);
		json_out_number(json, "line", finding->line);
		json_out_string(json, "message", finding->message);
		json_out_close(json);
	}
	json_out_close(json);
}

void findings_write(struct out *out, const struct report *report,
		    const struct finding_set *baseline)
{
	struct json_out json;

	json_out_begin(&json, out->stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", FINDINGS_SCHEMA);
	json_out_open(&json, "tool", '{');
	json_out_string(&json, "version", report->tool_version);
	json_out_close(&json);
	json_out_open(&json, "tree", '{');
	json_out_string(&json, "version", report->tree_version);
	json_out_string(&json, "arch", report->arch);
	json_out_string(&json, "config", report->config);
	json_out_string(&json, "commit", report->commit);
	json_out_close(&json);
	json_out_string(&json, "feature", report->feature);
	write_coverage(&json, report);
	json_out_open(&json, "entry_points", '[');
	for (size_t i = 0; i < report->nentry; i++)
		write_entry(&json, &report->entry[i]);
	json_out_close(&json);
	write_list(&json, "findings", report->finding, report->nfinding,
		   baseline);
	write_list(&json, "suppressed", report->suppressed,
		   report->nsuppressed, baseline);
	write_list(&json, "suppressions", report->comment, report->ncomment,
		   baseline);
	if (report->stale_told)
		write_stale(&json, report);
	json_out_close(&json);
	json_out_end(&json);
}
