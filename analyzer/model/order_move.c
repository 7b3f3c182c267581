// SPDX-License-Identifier: GPL-2.0-only
/*
 * May a flag write go behind the charge? Both stand in one block, nothing
 * jumps in between, and on every path from the old place to the new one, or
 * out of the function before it, nobody reads the flag and nobody else gets
 * to see the object.
 */
#include <stdlib.h>
#include <string.h>

#include "order_walk.h"

#include "reading.h"

/* Where the write stands. */
struct site {
	const struct node *block;
	uint32_t at;    /* the statement */
	uint32_t until; /* the last one that it passes */
};

static bool holds(const struct node *node, const struct node *what)
{
	if (node == what)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && holds(node->kid[i], what))
			return true;
	return false;
}

/* The block that has the call @what as a statement of its own, or NULL. */
static const struct node *block_of(const struct node *node,
				   const struct node *what, uint32_t *at)
{
	const struct node *found = NULL;

	for (uint32_t i = 0; i < node->nkid && !found; i++) {
		const struct node *kid = node->kid[i];

		if (!kid)
			continue;
		if (node->kind == N_BLOCK &&
		    (kid == what || (kid->kind == N_EXPR &&
				     reading_strip(kid->kid[0]) == what))) {
			*at = i;
			return node;
		}
		found = block_of(kid, what, at);
	}
	return found;
}

/* The innermost block with a statement that has @what in it. */
static const struct node *block_with(const struct node *node,
				     const struct node *what, uint32_t *at)
{
	const struct node *found = NULL;

	for (uint32_t i = 0; i < node->nkid && !found; i++) {
		if (!node->kid[i] || !holds(node->kid[i], what))
			continue;
		found = block_with(node->kid[i], what, at);
		if (!found && node->kind == N_BLOCK) {
			*at = i;
			return node;
		}
	}
	return found;
}

static bool leaves(const struct node *s)
{
	switch (s->kind) {
	case N_BLOCK:
		return s->nkid && s->kid[s->nkid - 1] &&
		       leaves(s->kid[s->nkid - 1]);
	case N_RETURN: case N_GOTO: case N_BREAK: case N_CONTINUE:
		return true;
	default:
		return false;
	}
}

static bool leaves_if(const struct node *s)
{
	return s->kind == N_IF && !s->kid[2] && leaves(s->kid[1]);
}

static bool names(const struct node *node, enum node_kind kind,
		  const char *name)
{
	if (node->kind == kind && node->name == name)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && names(node->kid[i], kind, name))
			return true;
	return false;
}

/* The local that keeps what the charge gives, or NULL. */
static const char *kept_in(const struct node *s, const struct node *charge)
{
	const struct node *e = s;

	if (s->kind == N_DECL)
		return s->kid[0] && holds(s->kid[0], charge) ? s->name : NULL;
	if (s->kind == N_EXPR)
		e = reading_strip(s->kid[0]);
	if (e->kind != N_ASSIGN || !holds(e->kid[1], charge))
		return NULL;
	e = reading_strip(e->kid[0]);
	return e->kind == N_LOCAL ? e->name : NULL;
}

/*
 * The statement @i of the block has the charge: where has that succeeded?
 * NULL, or why there is no such place.
 */
static const char *find_success(struct site *site, uint32_t i,
				const struct node *charge)
{
	const struct node *block = site->block, *s = block->kid[i];
	const char *local;

	if (s->kind == N_LABEL || s->kind == N_CASE)
		return "something jumps in between";
	if (s->kind == N_IF && holds(s->kid[0], charge)) {
		site->until = i;
		return leaves_if(s) ? NULL : "what follows the charge does "
			"not leave when it failed";
	}
	local = kept_in(s, charge);
	if (!local || i + 1 >= block->nkid || !block->kid[i + 1])
		return "nothing tells where the charge has succeeded";
	s = block->kid[i + 1];
	if (!leaves_if(s) || !names(s->kid[0], N_LOCAL, local))
		return "what follows the charge does not leave when it failed";
	site->until = i + 1;
	return NULL;
}

static const char *find_until(struct site *site, const struct node *charge)
{
	for (uint32_t i = site->at + 1; i < site->block->nkid; i++)
		if (site->block->kid[i] && holds(site->block->kid[i], charge))
			return find_success(site, i, charge);
	return "the flag is written and the charge is made in different "
	       "blocks";
}

static bool has_label(const struct node *node)
{
	if (node->kind == N_LABEL || node->kind == N_CASE)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && has_label(node->kid[i]))
			return true;
	return false;
}

