// SPDX-License-Identifier: GPL-2.0-only
#include "arm.h"

#include "effect.h"

/* Statements that are looked at before some are dropped. */
#define LIST_MAX 32

struct list {
	struct model *model;
	struct function *fn;
	const struct summary *s;
	const bool *seen;    /* by line - func->start_line */
	const struct node *node[LIST_MAX];
	size_t n;
	bool bad, left;      /* left: a "return" was met */
};

static bool line_seen(const struct list *l, uint32_t line)
{
	const struct func *func = l->fn->func;

	return line >= func->start_line && line <= func->end_line &&
	       l->seen[line - func->start_line];
}

static bool reached(const struct list *l, const struct node *node)
{
	if (node->line && line_seen(l, node->line))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && reached(l, node->kid[i]))
			return true;
	return false;
}

/* Is the condition in this line known to hold? */
static bool holds(const struct list *l, uint32_t line)
{
	bool truth = false;

	for (uint32_t i = 0; i < l->s->nevent; i++)
		if (l->s->event[i].kind == EV_TEST &&
		    l->s->event[i].line == line)
			truth = l->s->event[i].flags & EVENT_TEST_TRUE;
	return truth;
}

static const struct node *only(const struct node *node)
{
	while (node && node->kind == N_BLOCK && node->nkid == 1)
		node = node->kid[0];
	return node;
}

static void add(struct list *l, const struct node *node)
{
	if (l->n == LIST_MAX)
		l->bad = true;
	else
		l->node[l->n++] = node;
}

static void collect(struct list *l, const struct node *node, unsigned depth)
{
	const struct node *arm;

	if (!node || l->bad || l->left)
		return;
	/* a nest of ifs is no plain list anyway */
	if (depth > 8) {
		l->bad = true;
		return;
	}
	switch (node->kind) {
	case N_BLOCK:
		for (uint32_t i = 0; i < node->nkid; i++)
			collect(l, node->kid[i], depth + 1);
		break;
	case N_DECL:
	case N_EXPR:
		add(l, node);
		break;
	case N_RETURN:
		add(l, node);
		l->left = true;
		break;
	case N_LOOP:
		/* "do { ... } while (0)" is how a macro is one statement */
		if (node->op != LOOP_DO || !node->kid[1] ||
		    node->kid[1]->kind != N_INT || node->kid[1]->value)
			l->bad = true;
		else
			add(l, node);
		break;
	case N_IF:
		if (!reached(l, node->kid[1])) {
			collect(l, node->kid[2], depth + 1);
			break;
		}
		if (holds(l, node->line)) {
			collect(l, node->kid[1], depth + 1);
			break;
		}
		arm = only(node->kid[1]);
		if (node->kid[2] || !arm || arm->kind != N_RETURN)
			l->bad = true;
		else
			add(l, node);
		break;
	default:
		l->bad = true;
	}
}

static bool changes(const struct node *node)
{
	if (node->kind == N_CALL || node->kind == N_ASSIGN ||
	    node->kind == N_ASM)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && changes(node->kid[i]))
			return true;
	return false;
}

/* A call that nobody would see. */
static bool does_nothing(const struct list *l, const struct node *node)
{
	struct program *in = l->model->feature->in;
	const struct effects *effects;
	struct function *fn;
	struct arena *arena;
	bool nothing;

	if (!changes(node))
		return true;
	if (node->kind != N_CALL || node->kid[0]->kind != N_FUNC)
		return false;
	fn = program_function(in, node->kid[0]->name, l->fn->file);
	if (!fn)
		return false;
	arena = arena_new();
	effects = effects_of(l->model, l->model->off,
			     model_off(l->model, fn), arena);
	nothing = !effects->n && !effects->cut;
	arena_free(arena);
	return nothing;
}

/* Does the statement itself open or close a section, and nothing else? */
static bool is_section(const struct list *l, const struct node *node)
{
	enum effect_kind kind;

	while (node->kind == N_EXPR || node->kind == N_CAST)
		node = node->kid[0];
	return node->kind == N_CALL && node->kid[0]->kind == N_FUNC &&
	       effect_section(l->model->kernel, node->kid[0]->name,
			      &kind) >= 0;
}

