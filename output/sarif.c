// SPDX-License-Identifier: GPL-2.0-only
#include "sarif.h"

#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/err.h"
#include "../analyzer/base/strbuf.h"
#include "../analyzer/checks/checks.h"
#include "report.h"

#define SCHEMA_URI "https://docs.oasis-open.org/sarif/sarif/v2.1.0/" \
	"errata01/os/schemas/sarif-schema-2.1.0.json"
/* The rule of comments in the source that allow nothing: no check's. */
#define SUPPRESSION "suppression"

static void put_text(struct json_out *json, const char *key, const char *text)
{
	json_out_open(json, key, '{');
	json_out_string(json, "text", text);
	json_out_close(json);
}

const char *sarif_uri(const char *path, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	const char *uri;

	for (const char *s = path; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || strchr("/-._~+,@", c))
			strbuf_addch(&text, c);
		else
			strbuf_addf(&text, "%%%02X", c);
	}
	uri = arena_strndup(arena, text.buf ? text.buf : "", text.len);
	strbuf_release(&text);
	return uri;
}

/* "NAME: what it is", paragraphs: rules/text/NAME.md. */
static char *rule_text(const char *name, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	const char *path = data_path(arena, arena_printf(arena,
						"rules/text/%s.md", name));
	char *copy = NULL;

	if (path && !strbuf_read_file(&text, path, NULL) && text.len)
		copy = arena_strndup(arena, text.buf, text.len);
	strbuf_release(&text);
	return copy;
}

static void put_rule(struct sarif *sarif, const char *name, char *text)
{
	struct json_out *json = &sarif->json;
	char *body = strstr(text, "\n\n"), *end;
	size_t len = strlen(name);

	json_out_open(json, NULL, '{');
	json_out_string(json, "id", name);
	put_text(json, "help", text);
	if (body) {
		*body = '\0';
		body += 2;
		end = strstr(body, "\n\n");
		body = arena_strndup(sarif->arena, body, end ?
				     (size_t)(end - body) : strlen(body));
		for (char *s = body; (s = strchr(s, '\n')); )
			*s = s[1] ? ' ' : '\0';
	}
	if (!strncmp(text, name, len) && !strncmp(text + len, ": ", 2))
		text += len + 2;
	put_text(json, "shortDescription", text);
	put_text(json, "fullDescription", body ? body : text);
	json_out_open(json, "defaultConfiguration", '{');
	json_out_string(json, "level", "warning");
	json_out_close(json);
	json_out_close(json);
}

static void put_rules(struct sarif *sarif)
{
	char *text;

	json_out_open(&sarif->json, "rules", '[');
	for (size_t i = 0; i < nchecks; i++) {
		text = rule_text(checks[i].name, sarif->arena);
		if (!text)
			text = arena_strdup(sarif->arena, checks[i].name);
		put_rule(sarif, checks[i].name, text);
	}
	text = arena_strdup(sarif->arena, SUPPRESSION ": a comment that is to "
		"allow a finding gives no reason, or allows nothing\n\n"
		"A comment 'nocharge: allow RULE: REASON' takes the findings "
		"of that rule on the line, or on what begins below it, out of "
		"those that count. Without a reason it does not; where there "
		"is no such finding it only misleads.\n");
	put_rule(sarif, SUPPRESSION, text);
	json_out_close(&sarif->json);
}

static size_t rule_index(const char *name)
{
	size_t i = 0;

	while (i < nchecks && strcmp(checks[i].name, name))
		i++;
	if (i == nchecks && strcmp(name, SUPPRESSION))
		return (size_t)-1;
	return i;
}

