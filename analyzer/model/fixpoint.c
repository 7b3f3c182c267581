// SPDX-License-Identifier: GPL-2.0-only
/*
 * The optimistic fixpoint. Facts start as strong as they can be; all live
 * functions are walked; what they store weakens facts, whom they call
 * becomes live, what they pass joins the parameters; until nothing changes.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "syntax.h"
#include "unreal.h"

/* Each round can only weaken; a kernel settles in less than ten. */
#define ROUNDS_MAX 60

struct name_list {
	const char *name;
	const struct function *fn;
};

struct round {
	struct model *model;
	unsigned number;
	struct function **todo;
	uint32_t ntodo, todo_cap;
	struct work *work;
	uint32_t nwork, work_cap;
	struct name_list *named;
	uint32_t nnamed, named_cap;
	const struct function *within; /* whose code is looked at */
	bool changed;
};

#define GROW(arena, array, n, cap)                                           \
	do {                                                                 \
		if ((n) == (cap)) {                                          \
			__typeof__(array) more_;                             \
			(cap) = (cap) ? (cap) * 2 : 8;                       \
			more_ = arena_alloc(arena, sizeof(*(array)) * (cap));\
			if (n)                                               \
				memcpy(more_, array, sizeof(*(array)) * (n));\
			(array) = more_;                                     \
		}                                                            \
	} while (0)

static struct liveness *live_of(const struct model *model,
				const struct function *fn)
{
	return &model->live[fn->index];
}

static void make_live(struct round *r, struct function *fn,
		      struct function *via)
{
	struct liveness *live = live_of(r->model, fn);

	if (live->live)
		return;
	/*
	 * It is entered in the next round, when all of this one have said
	 * what they pass to it.
	 */
	live->live = true;
	live->via = via;
	r->changed = true;
}

static void take(struct round *r, struct function *fn, struct function *by)
{
	struct liveness *live;

	if (!fn || !fn->touches)
		return;
	live = live_of(r->model, fn);
	if (!live->taken) {
		live->taken = true;
		r->changed = true;
	}
	if (!fn->header)
		make_live(r, fn, by);
}

static void take_global(struct round *r, const struct global_symbol *g,
			struct function *by)
{
	struct program *in = r->model->feature->in;

	if (map_get(&r->model->off->table, g))
		return;
	for (uint32_t i = 0; i < g->global->nref; i++)
		take(r, program_function(in, g->global->ref[i], g->file), by);
}

static void add_edge(struct round *r, struct function *from,
		     const struct event *event, bool taken)
{
	struct model *model = r->model;
	struct arena *arena = model->round;
	struct liveness *to = live_of(model, event->fn);
	struct liveness *up = live_of(model, from);
	struct edge *edge = ARENA_NEW(arena, struct edge);

	*edge = (struct edge){
		.from = from, .to = event->fn, .freq = event->freq,
		.flags = event->flags, .inlined = event->kind == EV_INLINE,
		.taken = taken, .line = event->line,
	};
	GROW(arena, to->in, to->nin, to->in_cap);
	to->in[to->nin++] = edge;
	GROW(arena, up->out, up->nout, up->out_cap);
	up->out[up->nout++] = edge;
}

static struct value passable(struct value v)
{
	if (v.kind == V_OBJECT && v.object != OBJECT_ROOT)
		v = (struct value){ .kind = V_OBJECT, .mark = v.mark,
				    .because = v.because };
	else if (v.kind == V_UNKNOWN)
		v = VALUE_UNKNOWN;
	return v;
}

static void join_parameters(struct round *r, const struct event *event)
{
	struct liveness *live = live_of(r->model, event->fn);
	const struct func *func = event->fn->func;

	if (!live->next) {
		live->next = ARENA_ARRAY(r->model->round, struct value,
					 func->nparam);
		for (uint32_t i = 0; i < func->nparam; i++)
			live->next[i] = VALUE_NONE;
	}
	for (uint32_t i = 0; i < func->nparam; i++) {
		struct value v = VALUE_UNKNOWN, *p = &live->next[i];

		if (event->summary && i < event->summary->narg)
			v = passable(event->summary->arg[i].value);
		else
			v = world_pointer(r->model->off,
					  func->param[i].record);
		*p = p->kind == V_NONE ? v : value_join(*p, v, NULL);
	}
}

