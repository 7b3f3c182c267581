// SPDX-License-Identifier: GPL-2.0-only
/* Calls: markers, what the rules say of a name, and functions. */
#include <string.h>

#include "../base/err.h"
#include "walk.h"

/* Arguments beyond these are evaluated and forgotten. */
#define ARGS_MAX 16
#define POINTEES_MAX 8

static const struct node *arg_node(const struct node *e, uint32_t i)
{
	return i + 1 < e->nkid ? e->kid[i + 1] : NULL;
}

static struct value first_value(struct walk *w, const struct node *e,
				struct env *env)
{
	struct value v = VALUE_UNKNOWN;

	for (uint32_t i = 0; arg_node(e, i); i++) {
		struct value x = walk_value(w, arg_node(e, i), env);

		if (!i)
			v = x;
	}
	return v;
}

/* The variable that an argument such as &X.key.key is in. */
static const char *named_key(const struct node *e)
{
	while (e && (e->kind == N_ADDR || e->kind == N_FIELD ||
		     e->kind == N_CAST || e->kind == N_INDEX ||
		     (e->kind == N_OTHER && e->nkid == 1)))
		e = e->kid[0];
	return e && e->kind == N_GLOBAL ? e->name : NULL;
}

static struct global_symbol *named_global(struct walk *w,
					  const struct node *e)
{
	const char *name = named_key(e);

	return name ? program_global(w->program, name, w->file) : NULL;
}

static struct value key_value(struct walk *w, const struct node *e,
			      struct env *env)
{
	const struct world *world = w->world;
	struct global_symbol *g = named_global(w, arg_node(e, 0));
	struct fact *fact;

	if (!g) {
		const char *name = named_key(arg_node(e, 0));

		if (name && program_callee(w->program, name)->cold)
			return value_const(0, MARK_SOURCE, NULL);
		if (arg_node(e, 0))
			walk_value(w, arg_node(e, 0), env);
		return VALUE_UNKNOWN;
	}
	for (uint32_t i = 0; i < world->ngiven; i++)
		if (world->given[i].global == g && !world->given[i].field)
			return world->given[i].value;
	/* a key that is only on while somebody looks on */
	if (program_callee(w->program, g->name)->cold)
		return value_const(0, MARK_SOURCE, NULL);
	if (!world->facts)
		return VALUE_UNKNOWN;
	fact = fact_of_key(world->facts, g);
	return walk_holds(w, fact) ? fact->value : VALUE_UNKNOWN;
}

/* A key that nobody raised is not changed by who would lower it again. */
static void switch_key(struct walk *w, const struct node *e, bool on)
{
	struct global_symbol *g = named_global(w, arg_node(e, 0));

	if (g && w->world->facts)
		walk_write(w, fact_of_key(w->world->facts, g),
			   value_const(on, MARK_SOURCE, NULL));
}

/* A copy of bytes from something else is a store to all fields. */
static void copy_bytes(struct walk *w, const struct node *e)
{
	const char *to, *from;

	if (!arg_node(e, 0) || !arg_node(e, 1))
		return;
	to = walk_type(w, walk_strip(arg_node(e, 0)));
	from = walk_type(w, walk_strip(arg_node(e, 1)));
	if (*to && to != from)
		walk_write_record(w, to);
}

/* What is known, because of the off state, of the fields behind a pointer. */
static void known_fields(struct walk *w, const struct env *env,
			 struct value v, struct argument *arg)
{
	struct pointee *known;
	uint32_t n = 0;

	if (!value_has_identity(v) || v.object != OBJECT_SLOT)
		return;
	known = ARENA_ARRAY(w->world->arena, struct pointee, POINTEES_MAX);
	for (uint32_t i = v.slot + 1; i < env->n && n < POINTEES_MAX; i++) {
		const struct slot *slot = &w->scope->slot[i];
		struct value field = env->v[i];

		if (slot->parent != v.slot || slot->pointee)
			continue;
		if (field.kind != V_CONST && field.kind != V_NULL_OR_ROOT &&
		    !value_is_root(field))
			continue;
		if (field.mark == MARK_SOURCE &&
		    !(w->world->facts &&
		      fact_of_field(w->world->facts, slot->name)))
			continue;
		known[n++] = (struct pointee){ slot->name, field };
	}
	arg->known = known;
	arg->nknown = n;
}

static bool names_field(const struct node *e, const char **name)
{
	e = walk_strip(e);
	if (e->kind != N_ADDR || e->kid[0]->kind != N_FIELD)
		return false;
	*name = e->kid[0]->name;
	return true;
}

/* Evaluate the arguments; values with an identity stay in @value. */
static uint32_t arguments(struct walk *w, const struct node *e,
			  struct env *env, struct value *value)
{
	uint32_t n = 0;

	for (uint32_t i = 0; arg_node(e, i); i++) {
		struct value v = walk_value(w, arg_node(e, i), env);
		const char *name;

		if (names_field(arg_node(e, i), &name))
			walk_emit(w, EV_NAMED, name)->value = NULL;
		if (n < ARGS_MAX)
			value[n++] = v;
		else
			walk_escape(w, env, v);
	}
	return n;
}

