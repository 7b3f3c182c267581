// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "../analyzer/model/arm.h"
#include "planner.h"
#include "taken.h"

/* What stands in a line of a wrapper's arm, behind two tabs and before ';'. */
#define ARM_COLUMNS (80 - 16 - 1)

const char *planner_text(struct planner *p, const char *file,
			   const struct config *config)
{
	size_t len;

	return tree_read(p->in->tree, config, file, &len);
}

static const char *function_text(struct planner *p, const struct func *func,
				 const struct config *config)
{
	const char *text = planner_text(p, func->file, config);

	return text ? source_lines(text, func->start_line, func->end_line,
				   p->arena) : NULL;
}

bool planner_comments(struct planner *p, const char *file, uint32_t from,
		      uint32_t to)
{
	const char *text = planner_text(p, file, p->in->in);

	text = text ? source_lines(text, from, to, p->arena) : NULL;
	return text && (strstr(text, "/*") || strstr(text, "//"));
}

struct edit *planner_edit(struct planner *p, struct patch *patch,
			  const char *cocci, const char *file)
{
	struct edit *edit;

	/* grows at the powers of two */
	if (!(patch->nedit & (patch->nedit - 1))) {
		struct edit *more = ARENA_ARRAY(p->arena, struct edit,
				patch->nedit ? 2 * patch->nedit : 1);

		if (patch->nedit)
			memcpy(more, patch->edit,
			       patch->nedit * sizeof(*more));
		patch->edit = more;
	}
	edit = &patch->edit[patch->nedit++];
	edit->cocci = cocci;
	edit->file = file;
	return edit;
}

/* Its stub may stand in the same file, before or behind it. */
int planner_which(const struct remedy *r, const char *file)
{
	const struct func *stub = r->fn->other ? r->fn->other->func : NULL;

	if (strcmp(r->fn->file, file))
		return -1;
	return stub && !r->fn->stays && !strcmp(stub->file, file) &&
	       stub->line < r->fn->func->line;
}

void planner_name(struct edit *edit, const char *name, const char *value)
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
		text = planner_text(p, func->file, p->in->in);
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
	const char **to;
	size_t n;

	from = text ? source_parameters(text, r->stub->name, &n, p->arena)
		    : NULL;
	body = from ? source_body(text, p->arena) : NULL;
	if (!body || n != func->nparam)
		return false;
	to = ARENA_ARRAY(p->arena, const char *, n);
	for (size_t i = 0; i < n; i++)
		to[i] = func->param[i].name;
	body = source_rename(body, from, to, n, p->arena);
	if (!source_arm(body, &work, &leave, p->arena))
		return false;
	patch->work = work;
	patch->leave = leave;
	return true;
}

void plan_stub_arm(struct planner *p, const struct remedy *r,
		   struct patch *patch)
{
	if (r->stub && stub_arm(p, r, patch))
		patch->own = false;
}

/*
 * "T x = e" and "return x" in one: what follows a declaration would need an
 * empty line between. NULL if @declaration is of another shape.
 */
static const char *folded(struct planner *p, const char *declaration,
			  const char *leave)
{
	const char *name = leave + strlen("return");
	const char *equals = strchr(declaration, '=');
	size_t len;

	name += strspn(name, " ");
	len = strlen(name);
	if (!equals || equals - declaration < (ptrdiff_t)len + 2 ||
	    equals[-1] != ' ' || !len ||
	    strncmp(equals - 1 - len, name, len) ||
	    !strchr(" *", equals[-2 - (ptrdiff_t)len]))
		return NULL;
	return arena_printf(p->arena, "return %s",
			    equals + 1 + strspn(equals + 1, " "));
}

/* Is @text "NAME = ..." or, where it @declares, "TYPE NAME"? */
static bool is_about(const char *text, const char *name, bool declares)
{
	size_t len = strlen(text), n = strlen(name);

	if (!declares)
		return !strncmp(text, name, n) && !strncmp(text + n, " = ", 3);
	return len > n + 1 && !strcmp(text + len - n, name) &&
	       strchr(" *", text[len - n - 1]) && !strpbrk(text, "=,;");
}

/*
 * "T x", "x = e" and "return x", which are all there is, in one. What is
 * longer than a line there stays in three.
 */
