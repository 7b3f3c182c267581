// SPDX-License-Identifier: GPL-2.0-only
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include "../base/err.h"

/* --- what the parts of a walk share */

struct value walk_pointer(const struct walk *w, const char *record)
{
	const struct facts_off *facts = w->world->facts;

	return facts ? fact_of_pointer(facts, record, &w->summary->reads)
		     : VALUE_UNKNOWN;
}

struct event *walk_emit(struct walk *w, enum event_kind kind,
			const char *name)
{
	struct world *world = w->world;
	struct event *event;

	if (world->nevent == world->event_cap) {
		world->event_cap = world->event_cap ? world->event_cap * 2
						    : 1024;
		world->event = xrealloc(world->event, world->event_cap *
					sizeof(*world->event));
	}
	if (world->nevent - w->base >= WALK_EVENTS) {
		/* the last one is written over */
		w->cut = "more events than are kept";
		world->nevent--;
	}
	event = &world->event[world->nevent++];
	*event = (struct event){
		.kind = (uint8_t)kind, .name = name, .line = w->line,
		.node = w->at, .freq = (float)w->freq,
		.flags = (uint8_t)((w->cold ? EVENT_COLD : 0) |
				   (w->nested ? EVENT_NESTED : 0) |
				   (w->left ? EVENT_LEFT : 0) |
				   (w->loops ? EVENT_LOOP : 0)),
	};
	return event;
}

void walk_op(struct walk *w, enum op_kind op, const char *name)
{
	walk_emit(w, EV_OP, name)->op = (uint8_t)op;
}

const struct value *walk_keep(struct walk *w, struct value v)
{
	struct value *copy = ARENA_NEW(w->world->arena, struct value);

	*copy = v;
	return copy;
}

/* A condition that the state decides, not the source text alone. */
void walk_test(struct walk *w, struct env *env, struct value v)
{
	struct event *event;

	if (v.mark == MARK_SOURCE)
		return;
	if (w->decided.mark == MARK_SOURCE) {
		w->decided = v;
		w->decided.mark = MARK_FACT;
	}
	event = walk_emit(w, EV_TEST, v.because);
	event->op = v.mark;
	event->value = walk_keep(w, v);
	if (value_truth(v) == 1)
		event->flags |= EVENT_TEST_TRUE;
	if (w->world->state != WORLD_ON || v.mark != MARK_GUARD)
		return;
	/* parts of one condition are one test */
	if (env->tested && env->tested_at != w->line)
		event->flags |= EVENT_AGAIN;
	env->tested = true;
	env->tested_at = w->line;
}

void walk_write(struct walk *w, struct fact *fact, struct value v)
{
	struct event *event;

	if (!fact)
		return;
	if (v.kind == V_NONE || v.object == OBJECT_SLOT)
		v = VALUE_UNKNOWN;
	event = walk_emit(w, EV_WRITE, fact->name);
	event->fact = fact;
	event->value = walk_keep(w, v);
}

struct fact *walk_slot_fact(const struct walk *w, uint32_t slot)
{
	const struct slot *s = &w->scope->slot[slot];

	if (!w->world->facts || s->parent == NO_SLOT || s->pointee)
		return NULL;
	return fact_of_field(w->world->facts, s->name);
}

void walk_forget(struct walk *w, struct env *env, uint32_t slot)
{
	if (slot == NO_SLOT)
		return;
	for (uint32_t i = 0; i < env->n; i++)
		if (env->v[i].kind != V_NONE &&
		    scope_below(w->scope, i, slot))
			env->v[i] = VALUE_UNKNOWN;
	env_set(env, slot, VALUE_UNKNOWN);
}

static void mark_escaped(struct walk *w, uint32_t slot)
{
	if (slot >= w->nescaped) {
		w->escaped = xrealloc(w->escaped, (slot + 16) *
				      sizeof(*w->escaped));
		memset(w->escaped + w->nescaped, 0, slot + 16 - w->nescaped);
		w->nescaped = slot + 16;
	}
	w->escaped[slot] = true;
	if (w->scope->slot[slot].param < 32)
		w->escapes |= 1u << w->scope->slot[slot].param;
	else if (w->scope->slot[slot].param != NO_SLOT)
		w->escapes = ~0u;
}

