// SPDX-License-Identifier: GPL-2.0-only
/* Flags and their statistics: call the helper that does just that. */
#include <string.h>

#include "../analyzer/model/account.h"
#include "planner.h"

static const struct accounted *find_split(struct planner *p,
					  const struct remedy *r)
{
	const struct accounted *at;

	if (!p->account)
		p->account = account_splits(p->in->model);
	for (at = p->account; at; at = at->next)
		if (at->fn == r->fn && at->change->line == r->finding->line)
			return at;
	return NULL;
}

/* Is the helper declared in a header that the file includes? */
static bool sees(const struct planner *p, const struct function *fn,
		 const struct function *helper)
{
	const struct facts *facts = fn->func->facts;
	uint32_t line;
	const char *header = model_declared(p->in->model, helper->name, &line);

	for (uint32_t i = 0; header && i < facts->ndep; i++)
		if (!strcmp(facts->dep[i], header))
			return true;
	return false;
}

/* Why the helper cannot be called instead; or NULL. */
static const char *no_helper(struct planner *p, const struct accounted *at,
			     enum account_form *form)
{
	const struct function *helper = at->helper->fn, *who;
	const char *name;
	uint32_t last;

	*form = account_same(at, &last);
	if (*form == ACCOUNT_OTHER) {
		name = account_differs(p->in->model, at, &who);
		if (!name)
			return arena_printf(p->arena, "'%s' does both, but "
				"not in the same way", helper->name);
		return arena_printf(p->arena, "'%s' does both, but not only "
			"that or not all of it: '%s' also calls '%s'",
			helper->name, who->name, name);
	}
	if (!sees(p, at->fn, helper))
		return arena_printf(p->arena, "'%s' is not declared where it "
				    "would be called", helper->name);
	if (!(helper->func->flags & (FUNC_EXPORTED | FUNC_EXPORTED_GPL)))
		return arena_printf(p->arena, "'%s' is not exported, and who "
			"would call it may be a module", helper->name);
	if (planner_comments(p, at->fn->file, at->change->line, last))
		return "the comments in what would be called instead would "
		       "go with it";
	return NULL;
}

const char *plan_account(struct planner *p, const struct remedy *r,
			 struct patch *patch)
{
	const struct accounted *at = find_split(p, r);
	const struct function *helper;
	enum account_form form;
	struct edit *edit;
	const char *why;

	why = at ? no_helper(p, at, &form) : "its place is not known any more";
	if (why)
		return why;
	helper = at->helper->fn;
	patch->kind = "split-accounting";
	edit = planner_edit(p, patch, patch->kind, r->fn->file);
	if (form == ACCOUNT_TAIL)
		edit->form = "tail";
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "flag", at->flag->name);
	planner_name(edit, "helper", helper->name);
	patch->does = arena_printf(p->arena, "Call %s(), which has the same "
		"statements and stands beside %s() in %s.", helper->name,
		at->counts->name, helper->file);
	patch->pays = "It is a call more. Nothing else changes, in any "
		      "state.";
	return NULL;
}
