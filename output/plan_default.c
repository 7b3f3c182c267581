// SPDX-License-Identifier: GPL-2.0-only
/* Off unless asked for: a boot parameter, and then an option. */
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "../analyzer/default_on.h"
#include "place.h"
#include "planner.h"

/* Columns that are left for text behind what begins its lines. */
#define HELP_COLUMNS     69
#define DOCUMENT_COLUMNS 54

static const struct default_on *find(struct planner *p)
{
	if (!p->default_on)
		p->default_on = default_on_find(p->in->tree, p->in->in,
						p->in->rules, p->in->kernel,
						p->arena);
	return p->default_on;
}

/* Lines of whole words, each behind @start. */
static void add_wrapped(struct strbuf *out, const char *start,
			const char *text, size_t columns)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > columns) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		strbuf_addf(out, "%s%.*s", column ? " " : start, (int)len,
			    text);
		column += len + (column > 0);
		text += len;
		text += strspn(text, " ");
	}
	strbuf_addch(out, '\n');
}

/* Taken out of @text, which is released. */
static const char *finish(struct planner *p, struct strbuf *text)
{
	const char *copy = arena_strndup(p->arena, text->buf, text->len);

	strbuf_release(text);
	return copy;
}

static const char *described(struct planner *p, const struct default_on *d)
{
	struct strbuf text = STRBUF_INIT;
	const char *head = arena_printf(p->arena, "\t%s=", d->on);

	strbuf_addf(&text, "%s%s[KNL] Enable a particular controller\n", head,
		    strlen(head) < 16 ? "\t" : " ");
	add_wrapped(&text, "\t\t\t", "Format: {name of the controller(s) to "
		    "enable}", DOCUMENT_COLUMNS);
	add_wrapped(&text, "\t\t\t", arena_printf(p->arena, "The opposite of "
		    "%s=, for what that takes. Where both name a controller, "
		    "the last one on the command line wins.", d->off),
		    DOCUMENT_COLUMNS);
	return finish(p, &text);
}

static const char *plan_parameter(struct planner *p,
				  const struct default_on *d,
				  struct patch *patch)
{
	const struct parameter_rules *how = &p->in->kernel->parameter;
	const char *taken[] = { d->on, how->both };
	const char *text = planner_text(p, d->file, p->in->in);
	struct edit *edit;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!text || source_names(text, taken[i]) ||
		    model_knows(p->in->model, taken[i]))
			return arena_printf(p->arena, "the name '%s' is taken",
					    taken[i]);
	patch->kind = "boot-parameter";
	edit = planner_edit(p, patch, "boot-parameter", d->file);
	planner_name(edit, "fn", d->handler);
	planner_name(edit, "both", how->both);
	planner_name(edit, "other", d->on);
	planner_name(edit, "on", "enable");
	edit = planner_edit(p, patch, "parameter", d->document);
	edit->place = place_parameter;
	planner_name(edit, "below", d->off);
	planner_name(edit, "name", d->on);
	planner_name(edit, "entry", described(p, d));
	patch->does = arena_printf(p->arena, "Add %s=, the mirror of %s=: it "
		"takes the same names, each as often as one likes, and the "
		"last one on the command line wins. Both are read where %s= "
		"is today, by one function: the state is as final as it is "
		"with that alone, before anybody asks for it.", d->on, d->off,
		d->off);
	patch->pays = "Nothing changes for those who do not use it, and no "
		      "code that runs after boot changes.";
	return NULL;
}

static const char *option(struct planner *p, const struct default_on *d)
{
	const struct default_rules *asked = &p->in->rules->asked;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "config %s\n\tbool \"%s\"\n\tdepends on %s\n"
		    "\thelp\n", d->option, asked->prompt, d->symbol);
	for (size_t i = 0; i < asked->nhelp; i++) {
		if (i)
			strbuf_addch(&text, '\n');
		add_wrapped(&text, "\t  ", asked->help[i], HELP_COLUMNS);
	}
	return finish(p, &text);
}

/* The record whose @member says that the feature is off, or NULL. */
static const struct global_symbol *record(struct planner *p,
					  const char **member)
{
	const struct rules *rules = p->in->rules;
	const struct global_symbol *g = NULL;

	for (size_t i = 0; i < rules->nguard && !g; i++) {
		const char *dot = strchr(rules->guard[i].name, '.');

		if (!dot)
			continue;
		*member = dot + 1;
		g = model_variable(p->in->model,
			arena_strndup(p->arena, rules->guard[i].name,
				(size_t)(dot - rules->guard[i].name)));
	}
	return g;
}

