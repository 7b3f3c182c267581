// SPDX-License-Identifier: GPL-2.0-only
/* Expressions: what they are worth, and what evaluating them does. */
#include <string.h>

#include "../base/rules.h"
#include "walk.h"

const struct node *walk_strip(const struct node *e)
{
	while (e->kind == N_CAST || (e->kind == N_OTHER && e->nkid == 1 &&
				     e->kid[0]))
		e = e->kid[0];
	return e;
}

static bool walk_same_node(const struct node *a, const struct node *b)
{
	a = walk_strip(a);
	b = walk_strip(b);
	if (a == b)
		return true;
	if (a->kind != b->kind || a->op != b->op || a->nkid != b->nkid ||
	    (a->flags & NODE_ARROW) != (b->flags & NODE_ARROW))
		return false;
	switch (a->kind) {
	case N_INT:
		if (a->value != b->value)
			return false;
		break;
	case N_LOCAL: case N_GLOBAL: case N_FUNC: case N_FIELD:
		if (a->name != b->name)
			return false;
		break;
	case N_CALL: case N_ASSIGN: case N_STMTEXPR: case N_OTHER: case N_STR:
		return false;
	}
	for (uint32_t i = 0; i < a->nkid; i++) {
		if (!a->kid[i] != !b->kid[i])
			return false;
		if (a->kid[i] && !walk_same_node(a->kid[i], b->kid[i]))
			return false;
	}
	return true;
}

bool walk_constant(struct walk *w, const struct node *e, int64_t *out)
{
	struct env *env;
	uint32_t n = w->world->nevent;
	struct value v;

	if (e->kind == N_INT) {
		*out = e->value;
		return true;
	}
	env = env_new(&w->world->spare);
	v = walk_value(w, e, env);
	walk_drop(w, env);
	w->world->nevent = n;
	if (v.kind != V_CONST || v.mark != MARK_SOURCE)
		return false;
	*out = v.number;
	return true;
}

static const char *call_type(struct walk *w, const struct node *e)
{
	const struct node *f = walk_strip(e->kid[0]);
	const struct function *fn;

	if (f->kind != N_FUNC)
		return "";
	switch (program_callee(w->program, f->name)->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
		return e->nkid > 1 ? walk_type(w, e->kid[1]) : "";
	default:
		fn = program_function(w->program, f->name, w->file);
		return fn ? fn->func->ret_record : "";
	}
}

const char *walk_type(struct walk *w, const struct node *e)
{
	const struct field *field;
	const struct global_symbol *g;
	uint32_t slot;

	switch (e->kind) {
	case N_LOCAL:
		slot = scope_local(w->scope, e->name, NULL);
		return slot == NO_SLOT ? "" : w->scope->slot[slot].record;
	case N_FIELD:
		field = program_field(w->program, e->name);
		return field ? field->record : "";
	case N_GLOBAL:
		g = program_global(w->program, e->name, w->file);
		return g ? g->global->record : "";
	case N_CALL:
		return call_type(w, e);
	case N_CAST:
		return *e->record ? e->record : walk_type(w, e->kid[0]);
	case N_INDEX: case N_ASSIGN:
		return walk_type(w, e->kid[0]);
	case N_COND:
		return walk_type(w, e->kid[1] ? e->kid[1] : e->kid[0]);
	case N_BINARY:
		if (e->op == OP_COMMA)
			return walk_type(w, e->kid[1]);
		if (e->op == OP_ADD || e->op == OP_SUB)
			return walk_type(w, e->kid[0]);
		return "";
	case N_STMTEXPR:
		if (e->nkid && e->kid[e->nkid - 1] &&
		    e->kid[e->nkid - 1]->kind == N_EXPR)
			return walk_type(w, e->kid[e->nkid - 1]->kid[0]);
		return "";
	case N_OTHER:
		return e->nkid == 1 && e->kid[0] ? walk_type(w, e->kid[0]) : "";
	default:
		return "";
	}
}

/*
 * An unknown value is what its type allows. The first object of a record
 * comes out of an expression that does not point to one by its type: an
 * allocator returns void *, whether cast or not.
 */
