// SPDX-License-Identifier: GPL-2.0-only
/* Statements: where control goes, and what is known there. */
#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "walk.h"

/* A condition that leaves the function is taken to do so one time in five. */
#define STAYS 0.8
#define ARM 0.5
#define UNLIKELY 0.01

static bool has_label(const struct node *s)
{
	if (s->kind == N_LABEL || s->kind == N_CASE)
		return true;
	for (uint32_t i = 0; i < s->nkid; i++)
		if (s->kid[i] && has_label(s->kid[i]))
			return true;
	return false;
}

/* The env is not gone, but nothing is reached with it. */
static struct env *reached(struct walk *w, struct env *env)
{
	if (env && env->dead) {
		walk_drop(w, env);
		return NULL;
	}
	return env;
}

struct env *walk_leave_scopes(struct walk *w, uint32_t n, struct env *env)
{
	for (uint32_t i = w->ncleanup; env && i > n; i--) {
		walk_value(w, w->cleanup[i - 1], env);
		env = reached(w, env);
	}
	return env;
}

static void due_later(struct walk *w, const struct node *call)
{
	if (w->ncleanup == w->cleanup_cap) {
		w->cleanup_cap = w->cleanup_cap ? w->cleanup_cap * 2 : 8;
		w->cleanup = xrealloc(w->cleanup, w->cleanup_cap *
				      sizeof(*w->cleanup));
	}
	w->cleanup[w->ncleanup++] = call;
}

/* The truth of @c, without what evaluating it does. */
static int silent_truth(struct walk *w, const struct node *c,
			const struct env *env)
{
	uint32_t n = w->world->nevent, escapes = w->escapes;
	struct env *copy = walk_copy(w, env);
	int truth = value_truth(walk_value(w, c, copy));

	walk_drop(w, copy);
	w->world->nevent = n;
	w->escapes = escapes;
	return truth;
}

/* 1: the condition is unlikely, -1: its opposite is. */
static int unlikely(struct walk *w, const struct node *c,
		    const struct env *env)
{
	const struct node *f;
	int a, b, whole;

	c = walk_strip(c);
	if (c->kind == N_UNARY && c->op == OP_NOT)
		return -unlikely(w, c->kid[0], env);
	if (c->kind == N_BINARY &&
	    (c->op == OP_ANDAND || c->op == OP_OROR)) {
		/* one part says it of the whole, or both do */
		whole = c->op == OP_ANDAND ? 1 : -1;
		a = unlikely(w, c->kid[0], env);
		b = unlikely(w, c->kid[1], env);
		if (a == whole || b == whole)
			return whole;
		if (a && b)
			return -whole;
		/* or the other part is decided */
		if (a && silent_truth(w, c->kid[1], env) == (whole == 1))
			return a;
		if (b && silent_truth(w, c->kid[0], env) == (whole == 1))
			return b;
		return 0;
	}
	if (c->kind != N_CALL)
		return 0;
	f = walk_strip(c->kid[0]);
	if (f->kind != N_FUNC)
		return 0;
	switch (program_callee(w->program, f->name)->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN:
		return 1;
	default:
		return 0;
	}
}

/* Is anything done below @s, other than to go elsewhere with some value? */
static bool does_something(struct walk *w, const struct node *s)
{
	const struct node *f;

	switch (s->kind) {
	case N_ASSIGN: case N_LOOP: case N_ASM:
		return true;
	case N_CALL:
		f = walk_strip(s->kid[0]);
		if (f->kind != N_FUNC)
			return true;
		switch (program_callee(w->program, f->name)->kind) {
		case CALLEE_WARN: case CALLEE_NOTHING: case CALLEE_EXPECT:
		case CALLEE_UNLIKELY:
			break;
		default:
			return true;
		}
		break;
	default:
		break;
	}
	for (uint32_t i = 0; i < s->nkid; i++)
		if (s->kid[i] && does_something(w, s->kid[i]))
			return true;
	return false;
}

