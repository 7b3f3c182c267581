// SPDX-License-Identifier: GPL-2.0-only
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "source.h"

/* A plan in the making. */
struct planner {
	const struct plan_input *in;
	struct arena *arena;
	struct remedy *remedy;
	struct plan *plan;
	const char *predicate;
	const struct function *predicate_fn; /* in */
	const struct remedy **later; /* decided by others' patches */
	size_t nlater;
};

static const char *text_of(struct planner *p, const char *file,
			   const struct config *config)
{
	size_t len;

	return tree_read(p->in->tree, config, file, &len);
}

static const char *function_text(struct planner *p, const struct func *func,
				 const struct config *config)
{
	const char *text = text_of(p, func->file, config);

	return text ? source_lines(text, func->start_line, func->end_line,
				   p->arena) : NULL;
}

static void leave_alone(struct planner *p, const struct remedy *r,
			const char *why)
{
	struct left_alone *left = &p->plan->left[p->plan->nleft++];

	left->finding = r->finding;
	left->file = r->finding->file;
	left->line = r->finding->line;
	left->why = why;
}

static struct edit *add_edit(struct patch *patch, const char *cocci,
			     const char *file)
{
	struct edit *edit = &patch->edit[patch->nedit++];

	edit->cocci = cocci;
	edit->file = file;
	return edit;
}

/* Its stub may stand in the same file, before or behind it. */
static int which(const struct remedy *r, const char *file)
{
	const struct func *stub = r->fn->other ? r->fn->other->func : NULL;

	if (strcmp(r->fn->file, file))
		return -1;
	return stub && !r->fn->stays && !strcmp(stub->file, file) &&
	       stub->line < r->fn->func->line;
}

static void edit_name(struct edit *edit, const char *name, const char *value)
{
	if (!value)
		return;
	if (edit->nname == sizeof(edit->name) / sizeof(*edit->name))
		BUG("too many names for '%s'", edit->cocci);
	edit->name[edit->nname++] = (struct edit_name){ name, value };
}

/* --- what is done instead, in the off state --- */

/* The value as the function itself says it, or as its type does. */
static const char *return_text(struct planner *p, const struct remedy *r)
{
	const struct func *func = r->fn->func;
	const char *text;

	if (r->off_line) {
		text = text_of(p, func->file, p->in->in);
		text = text ? source_return(text, r->off_line, p->arena)
			    : NULL;
		if (text)
			return text;
	}
	if (strchr(func->type, '*') &&
	    strchr(func->type, '*') < strchr(func->type, '('))
		return r->off.number ? NULL : "return NULL";
	if (!strncmp(func->type, "bool", 4) || !strncmp(func->type, "_Bool", 5))
		return r->off.number ? "return true" : "return false";
	return arena_printf(p->arena, "return %lld",
			    (long long)r->off.number);
}

/* The stub's body, with the function's names for the parameters. */
static bool stub_arm(struct planner *p, const struct remedy *r,
		     struct patch *patch)
{
	const char *text = function_text(p, r->stub, p->in->out);
	const struct func *func = r->fn->func;
	const char **from;
	char *body, *work, *leave;
	const char *to[32];
	size_t n;

	from = text ? source_parameters(text, r->stub->name, &n, p->arena)
		    : NULL;
	body = from ? source_body(text, p->arena) : NULL;
	if (!body || n != func->nparam)
		return false;
	for (size_t i = 0; i < n; i++)
		to[i] = func->param[i].name;
	body = source_rename(body, from, to, n, p->arena);
	if (!source_arm(body, &work, &leave, p->arena))
		return false;
	patch->work = work;
	patch->leave = leave;
	return true;
}

/* NULL, or what prevents it. */
static const char *choose_arm(struct planner *p, const struct remedy *r,
			      struct patch *patch)
{
	const struct residue *residue = r->verdict->residue;
	const struct func *func = r->fn->func;
	const char *text;
	char off[32];

