// SPDX-License-Identifier: GPL-2.0-only
#include "account.h"

#include <string.h>

#include "peek.h"
#include "reading.h"
#include "syntax.h"

/* Changes of flags that are told apart in one function. */
#define CHANGES_MAX 32
/* Functions of headers inside functions of headers. */
#define DEPTH 8

/* A function of a header that changes a flag and gives its old value. */
struct flag {
	const char *callee; /* what changes the bit */
	int64_t bit;
	bool is;
};

struct label {
	const char *name;
	uint32_t mask;
	struct label *next;
};

struct account {
	struct model *model;
	struct program *in;
	struct map flags;    /* by function: struct flag */
	struct map counts;   /* functions of the rules */
	struct map counting; /* by function: a call of one of these in it */
	struct accounted *direct, **last_direct;  /* both in one function */
	struct accounted *through, **last_through;
	/* the function that is looked at */
	struct function *fn;
	const struct node *change[CHANGES_MAX];
	const struct function *flag[CHANGES_MAX];
	uint32_t nchange;
	uint32_t leaves;     /* changes before a break or continue */
	uint32_t enters;     /* changes before the switch that is looked at */
	struct label *label;
};

/* --- what changes a flag --- */

/*
 * Does @fn store anywhere but to its locals? One without a body does: it is
 * assembly.
 */
static bool stores(struct account *a, const struct function *fn,
		   unsigned depth);

struct stored {
	struct account *account;
	const struct function *fn;
	unsigned depth;
};

static bool stores_at(const struct stored *s, const struct node *node)
{
	const struct node *to = node->nkid ? syntax_bare(node->kid[0]) : NULL;

	if (node->kind == N_ASSIGN && to && to->kind != N_LOCAL)
		return true;
	if (node->kind == N_CALL) {
		const char *name = syntax_callee(node);
		struct function *fn = name ? program_function(
				s->account->in, name, s->fn->file) : NULL;

		if (fn && fn->header && s->depth < DEPTH &&
		    stores(s->account, fn, s->depth + 1))
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++) {
		const struct node *kid = syntax_bare(node->kid[i]);

		/* what a jump out of an asm writes is no output of it */
		if (kid && node->kind == N_ASM && kid->kind != N_LOCAL &&
		    ((node->kid[i]->flags | kid->flags) & NODE_OUT ||
		     node->flags & NODE_HEAVY))
			return true;
		if (node->kid[i] && stores_at(s, node->kid[i]))
			return true;
	}
	return false;
}

static bool stores(struct account *a, const struct function *fn,
		   unsigned depth)
{
	struct stored s = { a, fn, depth };
	const struct node *body = facts_body(fn->func);

	return !body || stores_at(&s, body);
}

struct bit {
	struct account *account;
	const struct function *fn;
	struct flag *flag;
};

/* "change(bit, &object->flags)", with a number for the bit. */
static bool is_bit(void *data, const struct node *call)
{
	struct bit *b = data;
	const struct func *func = b->fn->func;
	const char *name = syntax_callee(call);
	const struct node *number = NULL;
	const struct function *fn;
	bool of = false;

	if (!name)
		return false;
	for (uint32_t i = 1; i < call->nkid; i++) {
		const struct node *arg = syntax_bare(call->kid[i]);

		if (arg && arg->kind == N_INT && !number)
			number = arg;
		else
			of |= syntax_uses(arg, func->param->name);
	}
	if (!number || !of)
		return false;
	fn = program_function(b->account->in, name, b->fn->file);
	if (fn && !(fn->header && stores(b->account, fn, 0)))
		return false;
	b->flag->callee = name;
	b->flag->bit = number->value;
	return true;
}

static const struct flag *flag_of(struct account *a,
				  const struct function *fn)
{
	struct flag *flag = map_get(&a->flags, fn);
	struct bit bit = { a, fn, NULL };

	if (flag)
		return flag->is ? flag : NULL;
	flag = ARENA_NEW(a->model->arena, struct flag);
	map_put(&a->flags, fn, flag);
	if (!fn->header || function_is_void(fn) || fn->func->nparam != 1 ||
	    !*fn->func->param->record)
		return NULL;
	bit.flag = flag;
	flag->is = syntax_calls(facts_body(fn->func), is_bit, &bit) != NULL;
	return flag->is ? flag : NULL;
}