/*
 * Does @fn store to a field of the one group that there is, and is it run
 * once, before anybody uses the group?
 */
static bool sets_up_group(const struct model *model, const struct function *fn,
			  const struct event *event)
{
	const struct callback *callback = model->live[fn->index].callback;
	const char *group = model->facts->group;
	size_t len = group ? strlen(group) : 0;

	return callback && callback->boot && group &&
	       event->fact->kind == FACT_FIELD &&
	       !strncmp(event->fact->name, group, len) &&
	       event->fact->name[len] == '.';
}

static enum store_time time_of(const struct function *fn)
{
	const struct func *func = fn->func;

	if (!(func->flags & (FUNC_INIT | FUNC_INITCALL)))
		return STORE_RUNNING;
	/* what reads the command line is given text; an initcall nothing */
	return (func->flags & FUNC_INITCALL) && func->nparam ? STORE_SETUP
							     : STORE_INITCALL;
}

/* Can @node be left above @line for another reason than a failure? */
static bool may_leave(const struct model *model, const struct node *node,
		      uint32_t line)
{
	const char *callee;

	if (node->line >= line)
		return false;
	if (node->kind == N_GOTO)
		return true;
	if (node->kind == N_RETURN) {
		callee = node->kid[0] ?
			 syntax_callee(syntax_bare(node->kid[0])) : NULL;
		return !callee || !names_match(&model->kernel->error, callee);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && may_leave(model, node->kid[i], line))
			return true;
	return false;
}

/* May it not have come to the store while the kernel boots? */
static bool is_conditional(const struct model *model,
			   const struct function *fn,
			   const struct event *event)
{
	const struct node *body;

	if (event->flags & (EVENT_NESTED | EVENT_COLD))
		return true;
	if (fn->func->flags & FUNC_INITCALL)
		return event->flags & EVENT_LEFT;
	/* without its root group no kernel boots */
	if (!sets_up_group(model, fn, event))
		return true;
	body = facts_body(fn->func);
	return !body || may_leave(model, body, event->line);
}

static void absorb_write(struct round *r, const struct summary *s,
			 const struct event *event)
{
	struct writer writer = {
		.fn = s->fn, .within = r->within, .line = event->line,
		.value = *event->value,
		.time = sets_up_group(r->model, s->fn, event) ?
			STORE_INITCALL : time_of(s->fn),
		.conditional = is_conditional(r->model, s->fn, event),
		.local = event->flags & EVENT_LOCAL,
	};

	fact_store(r->model->facts, event->fact, &writer);
}

static void absorb(struct round *r, struct summary *s)
{
	struct arena *arena = r->model->round;
	struct function *fn = s->fn;
	const struct function *within = r->within;

	if (s->seen == r->number)
		return;
	s->seen = r->number;
	if (!fn->header || fn->differs || !within)
		r->within = fn;
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		switch (event->kind) {
		case EV_INLINE: case EV_CALL:
			if (!event->fn ||
			    unreal_call(r->model->facts, s, event))
				break;
			add_edge(r, fn, event, false);
			join_parameters(r, event);
			if (event->kind == EV_INLINE)
				live_of(r->model, event->fn)->inlined = true;
			else if (event->fn->touches)
				make_live(r, event->fn, fn);
			if (event->summary)
				absorb(r, event->summary);
			break;
		case EV_FUNC:
			add_edge(r, fn, event, true);
			take(r, event->fn, fn);
			break;
		case EV_GLOBAL:
			take_global(r, event->global, fn);
			break;
		case EV_WORK:
			GROW(arena, r->work, r->nwork, r->work_cap);
			r->work[r->nwork++] = (struct work){
				event->name, event->fn, fn };
			break;
		case EV_NAMED:
			GROW(arena, r->named, r->nnamed, r->named_cap);
			r->named[r->nnamed++] = (struct name_list){
				event->name, fn };
			break;
		case EV_WRITE:
			absorb_write(r, s, event);
			break;
		case EV_MAKE:
			fact_make(r->model->facts, event->name, fn);
			break;
		default:
			break;
		}
	}
	r->within = within;
}

