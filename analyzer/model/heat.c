// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heat: how often a function runs per operation on a hot path.
 *
 * It is the largest product, over all roots and ways down from them, of how
 * often the root's function runs and how often each call on the way is made.
 * Where the feature matters the calls are those that are live in the state
 * that is asked about; elsewhere they are read from the text.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "analysis.h"
#include "peek.h"

/* Colder than this is of no use to anybody; it bounds the search. */
#define HEAT_LEAST 1e-4
#define ARM 0.5
#define UNLIKELY 0.01
#define STAYS 0.8

/*
 * A function, or where the feature matters a function in one context: what
 * it calls may hang on what it is given.
 */
struct spot {
	struct function *fn;
	struct summary *summary; /* NULL: the text is read */
	struct way *way;
	uint32_t nway, way_cap;
	bool known;
	bool queued;
	double heat;             /* on the root that is looked at */
	uint32_t from;
};

struct way {
	uint32_t to;
	double freq;
};

struct finder {
	struct model *model;
	struct world *world;
	struct heat *found; /* by function->index */
	struct arena *arena;
	struct map spots;   /* summary or function: index + 1 */
	struct spot *spot;
	uint32_t nspot, cap;
	struct function *at;
	struct peek peek;
	uint32_t *queue;
	uint32_t head, nqueue, queue_cap;
};

#define NOWHERE UINT32_MAX

static uint32_t spot_of(struct finder *f, const void *key,
			struct function *fn, struct summary *summary)
{
	void *known = map_get(&f->spots, key);

	if (known)
		return (uint32_t)(uintptr_t)known - 1;
	if (f->nspot == f->cap) {
		f->cap = f->cap ? f->cap * 2 : 4096;
		f->spot = xrealloc(f->spot, f->cap * sizeof(*f->spot));
	}
	f->spot[f->nspot] = (struct spot){ .fn = fn, .summary = summary,
					   .from = NOWHERE };
	map_put(&f->spots, key, (void *)(uintptr_t)(f->nspot + 1));
	return f->nspot++;
}

/* The spot of a function that is called with arguments that are not known. */
static uint32_t function_spot(struct finder *f, struct function *fn)
{
	const struct liveness *live = &f->model->live[fn->index];
	struct world *world = f->world;
	struct summary *summary;

	if (!fn->touches)
		return spot_of(f, fn, fn, NULL);
	if (world != f->model->off)
		summary = world_summary(world, fn,
					world_any_arguments(world, fn),
					fn->func->nparam);
	else if (live->live || live->inlined)
		summary = model_off(f->model, fn);
	else
		return NOWHERE;
	return spot_of(f, summary, fn, summary);
}

static void add_way(struct finder *f, uint32_t from, uint32_t to, double freq)
{
	struct spot *spot = &f->spot[from];
	struct way *more;

	if (to == NOWHERE)
		return;
	for (uint32_t i = 0; i < spot->nway; i++) {
		if (spot->way[i].to != to)
			continue;
		if (freq > spot->way[i].freq)
			spot->way[i].freq = freq;
		return;
	}
	if (spot->nway == spot->way_cap) {
		spot->way_cap = spot->way_cap ? spot->way_cap * 2 : 8;
		more = ARENA_ARRAY(f->arena, struct way, spot->way_cap);
		if (spot->nway)
			memcpy(more, spot->way, spot->nway * sizeof(*more));
		spot->way = more;
	}
	spot->way[spot->nway++] = (struct way){ to, freq };
}

static const struct node *strip(const struct node *e)
{
	while (e->kind == N_CAST && e->kid[0])
		e = e->kid[0];
	return e;
}

/* A key that is only on while somebody looks on. */
static bool cold_key(struct finder *f, const struct node *call)
{
	const struct node *e = call->nkid > 1 ? call->kid[1] : NULL;

	while (e && (e->kind == N_ADDR || e->kind == N_FIELD ||
		     e->kind == N_CAST))
		e = e->kid[0];
	return e && e->kind == N_GLOBAL &&
	       program_callee(f->model->feature->in, e->name)->cold;
}

/* How often the arm of a condition is taken. */
static double likelihood(struct finder *f, const struct node *c, bool truth)
{
	const struct node *callee;

	c = strip(c);
	if (c->kind == N_UNARY && c->op == OP_NOT)
		return likelihood(f, c->kid[0], !truth);
	if (c->kind == N_CALL) {
		callee = strip(c->kid[0]);
		if (callee->kind == N_FUNC)
			switch (program_callee(f->model->feature->in,
					       callee->name)->kind) {
			case CALLEE_UNLIKELY: case CALLEE_WARN:
				return truth ? UNLIKELY : 1 - UNLIKELY;
			case CALLEE_KEY:
				if (cold_key(f, c))
					return truth ? UNLIKELY : 1 - UNLIKELY;
				break;
			default:
				break;
			}
	}
	return ARM;
}

