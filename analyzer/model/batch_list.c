// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two functions of the feature that come to the same end in it, one for an
 * element and one for a list of them, and loops over a list that call the
 * first.
 */
#include "batch_search.h"

#include <string.h>

struct single {
	struct batch_search *search;
	const struct function *one;
	const char *record;   /* of an element */
	struct batched many;
	const char *element;  /* the local that the loop gives an element */
	const struct node *call;
};

/* A function of the feature with one parameter, the address of a record. */
static const char *takes(const struct function *fn)
{
	const struct func *func = fn->func;

	return fn->differs && func->nparam == 1 && function_is_void(fn) &&
	       *func->param->record ? func->param->record : NULL;
}

static bool is_member(const struct program *in, const char *record,
		      const char *of)
{
	const struct record *r = program_record(in, of);

	for (uint32_t i = 0; r && i < r->nfield; i++)
		if (r->field[i].inner == record && !r->field[i].pointer)
			return true;
	return false;
}

static struct function *named(const struct program *in,
			      const struct function *fn, uint32_t i)
{
	return program_function(in, fn->func->ref[i], fn->file);
}

static bool names(const struct program *in, const struct function *fn,
		  const struct function *to)
{
	for (uint32_t i = 0; i < fn->func->nref; i++)
		if (named(in, fn, i) == to)
			return true;
	return false;
}

/* A wrapper's callee stands for the wrapper. */
static const struct function *inner(const struct program *in,
				    const struct function *fn)
{
	const struct function *only = NULL;

	for (uint32_t i = 0; fn->header && i < fn->func->nref; i++) {
		const struct function *to = named(in, fn, i);

		if (!to || to->header)
			continue;
		if (only)
			return fn;
		only = to;
	}
	return only ? only : fn;
}

/* What both call, a function of their file. */
struct shared {
	struct single *single;
	const struct function *one, *many;
	const struct function *to;
};

static bool is_shared(void *data, const struct node *call)
{
	struct shared *s = data;
	const char *name = syntax_callee(call);
	const struct program *in = s->single->search->in;
	struct function *to = name ? program_function(in, name, s->many->file)
				   : NULL;

	if (!to || to->header || !to->is_static || !names(in, s->one, to))
		return false;
	s->to = to;
	return true;
}

static bool comes_to_the_same(struct single *single,
			      const struct function *many)
{
	struct shared s = { .single = single };
	const struct program *in = single->search->in;
	const struct node *call;

	s.one = inner(in, single->one);
	s.many = inner(in, many);
	if (s.one == s.many || strcmp(s.one->file, s.many->file))
		return false;
	call = syntax_calls(facts_body(s.many->func), is_shared, &s);
	if (!call)
		return false;
	single->many = (struct batched){
		.fn = many, .by = s.many, .handed = s.to, .line = call->line,
	};
	return true;
}

/* "&pos->member" of a record that such lists are made of. */
static const char *link_of(const struct single *single,
			   const struct node *node)
{
	const struct node *field = syntax_bare(node), *base;
	const char *record = single->many.fn->func->param->record;
	const struct field *f;

	if (!field || field->kind != N_ADDR)
		return NULL;
	field = syntax_bare(field->kid[0]);
	if (!field || field->kind != N_FIELD)
		return NULL;
	f = program_field(single->search->in, field->name);
	base = syntax_bare(field->kid[0]);
	return f && f->inner == record && base && base->kind == N_LOCAL ?
	       base->name : NULL;
}

/* The element of "&pos->member != head", however that is said. */
static const char *find_element(const struct single *single,
				const struct node *cond)
{
	const char *element = NULL;

	cond = syntax_bare(cond);
	if (!cond)
		return NULL;
	for (uint32_t i = 0; i < cond->nkid && !element; i++)
		element = link_of(single, cond->kid[i]);
	for (uint32_t i = 0; i < cond->nkid && !element; i++)
		element = find_element(single, cond->kid[i]);
	return element;
}

static bool leaves(const struct node *node)
{
	if (!node)
		return false;
	switch (node->kind) {
	case N_RETURN: case N_GOTO: case N_BREAK: case N_CONTINUE:
	case N_LABEL:
		return true;
	default:
		break;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (leaves(node->kid[i]))
			return true;
	return false;
}

static bool is_the_call(const struct single *single, const struct node *node)
{
	const char *name;

	while (node && (node->kind == N_EXPR || node->kind == N_CAST))
		node = node->kid[0];
	name = node ? syntax_callee(node) : NULL;
	return name && name == single->one->name && node->nkid == 2 &&
	       syntax_is_local(node->kid[1], single->element);
}

/* Every element comes to the call: it stands in the loop itself. */
static const struct node *find_call(const struct single *single,
				    const struct node *body)
{
	if (!body || body->kind != N_BLOCK)
		return is_the_call(single, body) ? body : NULL;
	for (uint32_t i = 0; i < body->nkid; i++) {
		if (is_the_call(single, body->kid[i]))
			return body->kid[i];
		if (leaves(body->kid[i]))
			return NULL;
	}
	return NULL;
}

static void look_for_loops(struct single *single, const struct node *node)
{
	struct batch_search *search = single->search;
	const struct node *call;
	struct batched *many;

	if (syntax_loops(node)) {
		single->element = find_element(single, node->kid[1]);
		call = single->element ? find_call(single, node->kid[3])
				       : NULL;
		if (call && !batch_is_bounded(search, node)) {
			many = ARENA_NEW(search->model->arena,
					 struct batched);
			*many = single->many;
			batch_add(search, &(struct batch_break){
				.called = single->one, .whole = many,
				.call = call, .loop = node, .most = 1,
				.line = call->line, .column = call->column,
				.cursor = single->element,
			});
		}
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			look_for_loops(single, node->kid[i]);
}

static void look_at_callers(struct single *single)
{
	struct batch_search *search = single->search;

	for (uint32_t i = 0; i < search->in->nfunction; i++) {
		search->fn = search->in->function[i];
		if (!names(search->in, search->fn, single->one))
			continue;
		search->body = facts_body(search->fn->func);
		if (search->body)
			look_for_loops(single, search->body);
	}
}

/* What callers see is a header's, if there is one. */
static bool find_many(struct single *single, bool header)
{
	const struct batch_search *search = single->search;
	const struct feature *feature = search->model->feature;

	for (uint32_t i = 0; i < feature->ndiffers; i++) {
		const struct function *many = feature->differs[i];
		const char *list = takes(many);

		if (list && many->header == header && list != single->record &&
		    is_member(search->in, list, single->record) &&
		    comes_to_the_same(single, many))
			return true;
	}
	return false;
}

void batch_look_at_lists(struct batch_search *search)
{
	const struct feature *feature = search->model->feature;

	for (uint32_t i = 0; i < feature->ndiffers; i++) {
		struct single single = { .search = search,
					 .one = feature->differs[i] };

		single.record = takes(single.one);
		if (single.record &&
		    (find_many(&single, true) || find_many(&single, false)))
			look_at_callers(&single);
	}
}
