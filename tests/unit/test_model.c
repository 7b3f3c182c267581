// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model over facts made by hand: what is found, and that the order in
 * which facts come makes no difference.
 */
#include <stdlib.h>
#include <string.h>

#include "base/rules.h"
#include "model/model.h"
#include "tap.h"

struct maker {
	struct arena *arena;
	struct strtab *strings;
};

static const char *text(struct maker *m, const char *s)
{
	return intern(m->strings, s);
}

static struct node *node(struct maker *m, enum node_kind kind,
			 uint32_t nkid, const char *name, uint32_t line)
{
	struct node *n = node_new(m->arena, kind, nkid);

	if (name)
		n->name = text(m, name);
	n->record = text(m, "");
	n->line = line;
	return n;
}

/* @name(@arg), as a statement */
static struct node *call(struct maker *m, const char *name,
			 struct node *arg, uint32_t line)
{
	struct node *statement = node(m, N_EXPR, 1, NULL, line);
	struct node *n = node(m, N_CALL, arg ? 2 : 1, NULL, line);

	n->kid[0] = node(m, N_FUNC, 0, name, line);
	if (arg)
		n->kid[1] = arg;
	statement->kid[0] = n;
	return statement;
}

/* return __nocharge_key(&key) == 0 */
static struct node *key_test(struct maker *m, const char *key)
{
	struct node *ret = node(m, N_RETURN, 1, NULL, 3);
	struct node *same = node(m, N_UNARY, 1, NULL, 3);
	struct node *address = node(m, N_ADDR, 1, NULL, 3);

	same->op = OP_NOT;
	address->kid[0] = node(m, N_GLOBAL, 0, key, 3);
	same->kid[0] = call(m, "__nocharge_key", address, 3)->kid[0];
	ret->kid[0] = same;
	return ret;
}

/* if (feature_off()) return; */
static struct node *guard(struct maker *m, uint32_t line)
{
	struct node *n = node(m, N_IF, 3, NULL, line);

	n->kid[0] = call(m, "feature_off", NULL, line)->kid[0];
	n->kid[1] = node(m, N_RETURN, 1, NULL, line + 1);
	return n;
}

static struct node *block(struct maker *m, struct node *a, struct node *b)
{
	struct node *n = node(m, N_BLOCK, 2, NULL, 0);

	n->kid[0] = a;
	n->kid[1] = b;
	return n;
}

static void refer(struct maker *m, struct func *func, const char *name)
{
	const char **more = arena_alloc(m->arena, sizeof(*more) *
					(func->nref + 1));

	if (func->nref)
		memcpy(more, func->ref, func->nref * sizeof(*more));
	more[func->nref++] = text(m, name);
	func->ref = more;
}

static struct func *add(struct maker *m, struct facts *facts,
			const char *name, const char *file, uint32_t line,
			unsigned flags, struct node *body)
{
	struct func *func = &facts->func[facts->nfunc++];

	*func = (struct func){
		.name = text(m, name), .file = text(m, file), .line = line,
		.start_line = line, .end_line = line + 5,
		.flags = flags, .ret_record = text(m, ""),
		.type = text(m, "void (void)"), .body = body,
		.hash = line * 1000 + (uint64_t)strlen(name),
		.facts = facts,
	};
	return func;
}

static struct facts *unit(struct maker *m, const char *name)
{
	struct facts *facts = ARENA_NEW(m->arena, struct facts);

	facts->unit = text(m, name);
	facts->arena = m->arena;
	facts->strings = m->strings;
	facts->func = ARENA_ARRAY(m->arena, struct func, 8);
	facts->global = ARENA_ARRAY(m->arena, struct global, 2);
	return facts;
}

#define HEADER (FUNC_HEADER | FUNC_INLINE | FUNC_STATIC)
#define HEADER_VOID (HEADER | FUNC_VOID)

/* The feature's own file: a guard first, none at all, one too late. */
static struct facts *feature_unit(struct maker *m)
{
	struct facts *facts = unit(m, "mm/feature.c");
	struct func *f;

	f = add(m, facts, "feature_off", "include/feature.h", 2, HEADER,
		block(m, key_test(m, "feature_key"), NULL));
	refer(m, f, "__nocharge_key");
	f = add(m, facts, "feature_guarded", "mm/feature.c", 20, FUNC_VOID,
		block(m, guard(m, 21), call(m, "work", NULL, 23)));
	refer(m, f, "feature_off");
	refer(m, f, "work");
	f = add(m, facts, "feature_bare", "mm/feature.c", 30, FUNC_VOID,
		block(m, call(m, "work", NULL, 31), NULL));
	refer(m, f, "work");
	f = add(m, facts, "feature_late", "mm/feature.c", 40, FUNC_VOID,
		block(m, call(m, "work", NULL, 41), guard(m, 42)));
	refer(m, f, "feature_off");
	refer(m, f, "work");
	return facts;
}

