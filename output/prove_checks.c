// SPDX-License-Identifier: GPL-2.0-only
/* The checks that need nothing but a compiler. */
#include <stdlib.h>
#include <string.h>

#include "../analyzer/units.h"
#include "kind.h"
#include "prove_asm.h"
#include "prove_compile.h"

/* Of the files that only use what a patch touches, those compared as code. */
#define USERS_SAME 1

static void set(struct prove_result *result, enum prove_verdict verdict,
		const char *why)
{
	/* what failed stays failed */
	if (result->verdict == PROVE_FAIL ||
	    (result->verdict == PROVE_NOT_RUN && verdict != PROVE_FAIL))
		return;
	result->verdict = verdict;
	result->why = why;
}

bool prove_is_built(const struct prove_config *side, const char *unit)
{
	const struct unit *found = unit_find(side->built, side->nbuilt, unit);

	return found && found->built;
}

/* "mm/x.c" or "mm/x.c and 2 more" and of how many users, for people. */
static const char *what_was_compiled(struct prove *prove,
				     const struct prove_patch *patch,
				     size_t users)
{
	size_t chosen = patch->nunit - patch->nown;
	const char *own;

	if (chosen > users)
		chosen = users;
	own = patch->nown == 1 ? patch->unit[0] :
		prove_printf(prove, "the %zu files", patch->nown);
	if (!patch->nuser)
		return own;
	return prove_printf(prove, "%s and %zu of the %zu files that use what "
			    "it touches", own, chosen, patch->nuser);
}

static void cut(struct strbuf *text, size_t len)
{
	if (text->len)
		text->buf[text->len = len] = '\0';
}

/*
 * One unit on one side: what is new in the state after patch @k? No error that
 * is @known is.
 */
static void compile_unit(struct prove *prove, size_t k,
			 const struct prove_config *side, const char *unit,
			 const struct strbuf *known,
			 struct prove_result *result, struct strbuf *log)
{
	const struct compile *first, *before, *after;
	struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
	size_t n, start = log->len;

	after = compile_get(prove, COMPILE_SYNTAX, side, unit, k + 1);
	prove_rename_back(prove, k + 1, after->text.buf, after->text.len,
			  &text);
	n = known->len ? prove_unknown_errors(known, &text, log) :
			 prove_new_messages(known, &text, log);
	cut(log, start);
	/* what says nothing has nothing new to say */
	if (!n && !after->failure &&
	    (!after->status || (known->len && text.len)))
		goto out;
	first = compile_get(prove, COMPILE_SYNTAX, side, unit, 0);
	if (first->status || after->failure) {
		const struct compile *bad = first->status ? first : after;
		const char *why = bad->failure ? bad->failure :
			prove_first_error(prove, &bad->text);

		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"%s does not compile %s: %s", unit, bad == first ?
			"without the series" : "to an end", why ? why :
			prove_printf(prove, "status %d", bad->status)));
		goto out;
	}
	/* is it this patch's, or that of one before it? */
	before = compile_get(prove, COMPILE_SYNTAX, side, unit, k);
	n = prove_new_messages(&first->text, &text, log);
	if (n) {
		cut(log, start);
		prove_rename_back(prove, k, before->text.buf,
				  before->text.len, &old);
		n = prove_new_messages(&old, &text, log);
	}
	if (n || (after->status && !before->status)) {
		const char *line = n ? log->buf + start : "";

		set(result, PROVE_FAIL, prove_printf(prove,
			"%s, feature %s: %zu new message%s; %.*s", unit,
			side->config->label, n, n == 1 ? "" : "s",
			(int)strcspn(line, "\n"), line));
		strbuf_addf(log, "\n%s, feature %s:\n%s\n", unit,
			    side->config->label, text.len ? text.buf : "");
	} else {
		cut(log, start);
	}
out:
	strbuf_release(&text);
	strbuf_release(&old);
}

/*
 * What the header @path by itself lacks on the other side of @side's feature:
 * whoever includes it has that.
 */
static const struct strbuf *lacking(struct prove *prove,
				    const struct prove_config *side,
				    const char *path)
{
	/* they stand in pairs */
	return &compile_get(prove, COMPILE_SYNTAX,
			    &prove->side[side->number ^ 1], path, 0)->text;
}

