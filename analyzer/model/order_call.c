// SPDX-License-Identifier: GPL-2.0-only
#include "order_walk.h"

#include <string.h>

#include "reading.h"

#define ARGS_MAX 16

/* A call, with its arguments on one path. */
struct calling {
	const struct node *e;
	const char *name;
	const struct function *fn; /* or NULL */
	uint32_t n;
	struct val arg[ARGS_MAX];
};

static void give(struct walker *w, struct results *out, struct path *path,
		 struct val v)
{
	struct result *r = result_add(w, out);

	r->path = path;
	r->val = v;
}

static bool of_thing(struct val v)
{
	return v.kind >= VAL_THING && v.kind <= VAL_HELD;
}

/* Nothing that was written before matters any more. */
static void settle(struct thing *thing, uint8_t bits)
{
	thing->bits |= bits;
	thing->bits &= (uint8_t)~THING_ENTRY;
	thing->write = NULL;
	thing->reads = 0;
}

/* May what charges look at the object, and then not charge it? */
static bool chooses(struct walker *w, const struct calling *c, uint32_t i)
{
	uint8_t arg[ORDER_PARAMS] = { 0 };
	const struct order_summary *s;

	if (!c->fn || i >= ORDER_PARAMS || i >= c->fn->func->nparam)
		return false;
	arg[i] = ARG_THING;
	s = order_summary(w->order, c->fn, arg);
	return s && s->chooses;
}

static bool is_watched(const struct walker *w, const struct thing *thing)
{
	return w->watch && thing->write == w->watch->write;
}

static void charge(struct walker *w, struct path *path,
		   const struct calling *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		int k = order_thing(w, path, c->arg[i]);
		const struct order_step *step;
		struct thing *thing;

		if (k < 0)
			continue;
		thing = &path->thing[k];
		if (thing->bits & (THING_SHOWN | THING_CHARGED))
			return;
		if (is_watched(w, thing)) {
			thing->bits |= THING_CHARGED;
			return;
		}
		step = order_note_step(w->order, w->fn, c->e, c->name, NULL,
				       thing->reads);
		if (thing->write)
			order_note_pair(w->order, thing->write, step, false);
		else if ((thing->bits & THING_ENTRY) &&
			 !(thing->bits & THING_DOUBT) &&
			 ((thing->bits & THING_FRESH) || !chooses(w, c, i)))
			thing->charge = step;
		settle(thing, THING_CHARGED);
		return;
	}
}

static void show(struct walker *w, struct path *path, const struct calling *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct val v = c->arg[i];
		int k = of_thing(v) ? v.thing : order_thing(w, path, v);

		if (k < 0)
			continue;
		if (is_watched(w, &path->thing[k]))
			order_prevent(w, c->e->line, c->name,
				      "makes it visible");
		settle(&path->thing[k], THING_SHOWN);
	}
}

/* Whoever had it alone has it no more: what its flags said is forgotten. */
static void drop(struct walker *w, struct path *path, const struct calling *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		int k = order_thing(w, path, c->arg[i]);

		if (k < 0)
			continue;
		path->thing[k].write = NULL;
		path->thing[k].reads = 0;
		path->thing[k].bits &= (uint8_t)~THING_ENTRY;
	}
}

/* What header functions do to the flags. */
static void use_flags(struct walker *w, struct path *path,
		      const struct calling *c, const struct flag_use *use)
{
	struct thing *thing;
	int k;

	if (use->param < 0 || (uint32_t)use->param >= c->n)
		return;
	k = order_thing(w, path, c->arg[use->param]);
	if (k < 0)
		return;
	thing = &path->thing[k];
	thing->reads |= use->reads;
	if (is_watched(w, thing) && (use->reads & thing->write->bits))
		order_prevent(w, c->e->line, c->name, "reads the flag");
	if (!use->fenced || thing->bits & (THING_SHOWN | THING_CHARGED))
		return;
	thing->write = order_note_write(w->order, w->fn, c->e, c->fn);
	thing->reads = 0;
	thing->bits &= (uint8_t)~(THING_ENTRY | THING_DOUBT);
}

static uint8_t argument_kind(const struct path *path, struct val v)
{
	switch (v.kind) {
	case VAL_CONST:
		return v.number ? v.number == 1 ? ARG_YES : ARG_ANY : ARG_NO;
	case VAL_NONNULL:
		return ARG_SET;
	case VAL_THING:
		return (uint8_t)(ARG_THING | (path->thing[v.thing].bits &
			(THING_SHOWN | THING_CHARGED | THING_FRESH)) << 3);
	case VAL_PART:
		return ARG_PART;
	case VAL_HELD:
		return ARG_HELD;
	default:
		return ARG_ANY;
	}
}

