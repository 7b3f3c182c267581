// SPDX-License-Identifier: GPL-2.0-only
#include "remedy.h"

#include <stdlib.h>
#include <string.h>

#include "peek.h"

struct summary *model_on(struct model *model, struct function *fn)
{
	return world_summary(model->on, fn,
			     world_any_arguments(model->on, fn),
			     fn->func->nparam);
}

bool model_reached_off(struct model *model, struct function *fn,
		       const struct event *event)
{
	const struct summary *s = model_off(model, fn);

	for (uint32_t i = 0; i < s->nevent; i++)
		if (s->event[i].kind == event->kind &&
		    s->event[i].node == event->node &&
		    (event->kind == EV_TEST ||
		     s->event[i].fn == event->fn))
			return true;
	return false;
}

bool model_knows(const struct model *model, const char *name)
{
	const struct program *in = model->feature->in;
	const char *known = interned(model->strings, name);

	/* also what is out only: a name is taken in every configuration */
	return known && (map_get(&in->functions, known) ||
			 map_get(&in->globals, known) ||
			 map_get(&in->decls, known) ||
			 map_get(&model->feature->out->functions, known) ||
			 map_get(&model->feature->out->decls, known));
}

const struct function *model_function(const struct model *model,
				      const char *name)
{
	const char *known = interned(model->strings, name);

	return known ? map_get(&model->feature->in->functions, known) : NULL;
}

const struct global_symbol *model_variable(const struct model *model,
					   const char *name)
{
	const char *known = interned(model->strings, name);
	const struct global_symbol *g;

	g = known ? map_get(&model->feature->in->globals, known) : NULL;
	/* what only the rules name is in no file */
	while (g && !*g->file)
		g = g->next;
	return g;
}

const char *model_declared(const struct model *model, const char *name,
			   uint32_t *line)
{
	const struct program *in = model->feature->in;
	const char *known = interned(model->strings, name);
	const struct decl *decl = known ? map_get(&in->decls, known) : NULL;
	const struct function *fn = known ? map_get(&in->functions, known)
					  : NULL;

	if (decl) {
		*line = decl->line;
		return decl->file;
	}
	if (!fn || !fn->header)
		return NULL;
	*line = fn->func->line;
	return fn->file;
}

bool model_relies(const struct model *model, const char *file,
		  const char *where, const char *name)
{
	const struct program *side[] = { model->feature->in,
					 model->feature->out };
	uint32_t line;

	for (size_t s = 0; s < 2; s++)
		for (uint32_t i = 0; i < side[s]->nfunction; i++) {
			const struct function *fn = side[s]->function[i];

			if (strcmp(fn->file, file))
				continue;
			for (uint32_t k = 0; k < fn->func->nref; k++) {
				const char *ref = fn->func->ref[k];
				const char *found = s ?
					strcmp(ref, name) ? NULL : where :
					model_declared(model, ref, &line);

				if (found && !strcmp(found, where))
					return true;
			}
		}
	return false;
}

const char *const *model_files(const struct model *model, size_t *n)
{
	const char **file;

	*n = 0;
	for (size_t i = 0; i < model->nfacts_in; i++)
		*n += model->facts_in[i]->ndep;
	file = ARENA_ARRAY(model->arena, const char *, *n);
	*n = 0;
	for (size_t i = 0; i < model->nfacts_in; i++) {
		const struct facts *facts = model->facts_in[i];

		memcpy(file + *n, facts->dep, facts->ndep * sizeof(*file));
		*n += facts->ndep;
	}
	return file;
}

bool model_reads_memory(struct model *model, const char *name)
{
	const char *known = interned(model->strings, name);
	const struct summary *s;
	struct function *fn;

	fn = known ? map_get(&model->feature->in->functions, known) : NULL;
	if (!fn)
		return false;
	s = model_off(model, fn);
	for (uint32_t i = 0; i < s->nevent; i++)
		if (s->event[i].kind == EV_OP &&
		    (s->event[i].op == OP_KIND_LOAD ||
		     s->event[i].op == OP_KIND_GLOAD))
			return true;
	return false;
}