void sarif_begin(struct sarif *sarif, struct out *out,
		 const struct sarif_run *run)
{
	struct json_out *json = &sarif->json;

	json_out_begin(json, out->stream);
	json_out_open(json, NULL, '{');
	json_out_string(json, "$schema", SCHEMA_URI);
	json_out_string(json, "version", "2.1.0");
	json_out_open(json, "runs", '[');
	json_out_open(json, NULL, '{');
	json_out_open(json, "tool", '{');
	json_out_open(json, "driver", '{');
	json_out_string(json, "name", "nocharge");
	if (run->tool_version)
		json_out_string(json, "version", run->tool_version);
	put_rules(sarif);
	json_out_close(json);
	json_out_close(json);
	json_out_string(json, "columnKind", "unicodeCodePoints");
	json_out_open(json, "originalUriBaseIds", '{');
	json_out_open(json, "SRCROOT", '{');
	put_text(json, "description", "the root of the kernel tree");
	json_out_close(json);
	json_out_close(json);
	json_out_open(json, "automationDetails", '{');
	json_out_string(json, "id", arena_printf(sarif->arena,
			"nocharge/%s/%s", run->feature ? run->feature : "all",
			run->arch ? run->arch : "any"));
	json_out_close(json);
	json_out_open(json, "properties", '{');
	if (run->tree_version)
		json_out_string(json, "version", run->tree_version);
	if (run->config)
		json_out_string(json, "config", run->config);
	if (run->commit)
		json_out_string(json, "commit", run->commit);
	json_out_close(json);
	json_out_open(json, "results", '[');
}

/* A location that is open still; @id may be NULL. */
static void open_location(struct json_out *json, const char *key,
			  const char *file, uint32_t line, uint32_t column,
			  struct arena *arena)
{
	json_out_open(json, key, '{');
	json_out_open(json, "physicalLocation", '{');
	json_out_open(json, "artifactLocation", '{');
	json_out_string(json, "uri", sarif_uri(file, arena));
	json_out_string(json, "uriBaseId", "SRCROOT");
	json_out_close(json);
	if (line) {
		json_out_open(json, "region", '{');
		json_out_number(json, "startLine", line);
		if (column)
			json_out_number(json, "startColumn", column);
	}
}

static void close_region(struct json_out *json, uint32_t line)
{
	if (line)
		json_out_close(json);
	json_out_close(json);
}

static void put_place(struct sarif *sarif, const struct finding *f)
{
	struct json_out *json = &sarif->json;

	json_out_open(json, "locations", '[');
	open_location(json, NULL, f->file, f->line, f->column, sarif->arena);
	if (f->line && f->column && f->end_line >= f->line &&
	    (f->end_line > f->line || f->end_column > f->column)) {
		json_out_number(json, "endLine", f->end_line);
		json_out_number(json, "endColumn", f->end_column);
	}
	close_region(json, f->line);
	if (*f->function) {
		json_out_open(json, "logicalLocations", '[');
		json_out_open(json, NULL, '{');
		json_out_string(json, "name", f->function);
		json_out_close(json);
		json_out_close(json);
	}
	json_out_close(json);
	json_out_close(json);
}

static size_t shown_steps(struct sarif *sarif, const struct finding *f)
{
	if (!sarif->github || f->nwhy <= SARIF_GITHUB_LOCATIONS)
		return f->nwhy;
	sarif->shortened++;
	return SARIF_GITHUB_LOCATIONS;
}

/* The steps of the reason: once as they follow each other, once each. */
static void put_why(struct sarif *sarif, const struct finding *f)
{
	struct json_out *json = &sarif->json;
	const size_t n = shown_steps(sarif, f);

	if (!n)
		return;
	json_out_open(json, "codeFlows", '[');
	json_out_open(json, NULL, '{');
	json_out_open(json, "threadFlows", '[');
	json_out_open(json, NULL, '{');
	json_out_open(json, "locations", '[');
	for (size_t i = 0; i < n; i++) {
		json_out_open(json, NULL, '{');
		open_location(json, "location", f->why[i].file,
			      f->why[i].line, 0, sarif->arena);
		close_region(json, f->why[i].line);
		put_text(json, "message", f->why[i].text);
		json_out_close(json);
		json_out_close(json);
	}
	for (size_t i = 0; i < 5; i++)
		json_out_close(json);
	json_out_open(json, "relatedLocations", '[');
	for (size_t i = 0; i < n; i++) {
		open_location(json, NULL, f->why[i].file, f->why[i].line, 0,
			      sarif->arena);
		close_region(json, f->why[i].line);
		json_out_number(json, "id", (double)(i + 1));
		put_text(json, "message", f->why[i].text);
		json_out_close(json);
	}
	json_out_close(json);
}