static bool same_flag(struct account *a, const struct function *x,
		      const struct function *y)
{
	const struct flag *f = flag_of(a, x), *g = flag_of(a, y);

	return f->callee == g->callee && f->bit == g->bit;
}

/* --- what is done in one function, in order --- */

/* The local that an argument is, or is made of by one function or address. */
static const char *object(const struct node *node)
{
	for (unsigned i = 0; i < DEPTH; i++) {
		node = syntax_bare(node);
		if (!node)
			return NULL;
		if (node->kind == N_LOCAL)
			return node->name;
		if (node->kind == N_CALL && node->nkid == 2)
			node = node->kid[1];
		else if (node->kind == N_ADDR && node->kid[0]->kind == N_FIELD)
			node = node->kid[0]->kid[0];
		else
			return NULL;
	}
	return NULL;
}

static bool same_object(const struct node *change, const struct node *call)
{
	const char *name = object(change->kid[1]);

	for (uint32_t i = 1; i < call->nkid; i++)
		if (name ? object(call->kid[i]) == name :
		    syntax_equal(call->kid[i], change->kid[1]))
			return true;
	return false;
}

/* What @by calls is @counts, or by is that: @call of it is reached. */
static void reach(struct account *a, const struct node *call,
		  const struct function *by, const struct function *counts,
		  uint32_t line, uint32_t mask)
{
	bool direct = by == a->fn;

	for (uint32_t i = 0; i < a->nchange; i++) {
		struct accounted *at;

		if (!(mask >> i & 1) || !same_object(a->change[i], call))
			continue;
		at = ARENA_NEW(a->model->arena, struct accounted);
		*at = (struct accounted){
			.fn = a->fn, .change = a->change[i],
			.flag = a->flag[i], .call = call, .by = by,
			.counts = counts, .line = line,
		};
		if (direct) {
			*a->last_direct = at;
			a->last_direct = &at->next;
		} else {
			*a->last_through = at;
			a->last_through = &at->next;
		}
	}
}

struct counting {
	const struct function *fn, *counts;
	uint32_t line;
	struct counting *next; /* of the same function */
};

static uint32_t look_at_call(struct account *a, const struct node *call,
			     uint32_t mask)
{
	const char *name = syntax_callee(call);
	struct function *fn = name ? program_function(a->in, name,
						      a->fn->file) : NULL;
	const struct counting *counting;

	if (!fn)
		return mask;
	if (call->nkid > 1 && a->nchange < CHANGES_MAX && flag_of(a, fn)) {
		a->change[a->nchange] = call;
		a->flag[a->nchange] = fn;
		return mask | 1U << a->nchange++;
	}
	if (map_get(&a->counts, fn))
		reach(a, call, a->fn, fn, call->line, mask);
	counting = map_get(&a->counting, fn);
	for (; counting && fn != a->fn; counting = counting->next)
		reach(a, call, fn, counting->counts, counting->line, mask);
	return mask;
}

static struct label *find_label(struct account *a, const char *name)
{
	struct label *label = a->label;

	for (; label; label = label->next)
		if (label->name == name)
			return label;
	label = ARENA_NEW(a->model->arena, struct label);
	label->name = name;
	label->next = a->label;
	a->label = label;
	return label;
}

static uint32_t follow(struct account *a, const struct node *node,
		       uint32_t mask);

static uint32_t follow_kids(struct account *a, const struct node *node,
			    uint32_t mask)
{
	for (uint32_t i = 0; i < node->nkid; i++)
		mask = follow(a, node->kid[i], mask);
	return mask;
}

static uint32_t follow_around(struct account *a, const struct node *node,
			      uint32_t mask)
{
	uint32_t leaves = a->leaves, enters = a->enters;

	a->leaves = 0;
	a->enters = mask;
	mask |= follow_kids(a, node, mask);
	mask |= a->leaves;
	a->leaves = leaves;
	a->enters = enters;
	return mask;
}

/*
 * Which changes may have been made behind @node, if those of @mask were before
 * it; none where nothing comes behind it.
 */
