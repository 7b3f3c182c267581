// SPDX-License-Identifier: GPL-2.0-only
#include "message.h"

#include <stdio.h>
#include <string.h>

#include "kind.h"
#include "source.h"

/* More of a kind is only counted. */
#define OPERATIONS_MAX 6
#define HOT_MAX 4
#define CALLERS_MAX 6

/* Is the name of @len bytes at @s in @text one of a function? */
static bool names_function(const char *text, const char *s, size_t len)
{
	static const char *const before[] = { "call of '", " call '", "calls '",
					      " in '" };
	static const char *const behind[] = {
		"' sets it", "' reads ", "' can only pass", "', which asks for",
		"' writes ", "' charges ",
	};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		size_t n = strlen(before[i]);

		if ((size_t)(s - text) >= n && !strncmp(s - n, before[i], n))
			return true;
	}
	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
		if (!strncmp(s + len, behind[i], strlen(behind[i])))
			return true;
	return false;
}

char *message_plain(const struct message *m, const char *text,
		    const char *function)
{
	char *out = arena_alloc(m->arena, 3 * strlen(text) + 1), *to = out;

	for (const char *s = text; *s;) {
		size_t len = *s == '\'' ? strcspn(s + 1, "'") : 0;

		if (!len || s[len + 1] != '\'') {
			*to++ = *s++;
			continue;
		}
		memcpy(to, s + 1, len);
		to += len;
		if (names_function(text, s + 1, len) ||
		    (strlen(function) == len &&
		     !strncmp(s + 1, function, len))) {
			memcpy(to, "()", 2);
			to += 2;
		}
		s += len + 2;
	}
	*to = '\0';
	return out;
}

static const char *title_of(const struct message *m, const char *root)
{
	for (size_t i = 0; i < m->kernel->nroot; i++)
		if (!strcmp(m->kernel->root[i].name, root))
			return m->kernel->root[i].title;
	return root;
}

static bool is_call(enum op_kind op)
{
	return op == OP_KIND_CALL || op == OP_KIND_ASM ||
	       op == OP_KIND_HEAVY || op == OP_KIND_LOOP;
}

static const char *left_name(const struct left *left)
{
	if (is_call(left->op) && left->op != OP_KIND_CALL)
		return left->in->name;
	return left->event->name ? left->event->name : "?";
}

static bool same_left(const struct left *a, const struct left *b)
{
	return a->op == b->op && a->event->line == b->event->line &&
	       !strcmp(a->in->file, b->in->file) &&
	       !strcmp(left_name(a), left_name(b));
}

/* What is work, or the loads where nothing is; each once. */
static const struct left **operations(const struct message *m,
				      const struct verdict *v, size_t *n)
{
	const struct left **op = ARENA_ARRAY(m->arena, const struct left *,
					     v->nwork);

	*n = 0;
	for (int loads = 0; loads < 2 && !*n; loads++)
		for (uint32_t i = 0; i < v->nwork; i++) {
			size_t k;

			if (!loads == !cost_work(v->work[i]->op))
				continue;
			for (k = 0; k < *n; k++)
				if (same_left(op[k], v->work[i]))
					break;
			if (k == *n)
				op[(*n)++] = v->work[i];
		}
	return op;
}

/* "a store to a.b (f.c:1) and a.c (:2)": one kind of operation. */
static char *one_kind(const struct message *m, const struct left **op,
		      size_t n, enum op_kind kind)
{
	const char **word = ARENA_ARRAY(m->arena, const char *, n);
	const char *file = "";
	size_t nword = 0;

	for (size_t i = 0; i < n; i++) {
		const char *where = op[i]->in->file;

		if (op[i]->op != kind)
			continue;
		word[nword++] = arena_printf(m->arena, "%s%s (%s:%u)",
			left_name(op[i]), is_call(kind) ? "()" : "",
			strcmp(where, file) ? where : "",
			op[i]->event->line);
		file = where;
	}
	return arena_printf(m->arena, "%s %s", op_kind_text(kind),
			    prose_list(m->arena, word, nword, nword));
}