static const char *returned(struct planner *p, const struct func *func,
			    const char *const part[3])
{
	const char *name = part[2] + strlen("return ");
	const char *text;
	size_t type;

	if (strncmp(part[2], "return ", 7) || !is_about(part[0], name, true) ||
	    !is_about(part[1], name, false) || strchr(part[1], '\n'))
		return NULL;
	/* to be assigned to another type of number may change it */
	type = strlen(part[0]) - strlen(name);
	if (part[0][type - 1] != '*' &&
	    (strncmp(func->type, part[0], type) || func->type[type] != '('))
		return NULL;
	text = arena_printf(p->arena, "return %s", part[1] + strlen(name) + 3);
	return strlen(text) <= ARM_COLUMNS ? text : NULL;
}

/*
 * Its own statements, as far as they are left: a wrapper's arm then does what
 * the function does, which its stub need not do to the letter.
 */
static bool own_arm(struct planner *p, const struct remedy *r, bool bare,
		    struct patch *patch)
{
	const char *text = planner_text(p, r->fn->func->file, p->in->in);
	const char *work = NULL, *leave = NULL, **part;
	struct arm arm;

	if (!text || !arm_of(p->in->model, r->fn, bare, &arm) || !arm.n)
		return false;
	/* a wrapper stands in the header */
	if (r->outline && arm.own_file)
		return false;
	part = ARENA_ARRAY(p->arena, const char *, arm.n);
	for (size_t i = 0; i < arm.n; i++) {
		part[i] = source_statement(text, arm.line[i], p->arena);
		if (!part[i])
			return false;
	}
	if (arm.n == 3)
		leave = returned(p, r->fn->func, part);
	for (size_t i = 0; !leave && i < arm.n; i++) {
		if (i + 1 == arm.n && !strncmp(part[i], "return", 6)) {
			leave = part[i];
			if (i && arm.declares[i - 1])
				leave = i > 1 ? NULL :
					folded(p, work, part[i]);
			if (!leave)
				return false;
			if (leave != part[i])
				work = NULL;
		} else {
			work = work ? arena_printf(p->arena, "%s;\n%s\t\t%s",
				work, arm.declares[i - 1] &&
				!arm.declares[i] ? "\n" : "", part[i]) :
				part[i];
		}
	}
	patch->work = work;
	patch->leave = leave ? leave : "return";
	patch->own = true;
	return true;
}

/* NULL, or what prevents it. */
const char *plan_arm(struct planner *p, const struct remedy *r,
			      struct patch *patch)
{
	const struct residue *residue = r->verdict->residue;
	const struct func *func = r->fn->func;
	const char *text;
	char off[32];