struct value walk_typed(struct walk *w, const char *record,
			const struct node *e, struct value v)
{
	struct value typed;

	if (!record || !*record || v.kind == V_CONST || !w->world->facts)
		return v;
	typed = walk_pointer(w, record);
	if (typed.kind == V_CONST) {
		const struct node *from = walk_strip(e);

		switch (from->kind) {
		case N_CALL: case N_ADDR: case N_STMTEXPR: case N_OTHER:
		case N_BINARY: case N_GLOBAL: case N_COND: case N_INIT:
			if (walk_type(w, from) == record)
				break;
			walk_emit(w, EV_MAKE, record)->value = NULL;
			return v;
		default:
			break;
		}
	}
	if (v.kind == V_UNKNOWN && typed.kind != V_UNKNOWN) {
		walk_escape(w, NULL, v);
		return typed;
	}
	return v;
}

/* Something is calculated from a pointer: what it names is not followed. */
static struct value loosen(struct walk *w, struct env *env, struct value v)
{
	if (value_has_identity(v)) {
		walk_escape(w, env, v);
		v.object = OBJECT_ANY;
		v.id = NULL;
	}
	return v;
}

/* @other is what the arm that may not run leaves behind. */
static void join_arm(struct walk *w, struct env *env, struct env *other)
{
	if (other->dead) {
		walk_drop(w, other);
		return;
	}
	if (!env->dead)
		other = walk_merge(w, other, walk_copy(w, env));
	env_move(&w->world->spare, env, other);
}

static struct value logical(struct walk *w, const struct node *e,
			    struct env *env)
{
	struct value a = walk_value(w, e->kid[0], env), b;
	int truth = value_truth(a), stop = e->op == OP_OROR;
	struct env *other;
	double freq = w->freq;

	if (truth == stop) {
		walk_test(w, env, a);
		return value_const(stop, a.mark, a.because);
	}
	if (truth >= 0) {
		/* on, a test that is passed is what redundancy is about */
		if (w->world->state == WORLD_ON)
			walk_test(w, env, a);
		b = walk_value(w, e->kid[1], env);
		truth = value_truth(b);
		if (truth < 0)
			return VALUE_UNKNOWN;
		return value_marked(value_const(truth, b.mark, b.because), a);
	}
	other = walk_copy(w, env);
	walk_refine(w, e->kid[0], !stop, other);
	w->nested++;
	w->freq *= 0.5;
	b = walk_value(w, e->kid[1], other);
	w->freq = freq;
	w->nested--;
	truth = value_truth(b);
	join_arm(w, env, other);
	return truth == stop ? value_const(stop, b.mark, b.because)
			     : VALUE_UNKNOWN;
}

static struct value conditional(struct walk *w, const struct node *e,
				struct env *env)
{
	const struct node *yes = e->kid[1], *no = e->kid[2];
	struct value c = walk_value(w, e->kid[0], env), a, b, v;
	int truth = value_truth(c);
	struct env *other;
	double freq = w->freq;
	bool lost = false;

	if (truth >= 0) {
		walk_test(w, env, c);
		if (!yes && truth)
			return c;
		return value_marked(walk_value(w, truth ? yes : no, env), c);
	}
	other = walk_copy(w, env);
	walk_refine(w, e->kid[0], true, env);
	walk_refine(w, e->kid[0], false, other);
	w->nested++;
	w->freq *= 0.5;
	a = yes ? walk_value(w, yes, env) : c;
	b = walk_value(w, no, other);
	w->freq = freq;
	w->nested--;
	v = value_join(a, b, &lost);
	if (lost) {
		walk_escape(w, env, a);
		walk_escape(w, other, b);
	}
	join_arm(w, env, other);
	return v;
}

/* See WORLD_ROOT. */
static bool is_the_group(const struct walk *w, struct value a, struct value b)
{
	return w->world->state == WORLD_ROOT &&
	       ((value_is_root(a) && b.kind == V_NULL_OR_ROOT) ||
		(value_is_root(b) && a.kind == V_NULL_OR_ROOT));
}

/* Does what the guard predicate reads decide it? */
static bool by_guard(const struct walk *w, struct value v)
{
	const struct rules *rules = w->world->rules;

	if (v.mark == MARK_GUARD)
		return true;
	for (size_t i = 0; v.because && i < rules->nguard; i++)
		if (!strcmp(rules->guard[i].name, v.because))
			return true;
	return false;
}

