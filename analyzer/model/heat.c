// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heat: how often a function runs per operation on a hot path.
 *
 * It is the largest product, over all roots and ways down from them, of how
 * often the root's function runs and how often each call on the way is made.
 * Where the feature matters the calls are those that are live in the off
 * state; elsewhere they are read from the text.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

/* Colder than this is of no use to anybody; it bounds the search. */
#define HEAT_LEAST 1e-4
#define ARM 0.5
#define UNLIKELY 0.01
#define STAYS 0.8

struct way {
	const struct function *to;
	double freq;
};

struct ways {
	struct way *way;
	uint32_t n, cap;
	bool known;
};

struct finder {
	struct model *model;
	struct arena *arena;
	struct ways *ways; /* by function->index */
	struct function *at;
};

static void add_way(struct finder *f, struct ways *ways,
		    const struct function *to, double freq)
{
	struct way *more;

	for (uint32_t i = 0; i < ways->n; i++) {
		if (ways->way[i].to != to)
			continue;
		if (freq > ways->way[i].freq)
			ways->way[i].freq = freq;
		return;
	}
	if (ways->n == ways->cap) {
		ways->cap = ways->cap ? ways->cap * 2 : 8;
		more = ARENA_ARRAY(f->arena, struct way, ways->cap);
		if (ways->n)
			memcpy(more, ways->way, ways->n * sizeof(*more));
		ways->way = more;
	}
	ways->way[ways->n++] = (struct way){ to, freq };
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

static void read_text(struct finder *f, struct ways *ways,
		      const struct node *node, double freq)
{
	const struct function *to;
	double arm;

	switch (node->kind) {
	case N_FUNC:
		to = program_function(f->model->feature->in, node->name,
				      f->at->file);
		if (to)
			add_way(f, ways, to, freq);
		return;
	case N_IF: case N_COND:
		read_text(f, ways, node->kid[0], freq);
		for (uint32_t i = 1; i < 3; i++) {
			if (!node->kid[i])
				continue;
			arm = likelihood(f, node->kid[0], i == 1);
			read_text(f, ways, node->kid[i], freq * arm);
		}
		return;
	case N_BINARY:
		if (node->op != OP_ANDAND && node->op != OP_OROR)
			break;
		read_text(f, ways, node->kid[0], freq);
		read_text(f, ways, node->kid[1], freq *
			  likelihood(f, node->kid[0], node->op == OP_ANDAND));
		return;
	case N_CASE:
		if (node->kid[1])
			read_text(f, ways, node->kid[1], freq);
		return;
	case N_SWITCH:
		read_text(f, ways, node->kid[0], freq);
		if (node->kid[1])
			read_text(f, ways, node->kid[1], freq * ARM);
		return;
	case N_BLOCK: case N_STMTEXPR:
		for (uint32_t i = 0; i < node->nkid; i++) {
			const struct node *s = node->kid[i];

			if (!s)
				continue;
			read_text(f, ways, s, freq);
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
			read_text(f, ways, node->kid[i], freq);
}

static struct ways *ways_of(struct finder *f, struct function *fn)
{
	struct ways *ways = &f->ways[fn->index];
	const struct liveness *live = &f->model->live[fn->index];
	struct node *body;

	if (ways->known)
		return ways;
	ways->known = true;
	f->at = fn;
	if (fn->touches) {
		for (uint32_t i = 0; i < live->nout; i++)
			add_way(f, ways, live->out[i]->to,
				live->out[i]->flags & EVENT_COLD &&
				live->out[i]->freq > UNLIKELY ? UNLIKELY :
				live->out[i]->freq > 1 ? 1 :
				(double)live->out[i]->freq);
		return ways;
	}
	body = facts_body(fn->func);
	if (body)
		read_text(f, ways, body, 1);
	return ways;
}

static bool is_cold(struct finder *f, const struct function *fn)
{
	return (fn->func->flags & (FUNC_INIT | FUNC_COLD)) ||
	       program_callee(f->model->feature->in, fn->name)->cold;
}

static double *heat_of(struct finder *f, const struct function *fn,
		       size_t root)
{
	struct heat *heat = &f->model->heat[fn->index];
	size_t n = f->model->kernel->nroot;

	if (!heat->root) {
		heat->root = ARENA_ARRAY(f->model->arena, double, n);
		heat->from = ARENA_ARRAY(f->model->arena,
					 const struct function *, n);
	}
	return &heat->root[root];
}

/* A queue of functions whose heat on one root has grown. */
struct queue {
	struct function **fn;
	bool *queued;
	uint32_t head, n, size;
};

static void push(struct queue *q, struct function *fn)
{
	if (q->queued[fn->index])
		return;
	q->queued[fn->index] = true;
	q->fn[(q->head + q->n++) % q->size] = fn;
}

static struct function *pop(struct queue *q)
{
	struct function *fn = q->fn[q->head];

	q->head = (q->head + 1) % q->size;
	q->n--;
	q->queued[fn->index] = false;
	return fn;
}

static void heat_up(struct finder *f, struct function *fn, size_t root,
		    double times, struct queue *q)
{
	double *heat = heat_of(f, fn, root);

	if (times <= *heat)
		return;
	*heat = times;
	push(q, fn);
}

/* Names, patterns and callbacks that a root begins at. */
static void seed(struct finder *f, size_t root, struct queue *q)
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
				heat_up(f, fn, root, hot->function[k].times,
					q);
			continue;
		}
		for (uint32_t i = 0; i < in->nfunction; i++) {
			fn = in->function[i];
			/* a pattern means the usual ones, a name this one */
			if (!strncmp(fn->name, name, literal) &&
			    !is_cold(f, fn) && names_match(&names, fn->name))
				heat_up(f, fn, root, hot->function[k].times,
					q);
		}
	}
	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct callback *callback = f->model->live[i].callback;

		if (callback && callback->root &&
		    !strcmp(callback->root, hot->name))
			heat_up(f, in->function[i], root, 1, q);
	}
}

