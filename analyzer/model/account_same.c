// SPDX-License-Identifier: GPL-2.0-only
/* Do statements of a function say what its helper's body says? */
#include "account.h"
#include "effect.h"
#include "syntax.h"

/* Names that are told apart in one helper. */
#define BOUND_MAX 32

struct bound {
	const char *name;         /* of the helper */
	const struct node *to;    /* what a parameter stands for */
	const char *local;        /* what a local is called */
};

struct matching {
	const struct func *helper;
	struct bound bound[BOUND_MAX];
	uint32_t n;
};

static bool is_parameter(const struct matching *m, const char *name)
{
	for (uint32_t i = 0; i < m->helper->nparam; i++)
		if (m->helper->param[i].name == name)
			return true;
	return false;
}

/* To pass it once is to say it as often as the helper does. */
static bool says_nothing_else(const struct node *node)
{
	if (node->kind == N_CALL || node->kind == N_ASSIGN ||
	    node->kind == N_STMTEXPR || node->kind == N_ASM)
		return false;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && !says_nothing_else(node->kid[i]))
			return false;
	return true;
}

/* A local of the helper is one local of the function, and the other way. */
static bool bind_local(struct matching *m, const char *name,
		       const char *local)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->bound[i].to && (m->bound[i].name == name ||
					m->bound[i].local == local))
			return m->bound[i].name == name &&
			       m->bound[i].local == local;
	if (m->n == BOUND_MAX)
		return false;
	m->bound[m->n++] = (struct bound){ name, NULL, local };
	return true;
}

static bool bind_parameter(struct matching *m, const char *name,
			   const struct node *to)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (m->bound[i].to && m->bound[i].name == name)
			return syntax_equal(m->bound[i].to, to);
	if (m->n == BOUND_MAX || !says_nothing_else(to))
		return false;
	m->bound[m->n++] = (struct bound){ name, to, NULL };
	return true;
}

static bool matches(struct matching *m, const struct node *helper,
		    const struct node *fn)
{
	helper = syntax_bare(helper);
	fn = syntax_bare(fn);
	if (!helper || !fn)
		return helper == fn;
	if (helper->kind == N_LOCAL && is_parameter(m, helper->name))
		return bind_parameter(m, helper->name, fn);
	if (helper->kind != fn->kind || helper->op != fn->op ||
	    helper->nkid != fn->nkid)
		return false;
	switch (helper->kind) {
	case N_LOCAL:
		return bind_local(m, helper->name, fn->name);
	case N_DECL:
		if (helper->record != fn->record ||
		    !bind_local(m, helper->name, fn->name))
			return false;
		break;
	case N_GLOBAL: case N_FUNC: case N_FIELD: case N_FIELDINIT:
	case N_GOTO: case N_LABEL:
		if (helper->name != fn->name)
			return false;
		break;
	default:
		if (helper->value != fn->value)
			return false;
		break;
	}
	for (uint32_t i = 0; i < helper->nkid; i++)
		if (!matches(m, helper->kid[i], fn->kid[i]))
			return false;
	return true;
}

static bool has(const struct node *node, const struct node *what)
{
	if (node == what)
		return true;
	for (uint32_t i = 0; node && i < node->nkid; i++)
		if (has(node->kid[i], what))
			return true;
	return false;
}

/* The object that is changed is all that the helper has to be given. */
static bool passes_object(const struct matching *m,
			  const struct accounted *at)
{
	return m->helper->nparam == 1 && m->n && m->bound[0].to &&
	       syntax_equal(m->bound[0].to, at->change->kid[1]);
}

/* "if (more && change) ...", which is "if (more) helper(object)". */
static bool matches_if(struct matching *m, const struct node *helper,
		       const struct node *fn)
{
	const struct node *cond = syntax_bare(fn->kid[0]);
	const struct matching start = *m;

	if (matches(m, helper, fn))
		return true;
	*m = start;
	return cond && cond->kind == N_BINARY && cond->op == OP_ANDAND &&
	       !helper->kid[2] && !fn->kid[2] &&
	       matches(m, helper->kid[0], cond->kid[1]) &&
	       matches(m, helper->kid[1], fn->kid[1]);
}