/*
 * Off, what a comparison is worth is known as soon as one side has made the
 * test; the other side is worked out all the same.
 */
static void known(struct walk *w, const struct node *e, struct value a,
		  struct value b, struct value v)
{
	const struct node *by;
	struct event *event;

	if (w->world->state != WORLD_OFF || v.kind != V_CONST ||
	    a.mark == MARK_SOURCE || b.mark == MARK_SOURCE ||
	    by_guard(w, a) == by_guard(w, b))
		return;
	by = walk_strip(e->kid[by_guard(w, a) ? 0 : 1]);
	by = by->kind == N_CALL ? walk_strip(by->kid[0]) : by;
	walk_arrive(w, e);
	event = walk_emit(w, EV_KNOWN, by->kind == N_FUNC ? by->name : NULL);
	event->value = walk_keep(w, v);
}

static struct value binary(struct walk *w, const struct node *e,
			   struct env *env)
{
	const struct node *x = e->kid[0], *y = e->kid[1];
	struct value a, b, v;

	if (e->op == OP_ANDAND || e->op == OP_OROR)
		return logical(w, e, env);
	a = walk_value(w, x, env);
	if (e->op == OP_COMMA)
		return walk_value(w, y, env);
	b = walk_value(w, y, env);
	if (e->op == OP_EQ || e->op == OP_NE) {
		const struct node *self = NULL;

		if (a.object == OBJECT_SELF && a.kind == V_OBJECT &&
		    walk_same_node(a.id, y))
			self = a.id;
		if (b.object == OBJECT_SELF && b.kind == V_OBJECT &&
		    walk_same_node(b.id, x))
			self = b.id;
		if (self)
			return value_const(e->op == OP_EQ, MARK_FACT,
					   a.object == OBJECT_SELF ?
					   a.because : b.because);
		if (is_the_group(w, a, b))
			return value_const(e->op == OP_EQ, MARK_FACT,
					   w->world->facts->group);
		v = value_binary((enum node_op)e->op, false, a, b);
		known(w, e, a, b, v);
		return v;
	}
	v = value_binary((enum node_op)e->op, e->flags & NODE_UNSIGNED, a, b);
	if (v.kind != V_OBJECT || !value_has_identity(v)) {
		if (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_AND ||
		    e->op == OP_OR || e->op == OP_XOR) {
			loosen(w, env, a);
			loosen(w, env, b);
		}
	}
	return v;
}

static struct value take_function(struct walk *w, const char *name)
{
	struct function *fn = program_function(w->program, name, w->file);

	if (!fn)
		return value_object(OBJECT_ANY, NULL);
	if (!w->muted)
		walk_emit(w, EV_FUNC, name)->fn = fn;
	return value_object(OBJECT_FUNC, fn);
}

/* &x->field->member, which the rules say is x. */
static bool is_self(struct walk *w, const struct node *e,
		    const struct node **x)
{
	const struct node *field;
	const char *same;

	if (!world_root_only(w->world) || e->kind != N_FIELD)
		return false;
	same = map_get(&w->world->same, e->name);
	field = walk_strip(e->kid[0]);
	if (!same || field->kind != N_FIELD || field->name != same)
		return false;
	*x = field->kid[0];
	return true;
}

static struct value address(struct walk *w, const struct node *e,
			    struct env *env)
{
	const struct node *of = walk_strip(e->kid[0]), *x;
	struct value v;
	struct place p;

	if (of->kind == N_FUNC)
		return take_function(w, of->name);
	if (is_self(w, of, &x)) {
		walk_value(w, of->kid[0], env);
		v = value_object(OBJECT_SELF, x);
		v.mark = MARK_FACT;
		v.because = of->name;
		return v;
	}
	p = walk_place(w, e->kid[0], env);
	return walk_address(w, &p);
}

/* Was the address of the field @name handed to a call, in this function? */
static bool was_named(const struct walk *w, const char *name)
{
	for (uint32_t i = w->base; i < w->world->nevent; i++)
		if (w->world->event[i].kind == EV_NAMED &&
		    w->world->event[i].name == name)
			return true;
	return false;
}

/*
 * x->item.func = fn makes fn the function of a work item, where the item was
 * set up by a call just before. It runs when somebody else names the item.
 */
