// SPDX-License-Identifier: GPL-2.0-only
#include "order_walk.h"

#include "finding.h"

#include <stdlib.h>
#include <string.h>

/* A function of a unit this small is read although nothing says why. */
#define SMALL_BODY 512
/* Kinds of arguments of one function; beyond them it is not followed. */
#define SUMMARIES 64

static bool has_object(const struct order *order, const struct function *fn)
{
	for (uint32_t i = 0; i < fn->func->nparam; i++)
		if (order_is_object(order->model, fn->func->param[i].record))
			return true;
	return order_is_object(order->model, fn->func->ret_record);
}

static uint8_t reach_of_name(const struct order *order,
			     const struct function *fn, const char *name)
{
	const struct model *model = order->model;
	const struct function *to;

	if (names_match(&model->rules->charge, name))
		return REACH_CHARGE;
	if (names_match(&model->kernel->object.publish, name))
		return REACH_SHOW;
	to = program_function(order->program, name, fn->file);
	if (!to)
		return 0;
	if (flag_is_write(order->uses, to))
		return REACH_WRITE;
	return has_object(order, to) ? order->reach[to->index] : 0;
}

static uint64_t reads_of_name(const struct order *order,
			      const struct function *fn, const char *name)
{
	const struct function *to = program_function(order->program, name,
						     fn->file);

	return to && has_object(order, to) ? order->reads[to->index] : 0;
}

/* What functions do to the objects that they are handed or give back. */
static void find_reach(struct order *order)
{
	struct program *program = order->program;
	bool changed = true;

	order->reach = ARENA_ARRAY(order->arena, uint8_t, program->nfunction);
	order->reads = ARENA_ARRAY(order->arena, uint64_t, program->nfunction);
	for (uint32_t i = 0; i < program->nfunction; i++)
		order->reads[i] = flag_use_of(order->uses,
					      program->function[i])->reads;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < program->nfunction; i++) {
			const struct function *fn = program->function[i];
			uint8_t reach = order->reach[i];
			uint64_t reads = order->reads[i];

			for (uint32_t k = 0; k < fn->func->nref; k++) {
				reach |= reach_of_name(order, fn,
						       fn->func->ref[k]);
				reads |= reads_of_name(order, fn,
						       fn->func->ref[k]);
			}
			changed |= reach != order->reach[i] ||
				   reads != order->reads[i];
			order->reach[i] = reach;
			order->reads[i] = reads;
		}
	}
}

bool order_reads(const struct order *order, const struct function *fn)
{
	if (!has_object(order, fn) && !fn->header)
		return false;
	return order->reach[fn->index] || fn->header ||
	       fn->func->code_len < SMALL_BODY;
}

const struct order_write *order_note_write(struct order *order,
					   const struct function *fn,
					   const struct node *call,
					   const struct function *callee)
{
	struct order_write *write = map_get(&order->writes, call);
	const struct flag_use *use = flag_use_of(order->uses, callee);

	if (write)
		return write;
	write = ARENA_NEW(order->arena, struct order_write);
	*write = (struct order_write){
		.fn = fn, .call = call, .callee = callee->name,
		.fence = use->fence, .fence_line = use->fence_line,
		.bits = use->fenced,
	};
	map_put(&order->writes, call, write);
	return write;
}

struct step_of {
	struct order_step step;
	struct step_of *next; /* of the same call */
};

const struct order_step *order_note_step(struct order *order,
					 const struct function *fn,
					 const struct node *call,
					 const char *callee,
					 const struct order_step *inner,
					 uint64_t reads)
{
	struct step_of *first = map_get(&order->steps, call), *at;

	for (at = first; at; at = at->next)
		if (at->step.inner == inner && at->step.reads == reads)
			return &at->step;
	at = ARENA_NEW(order->arena, struct step_of);
	at->step = (struct order_step){ fn, call, callee, inner, reads };
	at->next = first;
	map_put(&order->steps, call, at);
	return &at->step;
}

static unsigned length(const struct order_step *step)
{
	unsigned n = 0;

	for (; step; step = step->inner)
		n++;
	return n;
}

void order_note_pair(struct order *order, const struct order_write *write,
		     const struct order_step *charge, bool shows)
{
	size_t *at = map_get(&order->pairs, write);
	struct order_pair *pair;

	/* somebody between needs it */
	if (charge->reads & write->bits)
		return;
	if (!at) {
		GROW_LIST(order->arena, order->pair, order->npair,
			  order->pair_cap);
		at = ARENA_NEW(order->arena, size_t);
		*at = order->npair;
		map_put(&order->pairs, write, at);
		order->pair[order->npair++] = (struct order_pair){
			write, charge, shows };
		return;
	}
	pair = &order->pair[*at];
	pair->shows |= shows;
	if (length(charge) < length(pair->charge))
		pair->charge = charge;
}

static bool same_things(const struct thing *a, const struct thing *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].bits != b[i].bits || a[i].write != b[i].write ||
		    a[i].charge != b[i].charge || a[i].reads != b[i].reads)
			return false;
	return true;
}