	/* what it says itself goes before what its stub says */
	if (r->expression && r->expression->line && !residue->nstub &&
	    r->off.kind != V_CONST) {
		text = planner_text(p, func->file, p->in->in);
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
		if (!r->bare &&
		    own_arm(p, r, r->verdict->rule != VERDICT_OUTLINE, patch))
			return NULL;
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
	const char *text = planner_text(p, r->fn->file, p->in->in);
	const char *header = planner_text(p, r->decl->file, p->in->in);

	for (size_t i = 0; i < p->plan->npatch; i++)
		for (size_t k = 0; k < p->plan->patch[i].nrename; k++)
			if (!strcmp(p->plan->patch[i].rename[k].inner, name))
				return false;
	if (!p->taken)
		p->taken = taken_names(p->in->tree, &p->in->kernel->exclude,
				       p->arena);
	return !model_knows(p->in->model, name) &&
	       !interned(p->taken, name) && text && !source_names(text, name) &&
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

/* The name of a function, wherever the plan has it. */
static void rename_inner(struct planner *p, const char *from, const char *to)
{
	for (size_t i = 0; i < p->plan->npatch; i++) {
		struct patch *patch = &p->plan->patch[i];

		for (size_t k = 0; k < patch->nedit; k++)
			for (size_t j = 0; j < patch->edit[k].nname; j++) {
				const char **v = &patch->edit[k].name[j].value;

				*v = source_rename(*v, &from, &to, 1,
						   p->arena);
			}
		for (size_t k = 0; k <= patch->npart; k++) {
			struct patch *one = k ? &patch->part[k - 1] : patch;

			for (size_t j = 0; j < one->nrename; j++)
				if (!strcmp(one->rename[j].inner, from))
					one->rename[j].inner = to;
		}
	}
}

void plan_name_alike(struct planner *p, struct patch *patch)
{
	bool other = false;

	for (size_t i = 0; i < patch->nrename; i++)
		other |= !strncmp(patch->rename[i].inner, "do_", 3);
	for (size_t i = 0; other && i < patch->nrename; i++) {
		const struct rename *rename = &patch->rename[i];
		const char *inner = arena_printf(p->arena, "do_%s",
						 rename->name);

		if (!strncmp(rename->inner, "__", 2) &&
		    is_free(p, rename->remedy, inner))
			rename_inner(p, rename->inner, inner);
	}
}

/* Is there an #if within the head of a function? */
static bool is_split(const char *text)
{
	for (; *text && *text != '{'; text += strcspn(text, "\n"),
				      text += *text == '\n')
		if (*text == '#')
			return true;
	return false;
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
	if (text && is_split(text))
		return "its head is another one in another configuration";
	if (!text || !source_parameters(text, func->name, &n, p->arena) ||
	    n != func->nparam || strstr(func->type, "..."))
		return "its parameters have no plain names";
	if (!inner_name(p, r))
		return "the names that it could get are taken";
	return NULL;
}

/* The names that the prototype gives to the parameters, or the function's. */
static const char **parameters(struct planner *p, const struct remedy *r)
{
	const struct func *func = r->fn->func;
	const char **own = ARENA_ARRAY(p->arena, const char *, func->nparam);
	const char *text = planner_text(p, r->decl->file, p->in->in);
	const char **names;
	size_t n;

	/* it is declared in a few lines */
	text = text ? source_lines(text, r->decl->line, r->decl->line + 12,
				   p->arena) : NULL;
	names = text ? source_parameters(text, func->name, &n, p->arena)
		     : NULL;
	if (names && n == func->nparam)
		return names;
	for (uint32_t i = 0; i < func->nparam; i++)
		own[i] = func->param[i].name;
	return own;
}

static const char *arguments(struct planner *p, const char **name, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(p->arena, "%s%s%s", text, i ? ", " : "",
				    name[i]);
	return text;
}

/* In the words of the prototype. */
static const char *renamed(struct planner *p, const char *text,
			   const struct func *func, const char **to)
{
	const char **from = ARENA_ARRAY(p->arena, const char *, func->nparam);

	for (uint32_t i = 0; i < func->nparam; i++)
		from[i] = func->param[i].name;
	return text ? source_rename(text, from, to, func->nparam, p->arena)
		    : NULL;
}

/* It is compiled without the feature too, and then has the stub to call. */
static bool calls_stub(const struct function *caller, const char *name)
{
	const struct func *func = caller->other ? caller->other->func : NULL;

	for (uint32_t i = 0; func && i < func->nref; i++)
		if (!strcmp(func->ref[i], name))
			return true;
	return false;
}

/* Has it tested, itself or by a wrapper that @patch gives it? */
static bool has_tested(const struct patch *patch,
		       const struct remedy_call *call)
{
	for (size_t i = 0; i < patch->nrename; i++)
		if (!strcmp(patch->rename[i].name, call->caller->name))
			return true;
	return call->tested;
}

void plan_follow(struct planner *p, const struct remedy *r, const char *inner,
		 struct patch *patch)
{
	const struct function *last = NULL;

	for (uint32_t i = 0; i < r->ncall; i++) {
		const struct function *caller = r->call[i].caller;
		struct edit *edit;
		bool all = true;

		if (caller == last || caller->header ||
		    calls_stub(caller, r->fn->name))
			continue;
		last = caller;
		for (uint32_t k = i; k < r->ncall &&
		     r->call[k].caller == caller; k++)
			all &= has_tested(patch, &r->call[k]);
		if (!all)
			continue;
		edit = planner_edit(p, patch, "follow", caller->file);
		planner_name(edit, "caller", caller->name);
		planner_name(edit, "fn", r->fn->name);
		planner_name(edit, "inner", inner);
		edit->optional = true;
	}
}

/* NULL, or what prevents it; then the patch has no edit. */
const char *plan_wrap(struct planner *p, const struct remedy *r,
		      struct patch *patch)
{
	const struct func *func = r->fn->func;
	const char *const file[] = { r->decl->file, func->file };
	const char *why = no_wrapper(p, r);
	struct rename *rename;
	const char **name;

	if (!why)
		why = plan_arm_seen(p, patch, file[0], r->decl->line);
	if (!why)
		why = plan_sight(p, patch, file[0], r->decl->line);
	if (why)
		return why;
	patch->kind = "wrap";
	name = parameters(p, r);
	patch->leave = renamed(p, patch->leave, func, name);
	patch->work = renamed(p, patch->work, func, name);
	patch->function = func->name;
	rename = &patch->rename[patch->nrename];
	*rename = (struct rename){
		.name = func->name, .inner = inner_name(p, r),
		.header = file[0], .source = file[1],
		.export = func->flags & FUNC_EXPORTED ?
			  source_declarer(planner_text(p, file[1], p->in->in),
					  func->name, p->arena) : NULL,
		.gpl = func->flags & FUNC_EXPORTED_GPL, .remedy = r,
	};
	patch->nrename++;
	for (size_t i = 0; i < 2; i++) {
		struct edit *edit = planner_edit(p, patch, "wrap", file[i]);

		edit->nth = planner_which(r, file[i]);
		planner_name(edit, "fn", func->name);
		planner_name(edit, "inner", rename->inner);
		planner_name(edit, "predicate", p->predicate);
		planner_name(edit, "leave", patch->leave);
		planner_name(edit, "work", patch->work);
		edit->renames = i ? func->name : NULL;
		planner_name(edit, "call", arena_printf(p->arena, "%s%s(%s)",
			func->flags & FUNC_VOID ? "" : "return ",
			rename->inner,
			arguments(p, name, func->nparam)));
	}
	plan_follow(p, r, rename->inner, patch);
	return NULL;
}

/* The same. */
const char *plan_guard(struct planner *p, const struct remedy *r,
		       struct patch *patch)
{
	const char *text = function_text(p, r->fn->func, p->in->in);
	const char *why = NULL;
	struct edit *edit;

	if (r->fn->header)
		why = plan_arm_seen(p, patch, r->fn->file,
				    r->fn->func->start_line);
	if (!why)
		why = plan_sight(p, patch, r->fn->file,
				 r->fn->func->start_line);
	if (why)
		return why;
	patch->kind = text && source_names(text, p->predicate) ?
		      "move-guard" : "guard";
	patch->function = r->fn->name;
	edit = planner_edit(p, patch, patch->kind, r->fn->file);
	edit->nth = planner_which(r, r->fn->file);
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "predicate", p->predicate);
	planner_name(edit, "leave", patch->leave);
	planner_name(edit, "work", patch->work);
	return NULL;
}

/* Work that comes back is not asked for in the first place. */
const char *plan_guard_call(struct planner *p, const struct remedy *r,
			    struct patch *patch)
{
	const char *why = plan_sight(p, patch, r->fn->file,
					r->fn->func->start_line);
	struct edit *edit;