static bool sets_work(struct walk *w, const struct node *to,
		      const struct node *from)
{
	const struct node *base, *fn = walk_strip(from);
	struct function *target;

	if (fn->kind == N_ADDR)
		fn = walk_strip(fn->kid[0]);
	if (to->kind != N_FIELD || fn->kind != N_FUNC)
		return false;
	base = walk_strip(to->kid[0]);
	if (base->kind == N_ADDR)
		base = walk_strip(base->kid[0]);
	else if (to->flags & NODE_ARROW)
		return false;
	/* in a delayed work item stands a work item */
	while (base->kind == N_FIELD && !was_named(w, base->name) &&
	       !(base->flags & NODE_ARROW))
		base = walk_strip(base->kid[0]);
	if (base->kind != N_FIELD || !was_named(w, base->name))
		return false;
	target = program_function(w->program, fn->name, w->file);
	if (target)
		walk_emit(w, EV_WORK, base->name)->fn = target;
	return true;
}

static struct value assign(struct walk *w, const struct node *e,
			   struct env *env)
{
	const struct node *to = e->kid[0], *from = walk_strip(e->kid[1]);
	struct value v, old;
	struct place p;

	if (e->op == OP_SET && sets_work(w, to, e->kid[1])) {
		v = value_object(OBJECT_ANY, NULL);
		p = walk_place(w, to, env);
		walk_store(w, &p, env, v);
		return v;
	}
	if (e->op == OP_SET && from->kind == N_INIT) {
		p = walk_place(w, to, env);
		if (p.kind != PLACE_SLOT)
			walk_store(w, &p, env, VALUE_UNKNOWN);
		walk_init(w, from, p.kind == PLACE_SLOT ? p.slot : NO_SLOT,
			  env);
		return VALUE_UNKNOWN;
	}
	v = walk_value(w, e->kid[1], env);
	p = walk_place(w, to, env);
	if (e->op != OP_SET) {
		old = p.kind == PLACE_SLOT && p.local ?
		      walk_read(w, &p, env) : VALUE_UNKNOWN;
		v = value_binary(e->op == OP_INC ? OP_ADD :
				 e->op == OP_DEC ? OP_SUB :
				 (enum node_op)e->op,
				 e->flags & NODE_UNSIGNED, old, v);
		loosen(w, env, old);
		v = loosen(w, env, v);
	} else {
		v = walk_typed(w, p.record, e->kid[1], v);
	}
	if (!(p.kind == PLACE_SLOT && p.local && p.field))
		v = v.kind == V_NONE ? VALUE_UNKNOWN : v;
	walk_arrive(w, e);
	walk_store(w, &p, env, v);
	return v;
}

static struct value statement_expression(struct walk *w, const struct node *e,
					 struct env *env)
{
	const uint32_t scope = w->ncleanup;
	struct value v = VALUE_UNKNOWN;
	struct env *at = NULL;

	for (uint32_t i = 0; i < e->nkid; i++) {
		const struct node *s = e->kid[i];

		if (!s)
			continue;
		if (i == e->nkid - 1 && s->kind == N_EXPR) {
			walk_arrive(w, s);
			v = walk_value(w, s->kid[0], env);
			break;
		}
		at = walk_statement(w, s, env_take(&w->world->spare, env));
		if (!at) {
			env->dead = true;
			w->ncleanup = scope;
			return v;
		}
		env_move(&w->world->spare, env, at);
	}
	if (w->ncleanup > scope && !env->dead) {
		at = walk_leave_scopes(w, scope,
				       env_take(&w->world->spare, env));
		if (at)
			env_move(&w->world->spare, env, at);
		else
			env->dead = true;
		w->ncleanup = scope;
	}
	return v;
}

struct value walk_value(struct walk *w, const struct node *e, struct env *env)
{
	struct value v = VALUE_UNKNOWN;
	struct place p;