static struct edit *state_edit(struct planner *p, struct patch *patch,
			       const char *form, const char *file)
{
	struct edit *edit = planner_edit(p, patch, "default-off", file);

	edit->form = form;
	planner_name(edit, "option", arena_printf(p->arena, "CONFIG_%s",
				find(p)->option));
	planner_name(edit, "both", p->in->kernel->parameter.both);
	return edit;
}

static const char *plan_key(struct planner *p, const struct default_on *d,
			    struct patch *patch)
{
	const struct parameter_rules *how = &p->in->kernel->parameter;
	const char *file[] = { d->file, how->main };
	struct edit *edit;

	if (model_knows(p->in->model, how->init))
		return arena_printf(p->arena, "the name '%s' is taken",
				    how->init);
	for (size_t i = 0; i < 2; i++) {
		if (!planner_text(p, file[i], p->in->in))
			return arena_printf(p->arena, "there is no %s",
					    file[i]);
		edit = state_edit(p, patch, "in_key", file[i]);
		planner_name(edit, "init", how->init);
		planner_name(edit, "controller", d->name);
		planner_name(edit, "parse", how->parse);
	}
	if (!planner_text(p, how->header, p->in->in))
		return arena_printf(p->arena, "there is no %s", how->header);
	edit = planner_edit(p, patch, "declaration", how->header);
	edit->place = place_declaration;
	planner_name(edit, "beside", how->beside);
	planner_name(edit, "prototype", arena_printf(p->arena,
			"void %s(void);", how->init));
	planner_name(edit, "stub", arena_printf(p->arena,
			"static inline void %s(void) {}", how->init));
	patch->does = arena_printf(p->arena, "The state is a static key that "
		"is on from the start. %s() lowers it if %s says so. %s",
		how->init, d->option, how->order);
	return NULL;
}

static const char *plan_mask(struct planner *p, const struct default_on *d,
			     struct patch *patch)
{
	const struct rules *rules = p->in->rules;
	struct edit *edit;

	if (!rules->nroot_array)
		return arena_printf(p->arena, "'%s' does not say which bit of "
				    "a mask is %s", rules->file,
				    rules->title);
	edit = state_edit(p, patch, "in_mask", d->file);
	planner_name(edit, "id", rules->root_array[0].index);
	patch->does = arena_printf(p->arena, "%s= sets a bit in a mask, which "
		"is looked at when controllers are set up. With %s the bit is "
		"there from the start, before anything runs: on no "
		"architecture does it matter when keys can be switched and "
		"when parameters are read, and from then on all is as with "
		"%s.", d->off,
		d->option, rules->off);
	return NULL;
}

static const char *plan_option(struct planner *p, const struct default_on *d,
			       struct patch *patch)
{
	const struct rules *rules = p->in->rules;
	const char *member = NULL, *why = NULL;
	const struct global_symbol *g = d->by_field ? record(p, &member) : NULL;
	struct edit *edit;

	patch->kind = "default-off";
	patch->needs = d->on;
	if (d->by_key) {
		why = plan_key(p, d, patch);
	} else if (g) {
		edit = state_edit(p, patch, "in_record", g->file);
		planner_name(edit, "record", g->name);
		planner_name(edit, "member", member);
		patch->does = arena_printf(p->arena, "The state is a field of "
			"%s, which has its value from the start with %s: it "
			"is final before anything runs, on every "
			"architecture, but for what the command line says.",
			g->name, d->option);
	} else {
		why = plan_mask(p, d, patch);
	}
	if (why)
		return why;
	edit = planner_edit(p, patch, "option", d->kconfig);
	edit->place = place_option;
	planner_name(edit, "below", d->symbol);
	planner_name(edit, "entry", option(p, d));
	patch->does = arena_printf(p->arena, "Add %s, which is off unless "
		"somebody chooses it. With it the kernel starts as if it had "
		"been booted with %s, and %s has the feature as ever. %s",
		d->option, rules->off, rules->asked.boot, patch->does);
	patch->pays = "Nothing changes without the option, and no code that "
		      "runs after boot changes with it.";
	return NULL;
}

const char *plan_default_on(struct planner *p, const struct remedy *r,
			    struct patch *patch)
{
	const struct default_on *d = find(p);

	if (!d)
		return "the rules do not say what to write";
	if (d->lacks || d->has)
		return d->lacks ? d->lacks : d->has;
	return strcmp(r->finding->function, d->on) ?
		plan_option(p, d, patch) : plan_parameter(p, d, patch);
}