static struct env *known_if(struct walk *w, const struct node *s,
			    struct value v, struct env *env)
{
	const int truth = value_truth(v);
	const struct node *live = s->kid[truth ? 1 : 2];
	const struct node *dead = s->kid[truth ? 2 : 1];
	const uint32_t test = w->world->nevent;
	bool told;

	walk_test(w, env, v);
	told = w->world->nevent > test;
	if (live)
		env = walk_statement(w, live, env);
	/* "if (group == root) return;" is no guard where the group is NULL */
	if (told && env && (!dead || !does_something(w, dead)))
		w->world->event[test].flags |= EVENT_IDLE;
	if (dead && w->scope->labels && has_label(dead))
		env = walk_merge(w, env, walk_statement(w, dead, NULL));
	return env;
}

static struct env *if_statement(struct walk *w, const struct node *s,
				struct env *env)
{
	struct value v = walk_value(w, s->kid[0], env);
	int truth = value_truth(v), odd;
	bool cold = w->cold;
	double freq = w->freq;
	struct env *no;

	env = reached(w, env);
	if (!env) /* labels below may still be reached */
		return walk_merge(w, s->kid[1] ?
			walk_statement(w, s->kid[1], NULL) : NULL,
			s->kid[2] ?
			walk_statement(w, s->kid[2], NULL) : NULL);
	if (truth >= 0)
		return known_if(w, s, v, env);
	odd = unlikely(w, s->kid[0], env);
	no = walk_copy(w, env);
	walk_refine(w, s->kid[0], true, env);
	walk_refine(w, s->kid[0], false, no);
	w->nested++;
	w->cold = cold || odd > 0;
	w->freq = freq * (odd > 0 ? UNLIKELY : odd < 0 ? 1 - UNLIKELY : ARM);
	env = s->kid[1] ? walk_statement(w, s->kid[1], env) : env;
	w->cold = cold || odd < 0;
	w->freq = freq * (odd < 0 ? UNLIKELY : odd > 0 ? 1 - UNLIKELY : ARM);
	if (s->kid[2])
		no = walk_statement(w, s->kid[2], no);
	w->cold = cold;
	w->freq = freq;
	w->nested--;
	/* one side left: what follows is conditional too */
	if (!env && no && odd <= 0) {
		w->left++;
		w->freq = odd < 0 ? freq * UNLIKELY : freq * STAYS;
		w->cold = cold || odd < 0;
	} else if (env && !no && odd >= 0) {
		w->left++;
		w->freq = odd > 0 ? freq * UNLIKELY : freq * STAYS;
		w->cold = cold || odd > 0;
	}
	return walk_merge(w, env, no);
}

static bool compares(const struct node *e)
{
	e = walk_strip(e);
	while (e->kind == N_BINARY && e->op == OP_COMMA)
		e = walk_strip(e->kid[1]);
	if (e->kind == N_UNARY)
		return e->op == OP_NOT;
	return e->kind == N_BINARY &&
	       ((e->op >= OP_LT && e->op <= OP_NE) || e->op == OP_ANDAND ||
		e->op == OP_OROR);
}

/*
 * In "for (x; y, z;)" made by a macro the last part may have come down as the
 * step. One that ends in a comparison is of no use but as the condition.
 */
static bool step_is_condition(const struct node *s)
{
	return s->op == LOOP_FOR && !s->kid[1] && s->kid[2] &&
	       compares(s->kid[2]);
}

static const struct node *loop_condition(const struct node *s)
{
	return step_is_condition(s) ? s->kid[2] : s->kid[1];
}

/*
 * One pass through a loop. What goes round again is returned, what leaves
 * is put in *@out.
 */
