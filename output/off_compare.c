// SPDX-License-Identifier: GPL-2.0-only
#include "off_compare.h"

#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/err.h"
#include "../analyzer/model/syntax.h"
#include "off_asked.h"

/* More cells than this are not compared. */
#define TABLE_MAX (4u << 20)

/* Longer values are not told. */
#define RETURNS_SHOWN 200

/* What can be seen of one side, in order. */
struct side {
	struct effects *effects;
	struct effect **effect;
	bool *kept; /* there is an equal one on the other side */
	size_t n;
};

struct comparing {
	struct off_compare *all;
	const char *name;
	struct effects *stub;  /* NULL: none */
	bool has_stub;         /* or none is needed: only the feature has it */
	struct side before, after;
	struct effect **gone, **new; /* what is left to be explained */
	size_t ngone, nnew;
};

static const char *effect_said(struct arena *arena,
			       const struct effect *effect)
{
	static const char *const what[] = {
		[EFFECT_STORE] = "store to", [EFFECT_CALL] = "call",
		[EFFECT_ICALL] = "call through", [EFFECT_ASM] = "change",
		[EFFECT_OPEN] = "open", [EFFECT_CLOSE] = "close",
	};

	return arena_printf(arena, "%s '%s' (%s:%u)", what[effect->kind],
			    effect->name, effect->frame->s->fn->file,
			    effect->event->line);
}

#define SAID(c, effect) effect_said((c)->all->arena, effect)

static bool fail(struct comparing *c, const char *why)
{
	c->all->why = arena_printf(c->all->arena, "%s: %s", c->name, why);
	return false;
}

static void note(struct comparing *c, const char *text)
{
	struct off_compare *all = c->all;

	all->note = all->note ?
		arena_printf(all->arena, "%s; %s: %s", all->note, c->name,
			     text) :
		arena_printf(all->arena, "%s: %s", c->name, text);
}

void off_compare_init(struct off_compare *c, const struct model *before,
		      const struct model *after, struct arena *arena)
{
	size_t n = before->kernel->nsection;

	*c = (struct off_compare){
		.before = before, .after = after, .arena = arena,
		.loads = { .arena = arena },
		.net = ARENA_ARRAY(arena, int, n),
		.net_in = ARENA_ARRAY(arena, const char *, n),
	};
	effects_live_loads(after, &c->loads);
}

/* Who reads @name while it is off, with the patch; or NULL. */
static const struct function *reader(const struct off_compare *c,
				     const char *name)
{
	name = interned(c->after->strings, name);
	return name ? map_get(&c->loads, name) : NULL;
}

/* The same of what only the feature has. */
static const struct function *reader_of(const struct off_compare *c,
					const struct memory *to)
{
	const char *name = to->given ? to->given : to->leaf;

	return name ? reader(c, name) : NULL;
}

static bool is_seen(const struct off_compare *c, const struct effect *effect)
{
	const struct memory *to = &effect->to;

	switch (effect->kind) {
	case EFFECT_STORE: case EFFECT_ASM:
		if (to->local)
			return false;
		return !to->feature || !to->leaf || reader_of(c, to);
	default:
		return !effect->own;
	}
}

static void look(struct comparing *c, struct side *side,
		 struct effects *effects)
{
	struct arena *arena = c->all->arena;

	side->effects = effects;
	side->effect = ARENA_ARRAY(arena, struct effect *, effects->n);
	side->kept = ARENA_ARRAY(arena, bool, effects->n);
	for (size_t i = 0; i < effects->n; i++)
		if (is_seen(c->all, &effects->effect[i]))
			side->effect[side->n++] = &effects->effect[i];
}

static bool equal(const struct effect *a, const struct effect *b)
{
	return a->flags == b->flags && !strcmp(a->text, b->text);
}

