// SPDX-License-Identifier: GPL-2.0-only
#include "entry.h"

#include <stdlib.h>
#include <string.h>

/*
 * Part of the interface: it differs, and others see it (a header declares or
 * defines it), or it has a stub in its own file, or it is a callback.
 */
static bool is_entry(const struct model *model, const struct function *fn)
{
	const struct program *in = model->feature->in;

	if (!fn->differs)
		return false;
	/* what a macro makes, such as a tracepoint's, nobody can look up */
	if (fn->header)
		return !(fn->func->flags & FUNC_MACRO);
	if (model->live[fn->index].callback)
		return true;
	if (fn->is_static)
		return fn->both && !fn->stays;
	return map_get(&in->decls, fn->name) || (fn->other &&
						  fn->other->header);
}

static const struct node *only_statement(const struct function *fn,
					 bool *empty)
{
	const struct node *body = facts_body(fn->func), *only = NULL;

	*empty = true;
	for (uint32_t i = 0; body && i < body->nkid; i++) {
		if (!body->kid[i] ||
		    (body->kid[i]->kind == N_BLOCK && !body->kid[i]->nkid))
			continue;
		*empty = false;
		if (only)
			return NULL;
		only = body->kid[i];
	}
	return only;
}

/* "none", "void" for an empty one, "return 0", "return x()". */
static const char *stub_text(struct model *model, const struct function *fn)
{
	const struct function *stub = fn->other;
	const struct node *s, *e;
	bool empty;

	if (!stub)
		return "none";
	if (fn->stays)
		return "the same function";
	s = only_statement(stub, &empty);
	if (empty)
		return "void";
	if (!s || s->kind != N_RETURN || !s->kid[0])
		return "other code";
	e = s->kid[0];
	while (e->kind == N_CAST)
		e = e->kid[0];
	if (e->kind == N_INT) {
		if (!e->value && *stub->func->ret_record)
			return "return NULL";
		return arena_printf(model->arena, "return %lld",
				    (long long)e->value);
	}
	if (e->kind == N_CALL && e->kid[0]->kind == N_FUNC)
		return arena_printf(model->arena, "return %s()",
				    e->kid[0]->name);
	if (e->kind == N_GLOBAL || e->kind == N_LOCAL)
		return arena_printf(model->arena, "return %s", e->name);
	return "return an expression";
}

/* Is it called by live code at a place that is dead in the off state? */
static bool named_by_live(const struct model *model,
			  const struct function *fn)
{
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct function *user = in->function[i];
		const struct liveness *live = &model->live[i];

		if (!live->live && !live->inlined)
			continue;
		for (uint32_t k = 0; k < user->func->nref; k++)
			if (user->func->ref[k] == fn->name &&
			    program_function(in, fn->name,
					     user->file) == fn)
				return true;
	}
	return false;
}

const char *entry_state(struct model *model, struct function *fn)
{
	const struct liveness *live = &model->live[fn->index];
	const struct verdict *v;
	enum verdict_rule rule;

	if (!live->live && !live->inlined)
		return named_by_live(model, fn) ? "callers" : "only-when-on";
	v = model_look_at(model, fn);
	if (!v)
		return "free";
	/* how it is guarded is no matter of how often it runs */
	rule = v->spared && v->reason != BECAUSE_CALL ? v->unspared : v->rule;
	if (rule == VERDICT_MISSING)
		return "missing";
	if (rule == VERDICT_LATE)
		return "late";
	if (v->guard && v->guard->event->op == MARK_GUARD)
		return fn->header || !live->live ? "guarded-inline" :
						   "guarded-outline";
	if (v->residue->any_test)
		return "implied";
	if (v->nwork)
		/* work that is not worth a finding */
		for (uint32_t i = 0; i < v->nwork; i++)
			if (cost_work(v->work[i]->op))
				return "missing";
	return "free";
}

static const char *off_returns(struct model *model, struct function *fn)
{
	const struct liveness *live = &model->live[fn->index];
	char buf[32];
	struct value v;

	if (function_is_void(fn))
		return "void";
	if (!live->live && !live->inlined)
		return "unknown";
	v = model_judged(model, fn)->ret;
	return arena_strdup(model->arena,
			    value_text(v, *fn->func->ret_record, buf));
}

static void fill(struct model *model, struct entry_point *entry,
		 struct function *fn)
{
	const struct decl *decl = map_get(&model->feature->in->decls,
					  fn->name);
	const struct verdict *v = model_look_at(model, fn);

	entry->name = fn->name;
	entry->defined_file = fn->file;
	entry->defined_line = fn->func->line;
	entry->declared_file = decl && !fn->header ? decl->file : fn->file;
	entry->declared_line = decl && !fn->header ? decl->line
						   : fn->func->line;
	entry->stub = stub_text(model, fn);
	entry->kind = fn->header ? "inline" :
		      fn->is_static ? "static" : "extern";
	entry->state = entry_state(model, fn);
	entry->off_returns = off_returns(model, fn);
	entry->residue = v ? v->cost : 0;
	entry->hot = model_hot(model, &model->heat[fn->index],
			       &entry->nhot);
}

struct entry_point *model_entries(struct model *model, size_t *n)
{
	struct feature *f = model->feature;
	struct entry_point *entry = ARENA_ARRAY(model->arena,
						struct entry_point,
						f->ndiffers);

	*n = 0;
	/* functions are sorted by name and file already */
	for (uint32_t i = 0; i < f->ndiffers; i++)
		if (is_entry(model, f->differs[i]))
			fill(model, &entry[(*n)++], f->differs[i]);
	return entry;
}
