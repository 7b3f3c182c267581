// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/json.h"
#include "json_out.h"
#include "logs.h"
#include "out.h"
#include "prose.h"
#include "prove.h"

#ifndef NOCHARGE_VERSION
#define NOCHARGE_VERSION "unknown"
#endif

#define LOGS "proof-logs"

const char *const prove_check_name[PROVE_NCHECK] = {
	[PROVE_APPLIES] = "applies", [PROVE_COMPILES] = "compiles",
	[PROVE_BUILDS] = "builds", [PROVE_STYLE] = "style",
	[PROVE_SPARSE] = "sparse", [PROVE_SAME_ON] = "same-when-on",
	[PROVE_SAME_OFF] = "same-when-off", [PROVE_CLEARS] = "clears",
	[PROVE_ORDER] = "order", [PROVE_BISECTABLE] = "bisectable",
	[PROVE_ACCOUNTS] = "accounts", [PROVE_DEFAULTS] = "defaults",
	[PROVE_SIZE] = "size",
};

static const char *const verdict_name[] = {
	[PROVE_NONE] = "not-run", [PROVE_PASS] = "pass",
	[PROVE_FAIL] = "fail", [PROVE_NOT_RUN] = "not-run",
	[PROVE_NOT_APPLICABLE] = "not-applicable",
};

static const char *hex(char text[17], uint64_t number)
{
	snprintf(text, 17, "%016" PRIx64, number);
	return text;
}

static void add_command(const struct prove *prove, struct strbuf *out,
			const struct prove_patch *patch, enum prove_check check)
{
	strbuf_addf(out, "nocharge prove --check %s --only %s ",
		    prove_check_name[check], patch->number);
	if (check == PROVE_BUILDS || check == PROVE_STYLE ||
	    check == PROVE_ACCOUNTS || check == PROVE_DEFAULTS)
		strbuf_addstr(out, "--trust-tree ");
	prose_word(out, prove->dir_arg);
	strbuf_addch(out, ' ');
	prose_word(out, prove->tree_arg);
}

static void write_patch(const struct prove *prove, struct json_out *json,
			const struct prove_patch *patch)
{
	char number[17];

	json_out_open(json, NULL, '{');
	json_out_string(json, "patch_id", patch->id);
	json_out_string(json, "file", patch->file);
	json_out_string(json, "state", hex(number, patch->key));
	json_out_open(json, "checks", '{');
	for (size_t i = 0; i < PROVE_NCHECK; i++) {
		const struct prove_result *result = &patch->result[i];
		struct strbuf command = STRBUF_INIT;

		add_command(prove, &command, patch, (enum prove_check)i);
		json_out_open(json, prove_check_name[i], '{');
		json_out_string(json, "result", verdict_name[result->verdict]);
		json_out_string(json, "why", result->verdict ? result->why :
				"was not asked for, or not reached");
		json_out_string(json, "command", command.buf);
		if (result->compared.n) {
			json_out_strings(json, "compared",
					 result->compared.name,
					 result->compared.n);
			json_out_strings(json, "left_out",
					 result->left_out.name,
					 result->left_out.n);
		}
		json_out_close(json);
		strbuf_release(&command);
	}
	json_out_close(json);
	json_out_close(json);
}