/* Mark the longest common row of both. False: too long to compare. */
static bool align(struct side *a, struct side *b)
{
	size_t from = 0, an = a->n, bn = b->n, w, i, k;
	uint16_t *best;

	while (from < an && from < bn &&
	       equal(a->effect[from], b->effect[from])) {
		a->kept[from] = b->kept[from] = true;
		from++;
	}
	while (an > from && bn > from &&
	       equal(a->effect[an - 1], b->effect[bn - 1]))
		a->kept[--an] = b->kept[--bn] = true;
	w = bn - from + 1;
	if ((an - from + 1) * w > TABLE_MAX)
		return false;
	best = xcalloc((an - from + 1) * w, sizeof(*best));
#define BEST(x, y) best[((x) - from) * w + ((y) - from)]
	for (i = an; i-- > from;)
		for (k = bn; k-- > from;) {
			if (equal(a->effect[i], b->effect[k]))
				BEST(i, k) = BEST(i + 1, k + 1) + 1;
			else
				BEST(i, k) = BEST(i + 1, k) > BEST(i, k + 1) ?
					     BEST(i + 1, k) : BEST(i, k + 1);
		}
	for (i = k = from; i < an && k < bn;) {
		if (equal(a->effect[i], b->effect[k]))
			a->kept[i++] = b->kept[k++] = true;
		else if (BEST(i + 1, k) >= BEST(i, k + 1))
			i++;
		else
			k++;
	}
#undef BEST
	free(best);
	return true;
}

/* --- sections */

static bool is_section(const struct effect *effect)
{
	return effect->kind == EFFECT_OPEN || effect->kind == EFFECT_CLOSE;
}

/* How deep in each section the next effect that is kept stands. */
static size_t next_kept(const struct side *side, size_t at, int *deep)
{
	for (; at < side->n; at++) {
		const struct effect *effect = side->effect[at];

		if (side->kept[at] && !is_section(effect))
			return at;
		if (is_section(effect))
			deep[effect->section] +=
				effect->kind == EFFECT_OPEN ? 1 : -1;
	}
	return at;
}

static bool alike(const struct effect *a, const struct effect *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == EFFECT_STORE && a->to.leaf && b->to.leaf)
		return a->to.leaf == b->to.leaf;
	return !strcmp(a->name, b->name);
}

static bool stub_has(const struct comparing *c, const struct effect *effect)
{
	const struct effects *stub = c->stub;

	for (size_t i = 0; stub && i < stub->n; i++)
		if (alike(&stub->effect[i], effect))
			return true;
	return false;
}

/* Does the stub do it outside such a section? Then that is no need of it. */
static bool stub_does_without(const struct comparing *c,
			      const struct effect *effect, size_t section)
{
	const struct effects *stub = c->stub;
	int deep = 0;

	for (size_t i = 0; stub && i < stub->n; i++) {
		const struct effect *other = &stub->effect[i];

		if (other->kind == EFFECT_OPEN || other->kind == EFFECT_CLOSE)
			deep += other->section != section ? 0 :
				other->kind == EFFECT_OPEN ? 1 : -1;
		else if (!deep && alike(other, effect))
			return true;
	}
	return false;
}

/* What stays is in the same sections, and what is opened is closed. */
static bool compare_sections(struct comparing *c)
{
	const struct kernel_rules *kernel = c->all->before->kernel;
	size_t n = kernel->nsection, i = 0, k = 0;
	int *a = ARENA_ARRAY(c->all->arena, int, n);
	int *b = ARENA_ARRAY(c->all->arena, int, n);

	do {
		i = next_kept(&c->before, i, a);
		k = next_kept(&c->after, k, b);
		for (size_t s = 0; i < c->before.n && s < n; s++)
			if (a[s] != b[s] &&
			    !(a[s] > b[s] &&
			      stub_does_without(c, c->before.effect[i], s)))
				return fail(c, arena_printf(c->all->arena,
					"it does %s %s %s",
					SAID(c, c->before.effect[i]),
					a[s] > b[s] ? "no longer in" :
					"now in", kernel->section[s].name));
	} while (i++ < c->before.n && k++ < c->after.n);
	for (size_t s = 0; s < n; s++) {
		if (a[s] == b[s])
			continue;
		c->all->net[s] += b[s] - a[s];
		c->all->net_in[s] = c->name;
	}
	for (i = 0; i < c->before.n; i++)
		if (!c->before.kept[i] && is_section(c->before.effect[i]) &&
		    stub_has(c, c->before.effect[i]) && !c->nnew)
			return fail(c, arena_printf(c->all->arena,
				"it does not %s any more, which its stub does",
				SAID(c, c->before.effect[i])));
	return true;
}