void walk_escape(struct walk *w, struct env *env, struct value v)
{
	if (!value_has_identity(v))
		return;
	switch (v.object) {
	case OBJECT_FIELD:
		walk_write(w, (struct fact *)v.id, VALUE_UNKNOWN);
		break;
	case OBJECT_GLOBAL:
		if (w->world->facts)
			walk_write(w, fact_of_global(w->world->facts, v.id),
				   VALUE_UNKNOWN);
		break;
	case OBJECT_SLOT:
		walk_write(w, walk_slot_fact(w, v.slot), VALUE_UNKNOWN);
		if (v.slot < w->nescaped && w->escaped[v.slot])
			return;
		mark_escaped(w, v.slot);
		if (!env)
			return;
		/* what is in it goes with it */
		for (uint32_t i = 0; i < env->n; i++)
			if (value_has_identity(env->v[i]) &&
			    scope_below(w->scope, i, v.slot))
				walk_escape(w, env, env->v[i]);
		walk_forget(w, env, v.slot);
		break;
	}
}

void walk_lend(struct walk *w, struct env *env, struct value v)
{
	if (!value_has_identity(v) || v.object != OBJECT_SLOT ||
	    walk_slot_fact(w, v.slot)) {
		walk_escape(w, env, v);
		return;
	}
	mark_escaped(w, v.slot);
	for (uint32_t i = 0; i < env->n; i++)
		if (env->v[i].kind != V_NONE && i != v.slot &&
		    scope_below(w->scope, i, v.slot) && !walk_slot_fact(w, i)) {
			walk_escape(w, env, env->v[i]);
			env->v[i] = VALUE_UNKNOWN;
		}
	env_set(env, v.slot, VALUE_UNKNOWN);
}

struct env *walk_merge(struct walk *w, struct env *a, struct env *b)
{
	uint32_t n, i;

	if (!a || !b || a == b)
		return a ? a : b;
	if (a->n < b->n) {
		struct env *swap = a;

		a = b;
		b = swap;
	}
	n = b->n;
	for (i = 0; i < a->n; i++) {
		struct value x = a->v[i], y = i < n ? b->v[i] : VALUE_NONE;
		bool lost = false;

		if (value_equal(x, y))
			continue;
		if (x.kind == V_NONE || y.kind == V_NONE) {
			/* one side says nothing: so does the joined place */
			walk_escape(w, a, x);
			walk_escape(w, a, y);
			a->v[i] = VALUE_UNKNOWN;
			continue;
		}
		a->v[i] = value_join(x, y, &lost);
		if (lost) {
			walk_escape(w, a, x);
			walk_escape(w, a, y);
		}
	}
	a->dead = a->dead && b->dead;
	a->tested = a->tested && b->tested;
	if (a->tested_at != b->tested_at)
		a->tested_at = 0;
	walk_drop(w, b);
	return a;
}

static void forget_local(struct walk *w, struct env *env, const char *name)
{
	uint32_t slot = scope_local(w->scope, name, NULL);

	if (slot == NO_SLOT)
		return;
	for (uint32_t i = 0; i < env->n; i++) {
		if (env->v[i].kind == V_NONE ||
		    !scope_below(w->scope, i, slot))
			continue;
		if (value_has_identity(env->v[i]))
			walk_escape(w, env, env->v[i]);
		env->v[i] = VALUE_UNKNOWN;
	}
}

static const char *root_local(const struct node *e)
{
	while (e && (e->kind == N_INDEX || e->kind == N_CAST ||
		     (e->kind == N_FIELD && !(e->flags & NODE_ARROW))))
		e = e->kid[0];
	return e && e->kind == N_LOCAL ? e->name : NULL;
}

