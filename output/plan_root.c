// SPDX-License-Identifier: GPL-2.0-only
/* Fixes of root-work: an early way out for the root group. */
#include <string.h>

#include "../analyzer/model/analysis.h"
#include "planner.h"
#include "prose.h"

/* Does the unit @file read the header @header? */
static bool reads_header(const struct model *model, const char *file,
			 const char *header)
{
	for (size_t i = 0; i < model->nfacts_in; i++) {
		const struct facts *facts = model->facts_in[i];

		if (strcmp(facts->unit, file))
			continue;
		for (uint32_t k = 0; k < facts->ndep; k++)
			if (!strcmp(facts->dep[k], header))
				return true;
	}
	return false;
}

/* Is it declared where the function stands? */
static bool sees_test(struct planner *p, const struct remedy *r)
{
	const struct function *test = r->root_test;
	const char *text;

	if (!test)
		return false;
	if (test->header)
		return reads_header(p->in->model, r->fn->file, test->file);
	if (strcmp(test->file, r->fn->file))
		return false;
	/* named further up, it is declared further up */
	text = planner_text(p, r->fn->file, p->in->in);
	if (text)
		text = source_lines(text, 1, r->fn->func->start_line - 1,
				    p->arena);
	return text && source_names(text, test->name);
}

/* Who reads a number would have to read another. */
static const char *tell_readers(struct planner *p, const struct total *total)
{
	const char *word[TOTAL_READERS];

	for (unsigned i = 0; i < total->nreader; i++)
		word[i] = arena_printf(p->arena, "'%s'",
				       total->reader[i]->name);
	if (!total->nreader)
		return arena_printf(p->arena, "nobody is seen to read '%s': "
			"whether root's part of it has a use is for a person "
			"to say", total->field);
	return arena_printf(p->arena, "%s would have to take what '%s' counts "
		"for root in place of '%s', and that has in it what belongs "
		"to every other group too",
		prose_list(p->arena, word, total->nreader, total->nreader),
		(total->other ? total->other : total)->twin.counter,
		total->field);
}

const char *plan_root_work(struct planner *p, const struct remedy *r,
			   struct patch *patch)
{
	const char *test, *name = r->fn->name;
	struct edit *edit;

	if (!r->limit && !r->total)
		return "what it does for root is not seen any more";
	if (!r->limit)
		return tell_readers(p, r->total);
	if (!r->limit->up)
		return arena_printf(p->arena, "a '%s' that somebody has set "
			"on root would not be looked at any more: no group "
			"below root leads there", r->limit->load->name);
	if (!sees_test(p, r))
		return "nothing says there of a group that it is root";
	test = r->root_test->name;
	patch->kind = "root-work";
	patch->function = name;
	patch->does = arena_printf(p->arena, "Return from %s() where what it "
		"is given is root. A limit that root may have is looked at "
		"all the same, whenever %s() is called for a group below: it "
		"goes up to root from there.", name, name);
	patch->pays = arena_printf(p->arena, "For those who use groups: %s(), "
		"which compares two pointers, in %s(). No call site changes.",
		test, name);
	edit = planner_edit(p, patch, "root-work", r->fn->file);
	edit->nth = planner_which(r, r->fn->file);
	planner_name(edit, "fn", name);
	planner_name(edit, "group", r->limit->group);
	planner_name(edit, "test", test);
	return NULL;
}