bool off_compare_end(struct off_compare *c)
{
	const struct kernel_rules *kernel = c->before->kernel;

	for (size_t s = 0; s < kernel->nsection && !c->why; s++)
		if (c->net[s])
			c->why = arena_printf(c->arena, "%s: it leaves %s %s",
				c->net_in[s], kernel->section[s].name,
				c->net[s] < 0 ?
				"which it does not enter any more, or does "
				"not enter one that another function leaves" :
				"entered, or does not leave one that another "
				"function enters");
	return !c->why;
}

/* --- what is gone, and what is new */

static bool comes_from(const struct effect *effect, const struct node *call)
{
	const struct frame *frame = effect->frame;

	if (effect->event->node == call)
		return true;
	while (frame && frame->call != call)
		frame = frame->up;
	return frame;
}

/* Is it a store into an object that is not made any more either? */
static bool is_unmade(const struct comparing *c, const struct effect *effect)
{
	const struct node *call = effect->to.call;
	const char *callee = call ? syntax_callee(call) : NULL;
	bool gone = false;

	if (!callee || !names_match(&c->all->before->kernel->make, callee))
		return false;
	for (size_t i = 0; i < c->before.n; i++)
		if (comes_from(c->before.effect[i], call)) {
			if (c->before.kept[i])
				return false;
			gone = true;
		}
	return gone;
}

/* One that is gone, and nothing in its place. */
static bool may_go(struct comparing *c, const struct effect *effect)
{
	struct arena *arena = c->all->arena;
	const struct seen_load *load = off_asked(c->all->before,
						 c->before.effects,
						 c->after.effects);
	const char *said = SAID(c, effect);

	if (effect->kind <= EFFECT_ASM && effect->kind != EFFECT_CALL &&
	    effect->to.feature && reader_of(c->all, &effect->to))
		return fail(c, arena_printf(arena,
			"it does not %s any more, which '%s' reads while it "
			"is off", said,
			reader_of(c->all, &effect->to)->name));
	if (stub_has(c, effect))
		return fail(c, arena_printf(arena,
			"it does not %s any more, which its stub does too",
			said));
	if ((effect->kind == EFFECT_STORE || effect->kind == EFFECT_ASM) &&
	    !is_unmade(c, effect))
		return fail(c, arena_printf(arena,
			"it does not %s any more, which others may read",
			said));
	if (!c->has_stub)
		return fail(c, arena_printf(arena,
			"it does not %s any more, and has no stub that does "
			"without", said));
	if (load)
		return fail(c, arena_printf(arena,
			"it does not %s any more, and '%s' (%s:%u), which "
			"live code sets, may have asked for it", said,
			load->name, load->frame->s->fn->file, load->line));
	note(c, arena_printf(arena, "does not %s any more, as its stub",
			     said));
	return true;
}

static const char *one_without(const char **a, size_t na, const char **b,
			       size_t nb)
{
	size_t i, k = 0;

	for (i = 0; i < na; i++) {
		while (k < nb && strcmp(b[k], a[i]) < 0)
			k++;
		if (k == nb || strcmp(b[k], a[i]))
			return a[i];
	}
	return NULL;
}