static void escape_all(struct walk *w, struct env *env,
		       const struct value *value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		walk_escape(w, env, value[i]);
}

/* Handed to code that was not read, or that names nothing of the feature. */
static void lend_all(struct walk *w, struct env *env,
		     const struct value *value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		walk_lend(w, env, value[i]);
}

/*
 * After a call: what others can reach may have changed. Fields of the feature
 * only change where the feature is named, which is what was followed: in @s,
 * or if that is NULL, where @all is set. Other fields change out of line.
 */
static void forget_reachable(struct walk *w, struct env *env, bool all,
			     const struct summary *s)
{
	for (uint32_t i = 0; i < env->n; i++) {
		const struct slot *slot = &w->scope->slot[i];
		bool field = slot->param != NO_SLOT && !slot->pointee;
		const struct fact *fact;

		if (env->v[i].kind == V_NONE)
			continue;
		fact = walk_slot_fact(w, i);
		if (fact ? (s ? !summary_writes(s, fact) : !all) : s && !all)
			continue;
		if (field || (i < w->nescaped && w->escaped[i] &&
			      !slot->pointee) ||
		    (slot->parent != NO_SLOT && slot->parent < w->nescaped &&
		     w->escaped[slot->parent]))
			env->v[i] = VALUE_UNKNOWN;
	}
}

static void apply_outs(struct walk *w, struct env *env,
		       const struct summary *s, const struct value *value,
		       uint32_t n)
{
	uint32_t i;

	for (i = 0; i < s->nout; i++) {
		const struct out_value *out = &s->out[i];
		uint32_t slot;

		if (out->param >= n)
			continue;
		if (!value_has_identity(value[out->param])) {
			continue;
		} else if (value[out->param].object != OBJECT_SLOT) {
			/* its stores were seen inside */
			continue;
		}
		slot = value[out->param].slot;
		if (!out->field)
			walk_forget(w, env, slot);
		else
			slot = scope_child(w->scope, slot, out->field, "");
		if (slot == NO_SLOT)
			continue;
		walk_forget(w, env, slot);
		env_set(env, slot, out->value);
	}
	for (i = 0; i < n; i++)
		if (value[i].object == OBJECT_SLOT &&
		    value_has_identity(value[i]) &&
		    walk_slot_fact(w, value[i].slot))
			walk_forget(w, env, value[i].slot);
	for (i = 0; i < n; i++)
		if (i >= 32 ? s->escapes == ~0u : s->escapes >> i & 1)
			walk_escape(w, env, value[i]);
}

/*
 * Too many ways of calling a function are taken as one: then it does not say
 * what it stores through what it was given.
 */
static void check_taken(struct walk *w, struct env *env,
			const struct summary *s, const struct argument *arg,
			const struct value *value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (value_has_identity(arg[i].value) &&
		    (i >= s->narg ||
		     !value_equal(s->arg[i].value, arg[i].value)))
			walk_escape(w, env, value[i]);
}

/* What is being made hangs on @s, which was asked for with @arg. */
static void use(struct walk *w, struct summary *s, const struct argument *arg,
		uint32_t n)
{
	struct summary *user = w->summary;
	bool exact = true;

	if (n > s->fn->func->nparam)
		n = s->fn->func->nparam;
	user->open |= s->walking || s->open || s->narg != n;
	for (uint32_t i = 0; i < n && !user->open; i++) {
		user->open = !argument_equal(&s->arg[i], &arg[i]);
		exact &= argument_same(&s->arg[i], &arg[i]);
	}
	/* one that is not to be taken again needs not know why */
	if (user->open || !w->world->facts)
		return;
	facts_set_join(&user->reads, &s->reads);
	if (w->nused == w->used_cap) {
		w->used_cap = w->used_cap ? w->used_cap * 2 : 16;
		w->used = xrealloc(w->used, w->used_cap * sizeof(*w->used));
	}
	w->used[w->nused++] = (struct used){ s, exact };
}

static struct summary *follow(struct walk *w, struct function *fn,
			      const struct value *value, uint32_t n,
			      struct env *env)
{
	struct argument arg[ARGS_MAX];
	struct summary *s;

	if (w->world->depth >= WALK_CALLS_DEEP) {
		w->cut = "calls nested too deep";
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++) {
		arg[i] = (struct argument){ .value = value[i] };
		known_fields(w, env, value[i], &arg[i]);
		arg[i].own = value[i].object == OBJECT_SLOT &&
			     value_has_identity(value[i]) &&
			     walk_is_own(w, value[i].slot);
		if (value[i].object == OBJECT_SLOT &&
		    value_has_identity(value[i]) &&
		    walk_holds(w, walk_slot_fact(w, value[i].slot))) {
			/* one field: its callee stores to that field */
			arg[i].value.object = OBJECT_FIELD;
			arg[i].value.id = walk_slot_fact(w, value[i].slot);
			arg[i].value.slot = 0;
			arg[i].nknown = 0;
			arg[i].own = false;
		} else if (value[i].object == OBJECT_SLOT ||
			   value[i].object == OBJECT_SELF) {
			arg[i].value.object = OBJECT_ANY;
			arg[i].value.id = NULL;
			arg[i].value.slot = 0;
		}
	}
	s = world_summary_tested(w->world, fn, arg, n, env->tested);
	use(w, s, arg, n);
	if (s->walking) {
		w->recursed = true;
		return NULL;
	}
	check_taken(w, env, s, arg, value, n);
	return s;
}

