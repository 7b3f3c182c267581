// SPDX-License-Identifier: GPL-2.0-only
/*
 * One function in the off state, line by line, and why it is so: for a
 * reader who doubts a finding or misses one.
 */
#include <stdlib.h>
#include <string.h>

#include "entry.h"

/* A function calls itself over others: then its chain has no end. */
#define CHAIN_MAX 40

struct explain {
	struct model *model;
	struct arena *arena;
	struct function *fn;
	struct explanation *out;
	size_t line_cap, fact_cap;
};

static void add_line(struct explain *x, const char *file, uint32_t line,
		     enum line_state state, const char *text)
{
	struct explanation *out = x->out;

	for (size_t i = 0; i < out->nlines; i++)
		if (out->lines[i].line == line &&
		    out->lines[i].state == state &&
		    !strcmp(out->lines[i].file, file) &&
		    (!text || (out->lines[i].text &&
			       !strcmp(out->lines[i].text, text))))
			return;
	if (out->nlines == x->line_cap) {
		struct explained_line *more;

		x->line_cap = x->line_cap ? x->line_cap * 2 : 64;
		more = ARENA_ARRAY(x->arena, struct explained_line,
				   x->line_cap);
		if (out->nlines)
			memcpy(more, out->lines, out->nlines * sizeof(*more));
		out->lines = more;
	}
	out->lines[out->nlines++] = (struct explained_line){
		.file = file, .line = line, .state = state, .text = text,
	};
}

static void add_fact(struct explain *x, const char *file, uint32_t line,
		     const char *text)
{
	struct explanation *out = x->out;

	for (size_t i = 0; i < out->nfacts; i++)
		if (!strcmp(out->facts[i].text, text))
			return;
	if (out->nfacts == x->fact_cap) {
		struct why *more;

		x->fact_cap = x->fact_cap ? x->fact_cap * 2 : 16;
		more = ARENA_ARRAY(x->arena, struct why, x->fact_cap);
		if (out->nfacts)
			memcpy(more, out->facts, out->nfacts * sizeof(*more));
		out->facts = more;
	}
	out->facts[out->nfacts++] = (struct why){ file, line, text };
}

static const struct fact *find_fact(const struct model *model,
				    const char *name)
{
	const struct facts_off *facts = model->facts;

	for (uint32_t i = 0; i < facts->nfact; i++)
		if (facts->fact[i]->name == name)
			return facts->fact[i];
	return NULL;
}

static const struct emptiness *find_record(const struct model *model,
					   const char *name)
{
	return map_get(&model->facts->records, name);
}

/* "'x' is 0: nothing that is live stores to it". */
static void explain_fact(struct explain *x, const struct fact *fact)
{
	const struct writer *writer = fact->nwriter ? &fact->writer[0] : NULL;
	const char *file = writer ? writer->fn->file : NULL;
	uint32_t line = writer ? writer->line : 0;
	char buf[32];
	const char *value = value_text(fact->value, *fact->record, buf);

	if (!fact_holds(fact) && writer)
		add_fact(x, file, line, arena_printf(x->arena,
			 "'%s' is not known: '%s' stores to it%s", fact->name,
			 writer->fn->name, fact->nwriter > 1 ?
			 arena_printf(x->arena, ", and %u more",
				      fact->nwriter - 1) : ""));
	else if (!fact_holds(fact))
		add_fact(x, NULL, 0, arena_printf(x->arena,
			 "'%s' is not known", fact->name));
	else if (writer)
		add_fact(x, file, line, arena_printf(x->arena,
			 "'%s' is %s: '%s' stores that", fact->name, value,
			 writer->fn->name));
	else
		add_fact(x, NULL, 0, arena_printf(x->arena,
			 "'%s' is %s: nothing that is live stores to it",
			 fact->name, value));
}

static bool is_guard(const struct model *model, const char *name)
{
	for (size_t i = 0; i < model->rules->nguard; i++)
		if (!strcmp(model->rules->guard[i].name, name))
			return true;
	return false;
}

static bool is_known(const struct model *model, const char *name)
{
	const struct rules *rules = model->rules;

	for (size_t i = 0; i < rules->nknown; i++)
		if (!strcmp(rules->known[i].name, name))
			return true;
	for (size_t i = 0; i < rules->nroot_field; i++)
		if (!strcmp(rules->root_field[i].name, name))
			return true;
	for (size_t i = 0; i < rules->root.n; i++)
		if (!strcmp(rules->root.name[i], name))
			return true;
	for (size_t i = 0; i < rules->nsame; i++)
		if (!strcmp(rules->same[i].member, name))
			return true;
	return false;
}