static struct function *find_function(const struct model *model,
				      const struct finding *finding)
{
	const char *name = interned(model->strings, finding->function);
	struct function *fn;

	fn = name ? map_get(&model->feature->in->functions, name) : NULL;
	for (; fn; fn = fn->next)
		if (!strcmp(fn->file, finding->file))
			return fn;
	return NULL;
}

struct returns {
	const struct node *only;
	uint32_t n, line;
	const struct value *off;
};

/* A constant as facts have it: without casts. */
static const struct node *bare(const struct node *node)
{
	while (node && node->kind == N_CAST)
		node = node->kid[0];
	return node;
}

static int64_t constant(const struct node *node, bool *known)
{
	*known = false;
	node = bare(node);
	if (node && node->kind == N_INT) {
		*known = true;
		return node->value;
	}
	if (node && node->kind == N_UNARY && node->op == OP_NEG) {
		int64_t value = constant(node->kid[0], known);

		return -value;
	}
	return 0;
}

static void find_returns(const struct node *node, struct returns *r)
{
	bool known;

	if (node->kind == N_RETURN && node->kid[0]) {
		int64_t value = constant(node->kid[0], &known);

		r->n++;
		r->only = node->kid[0];
		if (known && r->off->kind == V_CONST &&
		    value == r->off->number && !r->line)
			r->line = node->line;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_returns(node->kid[i], r);
}

/* Made of parameters, fields and operators: it can be said anywhere. */
static bool of_parameters(const struct node *node, const struct func *func)
{
	switch (node->kind) {
	case N_INT:
	case N_GLOBAL:
		return true;
	case N_LOCAL:
		for (uint32_t i = 0; i < func->nparam; i++)
			if (func->param[i].name == node->name)
				return true;
		return false;
	case N_FIELD:
	case N_CAST:
	case N_ADDR:
	case N_DEREF:
	case N_UNARY:
	case N_BINARY:
		break;
	default:
		return false;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (!node->kid[i] || !of_parameters(node->kid[i], func))
			return false;
	return true;
}

static bool assigns_parameter(const struct node *node,
			      const struct func *func)
{
	const struct node *to = node->nkid ? bare(node->kid[0]) : NULL;

	if ((node->kind == N_ASSIGN || node->kind == N_ADDR) && to &&
	    to->kind == N_LOCAL)
		for (uint32_t i = 0; i < func->nparam; i++)
			if (func->param[i].name == to->name)
				return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && assigns_parameter(node->kid[i], func))
			return true;
	return false;
}

struct assigned {
	const char *local;
	const struct node *value, *statement;
	uint32_t n;
};

static void find_assigned(const struct node *node, struct assigned *a)
{
	const struct node *to = node->nkid ? bare(node->kid[0]) : NULL;

	if (node->kind == N_DECL && node->name == a->local && node->kid[0]) {
		a->n++;
		a->value = node->kid[0];
		a->statement = node;
	} else if ((node->kind == N_ASSIGN || node->kind == N_ADDR) && to &&
		   to->kind == N_LOCAL && to->name == a->local) {
		a->n++;
		a->value = node->kind == N_ASSIGN && node->op == OP_SET ?
			   node->kid[1] : NULL;
		a->statement = node;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_assigned(node->kid[i], a);
}

static bool declares(const struct node *node, const char *local)
{
	if (node->kind == N_DECL && node->name == local)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && declares(node->kid[i], local))
			return true;
	return false;
}

/* Every local of it is a parameter or its own (a macro's). */
static bool self_contained(const struct node *node, const struct node *whole,
			   const struct func *func, bool *calls)
{
	*calls |= node->kind == N_CALL;
	if (node->kind == N_LOCAL && !of_parameters(node, func) &&
	    !declares(whole, node->name))
		return false;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] &&
		    !self_contained(node->kid[i], whole, func, calls))
			return false;
	return true;
}

