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

/* What was cut, of all states, and facts that say so themselves. */
static void find_skipped(struct model *model, const struct model_input *input)
{
	const struct world *world[] = { model->off, model->out, model->on };
	size_t n = 1, i, k;

	for (i = 0; i < 3; i++)
		n += world[i] ? world[i]->ncut : 0;
	for (i = 0; i < input->nin; i++)
		n += input->in[i] ? input->in[i]->nerror : 0;
	for (i = 0; i < input->nout; i++)
		n += input->out[i] ? input->out[i]->nerror : 0;
	model->skipped = ARENA_ARRAY(model->arena, struct skipped, n);
	for (i = 0; i < 3; i++)
		for (k = 0; world[i] && k < world[i]->ncut; k++)
			model->skipped[model->nskipped++] = (struct skipped){
				.file = world[i]->cut[k].fn->file,
				.function = world[i]->cut[k].fn->name,
				.why = world[i]->cut[k].why,
			};
	if (model->unsettled)
		model->skipped[model->nskipped++] = (struct skipped){
			.file = "", .function = "",
			.why = "the facts do not settle",
		};
	qsort(model->skipped, model->nskipped, sizeof(*model->skipped),
	      by_place);
	/* one function is told once, whatever cut it and how often */
	for (i = k = 0; i < model->nskipped; i++)
		if (!i || by_place(&model->skipped[i],
				   &model->skipped[k - 1]))
			model->skipped[k++] = model->skipped[i];
	model->nskipped = k;
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
	model_find_heat(model);
	model_judge(model);
	model_group(model);
	find_skipped(model, input);
	return model;
}

void model_release(struct model *model)
{
	if (!model)
		return;
	world_free(model->off);
	world_free(model->out);
	world_free(model->on);
	model->off = model->out = model->on = NULL;
}

size_t model_skipped(const struct model *model, struct skipped **skipped)
{
	*skipped = model->skipped;
	return model->nskipped;
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