	/* what it says itself goes before what its stub says */
	if (r->expression && r->expression->line && !residue->nstub &&
	    r->off.kind != V_CONST) {
		text = text_of(p, func->file, p->in->in);
		if (text && r->local) {
			text = source_assigned(text, r->expression->line,
					       r->local, p->arena);
			text = text ? arena_printf(p->arena, "return %s",
						   text) : NULL;
		} else if (text) {
			text = source_return(text, r->expression->line,
					     p->arena);
		}
		patch->leave = text;
		if (text)
			return NULL;
	}
	if (r->stub && (residue->nstub || (r->stub_does &&
					   r->off.kind != V_CONST))) {
		if (!stub_arm(p, r, patch))
			return "what its stub does cannot be said in one "
			       "arm of a condition";
		if (!residue->nstub || r->off.kind != V_CONST)
			return NULL;
		/* the stub's work, but today's value */
		patch->leave = return_text(p, r);
		return patch->leave ? NULL : "its value cannot be written";
	}
	if (func->flags & FUNC_VOID) {
		patch->leave = "return";
		return NULL;
	}
	if (r->off.kind == V_CONST) {
		patch->leave = return_text(p, r);
		return patch->leave ? NULL : "its value cannot be written";
	}
	return arena_printf(p->arena, "what it returns in the off state is "
			    "%s, which its stub does not say either",
			    value_text(r->off, *func->ret_record, off));
}

/* --- a wrapper --- */

static bool is_free(struct planner *p, const struct remedy *r,
		    const char *name)
{
	const char *text = text_of(p, r->fn->file, p->in->in);
	const char *header = text_of(p, r->decl->file, p->in->in);

	for (size_t i = 0; i < p->plan->npatch; i++)
		for (size_t k = 0; k < p->plan->patch[i].nrename; k++)
			if (!strcmp(p->plan->patch[i].rename[k].inner, name))
				return false;
	return !model_knows(p->in->model, name) &&
	       text && !source_names(text, name) &&
	       header && !source_names(header, name);
}

/*
 * "__name"; "do_name" where that is taken or the name has underscores
 * already; NULL where both are.
 */
static const char *inner_name(struct planner *p, const struct remedy *r)
{
	const char *name = r->fn->name, *inner;

	if (strncmp(name, "__", 2)) {
		inner = arena_printf(p->arena, "__%s", name);
		if (is_free(p, r, inner))
			return inner;
	}
	inner = arena_printf(p->arena, "do_%s", name + strspn(name, "_"));
	return is_free(p, r, inner) ? inner : NULL;
}

/*
 * Make sure that line @line of @file sees the predicate, by one more include
 * if need be. NULL, or what stands in the way.
 */
static const char *see_predicate(struct planner *p, struct patch *patch,
				 const char *file, uint32_t line)
{
	const struct function *fn = p->predicate_fn;
	const char *anchor;
	struct edit *edit;

	if (!fn)
		return arena_printf(p->arena, "'%s' is no function here",
				    p->predicate);
	if (source_sees(p->in->tree, p->in->in, file, line, fn->file,
			fn->func->line))
		return NULL;
	if (!source_may_include(p->in->tree, p->in->in, file, fn->file))
		return arena_printf(p->arena, "%s does not see '%s', and %s, "
				    "where it is, includes that file", file,
				    p->predicate, fn->file);
	anchor = source_last_include(text_of(p, file, p->in->in), p->arena);
	if (!anchor)
		return arena_printf(p->arena, "%s does not see '%s' and "
				    "includes nothing yet", file,
				    p->predicate);
	edit = add_edit(patch, "include", file);
	edit_name(edit, "anchor", anchor);
	edit_name(edit, "header", fn->file + strlen("include/"));
	edit->once = true;
	return NULL;
}

/* NULL, or why the function cannot have an inline wrapper. */
static const char *no_wrapper(struct planner *p, const struct remedy *r)
{
	const struct func *func = r->fn->func;
	const char *text;
	size_t n;

	if (!r->decl)
		return "no header declares it";
	if (r->taken || r->callback)
		return "its address is taken";
	if (func->flags & (FUNC_WEAK | FUNC_MACRO | FUNC_NOPARAM_PROTO))
		return "it is no plain definition";
	if (p->in->keep_exports && (func->flags & FUNC_EXPORTED))
		return "its export is kept";
	text = function_text(p, func, p->in->in);
	if (!text || !source_parameters(text, func->name, &n, p->arena) ||
	    n != func->nparam || strstr(func->type, "..."))
		return "its parameters have no plain names";
	if (!inner_name(p, r))
		return "the names that it could get are taken";
	return NULL;
}