/* A work item runs if anyone but who set it up names it. */
static void take_work(struct round *r)
{
	for (uint32_t i = 0; i < r->nwork; i++) {
		const struct work *work = &r->work[i];

		for (uint32_t k = 0; k < r->nnamed; k++)
			if (r->named[k].name == work->item &&
			    r->named[k].fn != work->by) {
				take(r, work->fn, work->by);
				break;
			}
	}
}

static void settle_parameters(struct round *r)
{
	struct model *model = r->model;
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct liveness *live = &model->live[i];
		uint32_t n = in->function[i]->func->nparam;

		if (!live->next)
			continue;
		if (!live->param) {
			live->param = ARENA_ARRAY(model->arena, struct value,
						  n);
			for (uint32_t k = 0; k < n; k++)
				live->param[k] = VALUE_NONE;
		}
		for (uint32_t k = 0; k < n; k++) {
			struct value *p = &live->param[k];
			struct value v = live->next[k];

			if (p->kind != V_NONE)
				v = value_join(*p, v, NULL);
			if (p->kind != V_NONE && value_equal(*p, v))
				continue;
			*p = v;
			r->changed = true;
		}
		live->next = NULL;
	}
}

static bool one_round(struct model *model)
{
	struct round r = { .model = model, .number = ++model->rounds };
	struct program *in = model->feature->in;
	uint32_t i;

	world_forget(model->off);
	arena_free(model->round);
	model->round = arena_new();
	facts_off_begin(model->facts);
	for (i = 0; i < in->nfunction; i++) {
		struct liveness *live = &model->live[i];

		live->in = live->out = NULL;
		live->nin = live->in_cap = live->nout = live->out_cap = 0;
		live->inlined = false;
		if (live->live) {
			GROW(model->round, r.todo, r.ntodo, r.todo_cap);
			r.todo[r.ntodo++] = in->function[i];
		}
	}
	for (i = 0; i < r.ntodo; i++)
		absorb(&r, model_off(model, r.todo[i]));
	take_work(&r);
	settle_parameters(&r);
	r.changed |= facts_off_end(model->facts);
	return r.changed;
}

static void add_root(struct model *model, struct function *fn, bool taken)
{
	struct liveness *live;

	if (!fn || !fn->touches)
		return;
	live = live_of(model, fn);
	live->live = live->root = true;
	live->taken |= taken;
}

static const struct callback *find_callback(const struct model *model,
					    const char *member)
{
	const char *dot = strchr(member, '.');

	for (size_t i = 0; i < model->rules->ncallback; i++)
		if (!strcmp(model->rules->callback[i].name,
			    dot ? dot + 1 : member))
			return &model->rules->callback[i];
	return NULL;
}

/* Members of the feature's table that run for the root group. */
static void add_callbacks(struct model *model, const struct global_symbol *g)
{
	const struct node *init = g->global->init;
	struct program *in = model->feature->in;

	for (uint32_t i = 0; init && init->kind == N_INIT &&
	     i < init->nkid; i++) {
		const struct node *kid = init->kid[i], *fn;
		const struct callback *callback;
		struct function *target;

		if (!kid || kid->kind != N_FIELDINIT || !kid->kid[0])
			continue;
		callback = find_callback(model, kid->name);
		fn = kid->kid[0];
		while (fn->kind == N_ADDR || fn->kind == N_CAST)
			fn = fn->kid[0];
		if (!callback || fn->kind != N_FUNC)
			continue;
		target = program_function(in, fn->name, g->file);
		if (!target)
			continue;
		live_of(model, target)->live = true;
		live_of(model, target)->root = true;
		live_of(model, target)->callback = callback;
	}
}

/*
 * What runs whatever is found: callbacks for the root group, initcalls,
 * what the same file defines with and without the feature, and what is
 * reached from code that the feature cannot matter in.
 */
static void add_roots(struct model *model)
{
	struct program *in = model->feature->in;
	uint32_t i, k;

	for (i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];

		if (fn->header)
			continue;
		if (fn->func->flags & FUNC_INITCALL)
			add_root(model, fn, true);
		/* a static twin has no callers outside its file either */
		if (fn->both && !fn->is_static && !fn->other->is_static)
			add_root(model, fn, false);
		/* the body of a system call is inline, in a .c file */
		if (fn->touches)
			continue;
		for (k = 0; k < fn->func->nref; k++) {
			struct function *to = program_function(in,
				fn->func->ref[k], fn->file);

			if (to && to->both)
				add_root(model, to, false);
		}
	}
	for (i = 0; i < in->nglobal; i++) {
		struct global_symbol *g = in->global[i];

		if (map_get(&model->off->table, g)) {
			add_callbacks(model, g);
			continue;
		}
		if (!g->other)
			continue;
		for (k = 0; k < g->global->nref; k++)
			add_root(model, program_function(in,
					g->global->ref[k], g->file), true);
	}
}

