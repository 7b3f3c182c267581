// SPDX-License-Identifier: GPL-2.0-only
#include "batch_search.h"

#include "peek.h"

/* --- who gathers --- */

struct gather {
	struct batch_search *search;
	const struct node *loop;
	uint32_t list, count;
	const struct node *handed;
	const struct function *to;
	const char *local; /* the address of it is looked for */
};

static bool takes_address(void *data, const struct node *call)
{
	const struct gather *g = data;

	for (uint32_t i = 1; i < call->nkid; i++) {
		const struct node *arg = syntax_bare(call->kid[i]);

		if (arg && arg->kind == N_ADDR && syntax_is_local(arg->kid[0],
							   g->local))
			return true;
	}
	return false;
}

static bool hands_over(void *data, const struct node *call)
{
	struct gather *g = data;
	const char *name = syntax_callee(call);
	struct function *to = name ? program_function(g->search->in, name,
						      g->search->fn->file)
				   : NULL;

	if (!to || !to->differs)
		return false;
	for (uint32_t i = 1; i < call->nkid; i++) {
		const struct node *arg = syntax_bare(call->kid[i]);
		const struct node *local = arg && arg->kind == N_ADDR ?
					   syntax_bare(arg->kid[0]) : NULL;

		if (!local || local->kind != N_LOCAL)
			continue;
		g->local = local->name;
		if (!syntax_calls(g->loop->kid[3], takes_address, g))
			continue;
		g->handed = call;
		g->to = to;
		return true;
	}
	return false;
}

/* Behind the loop, and in none: once for all that was gathered. */
static void look_behind(struct gather *g, const struct node *node, bool *behind)
{
	if (node == g->loop) {
		*behind = true;
		return;
	}
	if (syntax_loops(node) || g->handed)
		return;
	if (*behind && node->kind == N_CALL && hands_over(g, node))
		return;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			look_behind(g, node->kid[i], behind);
}

static bool indexes(const struct node *node, const char *list,
		    const struct node *index)
{
	if (!node)
		return false;
	if (node->kind == N_INDEX && syntax_is_local(node->kid[0], list) &&
	    syntax_equal(node->kid[1], index))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (indexes(node->kid[i], list, index))
			return true;
	return false;
}

/* "for (i = 0; i < count; i++) ... list[i] ...", both parameters. */
static bool goes_over(struct gather *g, const struct node *loop)
{
	const struct func *func = g->search->fn->func;
	const struct node *cond = syntax_bare(loop->kid[1]);

	if (!cond || cond->kind != N_BINARY || cond->op != OP_LT)
		return false;
	for (g->count = 0; g->count < func->nparam; g->count++)
		if (syntax_is_local(cond->kid[1], func->param[g->count].name))
			break;
	if (g->count == func->nparam)
		return false;
	for (g->list = 0; g->list < func->nparam; g->list++)
		if (indexes(loop->kid[3], func->param[g->list].name,
			    cond->kid[0]))
			return true;
	return false;
}

static void look_for_gathering(struct gather *g, const struct node *node)
{
	bool behind = false;

	if (syntax_loops(node) && goes_over(g, node)) {
		g->loop = node;
		look_behind(g, g->search->body, &behind);
	}
	for (uint32_t i = 0; i < node->nkid && !g->handed; i++)
		if (node->kid[i])
			look_for_gathering(g, node->kid[i]);
}

struct batched *batch_find(const struct batch_search *search,
			   const char *name)
{
	struct batched *batched = search->batched;

	for (; batched; batched = batched->next)
		if (batched->fn->name == name)
			break;
	return batched && program_function(search->in, name,
					   search->fn->file) == batched->fn ?
	       batched : NULL;
}

static void add_batched(struct batch_search *search, struct batched batched)
{
	batched.next = NULL;
	batched.fn = search->fn;
	*search->last = ARENA_NEW(search->model->arena, struct batched);
	**search->last = batched;
	search->last = &(*search->last)->next;
}