static const char *arguments(struct planner *p, const struct func *func)
{
	const char *text = "";

	for (uint32_t i = 0; i < func->nparam; i++)
		text = arena_printf(p->arena, "%s%s%s", text, i ? ", " : "",
				    func->param[i].name);
	return text;
}

/* Callers that have tested call what is wrapped. */
static void follow(const struct remedy *r, struct patch *patch)
{
	const struct function *last = NULL;

	for (uint32_t i = 0; i < r->ncall; i++) {
		const struct function *caller = r->call[i].caller;
		struct edit *edit;
		bool all = true;

		if (caller == last || caller->header)
			continue;
		last = caller;
		for (uint32_t k = i; k < r->ncall &&
		     r->call[k].caller == caller; k++)
			all &= r->call[k].tested;
		if (!all)
			continue;
		edit = add_edit(patch, "follow", caller->file);
		edit_name(edit, "caller", caller->name);
		edit_name(edit, "fn", r->fn->name);
		edit_name(edit, "inner", patch->rename[0].inner);
		edit->optional = true;
	}
}

/* NULL, or what prevents it; then the patch has no edit. */
static const char *wrap(struct planner *p, const struct remedy *r,
			struct patch *patch)
{
	const struct func *func = r->fn->func;
	const char *const file[] = { r->decl->file, func->file };
	const char *why = no_wrapper(p, r);
	struct rename *rename;

	if (!why)
		why = see_predicate(p, patch, file[0], r->decl->line);
	if (why)
		return why;
	patch->kind = "wrap";
	patch->function = func->name;
	rename = &patch->rename[patch->nrename];
	*rename = (struct rename){
		.name = func->name, .inner = inner_name(p, r),
		.header = file[0], .source = file[1],
		.export = func->flags & FUNC_EXPORTED_GPL ?
			  "EXPORT_SYMBOL_GPL" : func->flags & FUNC_EXPORTED ?
			  "EXPORT_SYMBOL" : NULL,
	};
	patch->nrename++;
	for (size_t i = 0; i < 2; i++) {
		struct edit *edit = add_edit(patch, "wrap", file[i]);

		edit->nth = which(r, file[i]);
		edit_name(edit, "fn", func->name);
		edit_name(edit, "inner", rename->inner);
		edit_name(edit, "predicate", p->predicate);
		edit_name(edit, "leave", patch->leave);
		edit_name(edit, "work", patch->work);
		edit_name(edit, "call", arena_printf(p->arena, "%s%s(%s)",
			func->flags & FUNC_VOID ? "" : "return ",
			rename->inner, arguments(p, func)));
	}
	follow(r, patch);
	return NULL;
}

/* The same. */
static const char *guard(struct planner *p, const struct remedy *r,
			 struct patch *patch)
{
	const char *text = function_text(p, r->fn->func, p->in->in);
	const char *why = see_predicate(p, patch, r->fn->file,
					r->fn->func->start_line);
	struct edit *edit;

	if (why)
		return why;
	patch->kind = text && source_names(text, p->predicate) ?
		      "move-guard" : "guard";
	patch->function = r->fn->name;
	edit = add_edit(patch, patch->kind, r->fn->file);
	edit->nth = which(r, r->fn->file);
	edit_name(edit, "fn", r->fn->name);
	edit_name(edit, "predicate", p->predicate);
	edit_name(edit, "leave", patch->leave);
	edit_name(edit, "work", patch->work);
	return NULL;
}

/* --- one finding --- */

static struct patch *new_patch(struct planner *p, const struct remedy *r)
{
	struct patch *patch = &p->plan->patch[p->plan->npatch++];