/* A touched header by itself, if it ever compiled so: is all it needs there? */
static size_t compile_headers(struct prove *prove, size_t k,
			      const struct prove_config *side,
			      struct prove_result *result, struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	size_t n = 0;

	for (size_t i = 0; i < patch->ntouched; i++) {
		const char *path = patch->touched[i]->path;
		size_t len = strlen(path);

		if (len < 2 || strcmp(path + len - 2, ".h") ||
		    compile_same(prove, side, k, k + 1) ||
		    compile_get(prove, COMPILE_SYNTAX, side, path, 0)->status)
			continue;
		compile_unit(prove, k, side, path,
			     lacking(prove, side, path), result, log);
		n++;
	}
	return n;
}

/* The same with the option that the patch adds: nothing new is said there. */
static void compile_chosen(struct prove *prove, size_t k,
			   const struct prove_config *side, const char *unit,
			   struct prove_result *result, struct strbuf *log)
{
	const struct compile *first, *after;
	size_t n, start = log->len;

	first = compile_get(prove, COMPILE_SYNTAX, side, unit, 0);
	after = compile_get(prove, COMPILE_CHOSEN, side, unit, k + 1);
	/* what does not compile by itself was told */
	if (first->status)
		return;
	n = prove_new_messages(&first->text, &after->text, log);
	if (n || after->status)
		set(result, after->failure ? PROVE_NOT_RUN : PROVE_FAIL,
		    prove_printf(prove, "%s, with CONFIG_%s: %s", unit,
				 side->rules->asked.option, after->failure ?
				 after->failure : prove_printf(prove, "%.*s",
				 (int)strcspn(log->buf + start, "\n"),
				 log->buf + start)));
	else
		cut(log, start);
}

void prove_compiles(struct prove *prove, size_t k, struct prove_result *result,
		    struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	const struct strbuf none = STRBUF_INIT;
	size_t ndone = 0, nheader = 0;
	bool chosen = false;

	for (size_t s = 0; s < prove->nside; s++) {
		const struct prove_config *side = &prove->side[s];

		nheader += compile_headers(prove, k, side, result, log);
		for (size_t i = 0; i < patch->nunit; i++) {
			if (!prove_is_built(side, patch->unit[i]))
				continue;
			ndone++;
			/* the same text has the same messages */
			if (!compile_same(prove, side, k, k + 1))
				compile_unit(prove, k, side, patch->unit[i],
					     &none, result, log);
			if (!side->in || !side->rules->asked.option ||
			    strcmp(patch->kind, "default-off"))
				continue;
			chosen = true;
			compile_chosen(prove, k, side, patch->unit[i], result,
				       log);
		}
	}
	if (!ndone)
		set(result, PROVE_NOT_RUN, "no file that it touches, or that "
		    "uses what it touches, is built in this configuration");
	else
		set(result, PROVE_PASS, prove_printf(prove, "no new message "
			"in %s%s, feature in and out%s",
			what_was_compiled(prove, patch, PROVE_USERS),
			nheader ? ", nor in its headers by themselves" : "",
			chosen ? ", and in and off by default" : ""));
}

/* The patch up to @k since which @unit does not compile. */
static const char *since(struct prove *prove, const struct prove_config *side,
			 const char *unit, size_t k)
{
	size_t good = 0, bad = k + 1;

	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;

		if (compile_get(prove, COMPILE_SYNTAX, side, unit,
				middle)->status)
			bad = middle;
		else
			good = middle;
	}
	return prove->patch[bad - 1].file;
}

static void compile_prefix(struct prove *prove, size_t k,
			   const struct prove_config *side, const char *unit,
			   struct prove_result *result, struct strbuf *log)
{
	const struct compile *first, *now;
	const char *why;

	/* what reads as in the unpatched tree is none of the series' */
	if (!prove_is_built(side, unit) || compile_same(prove, side, 0, k + 1))
		return;
	now = compile_get(prove, COMPILE_SYNTAX, side, unit, k + 1);
	if (!now->status)
		return;
	first = compile_get(prove, COMPILE_SYNTAX, side, unit, 0);
	why = now->failure ? now->failure :
		prove_first_error(prove, &now->text);
	if (first->status || now->failure) {
		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"%s does not compile%s: %s", unit, first->status ?
			" without the series" : "", why ? why : "?"));
		return;
	}
	if (now->text.len)
		strbuf_add(log, now->text.buf, now->text.len);
	set(result, PROVE_FAIL, prove_printf(prove,
		"%s, feature %s, does not compile since %s: %s", unit,
		side->config->label, since(prove, side, unit, k), why ? why :
		"?"));
}

