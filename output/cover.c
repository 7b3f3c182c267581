// SPDX-License-Identifier: GPL-2.0-only
/* The letter before a series. */
#include <stdio.h>
#include <string.h>

#include "message.h"

#define FUNCTIONS_COLUMNS 40

/* Is there anything in it that makes the off state cheaper? */
static bool saves(const struct plan *plan)
{
	for (size_t i = 0; i < plan->npatch; i++)
		if (strcmp(plan->patch[i].kind, "boot-parameter") &&
		    strcmp(plan->patch[i].kind, "default-off"))
			return true;
	return !plan->npatch;
}

char *message_cover_subject(const struct message *m, const struct plan *plan)
{
	return arena_printf(m->arena, saves(plan) ?
			    "%s: do less when it is disabled" :
			    "%s: let it be off unless asked for at boot",
			    m->rules->feature);
}

static void about_default(const struct message *m, struct strbuf *out)
{
	prose_paragraph(out, arena_printf(m->arena,
		"A kernel with %s compiled in runs with it unless it is "
		"booted with %s. Who ships one kernel to all, most of whom do "
		"not use it, cannot have it the other way round: compiled in, "
		"and there for those who ask.", m->rules->title,
		m->rules->off));
	prose_paragraph(out, arena_printf(m->arena,
		"With this series %s asks for it, whatever the default is, "
		"and an option says what the default is. Without that option, "
		"which is off, all stays as it is. It is for %s.",
		m->rules->asked.boot, m->tree->release));
}

static void about(const struct message *m, const struct plan *plan,
		  struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->npatch; i++)
		n += plan->patch[i].nremedy;
	prose_paragraph(out, arena_printf(m->arena,
		"A kernel with %s compiled in and booted with %s still runs "
		"code that a kernel without it does not have. nocharge finds "
		"that in %s without building it: it evaluates each function "
		"with %s off and takes away what its stub does.",
		m->rules->title, m->rules->off, m->tree->release,
		m->rules->title));
	if (!n)
		return;
	prose_paragraph(out, arena_printf(m->arena,
		"%zu patch%s for %zu of these findings%s", plan->npatch,
		plan->npatch == 1 ? "" : "es", n, plan->npatch == 1 ? "." :
		": guards first and then inline wrappers, the ones that save "
		"most first. Each patch is right alone and none needs a later "
		"one."));
}

static size_t call_sites(const struct patch *patch)
{
	size_t n = 0;

	for (size_t i = 0; i < patch->nrename; i++) {
		const struct remedy *r = patch->rename[i].remedy;

		for (uint32_t k = 0; k < r->ncall; k++)
			n += message_pays(patch, &r->call[k]);
	}
	return n;
}

static void table(const struct message *m, const struct plan *plan,
		  struct strbuf *out)
{
	int width = 10;

	for (size_t i = 0; i < plan->npatch; i++)
		if ((int)strlen(plan->patch[i].kind) > width)
			width = (int)strlen(plan->patch[i].kind);
	strbuf_addf(out, "%4s %9s %6s  %-*s  %s\n", "", "saves", "sites",
		    width, "how", "what");
	for (size_t i = 0; i < plan->npatch; i++) {
		const struct patch *patch = &plan->patch[i];
		const char *sites = "-", *saves = "-";

		if (patch->nrename)
			sites = arena_printf(m->arena, "%zu",
					     call_sites(patch));
		if (patch->saves >= 0.05)
			saves = arena_printf(m->arena, "%.1f", patch->saves);
		strbuf_addf(out, "%4zu %9s %6s  %-*s  %s\n", i + 1,
			    saves, sites, width, patch->kind,
			    message_functions(m, patch, FUNCTIONS_COLUMNS));
	}
	strbuf_addch(out, '\n');
	prose_paragraph(out, arena_printf(m->arena, "saves: %s; - for less "
			"than 0.05. sites: calls in the source that now make "
			"the test themselves, as configured.",
			plan->npatch && plan->patch[0].remedy[0]->finding->
			shared ? "per cent of the given profile that are "
			"spent in the functions" :
			"instructions for each operation of the hottest path "
			"that leads there, estimated from the source and not "
			"measured"));
}

/* What is shown of each patch, each by one line. */
static void proof(struct strbuf *out)
{
	static const char *const checks[] = {
		"applies: git am takes it, on the tree and what is before it",
		"compiles: no new diagnostic, with the feature in and out",
		"builds: every object it can change, by kbuild, W=1",
		"style: checkpatch.pl --strict misses nothing but the sign-off",
		"sparse: no new message",
		"same-when-on: the machine code does not change when it is on",
		"same-when-off: off, all that others can see stays as it was",
		"clears: the findings are gone, and nothing else is found",
		"order: of what is done in another order, that nobody can tell",
		"bisectable: the series compiles up to each patch",
		("accounts: booted, a kernel's books are the same, where a fix "
		 "changes what is done when it is on"),
		("defaults: booted with and without the option and each "
		 "parameter, the state is the one that was asked for, where "
		 "a patch changes which that is"),
		"size: measured, and put into each message",
	};

	prose_paragraph(out, "How it is proven: \"nocharge prove DIR TREE\" "
			"checks each patch against the tree without it, and "
			"proof.json has the results, each with the command "
			"that repeats it:");
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		prose_item(out, " - ", checks[i]);
	strbuf_addch(out, '\n');
}

static void left_alone(const struct message *m, const struct plan *plan,
		       struct strbuf *out)
{
	if (!plan->nleft)
		return;
	prose_paragraph(out, arena_printf(m->arena, "Left alone, %zu of the "
				    "findings:", plan->nleft));
	for (size_t i = 0; i < plan->nleft; i++) {
		const struct left_alone *left = &plan->left[i];
		const char *function = left->finding->function;
		const char *why = left->why;
		size_t len = strlen(function);

		/* a reason that says whose it is */
		if (!strncmp(why, function, len) &&
		    !strncmp(why + len, ": ", 2))
			why += len + 2;
		prose_item(out, " - ", arena_printf(m->arena,
			"%s (%s:%u), %s: %s.", function, left->file,
			left->line, left->finding->rule,
			message_plain(m, why, "")));
	}
	strbuf_addch(out, '\n');
}

void message_cover(const struct message *m, const struct plan *plan,
		   struct strbuf *out)
{
	if (saves(plan)) {
		about(m, plan, out);
		if (plan->npatch)
			table(m, plan, out);
	} else {
		about_default(m, out);
	}
	if (plan->npatch)
		proof(out);
	left_alone(m, plan, out);
	if (plan->npatch)
		prose_paragraph(out, "Whoever sends this has to read it, to "
				"try it and to sign it off; nocharge did none "
				"of that.");
	else
		prose_paragraph(out, "There is no patch.");
}