/* The operations that are left, kind by kind; "" if that says nothing. */
static char *told_operations(const struct message *m, const struct remedy *r)
{
	const struct verdict *v = r->verdict;
	const char *word[OPERATIONS_MAX];
	const struct left **op;
	size_t n, shown, nword = 0;
	char *text;

	if (!v || v->rule == VERDICT_OUTLINE || r->periodic)
		return arena_strdup(m->arena, "");
	op = operations(m, v, &n);
	shown = n < OPERATIONS_MAX ? n : OPERATIONS_MAX;
	for (size_t i = 0; i < shown; i++) {
		size_t k;

		for (k = 0; k < i; k++)
			if (op[k]->op == op[i]->op)
				break;
		if (k == i)
			word[nword++] = one_kind(m, op, shown, op[i]->op);
	}
	if (!nword)
		return arena_strdup(m->arena, "");
	text = arena_strdup(m->arena, word[0]);
	for (size_t i = 1; i < nword; i++)
		text = arena_printf(m->arena, "%s; %s", text, word[i]);
	if (shown < n)
		text = arena_printf(m->arena, "%s; and %zu more", text,
				    n - shown);
	if (v->rule == VERDICT_LATE && v->guard)
		text = arena_printf(m->arena, "%s. The test comes at %s:%u",
				    text, v->guard->in->file,
				    v->guard->event->line);
	return text;
}

/*
 * Why a call out of line is for nothing, without what is called. It may do
 * other things: what its stub does, too.
 */
static char *told_outline(const struct message *m, const struct verdict *v)
{
	const struct left *guard = v->guard;

	if (guard && guard->event->op == MARK_GUARD)
		return arena_printf(m->arena, "only to find that %s is off",
				    m->rules->title);
	if (!guard || !guard->event->name)
		return arena_printf(m->arena, "although %s has nothing to do "
				    "then", m->rules->title);
	return arena_printf(m->arena, "only to find by %s (%s:%u) that %s has "
			    "nothing to do", guard->event->name,
			    guard->in->file, guard->event->line,
			    m->rules->title);
}

/* What one finding says, with what is left in detail. */
static char *told(const struct message *m, const struct remedy *r)
{
	const struct finding *f = r->finding;
	const char *text = message_plain(m, f->message,
					 r->fn ? f->function : "");
	const char *detail = told_operations(m, r);

	if (r->verdict && r->verdict->rule == VERDICT_OUTLINE)
		return arena_printf(m->arena, "%s() is called out of line %s.",
				    f->function, told_outline(m, r->verdict));
	if (*detail && r->verdict->rule == VERDICT_LATE)
		return arena_printf(m->arena, "%s() tests for %s being off "
				    "only after %s.", f->function,
				    m->rules->title, detail);
	if (*detail)
		return arena_printf(m->arena, "%s: %s.", text, detail);
	if (r->verdict || !f->nwhy)
		return arena_printf(m->arena, "%s.", text);
	return arena_printf(m->arena, "%s: %s (%s:%u).", text,
			    message_plain(m, f->why[0].text, ""),
			    f->why[0].file, f->why[0].line);
}

/* All say the same of their functions: it is said once. */
static bool told_together(const struct message *m, const struct patch *patch)
{
	const struct verdict *first = patch->remedy[0]->verdict;

	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct verdict *v = patch->remedy[i]->verdict;

		if (!v || v->rule != first->rule ||
		    (v->rule == VERDICT_OUTLINE &&
		     strcmp(told_outline(m, v), told_outline(m, first))) ||
		    (v->rule == VERDICT_MISSING &&
		     v->reason != BECAUSE_WORK))
			return false;
	}
	return true;
}

static void tell_several(const struct message *m, const struct patch *patch,
			 struct strbuf *out)
{
	const char *off = m->rules->off;
	enum verdict_rule rule;

	if (!told_together(m, patch)) {
		prose_paragraph(out, arena_printf(m->arena,
			"When booted with %s:", off));
		for (size_t i = 0; i < patch->nremedy; i++)
			prose_item(out, " - ", told(m, patch->remedy[i]));
		strbuf_addch(out, '\n');
		return;
	}
	rule = patch->remedy[0]->verdict->rule;
	if (rule == VERDICT_OUTLINE) {
		prose_paragraph(out, arena_printf(m->arena,
			"When booted with %s, %s are called out of line %s.",
			off, message_all(m, patch),
			told_outline(m, patch->remedy[0]->verdict)));
		return;
	}
	prose_paragraph(out, arena_printf(m->arena, "When booted with %s, "
		"these %s:", off, rule == VERDICT_LATE ?
		"test for that only after some work" :
		"do what their stubs do not, and nothing tests that first"));
	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		prose_item(out, " - ", arena_printf(m->arena,
			"%s(), about %u instructions: %s.", f->function,
			f->residue, told_operations(m, patch->remedy[i])));
	}
	strbuf_addch(out, '\n');
}

/* From where it is reached: of all of the patch, the hottest first. */
static void hot(const struct message *m, const struct patch *patch,
		struct strbuf *out)
{
	const char **title;
	size_t n = 0, most = 0;