	if (w->world->nesting >= WALK_NODES_DEEP) {
		w->cut = "expressions nested too deep";
		return v;
	}
	w->world->nesting++;
	walk_arrive(w, e);
	switch (e->kind) {
	case N_INT:
		v = value_const(e->value, MARK_SOURCE, NULL);
		break;
	case N_STR:
		v = value_object(OBJECT_ANY, NULL);
		break;
	case N_LOCAL: case N_GLOBAL: case N_FIELD: case N_DEREF: case N_INDEX:
		p = walk_place(w, e, env);
		v = walk_read(w, &p, env);
		break;
	case N_FUNC:
		v = take_function(w, e->name);
		break;
	case N_ADDR:
		v = address(w, e, env);
		break;
	case N_UNARY:
		v = walk_value(w, e->kid[0], env);
		if (e->op != OP_NOT)
			v = loosen(w, env, v);
		v = value_unary((enum node_op)e->op, v);
		break;
	case N_BINARY:
		v = binary(w, e, env);
		break;
	case N_ASSIGN:
		v = assign(w, e, env);
		break;
	case N_COND:
		v = conditional(w, e, env);
		break;
	case N_CALL:
		v = walk_call(w, e, env);
		break;
	case N_CAST:
		v = walk_value(w, e->kid[0], env);
		if (e->value > 0)
			v = value_cast(v, (unsigned)e->value,
				       e->flags & NODE_UNSIGNED);
		if (*e->record)
			v = walk_typed(w, e->record, e->kid[0], v);
		break;
	case N_STMTEXPR:
		v = statement_expression(w, e, env);
		break;
	case N_INIT:
		walk_init(w, e, NO_SLOT, env);
		break;
	case N_FIELDINIT:
		walk_init(w, e, NO_SLOT, env);
		break;
	default:
		/* what it is made of happens; what it is worth is not known */
		for (uint32_t i = 0; i < e->nkid; i++)
			if (e->kid[i])
				loosen(w, env, walk_value(w, e->kid[i], env));
		break;
	}
	w->world->nesting--;
	return v;
}

static void refine_place(struct walk *w, const struct node *e, bool truth,
			 struct env *env)
{
	struct place p;
	struct value v;
	uint32_t n = w->world->nevent;

	/* only what is read without doing anything */
	if (e->kind != N_LOCAL &&
	    (e->kind != N_FIELD || walk_strip(e->kid[0])->kind != N_LOCAL))
		return;
	p = walk_place(w, e, env);
	if (p.kind == PLACE_SLOT && p.slot != NO_SLOT) {
		v = walk_read(w, &p, env);
		if (value_truth(v) < 0) {
			if (!truth) {
				v = value_const(0, MARK_SOURCE, NULL);
			} else if (v.kind == V_NULL_OR_ROOT) {
				v.kind = V_OBJECT;
				v.object = OBJECT_ROOT;
			} else {
				/* it keeps what it may point to */
				v.kind = V_OBJECT;
			}
			env_set(env, p.slot, v);
		}
	}
	w->world->nevent = n;
}

void walk_refine(struct walk *w, const struct node *e, bool truth,
		 struct env *env)
{
	const struct node *f;

	e = walk_strip(e);
	switch (e->kind) {
	case N_CALL:
		f = walk_strip(e->kid[0]);
		if (f->kind != N_FUNC || e->nkid < 2)
			return;
		switch (program_callee(w->program, f->name)->kind) {
		case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
			walk_refine(w, e->kid[1], truth, env);
			return;
		default:
			return;
		}
	case N_UNARY:
		if (e->op == OP_NOT)
			walk_refine(w, e->kid[0], !truth, env);
		return;
	case N_LOCAL: case N_FIELD:
		refine_place(w, e, truth, env);
		return;
	case N_ASSIGN:
		if (e->op == OP_SET)
			walk_refine(w, e->kid[0], truth, env);
		return;
	case N_STMTEXPR:
		if (e->nkid == 1 && e->kid[0] && e->kid[0]->kind == N_EXPR)
			walk_refine(w, e->kid[0]->kid[0], truth, env);
		return;
	case N_BINARY:
		break;
	default:
		return;
	}
	if ((e->op == OP_ANDAND && truth) || (e->op == OP_OROR && !truth)) {
		walk_refine(w, e->kid[0], truth, env);
		walk_refine(w, e->kid[1], truth, env);
	} else if (e->op == OP_EQ || e->op == OP_NE) {
		const struct node *zero = walk_strip(e->kid[1]);

		if (zero->kind == N_INT && !zero->value)
			walk_refine(w, e->kid[0], truth == (e->op == OP_NE),
				    env);
	} else if (e->op == OP_COMMA) {
		walk_refine(w, e->kid[1], truth, env);
	}
}