/* What everybody runs; the same with the feature in and out. */
static struct facts *user_unit(struct maker *m, bool in)
{
	struct facts *facts = unit(m, "mm/user.c");
	struct func *f;

	f = add(m, facts, "user", "mm/user.c", 10, FUNC_VOID,
		block(m, block(m, call(m, "feature_guarded", NULL, 11),
			       call(m, "feature_bare", NULL, 12)),
		      call(m, "feature_late", NULL, 13)));
	refer(m, f, "feature_guarded");
	refer(m, f, "feature_bare");
	refer(m, f, "feature_late");
	if (in)
		return facts;
	add(m, facts, "feature_guarded", "include/feature.h", 50,
	    HEADER_VOID, block(m, NULL, NULL));
	add(m, facts, "feature_bare", "include/feature.h", 54,
	    HEADER_VOID, block(m, NULL, NULL));
	add(m, facts, "feature_late", "include/feature.h", 58,
	    HEADER_VOID, block(m, NULL, NULL));
	return facts;
}

static struct rules *make_rules(struct maker *m)
{
	struct rules *rules = ARENA_NEW(m->arena, struct rules);
	static const char *predicate[] = { "feature_off" };
	static struct known_value key = { .name = "feature_key" };

	rules->feature = "feature";
	rules->title = "the feature";
	rules->off = "feature=off";
	rules->predicate = (struct names){ predicate, 1 };
	rules->guard = &key;
	rules->nguard = 1;
	return rules;
}

static struct kernel_rules *make_kernel(struct maker *m)
{
	struct kernel_rules *kernel = ARENA_NEW(m->arena,
						struct kernel_rules);
	static struct root_function function = { "user", 1 };
	static struct hot_root root = { "path", "a path", &function, 1 };

	kernel->root = &root;
	kernel->nroot = 1;
	return kernel;
}

static bool found(const struct report *report, const char *rule,
		  const char *function)
{
	for (size_t i = 0; i < report->nfinding; i++)
		if (!strcmp(report->finding[i].rule, rule) &&
		    !strcmp(report->finding[i].function, function))
			return true;
	return false;
}

/* Findings of the facts in one order or the other, as text. */
static char *analyse(bool swapped, struct report *report, struct maker *m)
{
	struct facts *in[2], *out[1];
	struct model_input input = {
		.rules = make_rules(m), .kernel = make_kernel(m),
		.in = in, .out = out, .nin = 2, .nout = 1,
		.arena = m->arena, .strings = m->strings,
	};
	struct model *model;
	struct err err = { 0 };
	char *all = arena_strdup(m->arena, "");

	in[swapped] = feature_unit(m);
	in[!swapped] = user_unit(m, true);
	out[0] = user_unit(m, false);
	model = model_build(&input, &err);
	if (!tap_ok(model != NULL, "a model is made"))
		return all;
	model_check(model, NULL, report, &err);
	for (size_t i = 0; i < report->nfinding; i++)
		all = arena_printf(m->arena, "%s%s %s %s\n", all,
				   report->finding[i].id,
				   report->finding[i].rule,
				   report->finding[i].message);
	model_release(model);
	return all;
}

static void make(struct maker *m)
{
	m->arena = arena_new();
	m->strings = strtab_new(m->arena);
}

int main(void)
{
	struct report one = { 0 }, two = { 0 };
	struct maker a, b;
	char *first, *second;

	make(&a);
	make(&b);
	first = analyse(false, &one, &a);
	second = analyse(true, &two, &b);
	tap_ok(found(&one, "outline-guard", "feature_guarded"),
	       "a guard out of line");
	tap_ok(found(&one, "missing-guard", "feature_bare"), "no guard");
	tap_ok(found(&one, "late-guard", "feature_late"),
	       "a guard after work");
	tap_ok(one.nfinding == 3, "and nothing else");
	tap_ok(one.nentry >= 3, "entry points are listed");
	tap_is(second, first, "the order of facts makes no difference");
	arena_free(a.arena);
	arena_free(b.arena);
	return tap_done();
}