static const struct node *find_if(const struct node *node,
				  const struct node *change)
{
	const struct node *found = NULL;

	if (node->kind == N_IF && has(node->kid[0], change))
		return node;
	for (uint32_t i = 0; i < node->nkid && !found; i++)
		if (node->kid[i])
			found = find_if(node->kid[i], change);
	return found;
}

struct count {
	const char *name;
	uint32_t n;
};

static bool count_calls(void *data, const struct node *call)
{
	struct count *count = data;

	count->n += syntax_callee(call) == count->name;
	return false;
}

enum account_form account_same(const struct accounted *at, uint32_t *last)
{
	const struct node *helper = facts_body(at->helper->fn->func);
	const struct node *body = facts_body(at->fn->func), *statement;
	struct matching m = { .helper = at->helper->fn->func };
	struct count count = { .name = at->flag->name };
	uint32_t behind;

	if (!helper || !body || at->by != at->fn)
		return ACCOUNT_OTHER;
	(void)syntax_calls(body, count_calls, &count);
	if (count.n != 1)
		return ACCOUNT_OTHER;
	statement = find_if(body, at->change);
	if (helper->nkid == 1 && helper->kid[0]->kind == N_IF && statement &&
	    function_is_void(at->helper->fn) &&
	    matches_if(&m, helper->kid[0], statement)) {
		*last = syntax_last_line(statement);
		return passes_object(&m, at) ? ACCOUNT_IF : ACCOUNT_OTHER;
	}
	m.n = 0;
	if (function_is_void(at->helper->fn) || function_is_void(at->fn) ||
	    body->kind != N_BLOCK || helper->kind != N_BLOCK ||
	    body->nkid < helper->nkid || !helper->nkid)
		return ACCOUNT_OTHER;
	behind = body->nkid - helper->nkid;
	if (body->kid[behind] != statement)
		return ACCOUNT_OTHER;
	for (uint32_t i = 0; i < helper->nkid; i++)
		if (!matches(&m, helper->kid[i], body->kid[behind + i]))
			return ACCOUNT_OTHER;
	*last = at->fn->func->end_line;
	return passes_object(&m, at) ? ACCOUNT_TAIL : ACCOUNT_OTHER;
}

static bool refers(const struct func *func, const char *name)
{
	for (uint32_t i = 0; i < func->nref; i++)
		if (func->ref[i] == name)
			return true;
	return false;
}

/* What @of calls and @other1 and @other2 do not. */
static const char *more(struct program *in, const struct function *of,
			const struct function *other1,
			const struct function *other2)
{
	for (uint32_t i = 0; i < of->func->nref; i++) {
		const char *name = of->func->ref[i];
		enum effect_kind kind;

		/* how a lock is taken says little */
		if (effect_section(in->kernel, name, &kind) < 0 &&
		    program_callee(in, name)->kind == CALLEE_PLAIN &&
		    !refers(other1->func, name) &&
		    !refers(other2->func, name) && name != other1->name &&
		    name != other2->name)
			return name;
	}
	return NULL;
}

bool account_repeats(struct model *model, const struct accounted *at)
{
	return !more(model->feature->in, at->fn, at->helper->fn, at->by);
}

const char *account_differs(struct model *model, const struct accounted *at,
			    const struct function **who)
{
	struct program *in = model->feature->in;
	const struct function *helper = at->helper->fn;
	const char *name = NULL;

	*who = at->fn;
	if (at->by == at->fn)
		name = more(in, at->fn, helper, helper);
	if (name)
		return name;
	*who = helper;
	name = more(in, helper, at->fn, at->by);
	if (name)
		return name;
	*who = at->by;
	name = more(in, at->by, helper, helper);
	if (name)
		return name;
	*who = at->fn;
	return more(in, at->fn, helper, at->by);
}