static uint32_t follow(struct account *a, const struct node *node,
		       uint32_t mask)
{
	uint32_t other;

	if (!node)
		return mask;
	switch (node->kind) {
	case N_CALL:
		return look_at_call(a, node, follow_kids(a, node, mask));
	case N_IF:
	case N_COND:
		mask = follow(a, node->kid[0], mask);
		other = follow(a, node->kid[1], mask);
		return other | follow(a, node->kid[2], mask);
	case N_LOOP:
	case N_SWITCH:
		return follow_around(a, node, mask);
	case N_CASE:
		return follow_kids(a, node, mask | a->enters);
	case N_RETURN:
		(void)follow_kids(a, node, mask);
		return 0;
	case N_GOTO:
		find_label(a, node->name)->mask |= mask;
		return 0;
	case N_LABEL:
		return follow_kids(a, node,
				   mask | find_label(a, node->name)->mask);
	case N_BREAK:
	case N_CONTINUE:
		a->leaves |= mask;
		return 0;
	default:
		return follow_kids(a, node, mask);
	}
}

static void look_at(struct account *a, struct function *fn)
{
	a->fn = fn;
	a->nchange = 0;
	a->leaves = a->enters = 0;
	a->label = NULL;
	(void)follow(a, facts_body(fn->func), 0);
}

/* --- who counts --- */

static bool is_counting(void *data, const struct node *call)
{
	struct account *a = data;
	const char *name = syntax_callee(call);
	struct function *counts = name ? program_function(a->in, name,
							  a->fn->file) : NULL;
	struct counting *counting;

	if (!counts || !map_get(&a->counts, counts))
		return false;
	counting = ARENA_NEW(a->model->arena, struct counting);
	counting->fn = a->fn;
	counting->counts = counts;
	counting->line = call->line;
	counting->next = map_get(&a->counting, a->fn);
	map_put(&a->counting, a->fn, counting);
	return false;
}

static bool names_any(const struct account *a, const struct function *fn,
		      const struct map *map)
{
	for (uint32_t i = 0; i < fn->func->nref; i++) {
		struct function *to = program_function(a->in,
						       fn->func->ref[i],
						       fn->file);

		if (to && to != fn && map_get(map, to))
			return true;
	}
	return false;
}

static void find_counting(struct account *a)
{
	const struct names *names = &a->model->rules->statistics;

	for (size_t i = 0; i < names->n; i++) {
		struct function *fn = map_get(&a->in->functions,
					      names->name[i]);

		for (; fn; fn = fn->next)
			map_put(&a->counts, fn, fn);
	}
	for (uint32_t i = 0; i < a->in->nfunction; i++) {
		a->fn = a->in->function[i];
		if (names_any(a, a->fn, &a->counts))
			(void)syntax_calls(facts_body(a->fn->func),
					   is_counting, a);
	}
}

static void find_accounted(struct account *a)
{
	for (uint32_t i = 0; i < a->in->nfunction; i++) {
		struct function *fn = a->in->function[i];

		if (!fn->header && (map_get(&a->counting, fn) ||
				    names_any(a, fn, &a->counting)))
			look_at(a, fn);
	}
}

/* --- which of them are findings --- */

static bool same_pair(struct account *a, const struct accounted *x,
		      const struct accounted *y)
{
	return x->counts == y->counts && same_flag(a, x->flag, y->flag);
}

/* The same top directory of the tree? */
static bool same_subsystem(const char *x, const char *y)
{
	size_t len = strcspn(x, "/");

	return !strncmp(x, y, len) && y[len] == x[len];
}

/* What does both where the statistics are, for everybody to call. */
static const struct accounted *find_helper(struct account *a,
					   const struct accounted *at)
{
	const struct accounted *other = a->direct;

	for (; other; other = other->next)
		if (other->fn != at->fn && same_pair(a, at, other) &&
		    !other->fn->is_static &&
		    other->fn->file == other->counts->file)
			return other;
	return NULL;
}

/* Any function that does both: it says that they belong together. */
static const struct accounted *find_pair(struct account *a,
					 const struct accounted *at)
{
	const struct accounted *other = find_helper(a, at);

	for (; !other && a->direct; ) {
		for (other = a->direct; other; other = other->next)
			if (same_pair(a, at, other))
				break;
		return other;
	}
	return other;
}