	for (size_t i = 0; i < patch->nremedy; i++)
		most += patch->remedy[i]->finding->nhot;
	if (!most)
		return;
	title = ARENA_ARRAY(m->arena, const char *, most);
	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		for (size_t k = 0; k < f->nhot; k++) {
			const char *one = title_of(m, f->hot[k]);
			size_t j;

			for (j = 0; j < n; j++)
				if (!strcmp(title[j], one))
					break;
			if (j == n)
				title[n++] = one;
		}
	}
	prose_paragraph(out, arena_printf(m->arena,
		"Hot paths that lead here: %s.",
		prose_list(m->arena, title, n, HOT_MAX)));
}

/* What runs today. */
static void today(const struct message *m, const struct patch *patch,
		  struct strbuf *out)
{
	const struct remedy *first = patch->remedy[0];

	if (patch->nremedy > 1)
		tell_several(m, patch, out);
	else if (first->verdict)
		prose_paragraph(out, arena_printf(m->arena,
			"When booted with %s, %s", m->rules->off,
			told(m, first)));
	else
		prose_paragraph(out, told(m, first));
	hot(m, patch, out);
}

static const char *test(const struct message *m, const struct patch *patch)
{
	return patch->test ? patch->test : message_call(m, patch->predicate);
}

/* What the test costs where it is made. */
static const char *price(const struct message *m, const struct patch *patch)
{
	return patch->test || m->by_key ? "a jump label" :
					      "a load and a test";
}

static bool leaves_with_nothing(const struct patch *patch)
{
	for (size_t i = 0; i < patch->npart; i++)
		if (patch->part[i].leave &&
		    strcmp(patch->part[i].leave, "return"))
			return false;
	return !patch->leave || !strcmp(patch->leave, "return");
}

/* What is done in the off state, as a sentence. */
static const char *instead(const struct message *m, const struct patch *patch)
{
	size_t n;
	const char *leave = patch->leave ? patch->leave : "return";

	message_names(m, patch, &n);
	if (patch->work)
		return "only do there what the stub does";
	if (leaves_with_nothing(patch))
		return "return: nothing else is to be done then";
	if (n > 1)
		return "leave there, with what each returns today in that "
		       "state";
	return arena_printf(m->arena, "%s there, the value that it returns "
			    "today in that state", leave);
}

/* What the stub leaves with, where that is another value; or NULL. */
static const char *stub_leave(const struct message *m,
			      const struct patch *patch)
{
	const struct func *stub = patch->remedy[0]->stub;
	const char *text = NULL;
	char *work, *leave;
	size_t len;

	if (stub)
		text = tree_read(m->tree, NULL, stub->file, &len);
	if (text)
		text = source_lines(text, stub->start_line, stub->end_line,
				    m->arena);
	if (text)
		text = source_body(text, m->arena);
	if (!text || !source_arm(text, &work, &leave, m->arena) ||
	    !strcmp(leave, "return") || !strcmp(leave, patch->leave))
		return NULL;
	return leave;
}

/* What a wrapper does in the off state, as a sentence. */
static const char *wrapper_arm(const struct message *m,
			       const struct patch *patch)
{
	const char *stub;
	size_t n;

	message_names(m, patch, &n);
	if (patch->work)
		return arena_printf(m->arena, " In the off state %s.",
				    patch->own ? n > 1 ?
				    "each wrapper does what is left of its "
				    "function then" : "the wrapper does what "
				    "is left of the function then" : n > 1 ?
				    "each wrapper does what its stub does" :
				    "the wrapper does what the stub does");
	if (leaves_with_nothing(patch))
		return "";
	if (n > 1)
		return " In the off state each wrapper gives what its "
		       "function gives today.";
	stub = stub_leave(m, patch);
	return arena_printf(m->arena, " In the off state the wrapper does "
		"\"%s\", as the function does today%s.", patch->leave, stub ?
		arena_printf(m->arena, ", and not \"%s\" as its stub: "
			     "callers may tell the two apart", stub) : "");
}

static void renames(const struct message *m, const struct patch *patch,
		    struct strbuf *out)
{
	const char **word = ARENA_ARRAY(m->arena, const char *,
					patch->nrename);
	size_t n = 0;

	for (size_t i = 0; i < patch->nrename; i++)
		word[n++] = arena_printf(m->arena, "%s() is now %s()",
					 patch->rename[i].name,
					 patch->rename[i].inner);
	prose_paragraph(out, arena_printf(m->arena,
		"Test %s in %s in %s, before anything is called. What was "
		"%s.%s", test(m, patch),
		n > 1 ? "inline wrappers" : "an inline wrapper",
		patch->rename[0].header, prose_list(m->arena, word, n, n),
		wrapper_arm(m, patch)));
}