static struct env *once(struct walk *w, const struct node *s,
			struct env *env, struct env **out, int *again)
{
	const struct node *cond = loop_condition(s), *body = s->kid[3];
	const struct node *step = step_is_condition(s) ? NULL : s->kid[2];
	struct flow flow = { .up = w->flow, .loop = true,
			     .ncleanup = w->ncleanup };
	struct value v;
	int truth;

	*out = NULL;
	*again = -1;
	if (s->op != LOOP_DO && cond) {
		v = walk_value(w, cond, env);
		truth = value_truth(v);
		if (truth >= 0)
			walk_test(w, env, v);
		if (truth != 1) {
			*out = walk_copy(w, env);
			walk_refine(w, cond, false, *out);
		}
		if (truth == 0) {
			*again = 0;
			walk_drop(w, env);
			return NULL;
		}
		walk_refine(w, cond, true, env);
	}
	w->flow = &flow;
	if (body)
		env = walk_statement(w, body, env);
	w->flow = flow.up;
	env = walk_merge(w, env, flow.again);
	if (env && step)
		walk_value(w, step, env);
	env = reached(w, env);
	if (env && s->op == LOOP_DO && cond) {
		v = walk_value(w, cond, env);
		truth = value_truth(v);
		*again = truth;
		if (truth != 1) {
			*out = walk_copy(w, env);
			walk_refine(w, cond, false, *out);
		}
		if (truth == 0) {
			walk_drop(w, env);
			env = NULL;
		} else {
			walk_refine(w, cond, true, env);
		}
	}
	if (!env)
		*again = 0;
	*out = walk_merge(w, *out, flow.left);
	return env;
}

static bool same_env(const struct env *a, const struct env *b)
{
	uint32_t n = a->n > b->n ? a->n : b->n;

	for (uint32_t i = 0; i < n; i++)
		if (!value_equal(env_get(a, i), env_get(b, i)))
			return false;
	return true;
}

/* What is not the same when the loop comes round is not known. */
static void widen(struct walk *w, struct env *env, const struct env *next)
{
	for (uint32_t i = 0; i < next->n; i++) {
		struct value v = env_get(env, i);

		if (value_equal(v, next->v[i]))
			continue;
		walk_escape(w, env, v);
		walk_escape(w, env, next->v[i]);
		env_set(env, i, VALUE_UNKNOWN);
	}
}

static void forget_loop(struct walk *w, const struct node *s,
			struct env *env)
{
	for (unsigned i = 1; i < 4; i++)
		if (s->kid[i])
			walk_forget_assigned(w, env, s->kid[i]);
}

/* The pointers that are NULL the first time round, in the world's arena. */
static struct event *first_nulls(struct walk *w, uint32_t from, uint32_t *count)
{
	const struct world *world = w->world;
	struct event *kept;

	*count = 0;
	for (uint32_t i = from; i < world->nevent; i++)
		*count += world->event[i].kind == EV_NULL;
	if (!*count)
		return NULL;
	kept = ARENA_ARRAY(world->arena, struct event, *count);
	for (uint32_t i = from, k = 0; i < world->nevent; i++)
		if (world->event[i].kind == EV_NULL)
			kept[k++] = world->event[i];
	return kept;
}

/* A pointer that the second round may find set was followed in the first. */
static void add_nulls(struct walk *w, uint32_t from, const struct event *kept,
		      uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t k = from, end = w->world->nevent;

		while (k < end && (w->world->event[k].kind != EV_NULL ||
				   w->world->event[k].node != kept[i].node))
			k++;
		if (k == end)
			*walk_emit(w, EV_NULL, kept[i].name) = kept[i];
	}
}

/* The statements of a block, without its scope. */
static struct env *in_order(struct walk *w, const struct node *s,
			    struct env *env)
{
	for (uint32_t i = 0; i < s->nkid; i++)
		if (s->kid[i])
			env = walk_statement(w, s->kid[i], env);
	return env;
}

#define LOOP_ROUNDS 6