/* What happened to the caller's object in the callee, one way of leaving it. */
static void apply(struct walker *w, struct path *path, const struct calling *c,
		  int k, const struct thing *then)
{
	struct thing *thing = &path->thing[k];
	const struct order_step *step;

	if (is_watched(w, thing)) {
		if (c->e == w->watch->past)
			return;
		if (then->bits & THING_SHOWN)
			order_prevent(w, c->e->line, c->name,
				      "makes it visible");
		if (then->reads & thing->write->bits)
			order_prevent(w, c->e->line, c->name,
				      "reads the flag");
		thing->bits |= then->bits & (THING_SHOWN | THING_CHARGED);
		return;
	}
	if (then->charge) {
		step = order_note_step(w->order, w->fn, c->e, c->name,
				       then->charge,
				       thing->reads | then->charge->reads);
		if (thing->write)
			order_note_pair(w->order, thing->write, step,
					then->bits & THING_SHOWN);
		else if ((thing->bits & THING_ENTRY) &&
			 !(thing->bits & THING_DOUBT))
			thing->charge = step;
	}
	if (then->write) {
		thing->write = then->write;
		thing->reads = then->reads;
	} else if (!(then->bits & THING_ENTRY)) {
		thing->write = NULL;
	} else {
		thing->reads |= then->reads;
	}
	thing->bits |= then->bits & (THING_SHOWN | THING_CHARGED);
	if (!(then->bits & THING_ENTRY))
		thing->bits &= (uint8_t)~THING_ENTRY;
}

static struct val returned(struct walker *w, struct path *path,
			   const struct calling *c, const struct outcome *o)
{
	struct val v = o->ret;
	int k;

	if (v.kind == VAL_LATE && o->makes) {
		k = walker_thing(w, path, c->e, o->made.bits);
		if (k < 0)
			return (struct val){ 0 };
		path->thing[k] = o->made;
		return (struct val){ .kind = VAL_THING, .thing = (uint8_t)k };
	}
	if (!of_thing(v))
		return v;
	/* of a parameter */
	if (v.thing >= c->n)
		return (struct val){ 0 };
	if (v.kind == VAL_THING)
		return c->arg[v.thing];
	return of_thing(c->arg[v.thing]) ?
	       (struct val){ .kind = v.kind, .thing = c->arg[v.thing].thing } :
	       (struct val){ 0 };
}

/* An unknown result of what was given an object was made of that. */
static struct val made_of(const struct calling *c, struct val v)
{
	for (uint32_t i = 0; i < c->n && v.kind == VAL_UNKNOWN; i++)
		if (of_thing(c->arg[i]))
			v = (struct val){ .kind = VAL_PART,
					  .thing = c->arg[i].thing };
	return v;
}

static bool follow(struct walker *w, struct path *path, struct calling *c,
		   struct results *out)
{
	uint8_t arg[ORDER_PARAMS] = { 0 };
	const struct order_summary *s;

	if (!c->fn || !order_reads(w->order, c->fn))
		return false;
	for (uint32_t i = 0; i < c->n && i < ORDER_PARAMS &&
	     i < c->fn->func->nparam; i++) {
		const char *record = c->fn->func->param[i].record;
		int k;

		if (order_is_object(w->order->model, record)) {
			k = order_thing(w, path, c->arg[i]);
			if (k >= 0)
				c->arg[i] = (struct val){
					.kind = VAL_THING,
					.thing = (uint8_t)k };
		}
		arg[i] = argument_kind(path, c->arg[i]);
	}
	s = order_summary(w->order, c->fn, arg);
	if (!s || s->walking)
		return false;
	for (uint32_t i = 0; i < s->noutcome; i++) {
		const struct outcome *o = &s->outcome[i];
		struct path *then = i + 1 < s->noutcome ?
				    path_copy(w, path) : path;

		for (uint32_t k = 0; k < c->n && k < ORDER_PARAMS; k++)
			if ((arg[k] & ARG_KIND) == ARG_THING)
				apply(w, then, c, c->arg[k].thing,
				      &o->param[k]);
		give(w, out, then, made_of(c, returned(w, then, c, o)));
	}
	/* it does not come back */
	if (!s->noutcome)
		path_drop(w, path);
	return true;
}

/* What is not followed reads what it may read. */
static void note_reads(struct walker *w, struct path *path,
		       const struct calling *c)
{
	for (uint32_t i = 0; c->fn && i < c->n; i++)
		if (c->arg[i].kind == VAL_THING)
			path->thing[c->arg[i].thing].reads |=
				w->order->reads[c->fn->index];
}

static bool is_allocator(const struct walker *w, const char *name)
{
	return names_match(&w->order->model->kernel->object.allocate, name);
}