static void explain_because(struct explain *x, const char *name)
{
	const struct model *model = x->model;
	const struct emptiness *record;
	const struct fact *fact;

	if (!name)
		return;
	fact = find_fact(model, name);
	record = find_record(model, name);
	if (is_guard(model, name))
		add_fact(x, NULL, 0, arena_printf(x->arena,
			 "'%s' is what the predicate reads: %s", name,
			 model->rules->off));
	else if (is_known(model, name))
		add_fact(x, NULL, 0, arena_printf(x->arena,
			 "'%s' is given by the rules", name));
	else if (fact)
		explain_fact(x, fact);
	else if (record)
		add_fact(x, record->by ? record->by->file : NULL,
			 record->by ? record->by->func->line : 0,
			 record->empty ?
			 arena_printf(x->arena, "no '%s' is ever made, so a "
				      "pointer to one is NULL", name) :
			 arena_printf(x->arena, "the first '%s' is made by "
				      "'%s'", name, record->by->name));
	else if (model->rules->group && !strcmp(name, model->rules->group))
		add_fact(x, NULL, 0, arena_printf(x->arena,
			 "the only '%s' is the root group", name));
}

static const char *operation_text(struct explain *x, const struct left *left)
{
	const char *name = left->event->name;

	if (left->op == OP_KIND_ASM || left->op == OP_KIND_HEAVY ||
	    left->op == OP_KIND_LOOP)
		name = left->in->name;
	return arena_printf(x->arena, "%s '%s'%s", op_kind_text(left->op),
			    name ? name : "?",
			    left->flags & EVENT_COLD ? ", unlikely" : "");
}

static void explain_test(struct explain *x, const struct left *left)
{
	bool is_true = left->event->flags & EVENT_TEST_TRUE;
	const char *name = left->event->name;

	add_line(x, left->in->file, left->event->line, LINE_KNOWN,
		 arena_printf(x->arena, "always %s%s%s%s",
			      is_true ? "true" : "false",
			      name ? ": '" : "", name ? name : "",
			      name ? "' decides" : ""));
	explain_because(x, name);
}

/* An operation is told where it is, and where the function comes to it. */
static void explain_operation(struct explain *x, const struct left *left,
			      enum line_state state)
{
	const struct fact *fact;

	/* a load alone is no work, but what it loads may decide */
	if (left->op == OP_KIND_LOAD || left->op == OP_KIND_GLOAD) {
		fact = left->event->name ? find_fact(x->model,
						     left->event->name) : NULL;
		if (fact)
			explain_fact(x, fact);
	}
	if (!cost_work(left->op)) {
		add_line(x, left->in->file, left->event->line, state, NULL);
		return;
	}
	add_line(x, left->in->file, left->event->line, state,
		 operation_text(x, left));
	if (left->nthrough)
		add_line(x, x->fn->file, left->own_line, state,
			 arena_printf(x->arena, "%s, in '%s'",
				      operation_text(x, left),
				      left->through[0]->name));
}

static void mark_text(const struct node *node, uint32_t start, uint32_t end,
		      bool *text)
{
	/* a block and a label are no code of their own */
	if (node->kind != N_BLOCK && node->kind != N_LABEL &&
	    node->kind != N_CASE && node->line >= start && node->line <= end)
		text[node->line - start] = true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			mark_text(node->kid[i], start, end, text);
}

/* Lines that are reached and lines that are not. */
static void explain_reach(struct explain *x, bool runs)
{
	const struct func *func = x->fn->func;
	uint32_t n = func->end_line >= func->start_line ?
		     func->end_line - func->start_line + 1 : 0;
	struct node *body = facts_body(x->fn->func);
	bool *text = ARENA_ARRAY(x->arena, bool, n);
	bool *seen = ARENA_ARRAY(x->arena, bool, n);
	const struct summary *s;

	if (!body || !n)
		return;
	mark_text(body, func->start_line, func->end_line, text);
	if (runs) {
		s = model_judged(x->model, x->fn);
		world_trace(x->model->off, x->fn, s->arg, s->narg, seen);
	}
	for (uint32_t i = 0; i < n; i++)
		if (text[i])
			add_line(x, x->fn->file, func->start_line + i,
				 seen[i] ? LINE_LIVE : LINE_DEAD, NULL);
}

static int by_place(const void *a, const void *b)
{
	const struct explained_line *x = a, *y = b;
	int d = strcmp(x->file, y->file);

	if (d)
		return d;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	if (!x->text || !y->text)
		return (x->text != NULL) - (y->text != NULL);
	return strcmp(x->text, y->text);
}

static const char *rule_text(const struct verdict *v)
{
	switch (v->rule) {
	case VERDICT_MISSING: return "missing-guard";
	case VERDICT_LATE:    return "late-guard";
	case VERDICT_OUTLINE: return "outline-guard";
	default:              return NULL;
	}
}

static const char *verdict_text(struct explain *x)
{
	const struct model *model = x->model;
	const struct liveness *live = &model->live[x->fn->index];
	const struct verdict *v = model->verdict[x->fn->index];
	const char *rule;

	if (!live->live && !live->inlined)
		return "none: in the off state nothing that runs calls it";
	if (!x->fn->differs && (!v || v->rule == VERDICT_CLEAN))
		return "none: it is the same with and without the feature, "
		       "and its callees have their own";
	if (!v)
		return "none of its own: its code is part of its callers";
	rule = rule_text(v);
	if (rule && v->ncause)
		return arena_printf(x->arena, "%s, told with '%s'", rule,
				    v->cause[0]->fn->name);
	if (rule)
		return rule;
	if (v->spared)
		return arena_printf(x->arena, "none: %s", v->spared);
	return "none: nothing that counts is left";
}