	if (why)
		return why;
	patch->kind = "guard-call";
	edit = planner_edit(p, patch, patch->kind, r->fn->file);
	edit->nth = planner_which(r, r->fn->file);
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "callee", r->periodic);
	planner_name(edit, "predicate", p->predicate);
	return NULL;
}

/* What one side of a comparison decides is asked before both. */
const char *plan_guard_compare(struct planner *p, const struct remedy *r,
			       struct patch *patch)
{
	const struct event *known = r->verdict->known;
	const char *why = plan_sight(p, patch, r->fn->file,
				     r->fn->func->start_line);
	struct edit *edit;

	if (why)
		return why;
	if (!known->name)
		return "what it compares is no call";
	patch->kind = "guard-compare";
	edit = planner_edit(p, patch, patch->kind, r->fn->file);
	edit->nth = planner_which(r, r->fn->file);
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "side", known->name);
	planner_name(edit, "predicate", p->predicate);
	if ((known->node->op == OP_EQ) != (value_truth(*known->value) == 1))
		edit->form = "differ";
	return NULL;
}

/* Where a wrapper makes the second test, what it wraps is called instead. */
const char *plan_unguard(struct planner *p, const struct remedy *r,
			 struct patch *patch)
{
	struct edit *edit;

	patch->kind = "unguard";
	if (r->wrapper) {
		edit = planner_edit(p, patch, "follow", r->fn->file);
		planner_name(edit, "caller", r->fn->name);
		planner_name(edit, "fn", r->wrapper->name);
		planner_name(edit, "inner", r->wrapped->name);
		return NULL;
	}
	edit = planner_edit(p, patch, "unguard", r->fn->file);
	edit->nth = planner_which(r, r->fn->file);
	planner_name(edit, "fn", r->fn->name);
	planner_name(edit, "predicate", p->predicate);
	return NULL;
}