/* Why it is not the predicate that is asked. */
static void other_test(const struct message *m, const struct patch *patch,
		       struct strbuf *out)
{
	if (patch->test)
		prose_paragraph(out, arena_printf(m->arena,
			"%s() cannot be asked there: what declares it "
			"includes that header. So the key that it reads is "
			"asked.", patch->predicate));
}

/* Where work is asked for that others then ask for again. */
static const char *asking(const struct message *m, const struct patch *patch)
{
	const char **word = ARENA_ARRAY(m->arena, const char *,
					patch->nremedy);
	size_t n = 0;

	for (size_t i = 0; i < patch->nremedy; i++)
		if (!patch->remedy[i]->asked_by)
			word[n++] = message_call(m,
				patch->remedy[i]->finding->function);
	return prose_list(m->arena, word, n, n);
}

/* What the patch does about it. */
static void change(const struct message *m, const struct patch *patch,
		   struct strbuf *out)
{
	const char *kind = patch->kind, *what = message_all(m, patch);
	const struct remedy *first = patch->remedy[0];
	const char *text;

	if (!strcmp(kind, "wrap")) {
		renames(m, patch, out);
		return;
	}
	if (patch->does) {
		prose_paragraph(out, patch->does);
		return;
	}
	if (!strcmp(kind, "guard") || !strcmp(kind, "move-guard"))
		text = arena_printf(m->arena, "Test %s at the top of %s and "
				    "%s.", test(m, patch), what,
				    instead(m, patch));
	else if (!strcmp(kind, "unguard") && first->wrapper)
		text = arena_printf(m->arena, "Call %s() there and not its "
				    "wrapper %s(), which tests once more.",
				    first->wrapped->name,
				    first->wrapper->name);
	else if (!strcmp(kind, "unguard"))
		text = "Take the second test away.";
	else if (!strcmp(kind, "guard-call"))
		text = arena_printf(m->arena, "Call %s() in %s only if !%s: "
				    "nobody asks for the work then.",
				    message_callee(patch), asking(m, patch),
				    test(m, patch));
	else if (!strcmp(kind, "guard-compare"))
		text = arena_printf(m->arena, "Test %s before the comparison "
				    "and leave both sides of it out.",
				    test(m, patch));
	else
		text = arena_printf(m->arena, "It is only set while the "
				    "kernel boots. As a static key it costs "
				    "no load and no branch where it is "
				    "read.");
	prose_paragraph(out, text);
}

/* --- what it costs --- */

bool message_pays(const struct patch *patch, const struct remedy_call *call)
{
	for (size_t i = 0; i < patch->nrename; i++)
		if (!strcmp(patch->rename[i].name, call->caller->name))
			return false;
	return !call->tested;
}

/* "a() 2 times and b()" */
static const char *callers(const struct message *m, const struct patch *patch,
			   const struct remedy *r, size_t *nsite)
{
	const char **word = ARENA_ARRAY(m->arena, const char *, r->ncall);
	size_t n = 0;

	*nsite = 0;
	for (uint32_t i = 0; i < r->ncall;) {
		const struct function *caller = r->call[i].caller;
		size_t sites = 0;

		for (; i < r->ncall && r->call[i].caller == caller; i++)
			sites += message_pays(patch, &r->call[i]);
		*nsite += sites;
		if (sites > 1)
			word[n++] = arena_printf(m->arena, "%s() %zu times",
						 caller->name, sites);
		else if (sites)
			word[n++] = message_call(m, caller->name);
	}
	return prose_list(m->arena, word, n, CALLERS_MAX);
}

/* A wrapper is paid where it is called. */
static void wrapper_cost(const struct message *m, const struct patch *patch,
			 struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "For those who use %s: %s, and the arm that is "
		    "not taken, at each place that calls the wrapper%s.",
		    m->rules->title, price(m, patch),
		    patch->nrename > 1 ? "s" : "");
	for (size_t i = 0; i < patch->nrename; i++) {
		const char *name = patch->rename[i].name, *who;
		size_t sites;

		who = callers(m, patch, patch->rename[i].remedy, &sites);
		if (sites)
			strbuf_addf(&text, " Calls of %s(): %zu, in %s.",
				    name, sites, who);
		else
			strbuf_addf(&text, " Calls of %s(): none that has "
				    "not tested before.", name);
	}
	strbuf_addstr(&text, " They are counted in the source, as "
		      "configured.");
	prose_paragraph(out, text.buf);
	strbuf_release(&text);
}

static void cost(const struct message *m, const struct patch *patch,
		 struct strbuf *out)
{
	const char *kind = patch->kind, *text;