/* Is a name of the kind stored to, lent or declared anew below @node? */
static bool changes(const struct node *node, enum node_kind kind,
		    const char *name)
{
	const struct node *to = node->nkid && node->kid[0] ?
				reading_strip(node->kid[0]) : NULL;

	if ((node->kind == N_ASSIGN || node->kind == N_ADDR) &&
	    to->kind == kind && to->name == name)
		return true;
	if (node->kind == N_DECL && kind == N_LOCAL && node->name == name)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && changes(node->kid[i], kind, name))
			return true;
	return false;
}

/* Does anything in @e name another thing behind @between? */
static bool unstable(const struct node *e, const struct node *between)
{
	if ((e->kind == N_LOCAL || e->kind == N_FIELD) &&
	    changes(between, e->kind, e->name))
		return true;
	for (uint32_t i = 0; i < e->nkid; i++)
		if (e->kid[i] && unstable(e->kid[i], between))
			return true;
	return false;
}

static const char *check_between(const struct site *site,
				 const struct node *write)
{
	for (uint32_t i = site->at + 1; i <= site->until; i++) {
		const struct node *s = site->block->kid[i];

		if (!s)
			continue;
		if (has_label(s))
			return "something jumps in between";
		for (uint32_t k = 1; k < write->nkid; k++)
			if (unstable(write->kid[k], s))
				return "what it is given is another object "
				       "there";
	}
	return NULL;
}

static uint32_t last_line(const struct node *node)
{
	uint32_t line = node->line;

	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && last_line(node->kid[i]) > line)
			line = last_line(node->kid[i]);
	return line;
}

static void add_step(struct model *model, struct order_watch *watch,
		     const char *file, uint32_t line, const char *text)
{
	struct order_move *move = watch->move;

	for (size_t i = 0; i < move->nstep; i++)
		if (move->step[i].line == line &&
		    !strcmp(move->step[i].text, text))
			return;
	GROW_LIST(model->arena, move->step, move->nstep, watch->cap);
	move->step[move->nstep++] = (struct why){ file, line, text };
}

void order_prevent(struct walker *w, uint32_t line, const char *name,
		   const char *what)
{
	if (!w->watch->move->prevents)
		w->watch->move->prevents = arena_printf(w->order->arena,
			"'%s' %s in line %u, on the way to where the charge "
			"has succeeded or out before that", name, what, line);
}

void order_watched_call(struct walker *w, const struct path *path,
			const struct node *call, const char *name,
			const struct function *fn, const struct val *arg,
			uint32_t n)
{
	const struct order_write *write = w->watch->write;
	bool given = false;

	for (uint32_t i = 0; i < n; i++)
		given |= arg[i].kind >= VAL_THING && arg[i].kind <= VAL_HELD &&
			 path->thing[arg[i].thing].write == write;
	if (!given || call == write->call || call == w->watch->past)
		return;
	if (names_match(&w->order->model->kernel->object.drop, name)) {
		add_step(w->order->model, w->watch, w->fn->file, call->line,
			 arena_printf(w->order->arena, "'%s' gives the object "
				      "up, which nobody else has", name));
		return;
	}
	if (fn && w->order->reads[fn->index] & write->bits)
		order_prevent(w, call->line, name, "may read the flag");
	add_step(w->order->model, w->watch, w->fn->file, call->line,
		 arena_printf(w->order->arena, fn && (fn->func->body ||
			fn->func->code) ? "'%s' is handed the object: it "
			"reads no such flag and shows the object to nobody" :
			"'%s' is handed the object: it is in no file that "
			"was read", name));
}

