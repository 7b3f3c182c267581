// SPDX-License-Identifier: GPL-2.0-only
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Add @text as a paragraph, broken between words. */
static void paragraph(struct strbuf *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t space = strspn(text, " \n\t"), len;

		text += space;
		len = strcspn(text, " \n\t");
		if (!len)
			break;
		if (column && column + 1 + len > MESSAGE_COLUMNS) {
			strbuf_addch(out, '\n');
			column = 0;
		} else if (column) {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, text, len);
		column += len;
		text += len;
	}
	strbuf_addstr(out, "\n\n");
}

/* "mm/memcontrol", "memcontrol" for a header in include/. */
static const char *prefix(const struct message *m, const char *file)
{
	const char *slash = strrchr(file, '/'), *from = file;

	if (!strncmp(file, "include/", 8) && slash)
		from = slash + 1;
	return arena_strndup(m->arena, from,
			     (size_t)(file + strlen(file) - from) -
			     strlen(strrchr(file, '.') ? strrchr(file, '.')
						       : ""));
}

static const char *callee(const struct patch *patch)
{
	for (size_t i = 0; i < patch->edit[0].nname; i++)
		if (!strcmp(patch->edit[0].name[i].name, "callee"))
			return patch->edit[0].name[i].value;
	return "";
}

/* "a()", "a() and b()" */
static const char *functions(const struct message *m,
			     const struct patch *patch)
{
	const char *first = patch->remedy[0]->finding->function;
	const char *text = arena_printf(m->arena, "%s()", first);

	for (size_t i = 1; i < patch->nremedy; i++) {
		const char *name = patch->remedy[i]->finding->function;

		if (strstr(text, arena_printf(m->arena, "%s()", name)))
			continue;
		text = arena_printf(m->arena, "%s %s %s()", text,
				    i + 1 == patch->nremedy ? "and" : ",",
				    name);
	}
	return text;
}

char *message_subject(const struct message *m, const struct patch *patch)
{
	const char *what = functions(m, patch), *kind = patch->kind;
	const char *off = m->rules->feature;
	const char *start = prefix(m, patch->remedy[0]->finding->file);

	if (!strcmp(kind, "wrap"))
		return arena_printf(m->arena, "%s: test for %s inline in %s",
				    start, off, what);
	if (!strcmp(kind, "guard"))
		return arena_printf(m->arena, "%s: leave %s early without %s",
				    start, what, off);
	if (!strcmp(kind, "move-guard"))
		return arena_printf(m->arena, "%s: test for %s first in %s",
				    start, off, what);
	if (!strcmp(kind, "unguard"))
		return arena_printf(m->arena, "%s: test for %s only once in "
				    "%s", start, off, what);
	if (!strcmp(kind, "guard-call"))
		return arena_printf(m->arena, "%s: no %s() without %s", start,
				    callee(patch), off);
	return arena_printf(m->arena, "%s: make '%s' a static key", start,
			    patch->remedy[0]->finding->function);
}

static const char *title_of(const struct message *m, const char *root)
{
	for (size_t i = 0; i < m->kernel->nroot; i++)
		if (!strcmp(m->kernel->root[i].name, root))
			return m->kernel->root[i].title;
	return root;
}

#define OPERATIONS_MAX 6

/* What runs today. */
static void today(const struct message *m, const struct remedy *r,
		  struct strbuf *out)
{
	const struct finding *f = r->finding;
	struct strbuf text = STRBUF_INIT;
	size_t shown = 0;

	strbuf_addf(&text, "Booted with %s, %s.", m->rules->off, f->message);
	for (size_t i = 0; i < f->nwhy && shown < OPERATIONS_MAX; i++, shown++)
		strbuf_addf(&text, "%s %s (%s:%u)", shown ? ";" :
			    " In particular:", f->why[i].text,
			    f->why[i].file, f->why[i].line);
	if (shown)
		strbuf_addch(&text, '.');
	for (size_t i = 0; i < f->nhot && i < 3; i++)
		strbuf_addf(&text, "%s %s", i ? "," :
			    " This is on the path of:",
			    title_of(m, f->hot[i]));
	if (f->nhot)
		strbuf_addch(&text, '.');
	paragraph(out, text.buf);
	strbuf_release(&text);
}