static void explain_chain(struct explain *x)
{
	const struct model *model = x->model;
	const struct heat *heat = &model->heat[x->fn->index];
	const struct function *fn = x->fn;
	const char **chain;
	size_t root = 0, n = 0;

	if (!heat->root || heat->most <= 0)
		return;
	for (size_t i = 1; i < model->kernel->nroot; i++)
		if (heat->root[i] > heat->root[root])
			root = i;
	chain = ARENA_ARRAY(x->arena, const char *, CHAIN_MAX);
	for (; fn && n < CHAIN_MAX; fn = heat->from ? heat->from[root] : NULL) {
		chain[n++] = fn->name;
		heat = &model->heat[fn->index];
	}
	for (size_t i = 0; i < n / 2; i++) {
		const char *swap = chain[i];

		chain[i] = chain[n - 1 - i];
		chain[n - 1 - i] = swap;
	}
	x->out->chain = chain;
	x->out->nchain = n;
	x->out->root = model->kernel->root[root].name;
}

/* Why it does not run: the tests of those who would call it. */
static void explain_dead(struct explain *x)
{
	struct program *in = x->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		struct function *user = in->function[i];
		const struct liveness *live = &x->model->live[i];
		const struct residue *r;
		bool calls = false;

		for (uint32_t k = 0; k < user->func->nref && !calls; k++)
			calls = user->func->ref[k] == x->fn->name;
		if (!calls || !user->touches ||
		    program_function(in, x->fn->name, user->file) != x->fn)
			continue;
		if (!live->live && !live->inlined) {
			add_fact(x, user->file, user->func->line,
				 arena_printf(x->arena, "'%s' would call it, "
					      "and does not run either",
					      user->name));
			continue;
		}
		r = residue_of(x->model, user);
		for (uint32_t k = 0; k < r->n; k++) {
			if (!r->left[k].test)
				continue;
			add_fact(x, r->left[k].in->file,
				 r->left[k].event->line,
				 arena_printf(x->arena, "'%s' would call it, "
					      "but '%s' decides before",
					      user->name,
					      r->left[k].event->name ?
					      r->left[k].event->name : "?"));
			break;
		}
	}
}

static struct function *find(struct model *model, const char *name,
			     struct err *err)
{
	struct program *in = model->feature->in;
	const char *at = strchr(name, '@');
	const char *plain = at ? intern_n(model->strings, name,
					  (size_t)(at - name)) :
				 intern(model->strings, name);
	struct function *fn = map_get(&in->functions, plain), *one;

	if (!fn) {
		err_set(err, STATUS_USAGE, "there is no function '%s' in "
			"what was analysed", name);
		return NULL;
	}
	if (at) {
		for (one = fn; one; one = one->next)
			if (!strcmp(one->file, at + 1))
				return one;
		err_set(err, STATUS_USAGE, "there is no function '%s' in "
			"what was analysed; there is one in '%s'", name,
			fn->file);
		return NULL;
	}
	one = program_function(in, plain, "");
	if (one)
		return one;
	if (fn->next)
		err_set(err, STATUS_USAGE, "'%s' is the name of several "
			"functions: say '%s@%s' or '%s@%s'", name, name,
			fn->file, name, fn->next->file);
	return fn->next ? NULL : fn;
}

struct explanation *model_explain(struct model *model, const char *function,
				  struct err *err)
{
	struct function *fn = find(model, function, err);
	struct explain x = { .model = model, .arena = model->arena,
			     .fn = fn };
	const struct liveness *live;
	const struct residue *r;
	struct explanation *out;
	bool runs;

	if (!fn)
		return NULL;
	live = &model->live[fn->index];
	runs = live->live || live->inlined;
	out = x.out = ARENA_NEW(model->arena, struct explanation);
	out->function = fn->name;
	out->file = fn->file;
	out->line = fn->func->start_line ? fn->func->start_line
					 : fn->func->line;
	out->end_line = fn->func->end_line;
	out->state = fn->differs ? entry_state(model, fn) :
		     runs ? "live" : "dead";
	out->verdict = verdict_text(&x);
	explain_reach(&x, runs);
	if (runs) {
		r = residue_of(model, fn);
		for (uint32_t i = 0; i < r->n; i++) {
			if (r->left[i].test)
				explain_test(&x, &r->left[i]);
			else if (fn->differs)
				explain_operation(&x, &r->left[i], LINE_LEFT);
		}
		for (uint32_t i = 0; i < r->nstub; i++)
			explain_operation(&x, &r->stub[i], LINE_STUB);
	} else {
		explain_dead(&x);
	}
	explain_chain(&x);
	if (out->nlines)
		qsort(out->lines, out->nlines, sizeof(*out->lines), by_place);
	return out;
}