static void put_allowed(struct sarif *sarif, const struct finding *f)
{
	struct json_out *json = &sarif->json;

	if (!f->allowed)
		return;
	json_out_open(json, "suppressions", '[');
	json_out_open(json, NULL, '{');
	json_out_string(json, "kind", "inSource");
	json_out_string(json, "status", "accepted");
	json_out_string(json, "justification", f->allowed);
	open_location(json, "location", f->allowed_file, f->allowed_line, 0,
		      sarif->arena);
	close_region(json, f->allowed_line);
	json_out_close(json);
	json_out_close(json);
	json_out_close(json);
}

static void put_properties(struct sarif *sarif, const struct finding *f)
{
	struct json_out *json = &sarif->json;
	const char *file = NULL, *left = NULL;

	json_out_open(json, "properties", '{');
	json_out_string(json, "severity", level_name(f->severity));
	json_out_string(json, "confidence", level_name(f->confidence));
	if (f->subsystem)
		json_out_string(json, "subsystem", f->subsystem);
	if (f->state)
		json_out_string(json, "state", f->state);
	if (f->cause)
		json_out_string(json, "cause", f->cause);
	if (f->shared)
		json_out_number(json, "profile", f->share);
	json_out_strings(json, "hot", f->hot, f->nhot);
	json_out_strings(json, "covers", f->covers, f->ncovers);
	if (sarif->series) {
		file = report_series_patch(sarif->series, f->id, &left);
		json_out_string(json, file ? "patch" : "left",
				file ? file : left);
	}
	json_out_close(json);
	if (file && sarif->fixes)
		sarif_fix_write(json, sarif->fixes, file);
}

void sarif_finding(struct sarif *sarif, const struct finding *f,
		   const char *baseline)
{
	struct json_out *json = &sarif->json;
	const size_t index = rule_index(f->rule);

	if (sarif->github &&
	    (f->allowed || (baseline && !strcmp(baseline, "absent"))))
		return;
	if (sarif->github && sarif->nresult == SARIF_GITHUB_RESULTS) {
		sarif->left_out++;
		return;
	}
	sarif->nresult++;
	json_out_open(json, NULL, '{');
	json_out_string(json, "ruleId", f->rule);
	if (index != (size_t)-1)
		json_out_number(json, "ruleIndex", (double)index);
	json_out_string(json, "level", f->severity == LEVEL_LOW ? "note" :
			"warning");
	put_text(json, "message", f->message);
	put_place(sarif, f);
	json_out_open(json, "partialFingerprints", '{');
	json_out_string(json, "nochargeId/v1", f->id);
	json_out_close(json);
	if (baseline)
		json_out_string(json, "baselineState", baseline);
	put_why(sarif, f);
	put_allowed(sarif, f);
	put_properties(sarif, f);
	json_out_close(json);
}

static void put_notification(struct sarif *sarif, const char *id,
			     const char *level, const char *text,
			     const char *file)
{
	struct json_out *json = &sarif->json;

	json_out_open(json, NULL, '{');
	json_out_open(json, "descriptor", '{');
	json_out_string(json, "id", id);
	json_out_close(json);
	json_out_string(json, "level", level);
	put_text(json, "message", text);
	if (file) {
		json_out_open(json, "locations", '[');
		open_location(json, NULL, file, 0, 0, sarif->arena);
		close_region(json, 0);
		json_out_close(json);
		json_out_close(json);
	}
	json_out_close(json);
}

void sarif_notify(struct sarif *sarif)
{
	struct json_out *json = &sarif->json;

	json_out_close(json);
	json_out_open(json, "invocations", '[');
	json_out_open(json, NULL, '{');
	json_out_open(json, "toolExecutionNotifications", '[');
	if (sarif->left_out)
		sarif_note(sarif, arena_printf(sarif->arena, "%zu results "
			   "more than GitHub shows are left out",
			   sarif->left_out));
	if (sarif->shortened)
		sarif_note(sarif, arena_printf(sarif->arena, "of %zu results "
			   "only the first %d steps are told",
			   sarif->shortened, SARIF_GITHUB_LOCATIONS));
}

void sarif_skipped(struct sarif *sarif, const char *file,
		   const char *function, const char *why)
{
	sarif->incomplete = true;
	put_notification(sarif, "not-analysed", "error",
			 *function ? arena_printf(sarif->arena, "'%s' was not "
						  "analysed: %s", function,
						  why)
				   : arena_printf(sarif->arena, "not "
						  "analysed: %s", why),
			 file);
}