	if (!strcmp(kind, "wrap")) {
		wrapper_cost(m, patch, out);
		return;
	}
	if (patch->pays)
		text = patch->pays;
	else if (!strcmp(kind, "unguard"))
		return;
	else if (!strcmp(kind, "guard-call"))
		text = arena_printf(m->arena, "For those who use %s: %s in "
				    "%s.", m->rules->title, price(m, patch),
				    asking(m, patch));
	else if (!strcmp(kind, "static-key"))
		text = arena_printf(m->arena, "Those who use %s pay nothing "
				    "for it either.", m->rules->title);
	else
		text = arena_printf(m->arena, "For those who use %s: %s in "
				    "%s. No call site changes.",
				    m->rules->title, price(m, patch),
				    message_all(m, patch));
	prose_paragraph(out, text);
}

/* Modules may not be able to use what is inline now. */
static void exported(const struct message *m, const struct patch *patch,
		     size_t first, struct strbuf *out)
{
	const char *macro = patch->rename[first].export;
	const char **was = ARENA_ARRAY(m->arena, const char *,
				       patch->nrename);
	const char **is = ARENA_ARRAY(m->arena, const char *,
				      patch->nrename);
	size_t n = 0;

	for (size_t i = 0; i < patch->nrename; i++) {
		if (!patch->rename[i].export ||
		    strcmp(patch->rename[i].export, macro))
			continue;
		/* told already */
		if (i < first)
			return;
		was[n] = message_call(m, patch->rename[i].name);
		is[n++] = message_call(m, patch->rename[i].inner);
	}
	prose_paragraph(out, arena_printf(m->arena,
		"%s %s exported with %s. %s %s exported likewise instead: "
		"modules that call %s have to be built again%s.",
		prose_list(m->arena, was, n, n), n > 1 ? "were" : "was",
		macro, prose_list(m->arena, is, n, n), n > 1 ? "are" : "is",
		n > 1 ? "them" : "it", patch->rename[first].gpl ? "" : arena_printf(m->arena,
		", and need what %s reads, which may be exported to GPL "
		"modules only", test(m, patch))));
}

/* How it was found: ids by rule. */
static void found(const struct message *m, const struct patch *patch,
		  struct strbuf *out)
{
	const struct kind *kind = kind_find(patch->kind);
	struct strbuf text = STRBUF_INIT;
	bool estimate = false;

	if (kind && kind->found)
		strbuf_addf(&text, "Found by nocharge, %s:", kind->found);
	else
		strbuf_addf(&text, "Found by nocharge, which evaluates each "
			    "function with %s off and takes away what its "
			    "stub does:", m->rules->title);
	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		if (!i || strcmp(f->rule, patch->remedy[i - 1]->finding->rule))
			strbuf_addf(&text, "%s %s", i ? ";" : "", f->rule);
		else
			strbuf_addch(&text, ',');
		strbuf_addf(&text, " %s", f->id);
		estimate |= strstr(f->message, "instructions") != NULL;
	}
	strbuf_addstr(&text, estimate ? ". Instructions are its estimate from "
		      "the source, not measured." : ".");
	prose_item(out, "", text.buf);
	strbuf_release(&text);
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Can the same be said of all that was brought together? */
static bool is_uniform(const struct patch *patch)
{
	const struct patch *first = patch->part;

	for (size_t i = 1; i < patch->npart; i++) {
		const struct patch *part = &patch->part[i];

		if (strcmp(part->kind, first->kind) ||
		    !same(part->test, first->test) ||
		    !same(part->fallback, first->fallback) ||
		    !part->work != !first->work)
			return false;
	}
	return true;
}

static void what_changes(const struct message *m, const struct patch *patch,
			 struct strbuf *out)
{
	change(m, patch, out);
	other_test(m, patch, out);
	if (patch->fallback)
		prose_paragraph(out, arena_printf(m->arena,
			"The test is inside and not in an inline wrapper, "
			"because %s.", message_plain(m, patch->fallback,
					     patch->predicate)));
	cost(m, patch, out);
}

void message_patch(const struct message *m, const struct patch *patch,
		   struct strbuf *out)
{
	strbuf_addf(out, "%s\n\n", message_subject(m, patch));
	today(m, patch, out);
	if (is_uniform(patch))
		what_changes(m, patch, out);
	for (size_t i = 0; !is_uniform(patch) && i < patch->npart; i++)
		what_changes(m, &patch->part[i], out);
	for (size_t i = 0; i < patch->nrename; i++)
		if (patch->rename[i].export)
			exported(m, patch, i, out);
	found(m, patch, out);
}