static void spread(struct finder *f, size_t root, struct queue *q)
{
	while (q->n) {
		struct function *fn = pop(q);
		double heat = *heat_of(f, fn, root);
		struct ways *ways = ways_of(f, fn);

		for (uint32_t i = 0; i < ways->n; i++) {
			struct function *to =
				(struct function *)ways->way[i].to;
			double *there, h = heat * ways->way[i].freq;

			if (h < HEAT_LEAST || to == fn || is_cold(f, to))
				continue;
			there = heat_of(f, to, root);
			if (h <= *there)
				continue;
			*there = h;
			f->model->heat[to->index].from[root] = fn;
			push(q, to);
		}
	}
}

void model_find_heat(struct model *model)
{
	struct program *in = model->feature->in;
	struct finder f = { .model = model, .arena = arena_new() };
	struct queue q = { .size = in->nfunction + 1 };

	f.ways = ARENA_ARRAY(f.arena, struct ways, in->nfunction);
	q.fn = ARENA_ARRAY(f.arena, struct function *, q.size);
	q.queued = ARENA_ARRAY(f.arena, bool, q.size);
	model->heat = ARENA_ARRAY(model->arena, struct heat, in->nfunction);
	for (size_t root = 0; root < model->kernel->nroot; root++) {
		seed(&f, root, &q);
		spread(&f, root, &q);
	}
	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct heat *heat = &model->heat[i];

		for (size_t k = 0; heat->root && k < model->kernel->nroot; k++)
			if (heat->root[k] > heat->most)
				heat->most = heat->root[k];
	}
	arena_free(f.arena);
}

const char **model_hot(const struct model *model, const struct function *fn,
		       size_t *n)
{
	const struct heat *heat = &model->heat[fn->index];
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