/* The local's only value is a call with what the function was given. */
static void look_at_local(struct remedy *r, const struct node *body,
			  const struct node *local)
{
	struct assigned a = { .local = local->name };
	bool calls = false;

	find_assigned(body, &a);
	if (a.n != 1 || !a.value ||
	    !self_contained(a.value, a.value, r->fn->func, &calls) || !calls)
		return;
	r->expression = a.statement;
	r->local = a.local;
}

static void look_at_returns(struct remedy *r)
{
	struct returns returns = { .off = &r->off };
	const struct node *body = facts_body(r->fn->func);

	if (!body)
		return;
	find_returns(body, &returns);
	r->off_line = returns.line;
	if (returns.n != 1 || assigns_parameter(body, r->fn->func))
		return;
	if (of_parameters(returns.only, r->fn->func))
		r->expression = returns.only;
	else if (bare(returns.only)->kind == N_LOCAL)
		look_at_local(r, body, bare(returns.only));
}

/* The stub is more than nothing or "return CONSTANT". */
static bool does_something(const struct func *stub)
{
	const struct node *body = facts_body((struct func *)stub);
	bool known;

	for (uint32_t i = 0; body && i < body->nkid; i++) {
		const struct node *s = body->kid[i];

		if (!s || (s->kind == N_BLOCK && !s->nkid))
			continue;
		if (s->kind != N_RETURN)
			return true;
		if (s->kid[0]) {
			constant(s->kid[0], &known);
			if (!known)
				return true;
		}
	}
	return false;
}

static void add_store(struct model *model, struct remedy *r,
		      const char *field)
{
	for (uint32_t i = 0; i < r->nstore; i++)
		if (r->store[i] == field)
			return;
	if (!r->store)
		r->store = ARENA_ARRAY(model->arena, const char *,
				       r->verdict->residue->n);
	r->store[r->nstore++] = field;
}

static void look_at_residue(struct model *model, struct remedy *r)
{
	const struct residue *residue = r->verdict->residue;
	struct program *in = model->feature->in;

	r->any_test = residue->any_test;
	for (uint32_t i = 0; i < residue->n; i++) {
		const struct left *left = &residue->left[i];

		if (left->op == OP_KIND_STORE && !left->test &&
		    left->event->name &&
		    map_get(&model->feature->fields, left->event->name))
			add_store(model, r, left->event->name);
		if (left->op == OP_KIND_CALL && !left->test &&
		    left->event->name &&
		    program_callee(in, left->event->name)->kind ==
		    CALLEE_PERIODIC)
			r->periodic = left->nthrough ?
				left->through[0]->name : left->event->name;
	}
}

const struct function *model_wrapped(const struct summary *s)
{
	const struct function *fn = NULL;
	bool tests = false;

	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct event *event = &s->event[i];

		if (event->kind == EV_CALL && !fn)
			fn = event->fn;
		else if (event_tests_guard(event) && event->flags & EVENT_AGAIN)
			tests = true;
		else if (event->kind == EV_CALL ||
			 (event->kind == EV_OP && cost_work(event->op)) ||
			 /* the predicate; anything else is more than a test */
			 (event->kind == EV_INLINE && event->summary &&
			  event->summary->nevent > 2))
			return NULL;
	}
	return tests ? fn : NULL;
}

/*
 * The wrapper whose test can only pass where @fn calls it; none where the
 * test is @fn's own.
 */
static void look_at_wrapper(struct model *model, struct remedy *r)
{
	const struct summary *s = model_on(model, r->fn);

	for (uint32_t i = 0; i < s->nevent; i++)
		if (event_tests_guard(&s->event[i]) &&
		    (s->event[i].flags & EVENT_AGAIN))
			return;
	for (uint32_t i = 0; i < s->nevent && !r->wrapped; i++) {
		const struct event *event = &s->event[i];

		if (event->kind != EV_INLINE || !event->summary ||
		    !event->fn->header || !event->fn->differs ||
		    !(event->flags & EVENT_TESTED))
			continue;
		r->wrapper = event->fn;
		r->wrapped = model_wrapped(event->summary);
	}
	if (!r->wrapped)
		r->wrapper = NULL;
}