static bool same_outcome(const struct outcome *a, const struct outcome *b)
{
	return same_things(a->param, b->param, ORDER_PARAMS) &&
	       a->ret.kind == b->ret.kind && a->ret.thing == b->ret.thing &&
	       a->ret.fresh == b->ret.fresh &&
	       a->ret.number == b->ret.number && a->makes == b->makes &&
	       same_things(&a->made, &b->made, 1);
}

static void add_outcome(struct order *order, struct order_summary *s,
			const struct outcome *outcome)
{
	struct outcome *more;

	for (uint32_t i = 0; i < s->noutcome; i++)
		if (same_outcome(&s->outcome[i], outcome))
			return;
	if (s->noutcome == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 1;

		more = ARENA_ARRAY(order->arena, struct outcome, cap);
		if (s->noutcome)
			memcpy(more, s->outcome, s->noutcome * sizeof(*more));
		s->outcome = more;
		s->cap = cap;
	}
	s->outcome[s->noutcome++] = *outcome;
}

/* Did anything happen to it, that a caller wants to know? */
static bool is_touched(const struct thing *thing)
{
	return thing->write || thing->charge || !(thing->bits & THING_ENTRY);
}

/* The parameter that the object @thing is, or -1. */
static int param_of(const struct walker *w, uint8_t thing)
{
	for (uint32_t i = 0; i < w->fn->func->nparam && i < ORDER_PARAMS; i++)
		if (thing < w->norigin &&
		    w->origin[thing] == &w->fn->func->param[i])
			return (int)i;
	return -1;
}

static void set_return(const struct walker *w, const struct exit *exit,
		       struct outcome *o)
{
	const struct path *path = exit->path;
	struct val v = exit->value;
	int param;

	if (v.kind >= VAL_THING && v.kind <= VAL_HELD) {
		param = param_of(w, v.thing);
		if (param >= 0) {
			o->ret = (struct val){ .kind = v.kind,
					       .thing = (uint8_t)param };
		} else if (v.kind == VAL_THING) {
			o->ret = (struct val){ .kind = VAL_LATE };
			o->makes = true;
			o->made = path->thing[v.thing];
			o->made.bits &= (uint8_t)~(THING_ENTRY | THING_DOUBT);
			o->made.charge = NULL;
		}
		return;
	}
	if (v.kind == VAL_LATE) {
		o->ret = (struct val){ .kind = VAL_LATE };
		o->makes = true;
		o->made.bits = v.fresh ? THING_FRESH : 0;
		return;
	}
	o->ret = v;
	/* what the object holds has chosen this number */
	for (uint32_t i = 0; i < ORDER_PARAMS; i++)
		if ((o->param[i].bits & THING_DOUBT) &&
		    !is_touched(&o->param[i]))
			o->ret = (struct val){ .kind = VAL_HELD,
					       .thing = (uint8_t)i };
}

static bool makes_plain(const struct outcome *o)
{
	return o->makes && !(o->made.bits & THING_FRESH);
}

/* What may be another one than a newly allocated one is nothing to rely on. */
static void settle_fresh(struct order_summary *s)
{
	bool plain = false;

	for (uint32_t i = 0; i < s->noutcome; i++)
		plain |= makes_plain(&s->outcome[i]);
	for (uint32_t i = 0; plain && i < s->noutcome; i++)
		s->outcome[i].made.bits &= (uint8_t)~THING_FRESH;
}

static void set_outcomes(struct walker *w, struct order_summary *s)
{
	for (uint32_t i = 0; i < w->nexit; i++) {
		const struct exit *exit = &w->exit[i];
		struct outcome o = { 0 };

		for (uint32_t k = 0; k < exit->path->nthing; k++) {
			int param = param_of(w, (uint8_t)k);

			if (param >= 0)
				o.param[param] = exit->path->thing[k];
		}
		set_return(w, exit, &o);
		for (uint32_t k = 0; k < ORDER_PARAMS; k++) {
			s->chooses |= o.param[k].bits & THING_DOUBT;
			o.param[k].bits &= (uint8_t)~THING_DOUBT;
		}
		add_outcome(w->order, s, &o);
		path_drop(w, exit->path);
	}
	settle_fresh(s);
}

/* The path that a function begins with. */
static struct path *begin(struct walker *w, const uint8_t *arg)
{
	struct path *path = path_new(w);
	uint8_t bits;
	int slot, thing;

	for (uint32_t i = 0; i < w->fn->func->nparam && i < ORDER_PARAMS;
	     i++) {
		const struct param *param = &w->fn->func->param[i];
		struct val v = { 0 };

		slot = walker_slot(w, param->name);
		if (slot < 0)
			break;
		w->record[slot] = param->record;
		switch (arg[i] & ARG_KIND) {
		case ARG_NO: case ARG_YES:
			v.kind = VAL_CONST;
			v.number = (arg[i] & ARG_KIND) == ARG_YES;
			break;
		case ARG_SET:
			v.kind = VAL_NONNULL;
			break;
		case ARG_THING:
			bits = (uint8_t)(arg[i] >> 3);
			if (!(bits & (THING_SHOWN | THING_CHARGED)))
				bits |= THING_ENTRY;
			thing = walker_thing(w, path, param, bits);
			if (thing < 0)
				break;
			v.kind = VAL_THING;
			v.thing = (uint8_t)thing;
			if (w->watch && w->watch->handed &&
			    w->watch->param == i)
				path->thing[thing].write = w->watch->write;
			break;
		case ARG_PART: case ARG_HELD:
			thing = walker_thing(w, path, param, THING_ENTRY);
			if (thing < 0)
				break;
			v.kind = (arg[i] & ARG_KIND) == ARG_PART ? VAL_PART :
				 VAL_HELD;
			v.thing = (uint8_t)thing;
			break;
		default:
			break;
		}
		path_set(w, path, slot, v);
	}
	w->nparam = w->norigin;
	return path;
}