static int by_line(const void *a, const void *b)
{
	const struct why *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void sort_steps(struct order_move *move, size_t first)
{
	if (move->nstep > first)
		qsort(move->step + first, move->nstep - first,
		      sizeof(*move->step), by_line);
}

static void ways_out(struct order *order, const struct site *site,
		     struct order_watch *watch)
{
	for (uint32_t i = site->at + 1; i <= site->until; i++) {
		const struct node *s = site->block->kid[i];

		if (s && s->kind == N_IF && leaves(s->kid[1]))
			add_step(order->model, watch, watch->write->fn->file,
				 last_line(s->kid[1]), s == watch->until ?
				 "the charge failed: this way out is taken "
				 "without the flag, and nobody looks" :
				 "this way out is taken without the flag, and "
				 "nobody looks");
	}
}

/* The same from the beginning of a function to the end of its @site. */
static void ways_before(struct order *order, const struct node *block,
			const struct site *site, struct order_watch *watch)
{
	const struct node *until = site->block->kid[site->until];
	uint32_t at = 0;

	while (block) {
		struct site part = { .block = block, .at = UINT32_MAX };
		const struct node *inner = NULL;

		for (at = 0; at < block->nkid; at++)
			if (block->kid[at] && holds(block->kid[at], until))
				break;
		if (at == block->nkid)
			return;
		part.until = at;
		ways_out(order, &part, watch);
		if (block == site->block)
			return;
		for (uint32_t i = 0; i < block->kid[at]->nkid; i++) {
			const struct node *kid = block->kid[at]->kid[i];

			if (kid && holds(kid, until))
				inner = kid;
		}
		block = block->kid[at]->kind == N_BLOCK ? block->kid[at] :
			inner && inner->kind == N_BLOCK ? inner : NULL;
	}
}

static const char *find_site(const struct order_pair *pair, struct site *site)
{
	const struct order_write *write = pair->write;
	const struct node *body = facts_body(write->fn->func);
	const char *why;

	/* a callee that shows the object as well needs the flag before that */
	if ((pair->charge->inner && pair->shows) ||
	    pair->charge->fn != write->fn)
		return NULL;
	site->block = body ? block_of(body, write->call, &site->at) : NULL;
	if (!site->block)
		return "the write is no statement of a block, but an arm or "
		       "a part of one";
	why = find_until(site, pair->charge->call);
	return why ? why : check_between(site, write->call);
}

/* --- into the function that charges --- */

static unsigned count_calls(const struct node *node, const char *name)
{
	const struct node *f = node->kind == N_CALL ?
			       reading_strip(node->kid[0]) : NULL;
	unsigned n = f && f->kind == N_FUNC && !strcmp(f->name, name);

	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			n += count_calls(node->kid[i], name);
	return n;
}

/* Is @fn called in one place only, which is in @caller? */
static bool is_called_once(const struct order *order,
			   const struct function *fn,
			   const struct function *caller)
{
	const struct program *program = order->program;

	if (!(fn->func->flags & FUNC_STATIC) || fn->header)
		return false;
	for (uint32_t i = 0; i < program->nfunction; i++) {
		const struct function *other = program->function[i];

		for (uint32_t k = 0; other != caller && k < other->func->nref;
		     k++)
			if (!strcmp(other->func->ref[k], fn->name) &&
			    program_function(order->program, fn->name,
					     other->file) == fn)
				return false;
	}
	return count_calls(facts_body(caller->func), fn->name) == 1;
}

/* Is the local another object behind @node, and not only none? */
static bool replaces(const struct node *node, const char *local)
{
	const struct node *to = node->nkid && node->kid[0] ?
				reading_strip(node->kid[0]) : NULL;
	const struct node *value;

	if (node->kind == N_DECL && node->name == local)
		return true;
	if ((node->kind == N_ASSIGN || node->kind == N_ADDR) &&
	    to->kind == N_LOCAL && to->name == local) {
		value = node->kind == N_ASSIGN && node->op == OP_SET ?
			reading_strip(node->kid[1]) : NULL;
		return !value || value->kind != N_INT || value->value;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && replaces(node->kid[i], local))
			return true;
	return false;
}

/* The parameter of @fn that @call gives the local as, or -1. */
static int given_as(const struct node *call, const char *local,
		    const struct function *fn)
{
	int param = -1;

	for (uint32_t i = 1; i < call->nkid; i++) {
		const struct node *arg = reading_strip(call->kid[i]);

		if (arg->kind != N_LOCAL || arg->name != local)
			continue;
		if (param >= 0 || i > fn->func->nparam || i > ORDER_PARAMS)
			return -1;
		param = (int)i - 1;
	}
	return param;
}

/* From the write to the call: where both stand, and what is in between. */
static const char *find_way(const struct order_write *write,
			    const struct node *call, const char *local,
			    struct site *site)
{
	const struct node *body = facts_body(write->fn->func);
	uint32_t i;

	site->block = body ? block_of(body, write->call, &site->at) : NULL;
	if (!site->block)
		return "the write is no statement of a block, but an arm or "
		       "a part of one";
	for (i = site->at + 1; i < site->block->nkid; i++) {
		const struct node *s = site->block->kid[i];

		if (!s)
			continue;
		if (has_label(s))
			return "something jumps in between";
		if (holds(s, call))
			return s->kind == N_LOOP || s->kind == N_SWITCH ?
			       "it is called in a loop or a switch" : NULL;
		if (replaces(s, local))
			return "what it is given is another object there";
		site->until = i;
	}
	return "the flag is written and the charge is made in different "
	       "blocks";
}

/*
 * Where another function charges the object and shows it, the write may still
 * go there, if nobody else calls that. NULL, or why not.
 */
static const char *move_into(struct order *order,
			     const struct order_pair *pair,
			     struct order_watch *watch)
{
	const struct order_write *write = pair->write;
	const struct order_step *step = pair->charge;
	struct function *fn = program_function(order->program, step->callee,
					       write->fn->file);
	const struct node *arg = write->call->nkid == 2 ?
				 reading_strip(write->call->kid[1]) : NULL;
	const struct node *body = fn ? facts_body(fn->func) : NULL;
	struct order_summary s = { .fn = write->fn }, in = { .fn = fn };
	struct site from = { NULL, 0, 0 }, to = { NULL, 0, 0 };
	const char *name, *why;
	size_t first;
	int param;

	if (step->inner->inner || !body)
		return "it leaves the charge to others";
	if (!is_called_once(order, fn, write->fn))
		return "it is called elsewhere, too";
	param = arg && arg->kind == N_LOCAL ?
		given_as(step->call, arg->name, fn) : -1;
	if (param < 0 || !order_is_object(order->model,
					  fn->func->param[param].record))
		return "it is not handed what the flag is written to";
	name = fn->func->param[param].name;
	why = find_way(write, step->call, arg->name, &from);
	if (why)
		return why;
	to.block = block_with(body, step->inner->call, &to.at);
	if (!to.block || changes(body, N_LOCAL, name))
		return "it knows the object by other names";
	why = find_success(&to, to.at, step->inner->call);
	if (why)
		return why;
	/* it may leave without the flag, so nobody may need it behind the call */
	watch->past = step->call;
	order_any_arguments(order, s.fn, s.arg);
	order_walk_summary(order, &s, watch);
	ways_out(order, &from, watch);
	first = watch->move->nstep;
	sort_steps(watch->move, 0);
	watch->past = NULL;
	watch->until = to.block->kid[to.until];
	watch->handed = true;
	watch->param = (uint32_t)param;
	order_any_arguments(order, fn, in.arg);
	order_walk_summary(order, &in, watch);
	ways_before(order, body, &to, watch);
	sort_steps(watch->move, first);
	watch->move->into = fn;
	watch->move->object = name;
	watch->move->to = last_line(watch->until);
	return NULL;
}

struct order_move *model_order_move(struct model *model,
				    const struct order_pair *pair)
{
	struct order_move *move = ARENA_NEW(model->arena, struct order_move);
	struct order *order = model->order;
	const struct order_write *write = pair->write;
	struct order_watch watch = { .write = write, .move = move };
	struct order_summary s = { .fn = write->fn };
	struct site site = { NULL, 0, 0 };
	const char *why;

	move->from = write->call->line;
	move->prevents = find_site(pair, &site);
	if (move->prevents && pair->charge->inner) {
		/* not behind the call, but perhaps into what is called */
		move->prevents = NULL;
		site.block = NULL;
	}
	if (move->prevents)
		return move;
	if (pair->charge->fn != write->fn) {
		move->prevents = arena_printf(model->arena, "the charge is "
			"made in '%s', which is handed the object with the "
			"flag", pair->charge->fn->name);
	} else if (!site.block) {
		why = move_into(order, pair, &watch);
		if (why && !move->prevents)
			move->prevents = arena_printf(model->arena,
				pair->shows ? "'%s' charges the object and "
				"makes it visible: the flag has to be set "
				"before, the charge cannot come out of there, "
				"and the write cannot go into it: %s" :
				"the charge is made in '%s', another "
				"function, and the write cannot go into it: "
				"%s", pair->charge->callee, why);
	} else {
		watch.until = site.block->kid[site.until];
		move->to = last_line(watch.until);
		order_any_arguments(order, write->fn, s.arg);
		order_walk_summary(order, &s, &watch);
		ways_out(order, &site, &watch);
		sort_steps(move, 0);
	}
	return move;
}

/* Where @node calls the name first, in the order of its text; or NULL. */
static const struct node *first_call(const struct node *node, const char *name)
{
	const struct node *f, *found = NULL;

	if (node->kind == N_CALL) {
		f = reading_strip(node->kid[0]);
		if (f->kind == N_FUNC && !strcmp(f->name, name))
			return node;
	}
	for (uint32_t i = 0; i < node->nkid && !found; i++)
		if (node->kid[i])
			found = first_call(node->kid[i], name);
	return found;
}

const char *order_charge(const struct order_pair *pair, const char *fn)
{
	const struct order_step *step = pair->charge;

	while (strcmp(step->fn->name, fn) && step->inner)
		step = step->inner;
	return step->callee;
}

bool order_writes_after(const struct function *fn,
			const struct order_pair *pair)
{
	const struct node *body = facts_body(fn->func), *block, *charge;
	uint32_t at = 0;

	charge = body ? first_call(body, order_charge(pair, fn->name)) : NULL;
	block = charge ? block_with(body, charge, &at) : NULL;
	for (uint32_t i = at + 1; block && i < block->nkid; i++)
		if (block->kid[i] &&
		    first_call(block->kid[i], pair->write->callee))
			return true;
	return false;
}