static struct env *loop_statement(struct walk *w, const struct node *s,
				  struct env *env)
{
	const struct node *cond = loop_condition(s);
	double freq = w->freq;
	unsigned left = w->left, exits = w->exits;
	struct env *start, *back, *out = NULL;
	struct event *null = NULL;
	uint32_t n, nnull = 0, line = w->line;
	int again;

	/* what is declared in front of a loop lives as long as it does */
	if (s->kid[0] && s->kid[0]->kind == N_BLOCK)
		env = in_order(w, s->kid[0], env);
	else if (s->kid[0])
		env = walk_statement(w, s->kid[0], env);
	if (!env)
		return NULL;
	/* a loop that is not entered leaves nothing behind */
	if (s->op != LOOP_DO && cond) {
		struct env *try = walk_copy(w, env);
		struct value v;

		n = w->world->nevent;
		v = walk_value(w, cond, try);
		if (value_truth(v) == 0) {
			walk_test(w, try, v);
			walk_drop(w, env);
			return reached(w, try);
		}
		w->world->nevent = n;
		walk_drop(w, try);
	}
	start = env;
	n = w->world->nevent;
	for (unsigned round = 0; ; round++) {
		struct env *next;
		bool same;

		w->world->nevent = n;
		w->left = left;
		w->line = line;
		walk_drop(w, out);
		if (round == LOOP_ROUNDS - 1)
			forget_loop(w, s, start);
		w->nested++;
		w->loops++;
		walk_op(w, OP_KIND_LOOP, w->fn->name);
		back = once(w, s, walk_copy(w, start), &out, &again);
		w->freq = freq;
		w->loops--;
		w->nested--;
		if (!back && round == 0 && again == 0 && s->op == LOOP_DO) {
			/* do { } while (0): a block, walked as one */
			w->world->nevent = n;
			w->left = left;
			walk_drop(w, out);
			back = once(w, s, start, &out, &again);
			walk_drop(w, back);
			return out;
		}
		if (round == 0)
			null = first_nulls(w, n, &nnull);
		if (!back)
			break;
		next = walk_merge(w, walk_copy(w, start), back);
		same = same_env(next, start);
		if (same || round == LOOP_ROUNDS - 1) {
			walk_drop(w, next);
			break;
		}
		if (round >= 1)
			widen(w, start, next);
		else
			env_move(&w->world->spare, start, next), next = NULL;
		walk_drop(w, next);
	}
	walk_drop(w, start);
	add_nulls(w, n, null, nnull);
	/* break and continue end where the loop does */
	if (w->exits == exits)
		w->left = left;
	return out;
}

static bool some_case(struct walk *w, const struct node *s, int64_t value,
		      bool *is_default)
{
	bool found = false;
	int64_t v;

	if (s->kind == N_CASE) {
		if (!s->kid[0])
			*is_default = true;
		else if (!walk_constant(w, s->kid[0], &v) || v == value)
			found = true;
	}
	for (uint32_t i = 0; i < s->nkid; i++)
		if (s->kid[i] && s->kid[i]->kind != N_SWITCH &&
		    s->kid[i]->kind >= N_EXPR)
			found |= some_case(w, s->kid[i], value, is_default);
	return found;
}

static struct env *switch_statement(struct walk *w, const struct node *s,
				    struct env *env)
{
	struct value v = walk_value(w, s->kid[0], env);
	struct flow flow = { .up = w->flow, .value = v,
			     .ncleanup = w->ncleanup };
	bool known = v.kind == V_CONST, is_default = false;
	double freq = w->freq;
	struct env *r;