static bool leaves(const struct node *s)
{
	while (s && s->kind == N_BLOCK)
		s = s->nkid ? s->kid[s->nkid - 1] : NULL;
	return s && (s->kind == N_RETURN || s->kind == N_GOTO ||
		     s->kind == N_BREAK || s->kind == N_CONTINUE);
}

static void read_text(struct finder *f, uint32_t spot,
		      const struct node *node, double freq)
{
	struct function *to;
	double arm;

	switch (node->kind) {
	case N_FUNC:
		to = program_function(f->model->feature->in, node->name,
				      f->at->file);
		if (to)
			add_way(f, spot, function_spot(f, to), freq);
		return;
	case N_IF: case N_COND:
		read_text(f, spot, node->kid[0], freq);
		for (uint32_t i = 1; i < 3; i++) {
			if (!node->kid[i])
				continue;
			arm = likelihood(f, node->kid[0], i == 1);
			read_text(f, spot, node->kid[i], freq * arm);
		}
		return;
	case N_BINARY:
		if (node->op != OP_ANDAND && node->op != OP_OROR)
			break;
		read_text(f, spot, node->kid[0], freq);
		read_text(f, spot, node->kid[1], freq *
			  likelihood(f, node->kid[0], node->op == OP_ANDAND));
		return;
	case N_CASE:
		if (node->kid[1])
			read_text(f, spot, node->kid[1], freq);
		return;
	case N_SWITCH:
		read_text(f, spot, node->kid[0], freq);
		if (node->kid[1])
			read_text(f, spot, node->kid[1], freq * ARM);
		return;
	case N_BLOCK: case N_STMTEXPR:
		for (uint32_t i = 0; i < node->nkid; i++) {
			const struct node *s = node->kid[i];

			if (!s)
				continue;
			read_text(f, spot, s, freq);
			/* what follows runs if the function was not left */
			if (s->kind == N_IF && leaves(s->kid[1])) {
				arm = likelihood(f, s->kid[0], false);
				freq *= arm == ARM ? STAYS : arm;
			}
		}
		return;
	default:
		break;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			read_text(f, spot, node->kid[i], freq);
}

/* The calls that one walk of a function found. */
static void read_events(struct finder *f, uint32_t spot,
			const struct summary *summary)
{
	for (uint32_t i = 0; i < summary->nevent; i++) {
		const struct event *event = &summary->event[i];
		double freq = event->freq < 1 ? (double)event->freq : 1;
		uint32_t to;

		if ((event->kind != EV_CALL && event->kind != EV_INLINE &&
		     event->kind != EV_FUNC) || !event->fn)
			continue;
		if ((event->flags & EVENT_COLD) && freq > UNLIKELY)
			freq = UNLIKELY;
		if (event->kind != EV_FUNC && event->summary)
			to = spot_of(f, event->summary, event->fn,
				     event->summary);
		else
			to = function_spot(f, event->fn);
		add_way(f, spot, to, freq);
	}
}

static void find_ways(struct finder *f, uint32_t spot)
{
	struct function *fn = f->spot[spot].fn;
	struct summary *summary = f->spot[spot].summary;
	struct node *body;

	if (f->spot[spot].known)
		return;
	f->spot[spot].known = true;
	f->at = fn;
	if (summary) {
		read_events(f, spot, summary);
		return;
	}
	body = peek_body(&f->peek, fn->func);
	if (body)
		read_text(f, spot, body, 1);
}

static bool is_cold(struct finder *f, const struct function *fn)
{
	return (fn->func->flags & (FUNC_INIT | FUNC_COLD)) ||
	       program_callee(f->model->feature->in, fn->name)->cold;
}

static void push(struct finder *f, uint32_t spot)
{
	if (f->spot[spot].queued)
		return;
	f->spot[spot].queued = true;
	if (f->nqueue == f->queue_cap) {
		uint32_t cap = f->queue_cap ? f->queue_cap * 2 : 4096;
		uint32_t *more = xmalloc(cap * sizeof(*more));

		for (uint32_t i = 0; i < f->nqueue; i++)
			more[i] = f->queue[(f->head + i) % f->queue_cap];
		free(f->queue);
		f->queue = more;
		f->queue_cap = cap;
		f->head = 0;
	}
	f->queue[(f->head + f->nqueue++) % f->queue_cap] = spot;
}

static uint32_t pop(struct finder *f)
{
	uint32_t spot = f->queue[f->head];

	f->head = (f->head + 1) % f->queue_cap;
	f->nqueue--;
	f->spot[spot].queued = false;
	return spot;
}

static void heat_up(struct finder *f, struct function *fn, double times)
{
	uint32_t spot = function_spot(f, fn);

	if (spot == NOWHERE || times <= f->spot[spot].heat)
		return;
	f->spot[spot].heat = times;
	f->spot[spot].from = NOWHERE;
	push(f, spot);
}

/* Names, patterns and callbacks that a root begins at. */
static void seed(struct finder *f, size_t root)
{
	const struct hot_root *hot = &f->model->kernel->root[root];
	struct program *in = f->model->feature->in;

	for (size_t k = 0; k < hot->nfunction; k++) {
		const char *name = hot->function[k].name;
		size_t literal = strcspn(name, "*?[\\");
		struct names names = { &name, 1 };
		struct function *fn;

		if (!name[literal]) {
			for (fn = map_get(&in->functions,
					  intern(in->strings, name));
			     fn; fn = fn->next)
				heat_up(f, fn, hot->function[k].times);
			continue;
		}
		for (uint32_t i = 0; i < in->nfunction; i++) {
			fn = in->function[i];
			/* a pattern means the usual ones, a name this one */
			if (!strncmp(fn->name, name, literal) &&
			    !is_cold(f, fn) && names_match(&names, fn->name))
				heat_up(f, fn, hot->function[k].times);
		}
	}
	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct callback *callback = f->model->live[i].callback;

		if (callback && callback->root &&
		    !strcmp(callback->root, hot->name))
			heat_up(f, in->function[i], 1);
	}
}