void prove_bisectable(struct prove *prove, size_t k,
		      struct prove_result *result, struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	bool last = k + 1 == prove->npatch;

	for (size_t s = 0; s < prove->nside; s++) {
		const struct prove_config *side = &prove->side[s];

		for (size_t i = 0; i < patch->nunit; i++)
			compile_prefix(prove, k, side, patch->unit[i], result,
				       log);
		/* once for all: who only includes what was touched */
		for (size_t i = 0; last && i < side->nunit; i++)
			compile_prefix(prove, k, side, side->unit[i], result,
				       log);
		for (size_t i = 0; last && i < prove->nfile; i++)
			if (prove->file[i].c)
				compile_prefix(prove, k, side,
					       prove->file[i].path, result,
					       log);
	}
	set(result, PROVE_PASS, prove_printf(prove, "with all patches up to "
		"this one: %s%s compile, feature in and out",
		what_was_compiled(prove, patch, PROVE_USERS),
		last ? ", and every file that has to do with the feature,"
		: ""));
}

static int read_asm(struct prove *prove, const struct compile *compile,
		    size_t state, struct asm_file *file, struct err *err)
{
	struct strbuf text = STRBUF_INIT, renamed = STRBUF_INIT;

	if (strbuf_read_file(&text, compile->output, err))
		return -1;
	prove_rename_back(prove, state, text.len ? text.buf : "", text.len,
			  &renamed);
	asm_file_read(file, renamed.len ? renamed.buf : "", renamed.len);
	strbuf_release(&text);
	strbuf_release(&renamed);
	return 0;
}

/* As "diff -u" shows it, or both in full where that is missing. */
static void log_difference(struct prove *prove, const char *unit,
			   const char *name, const char *before,
			   const char *after, struct strbuf *log)
{
	/* one log is written by one thread */
	const char *stem = prove_printf(prove, "diff.%p", (void *)log);
	const char *const argv[] = {
		"diff", "-u", "-L", "before", "-L", "after",
		prove_store(prove, prove_printf(prove, "%s.old", stem),
			    before ? before : "", before ? strlen(before) : 0,
			    &prove->err),
		prove_store(prove, prove_printf(prove, "%s.new", stem),
			    after ? after : "", after ? strlen(after) : 0,
			    &prove->err), NULL
	};
	struct err err = { 0 };

	strbuf_addf(log, "%s: %s%s:\n", unit, name, !before ?
		    " is only there after the patch" : !after ?
		    " is only there before the patch" : "");
	if (argv[6] && argv[7])
		prove_program(prove, prove->work, argv, NULL, 60, log, NULL,
			      &err);
	err_clear(&err);
}

/* Functions that differ: how many, and the first one's name. */
static size_t compare_asm(struct prove *prove, const char *unit,
			  const struct asm_file *before,
			  const struct asm_file *after, const char **name,
			  struct strbuf *log)
{
	size_t n = 0;

	for (size_t i = 0; i < before->n; i++) {
		const struct asm_function *old = &before->function[i];
		const struct asm_function *new = asm_file_find(after, old->name);

		if (new && !strcmp(old->text, new->text))
			continue;
		if (!n++)
			*name = prove_printf(prove, "%s", old->name);
		if (log)
			log_difference(prove, unit, old->name, old->text,
				       new ? new->text : NULL, log);
	}
	for (size_t i = 0; i < after->n; i++) {
		const struct asm_function *new = &after->function[i];

		if (asm_file_find(before, new->name))
			continue;
		if (!n++)
			*name = prove_printf(prove, "%s", new->name);
		if (log)
			log_difference(prove, unit, new->name, NULL,
				       new->text, log);
	}
	return n;
}

/* Does a file that the unit reads define the predicate? */
static bool sees_predicate(const struct prove *prove,
			   const struct compile *compile)
{
	for (size_t i = 0; i < prove->nfile; i++)
		if ((!compile->dep || compile->dep[i]) &&
		    prove_version(&prove->file[i], compile->state)->forced)
			return true;
	return false;
}

