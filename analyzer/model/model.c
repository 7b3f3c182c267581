// SPDX-License-Identifier: GPL-2.0-only
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "../checks/checks.h"
#include "../checks/sink.h"
#include "entry.h"
#include "verdict.h"

static int check_input(const struct model *model, struct err *err)
{
	const struct rules *rules = model->rules;
	struct feature *f = model->feature;
	bool found = false;

	if (!f->in->nfunction)
		return err_set(err, STATUS_USAGE,
			       "no unit could be analysed: there is nothing "
			       "to look at");
	for (size_t i = 0; i < rules->predicate.n; i++)
		found |= map_get(&f->in->functions,
				 intern(model->strings,
					rules->predicate.name[i])) != NULL;
	if (!found)
		return err_set(err, STATUS_USAGE,
			       "this tree has no '%s', the predicate of '%s'",
			       rules->predicate.name[0], rules->feature);
	if (!f->ndiffers)
		return err_set(err, STATUS_USAGE,
			       "no function differs with '%s' in and out",
			       rules->feature);
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct skipped *x = a, *y = b;
	int d = strcmp(x->file, y->file);

	return d ? d : strcmp(x->function, y->function);
}

struct model *model_build(const struct model_input *input, struct err *err)
{
	struct arena *arena = input->arena;
	struct model *model = ARENA_NEW(arena, struct model);
	struct program *in, *out;

	model->rules = input->rules;
	model->kernel = input->kernel;
	model->arena = arena;
	model->strings = input->strings;
	model->facts_in = input->in;
	model->nfacts_in = input->nin;
	model->default_on = input->default_on;
	in = program_new(input->in, input->nin, input->rules, input->kernel,
			 arena, input->strings);
	out = program_new(input->out, input->nout, input->rules,
			  input->kernel, arena, input->strings);
	model->feature = feature_compare(in, out, arena);
	if (check_input(model, err))
		return NULL;
	model->facts = facts_off_new(model->feature, input->rules->group,
				     arena);
	model->off = world_new(in, WORLD_OFF, model->facts, arena);
	model->out = world_new(out, WORLD_OUT, NULL, arena);
	model->on = world_new(in, WORLD_ON, NULL, arena);
	model->live = ARENA_ARRAY(arena, struct liveness, in->nfunction);
	model_settle(model);
	model->heat = model_find_heat(model, model->off);
	model_judge(model);
	model_group(model);
	return model;
}

void model_release(struct model *model)
{
	if (!model)
		return;
	world_free(model->off);
	world_free(model->out);
	world_free(model->on);
	world_free(model->root);
	arena_free(model->round);
	model->round = NULL;
	model->off = model->out = model->on = model->root = NULL;
}

void model_find_root_work(struct model *model)
{
	struct arena *arena = model->arena;

	if (model->root)
		return;
	model->root = world_new(model->feature->in, WORLD_ROOT,
				facts_off_none(model->feature,
					       model->rules->group, arena),
				arena);
	model->root_heat = model_find_heat(model, model->root);
}

/* All states; those with the feature on are only walked by the checks. */
size_t model_skipped(const struct model *model, struct skipped **skipped)
{
	const struct world *world[] = { model->off, model->out, model->on,
					model->root };
	size_t n = 1, used = 0, i, k;
	struct skipped *list;

	for (i = 0; i < 4; i++)
		n += world[i] ? world[i]->ncut : 0;
	list = ARENA_ARRAY(model->arena, struct skipped, n);
	for (i = 0; i < 4; i++)
		for (k = 0; world[i] && k < world[i]->ncut; k++)
			list[used++] = (struct skipped){
				.file = world[i]->cut[k].fn->file,
				.function = world[i]->cut[k].fn->name,
				.why = world[i]->cut[k].why,
			};
	if (model->unsettled)
		list[used++] = (struct skipped){
			.file = "", .function = "",
			.why = "the facts do not settle",
		};
	qsort(list, used, sizeof(*list), by_place);
	/* one function is told once, whatever cut it and how often */
	for (i = k = 0; i < used; i++)
		if (!i || by_place(&list[i], &list[k - 1]))
			list[k++] = list[i];
	*skipped = list;
	return k;
}

int model_check(struct model *model, const struct names *only,
		struct report *report, struct err *err)
{
	struct sink *sink = sink_new(model);

	for (size_t i = 0; only && i < only->n; i++)
		if (!check_find(only->name[i]))
			return err_set(err, STATUS_USAGE,
				       "there is no rule '%s'",
				       only->name[i]);
	for (size_t i = 0; i < nchecks; i++) {
		if (only ? !names_have(only, checks[i].name)
			 : checks[i].on_request)
			continue;
		checks[i].run(model, sink);
	}
	report->finding = sink_finish(sink, &report->nfinding);
	report->entry = model_entries(model, &report->nentry);
	return 0;
}
