// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel's own reviewers run: checkpatch.pl and sparse. */
#include <stdlib.h>
#include <string.h>

#include "../analyzer/units.h"
#include "prove_compile.h"

#define STYLE_SECONDS 300

static void set(struct prove_result *result, enum prove_verdict verdict,
		const char *why)
{
	result->verdict = verdict;
	result->why = why;
}

/*
 * "FILE:LINE: TYPE:NAME: text" lines but those about a missing sign-off,
 * which no program can give.
 */
static size_t complaints(struct prove *prove, const struct prove_patch *patch,
			 const struct strbuf *out, struct strbuf *log,
			 const char **first)
{
	const char *at = out->len ? out->buf : "";
	size_t n = 0;

	while (*at) {
		size_t len = strcspn(at, "\n");
		const char *line = prove_printf(prove, "%.*s", (int)len, at);

		at += len + (at[len] == '\n');
		if ((!strstr(line, ": ERROR:") && !strstr(line, ": WARNING:") &&
		     !strstr(line, ": CHECK:")) || strstr(line, "SIGN_OFF"))
			continue;
		if (!n++)
			*first = strchr(line, ' ') + 1;
		strbuf_addf(log, "%s:%s\n", patch->file,
			    strchr(line, ':') + 1);
	}
	return n;
}

void prove_style(struct prove *prove, size_t k, struct prove_result *result,
		 struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	struct strbuf out = STRBUF_INIT, errors = STRBUF_INIT;
	const char *path, *farm, *first = "?";
	struct err err = { 0 };
	size_t n;
	int status;

	if (!prove->trust_tree) {
		set(result, PROVE_NOT_RUN, "checkpatch.pl is the tree's own "
		    "code: it needs --trust-tree");
		return;
	}
	/* it writes beside itself, and may not do so in the tree */
	farm = prove_farm(prove, k, &err);
	path = farm ? prove_store(prove, prove_printf(prove, "style.%zu.patch",
				  k), patch->text, patch->len, &err) : NULL;
	if (path) {
		const char *const argv[] = {
			"perl", "scripts/checkpatch.pl", "--strict",
			"--terse", "--show-types", "--no-summary", path, NULL
		};

		status = prove_program(prove, farm, argv, NULL, STYLE_SECONDS,
				       &out, &errors, &err);
		n = complaints(prove, patch, &out, log, &first);
		if (status >= 0 && n)
			set(result, PROVE_FAIL, prove_printf(prove,
				"%zu complaint%s; the first: %s", n,
				n == 1 ? "" : "s", first));
		else if (status == 0 || (status == 1 && out.len))
			set(result, PROVE_PASS, "nothing but the missing "
			    "Signed-off-by");
		else if (status > 0)
			err_set(&err, STATUS_INCOMPLETE, "checkpatch.pl: %.*s",
				(int)strcspn(errors.len ? errors.buf : "",
					     "\n"),
				errors.len ? errors.buf : "no output");
	}
	if (err.text)
		set(result, PROVE_NOT_RUN, prove_printf(prove, "%s",
							err.text));
	err_clear(&err);
	strbuf_release(&out);
	strbuf_release(&errors);
}

/* Messages of @unit that the patch adds. */
static size_t sparse_unit(struct prove *prove, size_t k,
			  const struct prove_config *side, const char *unit,
			  const char **failure, struct strbuf *log)
{
	const struct compile *before, *after;
	struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
	size_t n;

	before = compile_get(prove, COMPILE_SPARSE, side, unit, 0);
	after = compile_get(prove, COMPILE_SPARSE, side, unit, k + 1);
	if (before->failure || after->failure) {
		*failure = before->failure ? before->failure : after->failure;
		return 0;
	}
	prove_rename_back(prove, k + 1, after->text.buf, after->text.len,
			  &text);
	n = prove_new_messages(&before->text, &text, log);
	if (n) {
		before = compile_get(prove, COMPILE_SPARSE, side, unit, k);
		prove_rename_back(prove, k, before->text.buf,
				  before->text.len, &old);
		strbuf_release(log);
		n = prove_new_messages(&old, &text, log);
		if (n)
			strbuf_addf(log, "\n%s:\n%s\n", unit, text.buf);
	}
	strbuf_release(&text);
	strbuf_release(&old);
	return n;
}

void prove_sparse(struct prove *prove, size_t k, struct prove_result *result,
		  struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	const char *failure = NULL, *bad = NULL;
	size_t ndone = 0;

	for (size_t s = 0; s < prove->nside && !bad; s++) {
		const struct prove_config *side = &prove->side[s];

		for (size_t i = 0; side->in && !bad && i < patch->nunit; i++) {
			const struct unit *found = unit_find(side->built,
				side->nbuilt, patch->unit[i]);

			/* a user of what changed says nothing of its own */
			if (!found || !found->built ||
			    (i >= patch->nown && ndone))
				continue;
			ndone++;
			if (!compile_same(prove, side, k, k + 1) &&
			    sparse_unit(prove, k, side, patch->unit[i],
					&failure, log))
				bad = patch->unit[i];
		}
	}
	if (bad)
		set(result, PROVE_FAIL, prove_printf(prove, "%s: %.*s", bad,
			(int)strcspn(log->buf, "\n"), log->buf));
	else if (failure)
		set(result, PROVE_NOT_RUN, failure);
	else if (!ndone)
		set(result, PROVE_NOT_RUN, "no file that it touches is built "
		    "in this configuration");
	else
		set(result, PROVE_PASS, "no new message, feature in");
}