/* The parameter that an expression always is; nparam: none. */
static uint32_t parameter(const struct batch_search *search,
			  const struct node *node)
{
	const struct func *func = search->fn->func;
	struct syntax_values values = { 0 };
	uint32_t i;

	for (unsigned depth = 0; depth < BATCH_DEPTH; depth++) {
		node = syntax_bare(node);
		if (!node || node->kind != N_LOCAL)
			return func->nparam;
		values = (struct syntax_values){ 0 };
		syntax_values(search->body, node->name, &values);
		for (i = 0; i < func->nparam; i++)
			if (func->param[i].name == node->name)
				break;
		if (i < func->nparam)
			return values.n ? func->nparam : i;
		if (values.n != 1)
			return func->nparam;
		node = values.value;
	}
	return func->nparam;
}

/* It hands on all that it was given. */
static bool passes_on(struct batch_search *search, const struct node *node)
{
	const char *name;
	struct batched *to;

	if (syntax_loops(node))
		return false;
	name = syntax_callee(node);
	to = name ? batch_find(search, name) : NULL;
	if (to && to->list + 1 < node->nkid && to->count + 1 < node->nkid) {
		struct batched batched = *to;

		batched.list = parameter(search, node->kid[to->list + 1]);
		batched.count = parameter(search, node->kid[to->count + 1]);
		if (batched.list < search->fn->func->nparam &&
		    batched.count < search->fn->func->nparam) {
			add_batched(search, batched);
			return true;
		}
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && passes_on(search, node->kid[i]))
			return true;
	return false;
}

static bool names_differing(const struct batch_search *search)
{
	const struct func *func = search->fn->func;

	for (uint32_t i = 0; i < func->nref; i++) {
		const struct function *to = program_function(search->in,
					func->ref[i], search->fn->file);

		if (to && to->differs)
			return true;
	}
	return false;
}

static bool names_batched(const struct batch_search *search)
{
	const struct func *func = search->fn->func;

	for (uint32_t i = 0; i < func->nref; i++)
		if (batch_find(search, func->ref[i]))
			return true;
	return false;
}

static void find_gathering(struct batch_search *search)
{
	struct peek peek = { NULL, 0 };

	for (uint32_t i = 0; i < search->in->nfunction; i++) {
		struct gather g = { .search = search };

		search->fn = search->in->function[i];
		if (search->fn->func->nparam < 2 || !names_differing(search))
			continue;
		search->body = peek_body(&peek, search->fn->func);
		if (!search->body)
			continue;
		look_for_gathering(&g, search->body);
		if (g.handed)
			add_batched(search, (struct batched){
				.list = g.list, .count = g.count,
				.by = search->fn, .handed = g.to,
				.array = search->fn->func->param[g.list].name,
				.line = g.handed->line,
			});
	}
	peek_done(&peek);
}

/* To a fixpoint; a function is added once, so it comes to an end. */
static void find_passing(struct batch_search *search)
{
	bool more = search->batched != NULL;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < search->in->nfunction; i++) {
			search->fn = search->in->function[i];
			if (search->fn->func->nparam < 2 ||
			    !names_batched(search) ||
			    batch_find(search, search->fn->name))
				continue;
			search->body = facts_body(search->fn->func);
			more |= search->body &&
				passes_on(search, search->body);
		}
	}
}

void batch_add(struct batch_search *search, const struct batch_break *found)
{
	*search->next = ARENA_NEW(search->model->arena, struct batch_break);
	**search->next = *found;
	(*search->next)->fn = search->fn;
	search->next = &(*search->next)->next;
}

struct batch_break *batch_breaks(struct model *model)
{
	struct batch_search search = { .model = model, .in = model->feature->in };
	struct batch_break *first = NULL;

	search.last = &search.batched;
	search.next = &first;
	find_gathering(&search);
	find_passing(&search);
	for (uint32_t i = 0; search.batched && i < search.in->nfunction; i++) {
		search.fn = search.in->function[i];
		if (!names_batched(&search))
			continue;
		search.body = facts_body(search.fn->func);
		if (search.body)
			batch_look_for_cuts(&search);
	}
	batch_look_at_lists(&search);
	return first;
}