/* Locals whose address is handed on may be anything afterwards. */
static void forget_lent(struct walker *w, struct path *path,
			const struct node *e)
{
	for (uint32_t i = 1; i < e->nkid; i++) {
		const struct node *arg = reading_strip(e->kid[i]);

		if (arg->kind != N_ADDR)
			continue;
		arg = reading_strip(arg->kid[0]);
		while (arg->kind == N_FIELD && !(arg->flags & NODE_ARROW))
			arg = reading_strip(arg->kid[0]);
		if (arg->kind == N_LOCAL)
			path_set(w, path, walker_slot(w, arg->name),
				 (struct val){ 0 });
	}
}

static void call_named(struct walker *w, struct path *path, struct calling *c,
		       struct results *out)
{
	const struct model *model = w->order->model;
	const struct callee *callee = program_callee(w->order->program,
						     c->name);
	bool writes;

	switch (callee->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
		give(w, out, path, c->n ? c->arg[0] : (struct val){ 0 });
		return;
	case CALLEE_NOTHING: case CALLEE_FREE: case CALLEE_FENCE:
	case CALLEE_CURRENT: case CALLEE_PERCPU: case CALLEE_KEY:
		give(w, out, path, (struct val){ 0 });
		return;
	default:
		break;
	}
	forget_lent(w, path, c->e);
	if (w->watch)
		order_watched_call(w, path, c->e, c->name, c->fn, c->arg,
				   c->n);
	if (names_match(&model->rules->charge, c->name)) {
		charge(w, path, c);
		give(w, out, path, (struct val){ 0 });
		return;
	}
	if (names_match(&model->kernel->object.publish, c->name)) {
		show(w, path, c);
		give(w, out, path, (struct val){ 0 });
		return;
	}
	if (names_match(&model->kernel->object.drop, c->name)) {
		drop(w, path, c);
		give(w, out, path, (struct val){ 0 });
		return;
	}
	if (is_allocator(w, c->name)) {
		give(w, out, path, (struct val){ .kind = VAL_LATE,
						 .fresh = true,
						 .made = c->e });
		return;
	}
	if (c->fn && (c->fn->func->flags & FUNC_NORETURN)) {
		path_drop(w, path);
		return;
	}
	writes = c->fn && flag_is_write(w->order->uses, c->fn);
	if (c->fn && (c->fn->header || writes))
		use_flags(w, path, c, flag_use_of(w->order->uses, c->fn));
	if (writes || !follow(w, path, c, out)) {
		struct val v = made_of(c, (struct val){ 0 });

		if (!writes)
			note_reads(w, path, c);
		/* an object that comes back is another one, whatever it is */
		if (c->fn && order_is_object(model, c->fn->func->ret_record))
			v = (struct val){ .kind = VAL_LATE, .made = c->e };
		give(w, out, path, v);
	}
}

void order_call(struct walker *w, const struct node *e, struct path *path,
		struct results *out)
{
	const struct node *f = reading_strip(e->kid[0]);
	struct calling *now = ARENA_NEW(w->arena, struct calling), *c;
	struct calling **list = NULL;
	size_t n = 0, cap = 0;
	struct path **on = NULL;
	size_t non = 0, on_cap = 0;

	now->e = e;
	GROW_LIST(w->arena, list, n, cap);
	list[n++] = now;
	GROW_LIST(w->arena, on, non, on_cap);
	on[non++] = path;
	/* arguments one after the other; each may fork the path */
	for (uint32_t i = f->kind == N_FUNC ? 1 : 0; i < e->nkid; i++) {
		struct calling **then = NULL;
		struct path **then_on = NULL;
		size_t nthen = 0, then_cap = 0, nthen_on = 0, then_on_cap = 0;

		for (size_t k = 0; k < n; k++) {
			struct results r = { 0 };

			order_eval(w, e->kid[i], on[k], &r);
			for (uint32_t m = 0; m < r.n; m++) {
				c = ARENA_NEW(w->arena, struct calling);
				*c = *list[k];
				if (i && c->n < ARGS_MAX)
					c->arg[c->n++] = r.r[m].val;
				GROW_LIST(w->arena, then, nthen, then_cap);
				then[nthen++] = c;
				GROW_LIST(w->arena, then_on, nthen_on,
					  then_on_cap);
				then_on[nthen_on++] = r.r[m].path;
			}
		}
		list = then;
		n = nthen;
		on = then_on;
	}
	for (size_t k = 0; k < n; k++) {
		c = list[k];
		if (f->kind != N_FUNC) {
			forget_lent(w, on[k], e);
			give(w, out, on[k], made_of(c, (struct val){ 0 }));
			continue;
		}
		c->name = f->name;
		c->fn = program_function(w->order->program, f->name,
					 w->fn->file);
		call_named(w, on[k], c, out);
	}
}