/* The text behind the callee's name. */
static const char *given(const struct effect *effect)
{
	const char *text = strchr(effect->text, '(');

	return text ? text : effect->text;
}

static bool same_manner(const struct comparing *c)
{
	if (c->ngone != c->nnew)
		return true;
	for (size_t i = 0; i < c->ngone; i++)
		if (c->gone[i]->flags != c->new[i]->flags ||
		    (c->gone[i]->kind == EFFECT_CALL &&
		     c->new[i]->kind == EFFECT_CALL &&
		     strcmp(given(c->gone[i]), given(c->new[i]))))
			return false;
	return true;
}

/* What is new stands for what is gone, if both come to the same. */
static bool replaced(struct comparing *c)
{
	struct arena *arena = c->all->arena, *scratch;
	const char **a, **b, *lost, *more;
	size_t na, nb;
	bool good = false;

	if (!c->ngone)
		return fail(c, arena_printf(arena, "it does %s now, which it "
					    "did not", SAID(c, c->new[0])));
	if (!same_manner(c))
		return fail(c, arena_printf(arena, "it does %s in place of "
			"%s, and not with the same arguments or under the "
			"same condition", SAID(c, c->new[0]),
			SAID(c, c->gone[0])));
	scratch = arena_new();
	a = effects_stores(c->all->before, c->gone, c->ngone, &na, scratch);
	b = effects_stores(c->all->after, c->new, c->nnew, &nb, scratch);
	if (!a || !b) {
		fail(c, arena_printf(arena, "it is not known whether %s is "
			"the same as %s", SAID(c, c->new[0]),
			SAID(c, c->gone[0])));
		goto out;
	}
	lost = one_without(a, na, b, nb);
	more = one_without(b, nb, a, na);
	if (lost)
		fail(c, arena_printf(arena, "it does %s in place of %s, which "
			"may also store to '%s'", SAID(c, c->new[0]),
			SAID(c, c->gone[0]), lost));
	else if (more)
		fail(c, arena_printf(arena, "it does %s in place of %s, and "
			"that may also store to '%s'", SAID(c, c->new[0]),
			SAID(c, c->gone[0]), more));
	else
		good = true;
	if (good)
		note(c, arena_printf(arena, "does %s in place of %s: both may "
			"store to the same %zu places", SAID(c, c->new[0]),
			SAID(c, c->gone[0]), na));
out:
	arena_free(scratch);
	return good;
}

/* A call that stores nowhere is no more than a load. */
static bool is_load(const struct model *model, struct effect *effect)
{
	struct arena *scratch;
	const char **name;
	size_t n;
	bool load;

	if (effect->kind != EFFECT_CALL)
		return false;
	scratch = arena_new();
	name = effects_stores(model, &effect, 1, &n, scratch);
	load = name && !n;
	arena_free(scratch);
	return load;
}

static struct effect **rest(struct off_compare *all,
			    const struct model *model,
			    const struct side *side, size_t *n)
{
	struct effect **left = ARENA_ARRAY(all->arena, struct effect *,
					   side->n);

	for (size_t i = 0; i < side->n; i++)
		if (!side->kept[i] && !is_section(side->effect[i]) &&
		    !is_load(model, side->effect[i]))
			left[(*n)++] = side->effect[i];
	return left;
}

static void take_rest(struct comparing *c)
{
	c->gone = rest(c->all, c->all->before, &c->before, &c->ngone);
	c->new = rest(c->all, c->all->after, &c->after, &c->nnew);
}

static bool compare_effects(struct comparing *c)
{
	if (!align(&c->before, &c->after))
		return fail(c, "it does too much to be compared");
	take_rest(c);
	if (!compare_sections(c))
		return false;
	for (size_t i = 0; i < c->before.n; i++)
		c->all->nequal += c->before.kept[i];
	if (c->nnew)
		return replaced(c);
	for (size_t i = 0; i < c->after.n; i++)
		if (!c->after.kept[i] && is_section(c->after.effect[i]))
			return fail(c, arena_printf(c->all->arena,
				"it does %s now, which it did not",
				SAID(c, c->after.effect[i])));
	for (size_t i = 0; i < c->ngone; i++)
		if (!may_go(c, c->gone[i]))
			return false;
	return true;
}