static bool does_both(struct account *a, const struct function *fn,
		      const struct accounted *at)
{
	const struct accounted *other = a->direct;

	for (; other; other = other->next)
		if (other->fn == fn && same_pair(a, at, other))
			return true;
	return false;
}

struct hold {
	struct account *account;
	const struct accounted *at;
	bool changed, counted;
	const struct function *before, *between, *behind;
};

/* One of the feature's own functions is given the object. */
static void look_for_hold(struct hold *hold, const struct node *call)
{
	const struct accounted *at = hold->at;
	const char *name = syntax_callee(call);
	const struct function *fn;

	hold->changed |= call == at->change;
	hold->counted |= call == at->call;
	fn = name ? program_function(hold->account->in, name,
				     at->fn->file) : NULL;
	if (!fn || call == at->call || !reading_follows(fn) ||
	    !same_object(at->change, call))
		return;
	if (!hold->changed)
		hold->before = fn;
	else if (!hold->counted)
		hold->between = fn;
	else if (!hold->behind)
		hold->behind = fn;
}

/* Does nothing come behind @node, which does not count either? */
static bool leaves_early(const struct hold *hold, const struct node *node)
{
	while (node->kind == N_BLOCK && node->nkid)
		node = node->kid[node->nkid - 1];
	return (node->kind == N_RETURN || node->kind == N_GOTO) &&
	       node->line < hold->at->call->line;
}

static void walk_hold(struct hold *hold, const struct node *node)
{
	if (node->kind == N_CALL)
		look_for_hold(hold, node);
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] &&
		    !(node->kind == N_IF && i &&
		      leaves_early(hold, node->kid[i])))
			walk_hold(hold, node->kid[i]);
}

static struct hold find_hold(struct account *a, const struct accounted *at)
{
	struct hold hold = { .account = a, .at = at };

	walk_hold(&hold, facts_body(at->fn->func));
	return hold;
}

/*
 * Does the feature hold the object from before the change until it is counted,
 * by what the function that does both holds it with?
 */
static bool is_held(struct account *a, const struct accounted *at)
{
	struct hold hold = find_hold(a, at), other = find_hold(a, at->helper);

	return hold.before && hold.behind && !hold.between &&
	       !other.between && hold.before == other.before &&
	       hold.behind == other.behind;
}

static bool is_finding(struct account *a, struct accounted *at)
{
	bool far = at->fn->file != at->counts->file &&
		   !same_subsystem(at->fn->file, at->counts->file);

	if (at->by == at->fn) {
		at->helper = find_helper(a, at);
		at->again = true;
		return at->helper && far;
	}
	at->helper = find_pair(a, at);
	if (!at->helper || does_both(a, at->by, at) ||
	    does_both(a, at->fn, at))
		return false;
	if (!is_held(a, at))
		return true;
	at->again = far && find_helper(a, at) && account_repeats(a->model, at);
	return at->again;
}

static void keep(struct account *a, struct accounted **first,
		 const struct accounted *at)
{
	struct accounted *kept, **to = first;

	for (; *to && (*to)->fn->index <= at->fn->index; to = &(*to)->next)
		if ((*to)->fn == at->fn && same_pair(a, *to, at))
			return;
	kept = ARENA_NEW(a->model->arena, struct accounted);
	*kept = *at;
	kept->next = *to;
	*to = kept;
}

struct accounted *account_splits(struct model *model)
{
	struct arena *arena = model->arena;
	struct account a = {
		.model = model, .in = model->feature->in,
		.flags = { .arena = arena }, .counts = { .arena = arena },
		.counting = { .arena = arena },
	};
	struct accounted *first = NULL, *at;

	a.last_direct = &a.direct;
	a.last_through = &a.through;
	find_counting(&a);
	find_accounted(&a);
	for (at = a.direct; at; at = at->next)
		if (is_finding(&a, at))
			keep(&a, &first, at);
	for (at = a.through; at; at = at->next)
		if (is_finding(&a, at))
			keep(&a, &first, at);
	return first;
}