static void forget_stored(struct walk *w, struct env *env,
			  const struct node *node)
{
	const char *name = NULL;

	if (node->kind == N_ASSIGN || node->kind == N_ADDR)
		name = root_local(node->kid[0]);
	else if (node->kind == N_DECL)
		name = node->name;
	else if (node->kind == N_LOCAL && (node->flags & NODE_OUT))
		name = node->name;
	if (name)
		forget_local(w, env, name);
}

/* Every local that @node may store to holds nothing known any more. */
void walk_forget_assigned(struct walk *w, struct env *env,
			  const struct node *node)
{
	forget_stored(w, env, node);
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			walk_forget_assigned(w, env, node->kid[i]);
}

/* From a label to the last goto back to it, or the end of the loop that has it. */
struct cycle {
	const char *label;
	uint32_t jumps; /* still to come */
	unsigned loops; /* entered since the label */
	bool begun;
};

static void forget_in_cycle(struct walk *w, struct env *env,
			    const struct node *node, struct cycle *c)
{
	const bool inside = c->begun && (c->jumps || c->loops);

	if (node->kind == N_LABEL && node->name == c->label)
		c->begun = true;
	if (inside)
		forget_stored(w, env, node);
	if (inside && node->kind == N_LOOP)
		c->loops++;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			forget_in_cycle(w, env, node->kid[i], c);
	if (inside && node->kind == N_LOOP)
		c->loops--;
	if (inside && node->kind == N_GOTO && node->name == c->label &&
	    c->jumps)
		c->jumps--;
}

void walk_forget_cycle(struct walk *w, struct env *env, const char *label)
{
	const struct node *body = facts_body(w->fn->func);
	struct cycle c = { .label = label };

	for (uint32_t i = 0; i < w->scope->nbackward; i++)
		c.jumps += w->scope->backward[i] == label;
	if (c.jumps && body)
		forget_in_cycle(w, env, body, &c);
}

/* --- one walk */

static struct env *enter(struct walk *w)
{
	struct env *env = env_new(&w->world->spare);
	const struct func *func = w->fn->func;

	env->tested = w->summary->tested;
	for (uint32_t i = 0; i < func->nparam; i++) {
		uint32_t slot = scope_local(w->scope, func->param[i].name,
					    func->param[i].record);
		uint32_t pointee;
		struct value v = walk_pointer(w, func->param[i].record);

		if (slot == NO_SLOT)
			continue;
		pointee = scope_pointee(w->scope, slot, i);
		if (i < w->summary->narg) {
			const struct argument *arg = &w->summary->arg[i];

			v = arg->value;
			for (uint32_t k = 0; k < arg->nknown &&
			     pointee != NO_SLOT; k++)
				env_set(env, scope_child(w->scope, pointee,
							 arg->known[k].field,
							 ""),
					arg->known[k].value);
		}
		if (pointee != NO_SLOT && v.object == OBJECT_ANY &&
		    (v.kind == V_OBJECT || v.kind == V_UNKNOWN)) {
			v.object = OBJECT_SLOT;
			v.slot = pointee;
		}
		env_set(env, slot, v);
	}
	return env;
}

static bool known_from_start(const struct summary *s, uint32_t param,
			     const char *field, struct value v)
{
	if (param >= s->narg)
		return false;
	for (uint32_t i = 0; i < s->arg[param].nknown; i++)
		if (s->arg[param].known[i].field == field)
			return value_equal(s->arg[param].known[i].value, v);
	return false;
}