/* A call of what carries a verdict of its own. */
static bool calls_feature(const struct list *l, const struct node *node)
{
	struct program *in = l->model->feature->in;

	if (node->kind == N_CALL && node->kid[0]->kind == N_FUNC) {
		const struct function *fn = program_function(in,
					node->kid[0]->name, l->fn->file);

		if (fn && fn->differs && !fn->header)
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && calls_feature(l, node->kid[i]))
			return true;
	return false;
}

/* A static function or variable of the .c file? */
static bool names_own(const struct list *l, const struct node *node)
{
	struct program *in = l->model->feature->in;
	const struct global_symbol *g;
	const struct function *fn;

	if (node->kind == N_FUNC) {
		fn = program_function(in, node->name, l->fn->file);
		if (fn && fn->is_static && !fn->header)
			return true;
	} else if (node->kind == N_GLOBAL) {
		g = program_global(in, node->name, l->fn->file);
		if (g && g->global->flags & GLOBAL_STATIC)
			return true;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && names_own(l, node->kid[i]))
			return true;
	return false;
}

static bool uses(const struct node *node, const char *local)
{
	if (node->kind == N_LOCAL && node->name == local)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && uses(node->kid[i], local))
			return true;
	return false;
}

static const char *given(const struct node *node)
{
	const struct node *to;

	if (node->kind == N_DECL)
		return node->name;
	if (node->kind != N_EXPR || node->kid[0]->kind != N_ASSIGN ||
	    node->kid[0]->op != OP_SET)
		return NULL;
	to = node->kid[0]->kid[0];
	return to->kind == N_LOCAL ? to->name : NULL;
}

static bool is_parameter(const struct function *fn, const char *local)
{
	for (uint32_t i = 0; i < fn->func->nparam; i++)
		if (fn->func->param[i].name == local)
			return true;
	return false;
}

/* From the end: what nothing behind it asks for. */
static void drop(struct list *l, bool bare, bool *kept)
{
	for (size_t i = l->n; i-- > 0;) {
		const char *local = given(l->node[i]);
		bool used = false;

		kept[i] = true;
		if (l->node[i]->kind == N_EXPR &&
		    (does_nothing(l, l->node[i]->kid[0]) ||
		     (bare && is_section(l, l->node[i])))) {
			kept[i] = false;
			continue;
		}
		if (!local || is_parameter(l->fn, local))
			continue;
		for (size_t k = i + 1; k < l->n; k++)
			used |= kept[k] && uses(l->node[k], local);
		kept[i] = used;
	}
}

bool arm_of(struct model *model, struct function *fn, bool bare,
	    struct arm *arm)
{
	const struct func *func = fn->func;
	const struct node *body = facts_body(fn->func);
	size_t lines = func->end_line - func->start_line + 1;
	bool *seen = ARENA_ARRAY(model->arena, bool, lines);
	struct list l = { .model = model, .fn = fn, .seen = seen };
	bool kept[LIST_MAX];

	*arm = (struct arm){ .n = 0 };
	if (!body || func->end_line < func->start_line)
		return false;
	l.s = model_judged(model, fn);
	world_trace(model->off, fn, l.s->arg, l.s->narg, seen);
	collect(&l, body, 0);
	if (l.bad || (!l.left && !function_is_void(fn)))
		return false;
	drop(&l, bare, kept);
	for (size_t i = 0; i < l.n; i++) {
		if (!kept[i])
			continue;
		if (bare && calls_feature(&l, l.node[i]))
			return false;
		if (arm->n == ARM_PARTS || !l.node[i]->line)
			return false;
		/* two statements of one line are not told apart */
		if (arm->n && arm->line[arm->n - 1] == l.node[i]->line)
			return false;
		arm->own_file |= names_own(&l, l.node[i]);
		arm->declares[arm->n] = l.node[i]->kind == N_DECL;
		arm->line[arm->n++] = l.node[i]->line;
	}
	return true;
}