/* Who queues this work for the first time, if that is a finding too. */
static const struct function *asked_by(const struct model *model,
				       const struct function *fn)
{
	const struct function *via = model->live[fn->index].via;
	const struct verdict *v = via ? model->verdict[via->index] : NULL;

	return v && v->reason == BECAUSE_PERIODIC && via != fn ? via : NULL;
}

/* Does @node name it other than to call it? */
static bool takes_address(const struct node *node, const char *name)
{
	for (uint32_t i = 0; i < node->nkid; i++) {
		const struct node *kid = node->kid[i];

		if (!kid)
			continue;
		if (kid->kind == N_FUNC && kid->name == name &&
		    (node->kind != N_CALL || i))
			return true;
		if (takes_address(kid, name))
			return true;
	}
	return false;
}

/* An initialiser that some code reads: an export's is none. */
static bool in_initialiser(struct program *in, const struct function *fn,
			   const struct function *user)
{
	for (uint32_t i = 0; i < user->func->nglobal; i++) {
		const struct global_symbol *g =
			program_global(in, user->func->global[i], user->file);

		for (uint32_t k = 0; g && k < g->global->nref; k++)
			if (g->global->ref[k] == fn->name &&
			    program_function(in, fn->name, g->file) == fn)
				return true;
	}
	return false;
}

/* Also where the off state never comes to it. */
static bool address_taken(struct model *model, const struct function *fn)
{
	struct program *in = model->feature->in;
	struct peek peek = { NULL, 0 };
	bool taken = false;

	for (uint32_t i = 0; i < in->nfunction && !taken; i++) {
		const struct function *user = in->function[i];
		struct node *body = NULL;

		for (uint32_t k = 0; k < user->func->nref && !body; k++)
			if (user->func->ref[k] == fn->name)
				body = peek_body(&peek, user->func);
		taken = (body && takes_address(body, fn->name)) ||
			in_initialiser(in, fn, user);
	}
	peek_done(&peek);
	return taken;
}

static void fill(struct model *model, struct remedy *r)
{
	struct function *fn = r->fn;
	const struct liveness *live = &model->live[fn->index];

	r->decl = fn->header ? NULL :
		  map_get(&model->feature->in->decls, fn->name);
	r->stub = fn->other && !fn->stays ? fn->other->func : NULL;
	r->stub_does = r->stub && does_something(r->stub);
	r->taken = live->taken || address_taken(model, fn);
	r->callback = live->callback;
	r->heat = model->heat[fn->index].most;
	r->outline = model_outline_matters(model, fn);
	if (live->live || live->inlined)
		r->off = model_judged(model, fn)->ret;
	else
		r->off = VALUE_UNKNOWN;
	if (!function_is_void(fn))
		look_at_returns(r);
	if (r->verdict && r->verdict->reason == BECAUSE_PERIODIC)
		r->asked_by = asked_by(model, fn);
	if (r->verdict)
		look_at_residue(model, r);
	else
		look_at_wrapper(model, r);
}

/* Calls, grown per function that is asked about. */
struct calls {
	struct remedy_call *call;
	uint32_t n, cap;
};

static void add_call(struct model *model, struct calls *calls,
		     struct remedy_call call)
{
	if (calls->n == calls->cap) {
		uint32_t cap = calls->cap ? calls->cap * 2 : 8;
		struct remedy_call *more = ARENA_ARRAY(model->arena,
						struct remedy_call, cap);

		if (calls->n)
			memcpy(more, calls->call,
			       calls->n * sizeof(*more));
		calls->call = more;
		calls->cap = cap;
	}
	calls->call[calls->n++] = call;
}