	*patch = (struct patch){
		.predicate = p->predicate,
		.function = r->finding->function,
		.remedy = ARENA_ARRAY(p->arena, const struct remedy *,
				      p->in->nfinding),
		.edit = ARENA_ARRAY(p->arena, struct edit,
				    2 * p->in->nfinding + r->ncall + 8),
		.rename = ARENA_ARRAY(p->arena, struct rename,
				      p->in->nfinding),
	};
	patch->remedy[patch->nremedy++] = r;
	patch->saves = r->finding->heat * r->finding->residue;
	return patch;
}

static void drop_patch(struct planner *p)
{
	p->plan->npatch--;
}

/* What a guard at the top of it would take away with the residue. */
static const char *no_guard(struct planner *p, const struct remedy *r)
{
	const struct verdict *v = r->verdict;
	char a[32], b[32];

	if (v->residue->cut)
		return "not all that it does was followed";
	if (v->reason == BECAUSE_VALUE)
		return arena_printf(p->arena,
			"it returns %s in the off state and its stub %s: a "
			"guard would change what its callers do",
			value_text(v->off, false, a),
			value_text(v->stub, false, b));
	if (v->reason == BECAUSE_RAISED || v->reason == BECAUSE_MEMORY)
		return arena_printf(p->arena,
			"'%s', which it sets, is only a part of what it does",
			v->flag->name);
	if (r->fn->stays)
		return "it has its own work with and without the feature: "
		       "only parts of it could be guarded";
	return NULL;
}

/* Work that comes back is not asked for in the first place. */
static const char *guard_call(struct planner *p, const struct remedy *r,
			      struct patch *patch)
{
	const char *why = see_predicate(p, patch, r->fn->file,
					r->fn->func->start_line);
	struct edit *edit;

	if (why)
		return why;
	patch->kind = "guard-call";
	edit = add_edit(patch, patch->kind, r->fn->file);
	edit->nth = which(r, r->fn->file);
	edit_name(edit, "fn", r->fn->name);
	edit_name(edit, "callee", r->periodic);
	edit_name(edit, "predicate", p->predicate);
	return NULL;
}

static const char *wrap_or_guard(struct planner *p, const struct remedy *r,
				 struct patch *patch)
{
	const char *why = no_guard(p, r);

	if (!why)
		why = choose_arm(p, r, patch);
	if (why || !r->outline)
		return why ? why : guard(p, r, patch);
	why = wrap(p, r, patch);
	if (!why)
		return NULL;
	if (r->verdict->rule == VERDICT_OUTLINE)
		return arena_printf(p->arena, "it cannot have an inline "
				    "wrapper: %s", why);
	patch->fallback = why;
	return guard(p, r, patch);
}

static void plan_guard(struct planner *p, const struct remedy *r)
{
	struct patch *patch;
	const char *why;

	if (r->asked_by) {
		p->later[p->nlater++] = r;
		return;
	}
	patch = new_patch(p, r);
	why = r->periodic ? guard_call(p, r, patch) :
			    wrap_or_guard(p, r, patch);
	if (!why)
		return;
	drop_patch(p);
	leave_alone(p, r, why);
}

/* What goes away with the patch of who asks for it. */
static void plan_later(struct planner *p)
{
	for (size_t i = 0; i < p->nlater; i++) {
		const struct remedy *r = p->later[i];
		struct patch *patch = NULL;

		for (size_t k = 0; k < p->plan->npatch; k++)
			if (p->plan->patch[k].remedy[0]->fn == r->asked_by)
				patch = &p->plan->patch[k];
		if (patch)
			patch->remedy[patch->nremedy++] = r;
		else
			leave_alone(p, r, arena_printf(p->arena,
				"it goes away with '%s', which asks for it",
				r->asked_by->name));
	}
}