static void spread(struct finder *f)
{
	while (f->nqueue) {
		uint32_t spot = pop(f);
		double heat = f->spot[spot].heat;

		find_ways(f, spot);
		for (uint32_t i = 0; i < f->spot[spot].nway; i++) {
			struct way way = f->spot[spot].way[i];
			struct spot *to = &f->spot[way.to];
			double h = heat * way.freq;

			if (h < HEAT_LEAST || h <= to->heat ||
			    to->fn == f->spot[spot].fn || is_cold(f, to->fn))
				continue;
			to->heat = h;
			to->from = spot;
			push(f, way.to);
		}
	}
}

/* What one root found, put down by function; then all is cold again. */
static void collect(struct finder *f, size_t root)
{
	size_t nroot = f->model->kernel->nroot;

	for (uint32_t i = 0; i < f->nspot; i++) {
		struct spot *spot = &f->spot[i];
		struct heat *heat = &f->found[spot->fn->index];

		if (spot->heat <= 0)
			continue;
		if (!heat->root) {
			heat->root = ARENA_ARRAY(f->model->arena, double,
						 nroot);
			heat->from = ARENA_ARRAY(f->model->arena,
						 const struct function *,
						 nroot);
		}
		if (spot->heat > heat->root[root]) {
			heat->root[root] = spot->heat;
			heat->from[root] = spot->from == NOWHERE ? NULL :
					   f->spot[spot->from].fn;
		}
		if (spot->heat > heat->most)
			heat->most = spot->heat;
		if (spot->summary && spot->heat > spot->summary->heat)
			spot->summary->heat = spot->heat;
	}
	for (uint32_t i = 0; i < f->nspot; i++) {
		f->spot[i].heat = 0;
		f->spot[i].from = NOWHERE;
	}
}

struct heat *model_find_heat(struct model *model, struct world *world)
{
	struct program *in = model->feature->in;
	struct finder f = { .model = model, .world = world,
			    .arena = arena_new() };

	f.spots.arena = f.arena;
	f.found = ARENA_ARRAY(model->arena, struct heat, in->nfunction);
	for (size_t root = 0; root < model->kernel->nroot; root++) {
		seed(&f, root);
		spread(&f);
		collect(&f, root);
	}
	peek_done(&f.peek);
	free(f.spot);
	free(f.queue);
	arena_free(f.arena);
	return f.found;
}

const char **model_hot(const struct model *model, const struct heat *heat,
		       size_t *n)
{
	size_t nroot = model->kernel->nroot, best;
	/* once per operation is hot enough, however often another runs */
	double most = heat->most < 1 ? heat->most : 1;
	const char **hot = ARENA_ARRAY(model->arena, const char *, nroot);
	bool *done = ARENA_ARRAY(model->arena, bool, nroot);

	*n = 0;
	while (heat->root) {
		best = nroot;
		for (size_t i = 0; i < nroot; i++)
			if (!done[i] && heat->root[i] >= HEAT_HOT &&
			    heat->root[i] * HOT_SPAN >= most &&
			    (best == nroot ||
			     heat->root[i] > heat->root[best]))
				best = i;
		if (best == nroot)
			break;
		done[best] = true;
		hot[(*n)++] = model->kernel->root[best].name;
	}
	return hot;
}