	env = reached(w, env);
	if (!env)
		return NULL;
	if (known)
		walk_test(w, env, v);
	flow.matches = s->kid[1] && some_case(w, s->kid[1], v.number,
					      &is_default);
	flow.enter = env;
	w->flow = &flow;
	if (!known) {
		w->nested++;
		w->freq *= ARM;
	}
	r = s->kid[1] ? walk_statement(w, s->kid[1], NULL) : NULL;
	if (!known) {
		w->nested--;
		w->freq = freq;
	}
	w->flow = flow.up;
	r = walk_merge(w, r, flow.left);
	/* no case was taken */
	if (is_default || (known && flow.matches)) {
		walk_drop(w, env);
		return r;
	}
	return walk_merge(w, r, env);
}

static struct env *case_statement(struct walk *w, const struct node *s,
				  struct env *env)
{
	struct flow *flow = w->flow;
	bool enter = false;
	int64_t v;

	while (flow && flow->loop)
		flow = flow->up;
	if (flow && flow->enter) {
		enter = true;
		if (flow->value.kind == V_CONST) {
			if (!s->kid[0])
				enter = !flow->matches;
			else if (walk_constant(w, s->kid[0], &v))
				enter = v == flow->value.number;
		}
	}
	if (enter)
		env = walk_merge(w, env, walk_copy(w, flow->enter));
	return s->kid[1] ? walk_statement(w, s->kid[1], env) : env;
}

static struct pending *pending(struct walk *w, const char *label)
{
	for (uint32_t i = 0; i < w->npending; i++)
		if (w->pending[i].label == label)
			return &w->pending[i];
	if (w->npending == w->pending_cap) {
		w->pending_cap = w->pending_cap ? w->pending_cap * 2 : 8;
		w->pending = xrealloc(w->pending, w->pending_cap *
				      sizeof(*w->pending));
	}
	w->pending[w->npending] = (struct pending){ .label = label };
	return &w->pending[w->npending++];
}

static struct env *label_statement(struct walk *w, const struct node *s,
				   struct env *env)
{
	struct pending *p = pending(w, s->name);

	env = walk_merge(w, env, p->env);
	p->env = NULL;
	if (env)
		walk_forget_cycle(w, env, s->name);
	return s->kid[0] ? walk_statement(w, s->kid[0], env) : env;
}

static void return_statement(struct walk *w, const struct node *s,
			     struct env *env)
{
	struct value v = VALUE_UNKNOWN;
	bool lost = false;

	if (s->kid[0]) {
		v = walk_value(w, s->kid[0], env);
		v = walk_typed(w, w->fn->func->ret_record, s->kid[0], v);
		/* what is returned here hangs on what was decided before */
		if (v.kind == V_CONST)
			v = value_marked(v, w->decided);
	}
	env = walk_leave_scopes(w, 0, reached(w, env));
	if (!env)
		return;
	if (w->returned) {
		struct value both = value_join(w->ret, v, &lost);

		if (lost) {
			walk_escape(w, env, w->ret);
			walk_escape(w, env, v);
		}
		v = both;
	}
	w->ret = v;
	w->returned = true;
	w->exit = walk_merge(w, w->exit, env);
}

static struct env *declaration(struct walk *w, const struct node *s,
			       struct env *env)
{
	uint32_t slot = scope_local(w->scope, s->name, s->record);
	const struct node *init = s->kid[0] ? walk_strip(s->kid[0]) : NULL;
	struct value v;

	if (slot != NO_SLOT)
		for (uint32_t i = slot; i < env->n; i++)
			if (scope_below(w->scope, i, slot))
				env->v[i] = VALUE_NONE;
	if (init && init->kind == N_INIT) {
		env_set(env, slot, value_const(0, MARK_SOURCE, NULL));
		walk_init(w, init, slot, env);
	} else if (init) {
		v = walk_value(w, s->kid[0], env);
		v = walk_typed(w, s->record, s->kid[0], v);
		env_set(env, slot, v.kind == V_NONE ? VALUE_UNKNOWN : v);
	}
	env = reached(w, env);
	if (env && s->kid[1])
		due_later(w, s->kid[1]);
	return env;
}