/* "What was a() is __a() now." */
static const char *renames(const struct message *m,
			   const struct patch *patch)
{
	const char *text = "";

	for (size_t i = 0; i < patch->nrename; i++)
		text = arena_printf(m->arena, "%s%sWhat was %s() is %s() "
				    "now.", text, i ? " " : "",
				    patch->rename[i].name,
				    patch->rename[i].inner);
	return text;
}

/* Others than GPL modules may not be able to use what is inline now. */
static void exports(const struct message *m, const struct patch *patch,
		    struct strbuf *out)
{
	for (size_t i = 0; i < patch->nrename; i++) {
		const struct rename *r = &patch->rename[i];

		if (!r->export || strcmp(r->export, "EXPORT_SYMBOL"))
			continue;
		paragraph(out, arena_printf(m->arena,
			"%s() was exported with EXPORT_SYMBOL. Modules that "
			"call it need %s() now, exported likewise, and what "
			"%s() reads, which may be exported to GPL modules "
			"only.", r->name, r->inner, patch->predicate));
	}
}

/* What the patch does about it. */
static const char *change(const struct message *m, const struct patch *patch)
{
	const char *kind = patch->kind, *what = functions(m, patch);

	if (!strcmp(kind, "wrap"))
		return arena_printf(m->arena,
			"Test %s() in an inline wrapper, before anything is "
			"called. %s With %s on nothing changes but a jump "
			"label at each call site.", patch->predicate,
			renames(m, patch), m->rules->title);
	if (!strcmp(kind, "guard") || !strcmp(kind, "move-guard"))
		return arena_printf(m->arena,
			"Test %s() at the top of %s and %s there, which is "
			"what comes of it today in that state. With %s on a "
			"jump label is all that is added.", patch->predicate,
			what, patch->work ? arena_printf(m->arena,
			"only do what its stub does") : patch->leave,
			m->rules->title);
	if (!strcmp(kind, "unguard"))
		return arena_printf(m->arena,
			"Whoever comes there has tested %s() already: take "
			"the second test away. Nothing changes in any state.",
			patch->predicate);
	if (!strcmp(kind, "guard-call"))
		return arena_printf(m->arena,
			"Call %s() only when %s is on: nothing that it brings "
			"about is asked for otherwise.", callee(patch),
			m->rules->title);
	return arena_printf(m->arena,
		"It is only set while the kernel boots: a static key costs "
		"nothing where it is read.");
}

void message_patch(const struct message *m, const struct patch *patch,
		   struct strbuf *out)
{
	strbuf_addstr(out, message_subject(m, patch));
	strbuf_addstr(out, "\n\n");
	for (size_t i = 0; i < patch->nremedy; i++)
		today(m, patch->remedy[i], out);
	paragraph(out, change(m, patch));
	exports(m, patch, out);
	if (patch->fallback)
		paragraph(out, arena_printf(m->arena,
			"The test is inside and not in an inline wrapper, "
			"because %s.", patch->fallback));
	for (size_t i = 0; i < patch->nremedy; i++)
		strbuf_addf(out, "%s%s %s", i ? ", " : "Found by nocharge: ",
			    patch->remedy[i]->finding->rule,
			    patch->remedy[i]->finding->id);
	strbuf_addstr(out, ".\n");
}

void message_cover(const struct message *m, const struct plan *plan,
		   struct strbuf *out)
{
	paragraph(out, arena_printf(m->arena,
		"A kernel with %s compiled in and booted with %s still runs "
		"code that a kernel without it does not have. This series "
		"takes away what nocharge found of that in %s: %zu patches, "
		"guards first and then inline wrappers, those that save most "
		"first. Each one is right alone.", m->rules->title,
		m->rules->off, m->release, plan->npatch));
	strbuf_addstr(out, "    instructions per operation, roughly\n");
	for (size_t i = 0; i < plan->npatch; i++) {
		const struct patch *patch = &plan->patch[i];

		strbuf_addf(out, "%4zu %9.2f  %-10s %s\n", i + 1,
			    patch->saves, patch->kind, patch->function);
	}
	strbuf_addch(out, '\n');
	if (!plan->nleft)
		return;
	paragraph(out, arena_printf(m->arena, "Left alone, %zu of the "
				    "findings:", plan->nleft));
	for (size_t i = 0; i < plan->nleft; i++)
		paragraph(out, arena_printf(m->arena, "%s (%s:%u): %s.",
				plan->left[i].finding->function,
				plan->left[i].file, plan->left[i].line,
				plan->left[i].why));
}
