// SPDX-License-Identifier: GPL-2.0-only
#include "off_asked.h"

#include <string.h>

#include "../analyzer/model/syntax.h"

static const struct fact *fact_named(const struct model *model,
				     const struct function *fn,
				     const char *name)
{
	const struct fact *fact = fact_of_field(model->facts, name);
	const struct global_symbol *g;

	if (fact)
		return fact;
	g = program_global(model->feature->in, name, fn->file);
	return g ? fact_of_global(model->facts, g) : NULL;
}

/* Is all that @node names of the feature's memory as nobody ever set it? */
struct naming {
	const struct model *model;
	const struct function *fn;
	bool idle, set;
};

static void find_names(struct naming *n, const struct node *node)
{
	if (node->kind == N_FIELD || node->kind == N_GLOBAL) {
		const struct fact *fact = fact_named(n->model, n->fn,
						     node->name);

		if (fact_holds(fact))
			n->idle = true;
		else if (fact)
			n->set = true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_names(n, node->kid[i]);
}

/*
 * Does @cond need memory of the feature that nobody sets to be more than it
 * was made? One part that all of it hangs on is enough; what either of two
 * may make true is not one.
 */
static bool needs_idle(const struct model *model, const struct function *fn,
		       const struct node *cond)
{
	struct naming n = { .model = model, .fn = fn };

	cond = reading_strip(cond);
	if (!cond || (cond->kind == N_BINARY && cond->op == OP_OROR) ||
	    cond->kind == N_COND || cond->kind == N_UNARY)
		return false;
	if (cond->kind == N_BINARY && cond->op == OP_ANDAND &&
	    (needs_idle(model, fn, cond->kid[0]) ||
	     needs_idle(model, fn, cond->kid[1])))
		return true;
	find_names(&n, cond);
	return n.idle && !n.set;
}

/* Does @line of @fn stand in an arm that nobody asks for? */
static bool is_idle(const struct model *model, const struct function *fn,
		    const struct node *node, uint32_t line)
{
	const struct node *arm = node->kind == N_IF ? node->kid[1] : NULL;

	if (arm && arm->line && line >= arm->line &&
	    line <= syntax_last_line(arm) && line > node->line &&
	    needs_idle(model, fn, node->kid[0]))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && is_idle(model, fn, node->kid[i], line))
			return true;
	return false;
}

static bool is_asked(const struct model *model, const struct seen_load *load)
{
	const struct frame *frame = load->frame;
	uint32_t line = load->line;

	for (; frame; frame = frame->up) {
		const struct node *body = facts_body(frame->s->fn->func);

		if (body && is_idle(model, frame->s->fn, body, line))
			return false;
		line = frame->call ? frame->call->line : 0;
	}
	return true;
}

const struct seen_load *off_asked(const struct model *model,
				  const struct effects *before,
				  const struct effects *after)
{
	for (size_t i = 0; i < before->nload; i++) {
		const struct seen_load *load = &before->load[i];
		size_t k = 0;

		while (k < after->nload &&
		       strcmp(after->load[k].name, load->name))
			k++;
		if (k == after->nload &&
		    !fact_holds(fact_named(model, load->frame->s->fn,
					   load->name)) &&
		    is_asked(model, load))
			return load;
	}
	return NULL;
}