/* Functions are sorted, so that calls come by caller and then by line. */
static void find_calls(struct model *model, struct remedy *remedy, size_t n)
{
	struct program *in = model->feature->in;
	struct calls *calls = ARENA_ARRAY(model->arena, struct calls,
					  in->nfunction);
	bool *asked = ARENA_ARRAY(model->arena, bool, in->nfunction);

	for (size_t i = 0; i < n; i++)
		if (remedy[i].fn)
			asked[remedy[i].fn->index] = true;
	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		const struct summary *s;

		if (!fn->touches)
			continue;
		s = model_on(model, fn);
		for (uint32_t k = 0; k < s->nevent; k++) {
			const struct event *event = &s->event[k];

			if ((event->kind != EV_CALL &&
			     event->kind != EV_INLINE) || !event->fn ||
			    !asked[event->fn->index])
				continue;
			add_call(model, &calls[event->fn->index],
				 (struct remedy_call){
				.caller = fn, .line = event->line,
				.tested = (event->flags & EVENT_TESTED) &&
					!model_reached_off(model, fn, event),
			});
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!remedy[i].fn)
			continue;
		remedy[i].call = calls[remedy[i].fn->index].call;
		remedy[i].ncall = calls[remedy[i].fn->index].n;
	}
}

static void fill_root_work(struct model *model, struct remedy *remedy,
			   size_t n)
{
	const struct limit *limit = NULL;
	const struct total *total = NULL;
	size_t ntotal;

	for (size_t i = 0; i < n; i++) {
		struct remedy *r = &remedy[i];

		if (!r->fn || strcmp(r->finding->rule, "root-work"))
			continue;
		if (!limit) {
			limit = model_limits(model);
			total = model_totals(model, model->arena, &ntotal);
		}
		r->root_test = model_root_test(model);
		if (limit[r->fn->index].load)
			r->limit = &limit[r->fn->index];
		for (size_t k = 0; k < ntotal && !r->total; k++)
			if (total[k].fn == r->fn)
				r->total = &total[k];
	}
}

struct remedy *model_remedies(struct model *model,
			      const struct finding *finding, size_t n)
{
	struct remedy *remedy = ARENA_ARRAY(model->arena, struct remedy, n);

	for (size_t i = 0; i < n; i++) {
		struct remedy *r = &remedy[i];
		const char *rule = finding[i].rule;

		r->finding = &finding[i];
		r->fn = find_function(model, &finding[i]);
		if (!r->fn)
			continue;
		if (!strcmp(rule, "missing-guard") ||
		    !strcmp(rule, "late-guard") ||
		    !strcmp(rule, "outline-guard"))
			r->verdict = model->verdict[r->fn->index];
		fill(model, r);
	}
	fill_root_work(model, remedy, n);
	find_calls(model, remedy, n);
	return remedy;
}

/* Is @fn one of those who call it? What it calls itself is told with it, too. */
static bool is_caller(const struct remedy *remedy, const struct function *fn)
{
	for (uint32_t i = 0; i < remedy->ncall; i++)
		if (remedy->call[i].caller == fn)
			return true;
	return false;
}

struct remedy *model_remedies_covered(struct model *model,
				      const struct remedy *remedy, size_t *n)
{
	const struct finding *finding = remedy->finding;
	struct remedy *covered = ARENA_ARRAY(model->arena, struct remedy,
					     finding->ncovers);

	*n = 0;
	for (size_t i = 0; i < finding->ncovers; i++) {
		const char *name = interned(model->strings,
					    finding->covers[i]);
		struct remedy *r = &covered[*n];
		struct function *fn;

		fn = name ? map_get(&model->feature->in->functions, name)
			  : NULL;
		if (!fn || fn == remedy->fn || !model->verdict[fn->index] ||
		    !model->verdict[fn->index]->ncause ||
		    !is_caller(remedy, fn) ||
		    !model_outline_matters(model, fn))
			continue;
		r->finding = finding;
		r->fn = fn;
		r->verdict = model->verdict[fn->index];
		fill(model, r);
		++*n;
	}
	find_calls(model, covered, *n);
	return covered;
}