/* What is left behind the pointer parameters. */
static void collect_outs(struct walk *w)
{
	struct scope *scope = w->scope;
	struct out_value *out;
	uint32_t n = 0, i;

	if (!w->exit)
		return;
	for (i = 0; i < w->exit->n; i++)
		n += scope->slot[i].param != NO_SLOT &&
		     w->exit->v[i].kind != V_NONE;
	out = ARENA_ARRAY(w->world->arena, struct out_value, n);
	n = 0;
	for (i = 0; i < w->exit->n; i++) {
		const struct slot *slot = &scope->slot[i];
		struct value v = w->exit->v[i];
		const char *field = slot->pointee ? NULL : slot->name;

		if (slot->param == NO_SLOT || v.kind == V_NONE)
			continue;
		/* a field of a field: the outer one is not known any more */
		if (!slot->pointee && !scope->slot[slot->parent].pointee) {
			field = scope->slot[slot->parent].name;
			v = VALUE_UNKNOWN;
		}
		if (field && known_from_start(w->summary, slot->param, field,
					      v))
			continue;
		if (value_has_identity(v)) {
			walk_escape(w, NULL, v);
			v = v.kind == V_OBJECT ?
			    value_object(OBJECT_ANY, NULL) : VALUE_UNKNOWN;
		}
		out[n++] = (struct out_value){ .param = slot->param, .field = field,
					 .value = v };
	}
	w->summary->out = out;
	w->summary->nout = n;
}

static void collect_writes(struct summary *s)
{
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];
		uint32_t fact;

		if (event->kind == EV_WRITE) {
			fact = event->fact->index;
			if (fact < WRITES_MAX)
				s->writes[fact / 64] |= (uint64_t)1 <<
							(fact % 64);
		} else if (event->kind == EV_CALL ||
			   event->kind == EV_INLINE) {
			for (uint32_t k = 0; event->summary &&
			     k < WRITES_MAX / 64; k++)
				s->writes[k] |= event->summary->writes[k];
			/* recursion, or a limit: anything */
			if (!event->summary && event->fn &&
			    event->fn->touches)
				memset(s->writes, 0xff, sizeof(s->writes));
		}
	}
}

static void finish(struct walk *w)
{
	struct summary *s = w->summary;
	struct world *world = w->world;
	struct event *event;
	struct used *used;

	collect_outs(w);
	s->ret = w->returned ? w->ret : VALUE_UNKNOWN;
	if (s->ret.object == OBJECT_SLOT && value_has_identity(s->ret)) {
		walk_escape(w, NULL, s->ret);
		s->ret.object = OBJECT_ANY;
		s->ret.id = NULL;
	}
	if (s->ret.kind == V_UNKNOWN || s->ret.kind == V_NONE)
		s->ret = walk_pointer(w, w->fn->func->ret_record);
	s->escapes = w->escapes;
	s->never_returns = !w->exit && !w->cut;
	s->recursed = w->recursed;
	s->cut = w->cut;
	s->nevent = world->nevent - w->base;
	s->open |= w->cut != NULL;
	s->nused = w->nused;
	used = ARENA_ARRAY(world->arena, struct used, s->nused);
	if (s->nused)
		memcpy(used, w->used, s->nused * sizeof(*used));
	s->used = used;
	event = ARENA_ARRAY(world->arena, struct event, s->nevent);
	if (s->nevent)
		memcpy(event, world->event + w->base,
		       s->nevent * sizeof(*event));
	s->event = event;
	collect_writes(s);
	world->nevent = w->base;
}

void walk_run(struct world *world, struct summary *s)
{
	struct walk w = {
		.world = world, .program = world->program, .fn = s->fn,
		.file = s->fn->file, .summary = s, .base = world->nevent,
		.line = s->fn->func->line, .freq = 1,
		.ret = VALUE_NONE,
	};
	struct node *body = facts_body(s->fn->func);
	struct env *env;

	w.scope = scope_of(world->program, s->fn);
	if (!body) {
		w.cut = "its facts are damaged";
	} else {
		if (w.scope->computed_goto)
			w.cut = "a computed goto";
		env = walk_statement(&w, body, enter(&w));
		w.exit = walk_merge(&w, w.exit, env);
	}
	finish(&w);
	for (uint32_t i = 0; i < w.npending; i++)
		walk_drop(&w, w.pending[i].env);
	walk_drop(&w, w.exit);
	free(w.pending);
	free(w.escaped);
	free(w.cleanup);
	free(w.used);
	if (w.cut)
		world_cut(world, s->fn, w.cut);
}