static const char *returns_said(struct arena *arena,
				const struct effects *effects)
{
	const char *all = "";

	for (size_t i = 0; i < effects->nret; i++)
		all = arena_printf(arena, "%s%s'%s'", all, i ? " or " : "",
				   effects->ret[i]);
	return *all ? all : "nothing";
}

static bool is_number(const struct effects *effects)
{
	return effects->nret == 1 && effects->ret[0] &&
	       !effects->ret[0][strspn(effects->ret[0], "-0123456789")];
}

static bool compare_returns(struct comparing *c)
{
	const struct effects *a = c->before.effects, *b = c->after.effects;
	struct arena *arena = c->all->arena;
	bool same = a->nret == b->nret;
	const char *now, *was;

	for (size_t i = 0; same && i < a->nret; i++)
		same = !strcmp(a->ret[i], b->ret[i]);
	if (same)
		return true;
	if (is_number(a) && is_number(b))
		return fail(c, arena_printf(arena, "it returns %s, and %s "
			"before", b->ret[0], a->ret[0]));
	now = returns_said(arena, b);
	was = returns_said(arena, a);
	/* what is longer shows nobody where they differ */
	return fail(c, strlen(now) + strlen(was) > RETURNS_SHOWN ?
		"what it returns is not known to be the same" :
		arena_printf(arena, "what it returns is not known to be the "
			     "same: %s, and %s before", now, was));
}

/*
 * What callers happen to pass today is no part of what a function does, but
 * that there is no object of the feature to pass is.
 */
static struct effects *off_effects(struct off_compare *c,
				   const struct model *model,
				   struct function *fn)
{
	struct argument *arg = model_arguments(model, fn);
	const struct func *func = fn->func;
	struct world *off = model->off;

	for (uint32_t i = 0; i < func->nparam; i++)
		if (!model->live[fn->index].callback &&
		    !feature_record(model->feature, func->param[i].record))
			arg[i].value = world_pointer(off,
						     func->param[i].record);
	return effects_of(model, off,
			  world_summary(off, fn, arg, func->nparam),
			  c->arena);
}

static void find_stub(struct comparing *c, struct function *fn)
{
	const struct model *model = c->all->before;
	struct function *other = fn->other;

	c->has_stub = other || reading_follows(fn);
	if (!other)
		return;
	c->stub = effects_of(model, model->out,
			     world_summary(model->out, other,
				world_any_arguments(model->out, other),
				other->func->nparam), c->all->arena);
}

/* One number, for whatever live callers pass? */
static bool same_value(const struct off_compare *all, struct function *before,
		       struct function *after)
{
	struct value a, b;

	if (function_is_void(before))
		return false;
	a = model_off(all->before, before)->ret;
	b = model_off(all->after, after)->ret;
	return a.kind == V_CONST && b.kind == V_CONST && a.number == b.number;
}

bool off_compare_function(struct off_compare *all, struct function *before,
			  struct function *after)
{
	struct comparing c = { .all = all, .name = before->name };
	struct effects *a, *b;

	if (all->why)
		return false;
	a = off_effects(all, all->before, before);
	b = off_effects(all, all->after, after);
	if (a->cut || b->cut)
		return fail(&c, arena_printf(all->arena, "it is not known to "
			"do the same: %s", a->cut ? a->cut : b->cut));
	find_stub(&c, before);
	look(&c, &c.before, a);
	look(&c, &c.after, b);
	if (!compare_effects(&c))
		return false;
	return same_value(all, before, after) || compare_returns(&c);
}
