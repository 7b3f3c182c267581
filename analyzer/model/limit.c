// SPDX-License-Identifier: GPL-2.0-only
#include "limit.h"

#include "reading.h"

/* Summaries within summaries; more is no code that anybody wrote. */
#define DEEP 250

struct limits {
	struct model *model;
	const char *group;    /* the record of a group, interned */
	struct map looked_at; /* summary: struct limit */
	struct limit *limit;  /* by function->index: what is told */
};

/* The call by which @fn goes from the group @param on to the next. */
static const struct node *step_of(const struct node *node, const char *param)
{
	const struct node *found = NULL;

	if (node->kind == N_ASSIGN && node->op == OP_SET &&
	    node->kid[0]->kind == N_LOCAL && node->kid[0]->name == param) {
		found = reading_strip(node->kid[1]);
		if (found->kind == N_CALL)
			return found;
	}
	for (uint32_t i = 0; i < node->nkid; i++) {
		found = node->kid[i] ? step_of(node->kid[i], param) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

/* Does the loop in @s go up: from root, nowhere? */
static bool goes_up(const struct summary *s, const char *param)
{
	const struct node *body = facts_body(s->fn->func);
	const struct node *step = body ? step_of(body, param) : NULL;

	for (uint32_t i = 0; step && i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if (event_calls(event) && event->node == step &&
		    event->summary && (event->flags & EVENT_LOOP))
			return value_is_zero(event->summary->ret);
	}
	return false;
}

static const char *group_param(const struct limits *l,
			       const struct function *fn)
{
	const char *param = NULL;

	for (uint32_t i = 0; i < fn->func->nparam; i++) {
		if (fn->func->param[i].record != l->group)
			continue;
		if (param)
			return NULL;
		param = fn->func->param[i].name;
	}
	return param;
}

static void note_limit(struct limits *l, const struct summary *s,
		       const struct limit *limit, const struct summary *from)
{
	struct limit *at = &l->limit[s->fn->index];

	if (at->load && at->heat >= from->heat)
		return;
	*at = *limit;
	at->from = from->fn;
	at->heat = from->heat;
	at->group = group_param(l, s->fn);
	at->up = limit->up && at->group && goes_up(s, at->group);
}

/* One more, read in @in or found by whom that calls. */
static void add_limit(struct limit *limit, const struct limit *found,
		      bool loop)
{
	bool all = (!limit->load || limit->up) && (found->up || loop);

	if (!limit->load)
		*limit = *found;
	limit->up = all;
}

/*
 * The first limit that @s reads or asks a helper about; what is done with it
 * is done by the first function up from there that gives nothing back.
 */
static struct limit *find_limit(struct limits *l,
				const struct summary *s,
				const struct summary *from, unsigned deep)
{
	const struct names *limits = &l->model->rules->limit;
	struct limit *limit = map_get(&l->looked_at, s), *inner;

	if (limit || deep > DEEP)
		return limit;
	/* told of the nearest one that is on a hot path */
	if (s->heat >= HEAT_HOT)
		from = s;
	limit = ARENA_NEW(l->model->arena, struct limit);
	map_put(&l->looked_at, s, limit);
	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];
		bool loop = event->flags & EVENT_LOOP;

		if (event->kind == EV_OP && event->op == OP_KIND_LOAD &&
		    names_have(limits, event->name))
			add_limit(limit, &(struct limit){
				.load = event, .in = s->fn }, loop);
		if (!event_calls(event) || !event->summary ||
		    (!reading_follows(event->fn) && event->kind != EV_INLINE))
			continue;
		inner = find_limit(l, event->summary, from, deep + 1);
		/* who is told no group does not ask for anybody */
		if (inner && inner->load &&
		    (inner->in == event->summary->fn ||
		     function_takes(event->summary->fn, l->group)))
			add_limit(limit, inner, loop);
	}
	if (limit->load && reading_follows(s->fn) && function_is_void(s->fn) &&
	    function_takes(s->fn, l->group)) {
		note_limit(l, s, limit, from);
		*limit = (struct limit){ .load = NULL };
	}
	return limit;
}

struct limit *model_limits(struct model *model)
{
	struct program *in = model->feature->in;
	struct limits l = {
		.model = model,
		.group = intern(model->strings, model->rules->group),
		.looked_at.arena = model->arena,
		.limit = ARENA_ARRAY(model->arena, struct limit,
				     in->nfunction),
	};

	model_find_root_work(model);
	for (uint32_t i = 0; i < in->nfunction && model->rules->limit.n; i++)
		for (struct summary *s = model->root->memo[i]; s; s = s->next)
			if (s->heat >= HEAT_HOT && reading_follows(s->fn))
				find_limit(&l, s, s, 0);
	return l.limit;
}

/* Is it the parameter, or one of the variables that point to root? */
static bool names(const struct model *model, const struct function *fn,
		  const struct node *node, bool param)
{
	const struct global_symbol *g;

	node = reading_strip(node);
	if (param)
		return node->kind == N_LOCAL &&
		       node->name == fn->func->param[0].name;
	g = node->kind == N_GLOBAL ?
	    program_global(model->feature->in, node->name, fn->file) : NULL;
	return g && map_get(&model->root->root_global, g);
}

const struct function *model_root_test(const struct model *model)
{
	struct program *in = model->feature->in;
	const char *group = intern(model->strings, model->rules->group);

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct function *fn = in->function[i];
		const struct node *e;

		if (fn->func->nparam != 1 || !function_takes(fn, group) ||
		    function_is_void(fn) || *fn->func->ret_record)
			continue;
		e = facts_body(fn->func);
		if (!e || e->kind != N_BLOCK || e->nkid != 1 || !e->kid[0] ||
		    e->kid[0]->kind != N_RETURN || !e->kid[0]->kid[0])
			continue;
		e = reading_strip(e->kid[0]->kid[0]);
		if (e->kind != N_BINARY || e->op != OP_EQ)
			continue;
		for (uint32_t k = 0; k < 2; k++)
			if (names(model, fn, e->kid[k], true) &&
			    names(model, fn, e->kid[!k], false))
				return fn;
	}
	return NULL;
}