/* Is the feature's callback table among the arguments? */
static bool takes_table(struct walk *w, const struct node *e)
{
	if (!world_root_only(w->world))
		return false;
	for (uint32_t i = 0; arg_node(e, i); i++) {
		const struct node *a = walk_strip(arg_node(e, i));
		struct global_symbol *g;

		if (a->kind != N_ADDR || a->kid[0]->kind != N_GLOBAL)
			continue;
		g = program_global(w->program, a->kid[0]->name, w->file);
		if (g && map_get(&w->world->table, g))
			return true;
	}
	return false;
}

static struct value call_function(struct walk *w, struct function *fn,
				  const char *name, const struct node *e,
				  struct env *env, bool indirect)
{
	struct value value[ARGS_MAX], ret;
	const struct node *at = w->at;
	uint32_t line = e->line ? e->line : w->line, n;
	bool table = takes_table(w, e), muted = w->muted, follows, inlined;
	struct summary *s = NULL;
	struct event *event;

	/* what is registered with a table that is off does not run */
	w->muted |= table && w->world->state == WORLD_OFF;
	n = arguments(w, e, env, value);
	w->muted = muted;
	inlined = fn && !indirect && function_inlined(fn, w->file);
	follows = fn && (fn->touches ||
			(inlined && (fn->header || (fn->func->flags &
						    FUNC_INLINE))));
	if (follows)
		s = follow(w, fn, value, n, env);
	w->line = line;
	w->at = e->line ? e : at;
	event = walk_emit(w, s && inlined ? EV_INLINE : EV_CALL, name);
	event->fn = fn;
	event->summary = s;
	if (env->tested)
		event->flags |= EVENT_TESTED;
	event->op = indirect ? OP_KIND_ICALL : OP_KIND_CALL;
	if (s) {
		/* what it may have stored, then what it did store */
		forget_reachable(w, env, !inlined, s);
		apply_outs(w, env, s, value, n);
		ret = s->ret;
		if (s->never_returns)
			env->dead = true;
	} else {
		if (fn && fn->touches)
			escape_all(w, env, value, n);
		else
			lend_all(w, env, value, n);
		forget_reachable(w, env, fn && fn->touches, NULL);
		ret = fn ? walk_pointer(w, fn->func->ret_record)
			 : VALUE_UNKNOWN;
		if (fn && (fn->func->flags & FUNC_NORETURN))
			env->dead = true;
	}
	if (table && ret.kind == V_UNKNOWN)
		/* what is looked up in the feature's table */
		ret = (struct value){ .kind = V_NULL_OR_ROOT,
				      .mark = MARK_FACT };
	return ret;
}

static struct value call_pointer(struct walk *w, const struct node *e,
				 struct env *env)
{
	struct value v = walk_value(w, e->kid[0], env), value[ARGS_MAX];
	const struct node *f = walk_strip(e->kid[0]);
	uint32_t n;

	if (v.kind == V_OBJECT && v.object == OBJECT_FUNC) {
		struct function *fn = (struct function *)v.id;

		return call_function(w, fn, fn->name, e, env, true);
	}
	walk_check_null(w, v, f->kind == N_FIELD ? f->name : "*");
	n = arguments(w, e, env, value);
	escape_all(w, env, value, n);
	forget_reachable(w, env, true, NULL);
	walk_op(w, OP_KIND_ICALL, f->kind == N_FIELD ? f->name : "?");
	return VALUE_UNKNOWN;
}

struct value walk_call(struct walk *w, const struct node *e, struct env *env)
{
	const struct node *f = walk_strip(e->kid[0]);
	const struct callee *callee;

	if (f->kind != N_FUNC)
		return call_pointer(w, e, env);
	callee = program_callee(w->program, f->name);
	switch (callee->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
		return first_value(w, e, env);
	case CALLEE_KEY:
		return key_value(w, e, env);
	case CALLEE_NOTHING:
		return VALUE_UNKNOWN;
	case CALLEE_FENCE:
		walk_op(w, OP_KIND_HEAVY, w->fn->name);
		return VALUE_UNKNOWN;
	case CALLEE_PERCPU:
		walk_op(w, OP_KIND_PERCPU, "percpu");
		return VALUE_UNKNOWN;
	case CALLEE_CURRENT:
		walk_op(w, OP_KIND_LOAD, "current");
		return value_object(OBJECT_ANY, NULL);
	case CALLEE_FREE:
		return VALUE_UNKNOWN;
	case CALLEE_COPY:
		copy_bytes(w, e);
		break;
	case CALLEE_RAISE: case CALLEE_LOWER:
		switch_key(w, e, callee->kind == CALLEE_RAISE);
		break;
	default:
		break;
	}
	return call_function(w, program_function(w->program, f->name, w->file),
			     f->name, e, env, false);
}