static struct env *asm_statement(struct walk *w, const struct node *s,
				 struct env *env)
{
	for (uint32_t i = 0; i < s->nkid; i++) {
		const struct node *operand = s->kid[i];
		struct place p;

		if (!operand)
			continue;
		if (!(operand->flags & NODE_OUT)) {
			/* an address that goes in may be stored through */
			walk_escape(w, env, walk_value(w, operand, env));
			continue;
		}
		p = walk_place(w, operand, env);
		walk_check_null(w, p.pointer, p.name);
		walk_write(w, p.fact, VALUE_UNKNOWN);
		walk_write(w, p.within, VALUE_UNKNOWN);
		if (p.kind == PLACE_SLOT)
			walk_forget(w, env, p.slot);
	}
	walk_arrive(w, s);
	walk_op(w, s->flags & NODE_HEAVY ? OP_KIND_HEAVY : OP_KIND_ASM,
		w->fn->name);
	return env;
}

static struct env *simple(struct walk *w, const struct node *s,
			  struct env *env)
{
	struct flow *flow = w->flow;
	struct pending *p;

	switch (s->kind) {
	case N_EXPR:
		if (s->kid[0])
			walk_value(w, s->kid[0], env);
		return reached(w, env);
	case N_DECL:
		return declaration(w, s, env);
	case N_RETURN:
		w->exits++;
		return_statement(w, s, env);
		return NULL;
	case N_GOTO:
		w->exits++;
		p = pending(w, s->name);
		p->env = walk_merge(w, p->env, env);
		return NULL;
	case N_BREAK:
		if (flow)
			env = walk_leave_scopes(w, flow->ncleanup, env);
		if (flow)
			flow->left = walk_merge(w, flow->left, env);
		else
			walk_drop(w, env);
		return NULL;
	case N_CONTINUE:
		while (flow && !flow->loop)
			flow = flow->up;
		if (flow)
			env = walk_leave_scopes(w, flow->ncleanup, env);
		if (flow)
			flow->again = walk_merge(w, flow->again, env);
		else
			walk_drop(w, env);
		return NULL;
	case N_ASM:
		return asm_statement(w, s, env);
	default:
		/* an expression where a statement was expected */
		walk_value(w, s, env);
		return reached(w, env);
	}
}

static struct env *dispatch(struct walk *w, const struct node *s,
			    struct env *env)
{
	const uint32_t scope = w->ncleanup;

	switch (s->kind) {
	case N_BLOCK:
		env = in_order(w, s, env);
		env = walk_leave_scopes(w, scope, env);
		w->ncleanup = scope;
		return env;
	case N_LABEL:
		return label_statement(w, s, env);
	case N_CASE:
		return case_statement(w, s, env);
	case N_IF:
		if (env)
			return if_statement(w, s, env);
		return walk_merge(w,
			s->kid[1] ? walk_statement(w, s->kid[1], NULL) : NULL,
			s->kid[2] ? walk_statement(w, s->kid[2], NULL) : NULL);
	case N_LOOP:
		if (env) {
			env = loop_statement(w, s, env);
			env = walk_leave_scopes(w, scope, env);
			w->ncleanup = scope;
			return env;
		}
		return s->kid[3] ? walk_statement(w, s->kid[3], NULL) : NULL;
	case N_SWITCH:
		return env ? switch_statement(w, s, env) : NULL;
	default:
		return env ? simple(w, s, env) : NULL;
	}
}

struct env *walk_statement(struct walk *w, const struct node *s,
			   struct env *env)
{
	/* dead code matters only if something jumps into it */
	if (!env && (!w->scope->labels || !has_label(s)))
		return NULL;
	if (w->world->nesting >= WALK_NODES_DEEP) {
		w->cut = "statements nested too deep";
		return env;
	}
	if (env)
		walk_arrive(w, s);
	w->world->nesting++;
	env = dispatch(w, s, env);
	w->world->nesting--;
	return env;
}