int prove_results_write(struct prove *prove, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	struct json_out json;
	struct out out;
	char number[17];
	int ret;

	strbuf_addf(&path, "%s/proof.json", prove->dir);
	ret = out_open(&out, path.buf, err);
	strbuf_release(&path);
	if (ret)
		return -1;
	json_out_begin(&json, out.stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", "nocharge-proof-1");
	json_out_open(&json, "tool", '{');
	json_out_string(&json, "version", NOCHARGE_VERSION);
	json_out_close(&json);
	json_out_open(&json, "tree", '{');
	json_out_string(&json, "version", prove->tree->release);
	json_out_string(&json, "arch", prove->tree->arch);
	json_out_string(&json, "state", hex(number, prove->state));
	json_out_close(&json);
	json_out_open(&json, "patches", '[');
	for (size_t i = 0; i < prove->npatch; i++)
		write_patch(prove, &json, &prove->patch[i]);
	json_out_close(&json);
	json_out_close(&json);
	json_out_end(&json);
	return out_close(&out, err);
}

/* What cannot change as long as its key holds; "not-run" can. */
static enum prove_verdict verdict_of(const char *name)
{
	static const enum prove_verdict kept[] = {
		PROVE_PASS, PROVE_FAIL, PROVE_NOT_APPLICABLE,
	};

	for (size_t i = 0; name && i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcmp(name, verdict_name[kept[i]]))
			return kept[i];
	return PROVE_NONE;
}

static struct names take_names(struct prove *prove, const cJSON *array)
{
	struct names names = { 0 };
	const cJSON *item;

	names.name = ARENA_ARRAY(prove->arena, const char *,
				 (size_t)cJSON_GetArraySize(array));
	cJSON_ArrayForEach(item, array)
		if (cJSON_IsString(item))
			names.name[names.n++] = arena_strdup(prove->arena,
							item->valuestring);
	return names;
}

static void take_patch(struct prove *prove, struct prove_patch *patch,
		       const cJSON *item)
{
	const cJSON *checks = json_get(item, "checks");

	for (size_t i = 0; i < PROVE_NCHECK; i++) {
		const cJSON *check = json_get(checks, prove_check_name[i]);
		enum prove_verdict verdict = verdict_of(json_text(check,
								  "result"));
		const char *why = json_text(check, "why");

		/* applied anew in any case */
		if (i == PROVE_APPLIES || !verdict ||
		    (prove->again && prove->asked[i] && patch->selected))
			continue;
		patch->result[i] = (struct prove_result){
			.verdict = verdict, .kept = true,
			.why = arena_strdup(prove->arena, why ? why : ""),
			.compared = take_names(prove, json_get(check,
							"compared")),
			.left_out = take_names(prove, json_get(check,
							"left_out")),
		};
	}
}

void prove_results_take(struct prove *prove)
{
	const char *path = arena_printf(prove->arena, "%s/proof.json",
					prove->dir);
	struct err err = { 0 };
	struct json *json = NULL;
	const char *text;
	const cJSON *item;
	char number[17];

	if (!access(path, F_OK))
		json = json_read(path, &err);
	err_clear(&err);
	if (!json || !cJSON_IsObject(json->root))
		goto out;
	text = json_text(json_get(json->root, "tool"), "version");
	if (!text || strcmp(text, NOCHARGE_VERSION))
		goto out;
	text = json_text(json_get(json->root, "tree"), "state");
	if (!text || strcmp(text, hex(number, prove->state)))
		goto out;
	cJSON_ArrayForEach(item, json_get(json->root, "patches")) {
		const char *id = json_text(item, "patch_id");
		const char *state = json_text(item, "state");

		for (size_t i = 0; id && state && i < prove->npatch; i++)
			if (!strcmp(prove->patch[i].id, id) &&
			    !strcmp(hex(number, prove->patch[i].key), state))
				take_patch(prove, &prove->patch[i], item);
	}
out:
	json_free(json);
}

static void log_name(const struct prove_patch *patch, enum prove_check check,
		     struct strbuf *out)
{
	size_t len = strlen(patch->file);

	if (len > 6 && !strcmp(patch->file + len - 6, ".patch"))
		len -= 6;
	strbuf_addf(out, "%.*s.%s.log", (int)len, patch->file,
		    prove_check_name[check]);
}

void prove_log(struct prove *prove, const struct prove_patch *patch,
	       enum prove_check check, const struct strbuf *text)
{
	struct strbuf name = STRBUF_INIT;

	log_name(patch, check, &name);
	if (logs_write(prove->dir, LOGS, name.buf, text)) {
		pthread_mutex_lock(&prove->lock);
		err_set(&prove->err, STATUS_USAGE, "cannot write '%s/" LOGS
			"/%s': %s", prove->dir, name.buf, strerror(errno));
		pthread_mutex_unlock(&prove->lock);
	}
	strbuf_release(&name);
}

static void table_row(struct out *out, const struct prove_patch *patch,
		      int width)
{
	static const char *const word[] = {
		[PROVE_NONE] = "-", [PROVE_PASS] = "pass",
		[PROVE_FAIL] = "FAIL", [PROVE_NOT_RUN] = "not run",
		[PROVE_NOT_APPLICABLE] = "n/a",
	};
	static const enum tint tint[] = {
		[PROVE_PASS] = TINT_GREEN, [PROVE_FAIL] = TINT_RED,
		[PROVE_NOT_RUN] = TINT_MAGENTA, [PROVE_NOT_APPLICABLE] =
		TINT_DIM, [PROVE_NONE] = TINT_DIM,
	};

	out_printf(out, TINT_PLAIN, "%-*s", width, patch->file);
	for (size_t i = 0; i < PROVE_NCHECK; i++) {
		enum prove_verdict verdict = patch->result[i].verdict;
		int room = (int)strlen(prove_check_name[i]);

		out_text(out, TINT_PLAIN, "  ");
		out_printf(out, tint[verdict], "%-*s", room < 7 ? 7 : room,
			   word[verdict]);
	}
	out_text(out, TINT_PLAIN, "\n");
}

static void tell(struct out *out, const struct prove *prove,
		 const struct prove_patch *patch, enum prove_check check)
{
	struct strbuf name = STRBUF_INIT;

	log_name(patch, check, &name);
	out_printf(out, TINT_BOLD, "%s: %s: ", patch->file,
		   prove_check_name[check]);
	out_printf(out, TINT_PLAIN, "%s\n    (%s/" LOGS "/%s)\n",
		   patch->result[check].why, prove->dir_arg, name.buf);
	strbuf_release(&name);
}

/* Patches whose check was not run for this reason; the first one's number. */
static size_t not_run_for(const struct prove *prove, size_t check,
			  const char *why, size_t *first)
{
	size_t n = 0;

	for (size_t i = prove->npatch; i-- > 0;) {
		const struct prove_result *result =
			&prove->patch[i].result[check];

		if (!prove->patch[i].selected ||
		    result->verdict != PROVE_NOT_RUN ||
		    strcmp(result->why, why))
			continue;
		n++;
		*first = i;
	}
	return n;
}

void prove_results_table(const struct prove *prove, FILE *stream)
{
	struct out out = { .stream = stream,
			   .colour = out_wants_colour(stream) };
	int width = 5;

	for (size_t i = 0; i < prove->npatch; i++)
		if (prove->patch[i].selected &&
		    (int)strlen(prove->patch[i].file) > width)
			width = (int)strlen(prove->patch[i].file);
	out_printf(&out, TINT_BOLD, "%-*s", width, "patch");
	for (size_t i = 0; i < PROVE_NCHECK; i++)
		out_printf(&out, TINT_BOLD, "  %-7s", prove_check_name[i]);
	out_text(&out, TINT_PLAIN, "\n");
	for (size_t i = 0; i < prove->npatch; i++)
		if (prove->patch[i].selected)
			table_row(&out, &prove->patch[i], width);
	for (size_t i = 0; i < prove->npatch; i++)
		for (size_t k = 0; k < PROVE_NCHECK; k++)
			if (prove->patch[i].selected &&
			    prove->patch[i].result[k].verdict == PROVE_FAIL)
				tell(&out, prove, &prove->patch[i],
				     (enum prove_check)k);
	for (size_t k = 0; k < PROVE_NCHECK; k++)
		for (size_t i = 0; i < prove->npatch; i++) {
			const struct prove_patch *patch = &prove->patch[i];
			size_t n, first = i;

			if (patch->result[k].verdict != PROVE_NOT_RUN ||
			    !patch->selected)
				continue;
			n = not_run_for(prove, k, patch->result[k].why,
					&first);
			if (first != i)
				continue;
			out_printf(&out, TINT_PLAIN,
				   "%s: %s not run%s: %s\n", n == 1 ?
				   patch->file : "series",
				   prove_check_name[k], n == 1 ? "" :
				   " for some patches", patch->result[k].why);
		}
}