static void plan_unguard(struct planner *p, const struct remedy *r)
{
	struct patch *patch = new_patch(p, r);
	struct edit *edit;

	patch->kind = "unguard";
	if (r->wrapper) {
		edit = add_edit(patch, "follow", r->fn->file);
		edit_name(edit, "caller", r->fn->name);
		edit_name(edit, "fn", r->wrapper->name);
		edit_name(edit, "inner", r->wrapped->name);
		return;
	}
	edit = add_edit(patch, "unguard", r->fn->file);
	edit->nth = which(r, r->fn->file);
	edit_name(edit, "fn", r->fn->name);
	edit_name(edit, "predicate", p->predicate);
}

static void plan_one(struct planner *p, const struct remedy *r)
{
	if (!strcmp(r->finding->rule, "redundant-guard"))
		plan_unguard(p, r);
	else if (r->verdict)
		plan_guard(p, r);
	else
		leave_alone(p, r, "there is no fix for this rule yet");
}

/* --- what goes together --- */

static bool same_function(const struct patch *a, const struct patch *b)
{
	return a->remedy[0]->fn && a->remedy[0]->fn == b->remedy[0]->fn;
}

/* Both keep the same field up: one without the other is wrong. */
static bool same_state(const struct patch *a, const struct patch *b)
{
	const struct remedy *x = a->remedy[0], *y = b->remedy[0];

	if (!x->fn || !y->fn || strcmp(x->fn->file, y->fn->file))
		return false;
	for (uint32_t i = 0; i < x->nstore; i++)
		for (uint32_t k = 0; k < y->nstore; k++)
			if (x->store[i] == y->store[k])
				return true;
	return false;
}

static void take_in(struct planner *p, struct patch *into, size_t index)
{
	struct plan *plan = p->plan;
	const struct patch *from = &plan->patch[index];

	for (size_t i = 0; i < from->nremedy; i++)
		into->remedy[into->nremedy++] = from->remedy[i];
	for (size_t i = 0; i < from->nedit; i++)
		into->edit[into->nedit++] = from->edit[i];
	for (size_t i = 0; i < from->nrename; i++)
		into->rename[into->nrename++] = from->rename[i];
	into->saves += from->saves;
	plan->npatch--;
	memmove(&plan->patch[index], &plan->patch[index + 1],
		(plan->npatch - index) * sizeof(*plan->patch));
}

static void bring_together(struct planner *p)
{
	struct plan *plan = p->plan;

	for (size_t i = 0; i < plan->npatch; i++)
		for (size_t k = plan->npatch - 1; k > i; k--)
			if (same_function(&plan->patch[i],
					  &plan->patch[k]) ||
			    same_state(&plan->patch[i], &plan->patch[k]))
				take_in(p, &plan->patch[i], k);
}

static bool is_wrap(const struct patch *patch)
{
	return !strcmp(patch->kind, "wrap");
}

/* Guards first, then wrappers; the dearest of each first. */
static int by_worth(const void *a, const void *b)
{
	const struct patch *x = a, *y = b;
	int d = is_wrap(x) - is_wrap(y);

	if (!d)
		d = (x->saves < y->saves) - (x->saves > y->saves);
	if (!d)
		d = strcmp(x->remedy[0]->finding->file,
			   y->remedy[0]->finding->file);
	return d ? d : strcmp(x->remedy[0]->finding->id,
			      y->remedy[0]->finding->id);
}

struct plan *plan_make(const struct plan_input *input)
{
	struct planner p = {
		.in = input, .arena = input->arena,
		.plan = ARENA_NEW(input->arena, struct plan),
		.predicate = input->rules->predicate.name[0],
	};
	size_t n = input->nfinding;

	p.plan->patch = ARENA_ARRAY(p.arena, struct patch, n);
	p.plan->left = ARENA_ARRAY(p.arena, struct left_alone, n);
	p.remedy = model_remedies(input->model, input->finding, n);
	p.predicate_fn = model_function(input->model, p.predicate);
	p.later = ARENA_ARRAY(p.arena, const struct remedy *, n);
	for (size_t i = 0; i < n; i++)
		plan_one(&p, &p.remedy[i]);
	plan_later(&p);
	bring_together(&p);
	qsort(p.plan->patch, p.plan->npatch, sizeof(*p.plan->patch),
	      by_worth);
	return p.plan;
}