/* Compare two states; -1 with @result not-run, else how many differ. */
static long compare_states(struct prove *prove,
			   const struct prove_config *side, const char *unit,
			   size_t a, size_t b, const char **name,
			   size_t *nfunction, struct prove_result *result,
			   struct strbuf *log)
{
	const struct compile *before, *after, *bad;
	struct asm_file old = { 0 }, new = { 0 };
	struct err err = { 0 };
	long n = -1;

	before = compile_get(prove, COMPILE_ASM, side, unit, a);
	after = compile_get(prove, COMPILE_ASM, side, unit, b);
	bad = before->status ? before : after;
	if (bad->status) {
		const char *why = bad->failure ? bad->failure :
			prove_first_error(prove, &bad->text);

		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"%s gives no assembly%s: %s", unit, bad == before ?
			" without the patch" : "", why ? why : "?"));
	} else if (!sees_predicate(prove, before) &&
		   !sees_predicate(prove, after)) {
		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"%s does not see where the predicate is defined",
			unit));
	} else if (read_asm(prove, before, a, &old, &err) ||
		   read_asm(prove, after, b, &new, &err)) {
		set(result, PROVE_NOT_RUN, prove_printf(prove, "%s",
							err.text));
	} else {
		*nfunction += old.nfunction;
		n = (long)compare_asm(prove, unit, &old, &new, name, log);
	}
	asm_file_release(&old);
	asm_file_release(&new);
	err_clear(&err);
	return n;
}

static void same_unit(struct prove *prove, size_t k,
		      const struct prove_config *side, const char *unit,
		      size_t *nfunction, struct prove_result *result,
		      struct strbuf *log)
{
	const char *name = "?";
	size_t more = 0;
	long n;

	/* equal to the unpatched tree, or else to the patches before it */
	n = compare_states(prove, side, unit, 0, k + 1, &name, nfunction,
			   result, NULL);
	if (n > 0)
		n = compare_states(prove, side, unit, k, k + 1, &name, &more,
				   result, log);
	if (n > 0)
		set(result, PROVE_FAIL, prove_printf(prove,
			"%ld function%s or object%s of %s differ%s with the feature on, "
			"the first is %s", n, n == 1 ? "" : "s",
			n == 1 ? "" : "s", unit, n == 1 ? "s" : "", name));
}

/* Is a wrapper of the patch in any code that is compared? */
static bool is_called(const struct prove_patch *patch, size_t state)
{
	for (size_t i = 0; i < patch->nrename && !patch->nuser; i++) {
		bool found = false;

		for (size_t f = 0; f < patch->ntouched && !found; f++) {
			const struct prove_version *version =
				prove_version(patch->touched[f], state);

			found = patch->touched[f]->c && version->text &&
				prove_mentions(version->text, version->len,
					       patch->rename[i].old);
		}
		if (!found)
			return false;
	}
	return true;
}

void prove_same_on(struct prove *prove, size_t k, struct prove_result *result,
		   struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	const struct kind *kind = kind_find(patch->kind);
	size_t ndone = 0, nfunction = 0;

	if (kind && kind->same_on) {
		set(result, PROVE_NOT_APPLICABLE, kind->same_on);
		return;
	}
	for (size_t s = 0; s < prove->nside; s++) {
		const struct prove_config *side = &prove->side[s];
		size_t end = patch->nown + USERS_SAME;

		for (size_t i = 0; side->in && i < patch->nunit && i < end;
		     i++) {
			if (!prove_is_built(side, patch->unit[i]))
				continue;
			ndone++;
			if (!compile_same(prove, side, k, k + 1))
				same_unit(prove, k, side, patch->unit[i],
					  &nfunction, result, log);
		}
	}
	if (!ndone)
		set(result, PROVE_NOT_RUN, "no file that it touches, or that "
		    "uses what it touches, is built in this configuration");
	else if (!is_called(patch, k + 1))
		set(result, PROVE_NOT_RUN, "nothing that is built calls the "
		    "wrapper, so that it is in no code");
	else
		set(result, PROVE_PASS, prove_printf(prove,
			"%zu functions of %s have the same code with every "
			"call of the predicate saying \"on\"", nfunction,
			what_was_compiled(prove, patch, USERS_SAME)));
}