void order_walk_summary(struct order *order, struct order_summary *s,
			struct order_watch *watch)
{
	struct walker w = {
		.order = order,
		.fn = s->fn,
		.watch = watch,
		.arena = arena_new(),
	};
	const struct node *body;

	order->depth++;
	body = facts_body(s->fn->func);
	if (body) {
		order_function(&w, body, begin(&w, s->arg));
		set_outcomes(&w, s);
	}
	if (w.cut)
		world_cut(order->model->on, s->fn, w.cut);
	if (w.cut && watch)
		watch->move->prevents = w.cut;
	order->depth--;
	arena_free(w.arena);
}

struct order_summary *order_summary(struct order *order,
				    const struct function *fn,
				    const uint8_t *arg)
{
	struct order_summary *s = order->memo[fn->index];
	unsigned n = 0;

	for (; s; s = s->next, n++)
		if (!memcmp(s->arg, arg, ORDER_PARAMS))
			return s;
	if (n == SUMMARIES || order->depth == ORDER_DEEP ||
	    (!fn->func->body && !fn->func->code))
		return NULL;
	s = ARENA_NEW(order->arena, struct order_summary);
	s->fn = fn;
	memcpy(s->arg, arg, ORDER_PARAMS);
	s->next = order->memo[fn->index];
	order->memo[fn->index] = s;
	s->walking = true;
	order_walk_summary(order, s, NULL);
	s->walking = false;
	return s;
}

/* Objects that nothing is special of. */
void order_any_arguments(const struct order *order, const struct function *fn,
			 uint8_t arg[ORDER_PARAMS])
{
	memset(arg, 0, ORDER_PARAMS);
	for (uint32_t i = 0; i < fn->func->nparam && i < ORDER_PARAMS; i++)
		if (order_is_object(order->model, fn->func->param[i].record))
			arg[i] = ARG_THING | THING_FRESH << 3;
}

static void look_at(struct order *order, const struct function *fn)
{
	uint8_t arg[ORDER_PARAMS];

	order_any_arguments(order, fn, arg);
	order_summary(order, fn, arg);
}

static int by_place(const void *a, const void *b)
{
	const struct order_write *x = ((const struct order_pair *)a)->write;
	const struct order_write *y = ((const struct order_pair *)b)->write;
	int d = strcmp(x->fn->file, y->fn->file);

	if (d)
		return d;
	if (x->call->line != y->call->line)
		return x->call->line < y->call->line ? -1 : 1;
	if (x->call->column != y->call->column)
		return x->call->column < y->call->column ? -1 : 1;
	return strcmp(x->fn->name, y->fn->name);
}

static struct order *order_new(struct model *model)
{
	struct order *order = ARENA_NEW(model->arena, struct order);
	struct program *in = model->feature->in;

	/* the walks with groups made take as much room as these will */
	world_forget(model->on);
	order->model = model;
	order->program = in;
	order->arena = model->arena;
	order->uses = flag_uses_new(model, model->arena);
	order->memo = ARENA_ARRAY(model->arena, struct order_summary *,
				  in->nfunction);
	order->writes.arena = order->steps.arena = order->pairs.arena =
		model->arena;
	return order;
}

const struct order_pair *model_order(struct model *model, size_t *n)
{
	const uint8_t both = REACH_WRITE | REACH_CHARGE;
	struct order *order = model->order;

	*n = 0;
	if (!model->rules->charge.n)
		return NULL;
	if (order) {
		*n = order->npair;
		return order->pair;
	}
	order = model->order = order_new(model);
	find_reach(order);
	for (uint32_t i = 0; i < order->program->nfunction; i++)
		if ((order->reach[i] & both) == both)
			look_at(order, order->program->function[i]);
	if (order->npair)
		qsort(order->pair, order->npair, sizeof(*order->pair),
		      by_place);
	*n = order->npair;
	return order->pair;
}

const struct order_pair *model_order_of(struct model *model,
					const struct finding *finding)
{
	size_t n;
	const struct order_pair *pair = model_order(model, &n);

	for (size_t i = 0; i < n; i++) {
		const struct order_write *write = pair[i].write;

		if (write->call->line == finding->line &&
		    write->call->column == finding->column &&
		    !strcmp(write->fn->name, finding->function) &&
		    !strcmp(write->fn->file, finding->file))
			return &pair[i];
	}
	return NULL;
}