/*
 * What an initcall stores for certain is there before anything else runs, and
 * so is what makes the root group. To begin with what was there before would
 * make live what never is, for good.
 */
static void start_with_boot(struct model *model)
{
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		const struct summary *s;

		if (!live_of(model, fn)->live ||
		    (time_of(fn) != STORE_INITCALL &&
		     !live_of(model, fn)->callback))
			continue;
		s = model_off(model, fn);
		for (uint32_t k = 0; k < s->nevent; k++)
			if (s->event[k].kind == EV_WRITE &&
			    !is_conditional(model, fn, &s->event[k]))
				fact_start(model->facts, s->event[k].fact,
					   *s->event[k].value);
	}
}

struct argument *model_arguments(const struct model *model,
				 const struct function *fn)
{
	const struct liveness *live = live_of(model, fn);
	struct argument *arg = world_any_arguments(model->off, fn);
	const struct func *func = fn->func;

	if (live->callback) {
		for (uint32_t i = 0; i < func->nparam &&
		     i < live->callback->narg; i++) {
			switch (live->callback->arg[i]) {
			case ARG_NULL:
				arg[i].value = value_const(0, MARK_FACT,
							   fn->name);
				break;
			case ARG_ROOT:
				arg[i].value = value_object(OBJECT_ROOT, NULL);
				arg[i].value.mark = MARK_FACT;
				break;
			default:
				break;
			}
		}
		return arg;
	}
	if (live->taken)
		return arg;
	if (!live->param) {
		/* in the first round nobody has said what they pass yet */
		for (uint32_t i = 0; model->rounds == 1 && i < func->nparam;
		     i++)
			if (feature_record(model->feature,
					   func->param[i].record))
				arg[i].value = value_const(0, MARK_FACT,
							   fn->name);
		return arg;
	}
	for (uint32_t i = 0; i < func->nparam; i++) {
		if (live->param[i].kind == V_NONE)
			continue;
		/*
		 * A function that both configurations have may be called
		 * from units that were not read.
		 */
		if (feature_record(model->feature, func->param[i].record) ||
		    (fn->differs && !fn->both))
			arg[i].value = live->param[i];
	}
	return arg;
}

struct summary *model_judged(const struct model *model, struct function *fn)
{
	const struct liveness *live = live_of(model, fn);
	const struct func *func = fn->func;
	struct argument *arg = model_arguments(model, fn);
	const struct summary *s;

	if (live->taken || live->callback)
		return model_off(model, fn);
	for (uint32_t i = 0; i < func->nparam; i++) {
		struct value v = VALUE_NONE;

		if (!feature_record(model->feature, func->param[i].record) &&
		    (!fn->differs || fn->both))
			continue;
		for (s = model->off->memo[fn->index]; s; s = s->next) {
			struct value given = VALUE_UNKNOWN;

			if (s->heat < HEAT_HOT || s->seen != model->rounds)
				continue;
			if (i < s->narg)
				given = passable(s->arg[i].value);
			v = v.kind == V_NONE ? given :
			    value_join(v, given, NULL);
		}
		if (v.kind == V_UNKNOWN)
			v = world_pointer(model->off, func->param[i].record);
		if (v.kind != V_NONE)
			arg[i].value = v;
	}
	return world_summary(model->off, fn, arg, func->nparam);
}

struct summary *model_off(const struct model *model, struct function *fn)
{
	return world_summary(model->off, fn, model_arguments(model, fn),
			     fn->func->nparam);
}

void model_settle(struct model *model)
{
	add_roots(model);
	start_with_boot(model);
	while (one_round(model))
		if (model->rounds >= ROUNDS_MAX) {
			model->unsettled = true;
			break;
		}
	facts_off_sort(model->facts);
}