void sarif_note(struct sarif *sarif, const char *text)
{
	put_notification(sarif, "note", "note", text, NULL);
}

void sarif_end(struct sarif *sarif)
{
	struct json_out *json = &sarif->json;

	json_out_close(json);
	json_out_bool(json, "executionSuccessful", !sarif->incomplete);
	while (json->depth)
		json_out_close(json);
	json_out_end(json);
}

static int by_severity(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	if ((*x)->severity != (*y)->severity)
		return (*x)->severity > (*y)->severity ? -1 : 1;
	/* in the order in which they are */
	return *x < *y ? -1 : 1;
}

/* All of @finding, of more than GitHub takes the gravest first. */
static void put_findings(struct sarif *sarif, const struct finding *finding,
			 size_t n, const struct finding_set *baseline)
{
	const struct finding **list = ARENA_ARRAY(sarif->arena,
						  const struct finding *, n);

	for (size_t i = 0; i < n; i++)
		list[i] = &finding[i];
	if (sarif->github && n > SARIF_GITHUB_RESULTS)
		qsort(list, n, sizeof(*list), by_severity);
	for (size_t i = 0; i < n; i++)
		if (!findings_have(baseline, list[i]->id))
			sarif_finding(sarif, list[i], baseline ? "new" : NULL);
}

void sarif_report(struct out *out, const struct report *report,
		  const struct finding_set *baseline, bool github,
		  struct arena *arena)
{
	struct sarif sarif = { .arena = arena, .github = github };
	const struct sarif_run run = {
		.tool_version = report->tool_version,
		.tree_version = report->tree_version, .arch = report->arch,
		.config = report->config, .commit = report->commit,
		.feature = report->feature,
	};

	sarif_begin(&sarif, out, &run);
	put_findings(&sarif, report->finding, report->nfinding, baseline);
	put_findings(&sarif, report->comment, report->ncomment, baseline);
	put_findings(&sarif, report->suppressed, report->nsuppressed,
		     baseline);
	for (size_t i = 0; i < report->nstale; i++)
		sarif_finding(&sarif, report->stale[i], "absent");
	sarif_notify(&sarif);
	for (size_t i = 0; i < report->nskipped; i++)
		sarif_skipped(&sarif, report->skipped[i].file,
			      report->skipped[i].function,
			      report->skipped[i].why);
	for (size_t i = 0; i < report->nnote; i++)
		sarif_note(&sarif, report->note[i]);
	sarif_end(&sarif);
}

void sarif_of_json(struct out *out, const struct finding_set *set,
		   const struct json *json,
		   const struct report_series *series, bool github,
		   struct arena *arena)
{
	const cJSON *tree = json_get(json->root, "tree"), *item;
	const cJSON *coverage = json_get(json->root, "coverage");
	struct sarif sarif = {
		.arena = arena, .github = github, .series = series,
	};
	const struct sarif_run run = {
		.tool_version = json_text(json_get(json->root, "tool"),
					  "version"),
		.tree_version = json_text(tree, "version"),
		.arch = json_text(tree, "arch"),
		.config = json_text(tree, "config"),
		.commit = json_text(tree, "commit"),
		.feature = json_text(json->root, "feature"),
	};
	struct err err = { 0 };

	if (series) {
		sarif.fixes = sarif_fixes_read(series, arena, &err);
		if (!sarif.fixes)
			die("%s", err.text);
	}
	sarif_begin(&sarif, out, &run);
	put_findings(&sarif, set->finding, set->nfinding, NULL);
	put_findings(&sarif, set->comment, set->ncomment, NULL);
	put_findings(&sarif, set->suppressed, set->nsuppressed, NULL);
	sarif_notify(&sarif);
	cJSON_ArrayForEach(item, json_get(coverage, "skipped")) {
		const char *file = json_text(item, "file");
		const char *function = json_text(item, "function");
		const char *why = json_text(item, "why");

		sarif_skipped(&sarif, file ? file : "?",
			      function ? function : "", why ? why : "?");
	}
	cJSON_ArrayForEach(item, json_get(coverage, "notes"))
		if (cJSON_IsString(item))
			sarif_note(&sarif, item->valuestring);
	sarif_end(&sarif);
}
