// SPDX-License-Identifier: GPL-2.0-only
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "../analyzer/model/missed.h"
#include "planner.h"

/* As many arms of a wrapper may make a function too large to be inlined. */
#define SWELLS 2

static void leave_alone(struct planner *p, const struct remedy *r,
			const char *why)
{
	struct left_alone *left = &p->plan->left[p->plan->nleft++];

	left->finding = r->finding;
	left->file = r->finding->file;
	left->line = r->finding->line;
	left->why = why;
}

/* --- one finding --- */

static struct patch *new_patch(struct planner *p, const struct remedy *r)
{
	struct patch *patch = &p->plan->patch[p->plan->npatch++];

	*patch = (struct patch){
		.predicate = p->predicate,
		.function = r->finding->function,
		.remedy = ARENA_ARRAY(p->arena, const struct remedy *,
				      p->in->nfinding),
		.rename = ARENA_ARRAY(p->arena, struct rename, p->most),
	};
	patch->remedy[patch->nremedy++] = r;
	patch->saves = r->finding->shared ? r->finding->share :
		r->finding->heat * r->finding->residue;
	return patch;
}

static void drop_patch(struct planner *p)
{
	p->plan->npatch--;
}

/* What a guard at the top of it would take away with the residue. */
static const char *no_guard(struct planner *p, const struct remedy *r)
{
	const struct verdict *v = r->verdict;
	char a[32], b[32];

	if (v->residue->cut)
		return "not all that it does was followed";
	if (v->reason == BECAUSE_VALUE)
		return arena_printf(p->arena,
			"what it returns in the off state is %s, and its stub "
			"returns %s: a guard would change what its callers do",
			value_text(v->off, false, a),
			value_text(v->stub, false, b));
	if (v->reason == BECAUSE_RAISED || v->reason == BECAUSE_MEMORY)
		return arena_printf(p->arena,
			"'%s', which it sets, is only a part of what it does",
			v->flag->name);
	if (r->fn->stays)
		return "it has its own work with and without the feature: "
		       "only parts of it could be guarded";
	return NULL;
}

/* What spatch is given in place of the predicate. */
static void heed_test(struct patch *patch)
{
	for (size_t i = 0; patch->test && i < patch->nedit; i++)
		if (!strcmp(patch->edit[i].file, patch->test_file))
			patch->edit[i].test = patch->test;
}

static bool is_for(const struct patch *patch, const struct finding *finding)
{
	for (size_t i = 0; i < patch->nremedy; i++)
		if (patch->remedy[i]->finding == finding)
			return true;
	return false;
}

static void add_part(struct patch *into, const struct patch *part)
{
	into->part[into->npart] = *part;
	into->part[into->npart++].npart = 0;
}

static void take_in(struct planner *p, struct patch *into, size_t index)
{
	struct plan *plan = p->plan;
	const struct patch *from = &plan->patch[index];

	if (!into->npart) {
		into->part = ARENA_ARRAY(p->arena, struct patch, p->most);
		add_part(into, into);
	}
	for (size_t i = 0; i < from->npart; i++)
		add_part(into, &from->part[i]);
	if (!from->npart)
		add_part(into, from);
	for (size_t i = 0; i < from->nremedy; i++)
		if (!is_for(into, from->remedy[i]->finding))
			into->remedy[into->nremedy++] = from->remedy[i];
	for (size_t i = 0; i < from->nedit; i++)
		*planner_edit(p, into, "", "") = from->edit[i];
	for (size_t i = 0; i < from->nrename; i++)
		into->rename[into->nrename++] = from->rename[i];
	into->saves += from->saves;
	plan->npatch--;
	memmove(&plan->patch[index], &plan->patch[index + 1],
		(plan->npatch - index) * sizeof(*plan->patch));
}

static bool is_wrapped(const struct planner *p, const struct function *fn)
{
	for (size_t i = 0; i < p->plan->npatch; i++) {
		const struct patch *patch = &p->plan->patch[i];

		for (size_t k = 0; k < patch->nrename; k++)
			if (!strcmp(patch->rename[k].name, fn->name))
				return true;
	}
	return false;
}

/*
 * What is told with this one for being its wrapper is called out of line for
 * nothing once this one is not: it gets the same.
 */
static void wrap_covered(struct planner *p, const struct remedy *r,
			 struct patch *patch)
{
	const struct patch whole = *patch;
	const char *inner = patch->rename[0].inner;
	const struct remedy *covered;
	size_t n;

	covered = model_remedies_covered(p->in->model, r, &n);
	for (size_t i = 0; i < n; i++) {
		/* without a wrapper it stays as it is */
		if (!plan_arm(p, &covered[i], patch))
			plan_wrap(p, &covered[i], patch);
		patch->leave = whole.leave;
		patch->work = whole.work;
		patch->own = whole.own;
		patch->function = whole.function;
	}
	/* they have tested by then */
	if (patch->nrename > 1)
		plan_follow(p, r, inner, patch);
}

/* The same where this one is guarded: then they are two kinds of change. */
static void wrap_covered_too(struct planner *p, const struct remedy *r,
			     struct patch *patch)
{
	struct remedy *covered;
	size_t n;

	covered = model_remedies_covered(p->in->model, r, &n);
	for (size_t i = 0; i < n; i++) {
		struct patch *more;

		/* what it does itself goes with this patch */
		covered[i].bare = true;
		if (is_wrapped(p, covered[i].fn))
			continue;
		more = new_patch(p, &covered[i]);
		more->saves = 0;
		if (plan_arm(p, &covered[i], more) ||
		    plan_wrap(p, &covered[i], more)) {
			drop_patch(p);
			continue;
		}
		heed_test(more);
		take_in(p, patch, p->plan->npatch - 1);
	}
}

/* Functions of its file that name it. */
static size_t users_of(const struct program *in, const struct function *fn)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct func *func = in->function[i]->func;

		for (uint32_t k = 0; k < func->nref; k++)
			n += func->ref[k] == fn->name &&
			     in->function[i]->file == fn->file;
	}
	return n;
}

/*
 * The arm of a wrapper stands in each call. A static function that has several
 * callers, and has been small enough to be part of them, may then be called
 * instead, which costs more than the wrapper spares: 6.12's __folio_mod_stat()
 * costs a cached read 22 instructions (clang 19).
 */
static const char *swells(struct planner *p, const struct remedy *r,
			  const struct patch *patch)
{
	if (!patch->work)
		return NULL;
	for (uint32_t i = 0, k; i < r->ncall; i = k) {
		const struct function *caller = r->call[i].caller;
		size_t calls = 0;

		for (k = i; k < r->ncall && r->call[k].caller == caller; k++)
			calls += !r->call[k].tested;
		if (calls < SWELLS || !caller->is_static || caller->header ||
		    users_of(p->in->model->feature->in, caller) < 2 ||
		    p->in->model->heat[caller->index].most * 2 < r->heat)
			continue;
		return arena_printf(p->arena, "what it does when off would be "
				    "%zu times in %s(), which might no longer "
				    "be inlined in its callers then", calls,
				    caller->name);
	}
	return NULL;
}

static const char *wrap_or_guard(struct planner *p, const struct remedy *r,
				 struct patch *patch)
{
	const char *why = no_guard(p, r);

	if (!why)
		why = plan_arm(p, r, patch);
	if (!why && !r->outline) {
		why = plan_guard(p, r, patch);
		if (!why)
			wrap_covered_too(p, r, patch);
		return why;
	}
	if (why)
		return why;
	why = r->verdict->rule == VERDICT_OUTLINE ? NULL :
						    swells(p, r, patch);
	if (!why)
		why = plan_wrap(p, r, patch);
	if (!why) {
		wrap_covered(p, r, patch);
		return NULL;
	}
	if (r->verdict->rule == VERDICT_OUTLINE)
		return arena_printf(p->arena, "it cannot have an inline "
				    "wrapper: %s", why);
	patch->fallback = why;
	/* inside, what it declares itself would stand there twice */
	if (patch->own && (r->fn->func->flags & FUNC_VOID))
		plan_stub_arm(p, r, patch);
	return plan_guard(p, r, patch);
}

/* What goes away with the patch of who asks for it. */
static void plan_later(struct planner *p)
{
	for (size_t i = 0; i < p->nlater; i++) {
		const struct remedy *r = p->later[i];
		struct patch *patch = NULL;

		for (size_t k = 0; k < p->plan->npatch; k++)
			if (p->plan->patch[k].remedy[0]->fn == r->asked_by)
				patch = &p->plan->patch[k];
		if (patch)
			patch->remedy[patch->nremedy++] = r;
		else
			leave_alone(p, r, arena_printf(p->arena,
				"it goes away with '%s', which asks for it",
				r->asked_by->name));
	}
}

static bool is_text(struct planner *p, const char *file)
{
	size_t len;
	const char *text = tree_read(p->in->tree, NULL, file, &len);

	return text && strlen(text) == len;
}

static void plan_one(struct planner *p, const struct remedy *r)
{
	struct patch *patch;
	const char *why;

	if (r->fn && !is_text(p, r->fn->file)) {
		leave_alone(p, r, arena_printf(p->arena, "%s has a NUL byte: "
					       "it is no text", r->fn->file));
		return;
	}
	if (r->asked_by) {
		p->later[p->nlater++] = r;
		return;
	}
	patch = new_patch(p, r);
	if (!strcmp(r->finding->rule, "redundant-guard"))
		why = plan_unguard(p, r, patch);
	else if (!strcmp(r->finding->rule, "dynamic-guard"))
		why = plan_static_key(p, r, patch);
	else if (!strcmp(r->finding->rule, "batch-break"))
		why = plan_batch(p, r, patch);
	else if (!strcmp(r->finding->rule, "split-accounting"))
		why = plan_account(p, r, patch);
	else if (!strcmp(r->finding->rule, "charge-after-flag"))
		why = plan_charge_order(p, r, patch);
	else if (!strcmp(r->finding->rule, "root-work"))
		why = plan_root_work(p, r, patch);
	else if (!strcmp(r->finding->rule, "default-on"))
		why = plan_default_on(p, r, patch);
	else if (!r->verdict)
		why = "there is no fix for this rule";
	else if (r->verdict->reason == BECAUSE_KNOWN)
		why = plan_guard_compare(p, r, patch);
	else if (r->periodic)
		why = plan_guard_call(p, r, patch);
	else
		why = wrap_or_guard(p, r, patch);
	if (!why) {
		heed_test(patch);
		return;
	}
	drop_patch(p);
	leave_alone(p, r, why);
}

/* --- what goes together --- */

static bool same_function(const struct patch *a, const struct patch *b)
{
	return a->remedy[0]->fn && a->remedy[0]->fn == b->remedy[0]->fn;
}

/* Both keep the same field up: one without the other is wrong. */
static bool same_state(const struct patch *a, const struct patch *b)
{
	const struct remedy *x = a->remedy[0], *y = b->remedy[0];

	if (!x->fn || !y->fn || strcmp(x->fn->file, y->fn->file))
		return false;
	for (uint32_t i = 0; i < x->nstore; i++)
		for (uint32_t k = 0; k < y->nstore; k++)
			if (x->store[i] == y->store[k])
				return true;
	return false;
}

/* What one leaves open the other closes. */
static bool same_section(struct planner *p, const struct patch *a,
			 const struct patch *b)
{
	const struct remedy *x = a->remedy[0], *y = b->remedy[0];
	size_t n = p->in->kernel->nsection;
	int *one = ARENA_ARRAY(p->arena, int, n);
	int *two = ARENA_ARRAY(p->arena, int, n);
	bool found = false;

	if (!x->verdict || !y->verdict || strcmp(x->fn->file, y->fn->file))
		return false;
	missed_sections(p->in->model, x->fn, one);
	missed_sections(p->in->model, y->fn, two);
	for (size_t i = 0; i < n; i++) {
		if (one[i] + two[i])
			return false;
		found |= one[i] != 0;
	}
	return found;
}

static void bring_together(struct planner *p)
{
	struct plan *plan = p->plan;

	for (size_t i = 0; i < plan->npatch; i++)
		for (size_t k = plan->npatch - 1; k > i; k--)
			if (same_function(&plan->patch[i],
					  &plan->patch[k]) ||
			    same_state(&plan->patch[i], &plan->patch[k]) ||
			    same_section(p, &plan->patch[i],
					 &plan->patch[k]))
				take_in(p, &plan->patch[i], k);
}

/*
 * Nobody may miss what the functions of one patch no longer do. What comes of
 * the series is analysed as a whole, where one such patch makes right ones
 * look wrong: a field that nobody stores to any more is taken for 0.
 */
static void drop_missed(struct planner *p)
{
	struct plan *plan = p->plan;
	struct function **fn = ARENA_ARRAY(p->arena, struct function *,
					   p->in->nfinding);

	for (size_t i = plan->npatch; i-- > 0;) {
		const struct patch *patch = &plan->patch[i];
		struct missed missed;
		size_t n = 0;

		for (size_t k = 0; k < patch->nremedy; k++)
			if (patch->remedy[k]->verdict &&
			    !patch->remedy[k]->periodic)
				fn[n++] = patch->remedy[k]->fn;
		if (!n || patch->own ||
		    !missed_any(&missed, p->in->model, fn, n))
			continue;
		for (size_t k = 0; k < patch->nremedy; k++) {
			struct left_alone *left;

			leave_alone(p, patch->remedy[k], missed.what);
			left = &plan->left[plan->nleft - 1];
			left->file = missed.file;
			left->line = missed.line;
		}
		plan->npatch--;
		memmove(&plan->patch[i], &plan->patch[i + 1],
			(plan->npatch - i) * sizeof(*plan->patch));
	}
}

static bool is_wrap(const struct patch *patch)
{
	return !strcmp(patch->kind, "wrap");
}

/* Guards first, then wrappers, then what needs another. */
static int class_of(const struct patch *patch)
{
	return is_wrap(patch) + 2 * (patch->needs != NULL);
}

/* The dearest of each first. */
static int by_worth(const void *a, const void *b)
{
	const struct patch *x = a, *y = b;
	int d = class_of(x) - class_of(y);

	if (!d)
		d = (x->saves < y->saves) - (x->saves > y->saves);
	if (!d)
		d = strcmp(x->remedy[0]->finding->file,
			   y->remedy[0]->finding->file);
	return d ? d : strcmp(x->remedy[0]->finding->id,
			      y->remedy[0]->finding->id);
}

/* Does @patch, or a part of it, test at the top of @fn, or before it? */
static bool tests_first(const struct patch *patch, const struct function *fn)
{
	const struct patch *part = patch->npart ? patch->part : patch;

	for (size_t i = 0; i < (patch->npart ? patch->npart : 1); i++)
		if (part[i].remedy[0]->fn == fn &&
		    (is_wrap(&part[i]) || !strcmp(part[i].kind, "guard") ||
		     !strcmp(part[i].kind, "move-guard")))
			return true;
	return false;
}

/* Does anything that @patch does when off name it? */
static bool names(const struct patch *patch, const char *name)
{
	for (size_t i = 0; i < patch->npart; i++)
		if (names(&patch->part[i], name))
			return true;
	return (patch->work && source_names(patch->work, name)) ||
		(patch->leave && source_names(patch->leave, name));
}

static const struct rename *rename_of(const struct patch *patch,
				      const struct function *fn)
{
	for (size_t i = 0; fn && i < patch->nrename; i++)
		if (!strcmp(patch->rename[i].name, fn->name))
			return &patch->rename[i];
	return NULL;
}

/* @caller, which patch @by lets test, need not call the wrapper of @index. */
static void follow_one(struct planner *p, size_t index, size_t by,
		       const struct rename *rename,
		       const struct function *caller)
{
	struct patch *patch = p->plan->patch;
	struct edit *edit;

	if (names(&patch[by], rename->name))
		return;
	edit = planner_edit(p, &patch[index > by ? index : by], "follow",
			    caller->file);
	planner_name(edit, "caller", caller->name);
	planner_name(edit, "fn", rename->name);
	planner_name(edit, "inner", rename->inner);
	edit->optional = true;
	if (index != by)
		edit->with = &patch[index > by ? by : index];
}

/*
 * Callers that test once the series is applied call what is wrapped, as those
 * do that have tested before: there the wrapper's would be a second test.
 */
static void follow_guarded(struct planner *p)
{
	const struct plan *plan = p->plan;

	for (size_t i = 0; i < plan->npatch; i++)
		for (size_t k = 0; k < plan->patch[i].nremedy; k++) {
			const struct remedy *r = plan->patch[i].remedy[k];
			const struct rename *rename;
			const struct function *last = r->fn;

			rename = rename_of(&plan->patch[i], r->fn);
			for (uint32_t c = 0; rename && c < r->ncall; c++) {
				const struct function *caller =
					r->call[c].caller;

				if (caller == last || caller->header)
					continue;
				last = caller;
				for (size_t by = 0; by < plan->npatch; by++)
					if (tests_first(&plan->patch[by],
							caller))
						follow_one(p, i, by, rename,
							   caller);
			}
		}
}

struct plan *plan_make(const struct plan_input *input)
{
	struct planner p = {
		.in = input, .arena = input->arena,
		.plan = ARENA_NEW(input->arena, struct plan),
	};
	size_t n = input->nfinding;

	/* the one that this tree has; the model was built, so there is one */
	for (size_t i = 0; i < input->rules->predicate.n && !p.predicate_fn;
	     i++) {
		p.predicate = input->rules->predicate.name[i];
		p.predicate_fn = model_function(input->model, p.predicate);
	}

	p.most = n;
	for (size_t i = 0; i < n; i++)
		p.most += input->finding[i].ncovers;
	p.plan->patch = ARENA_ARRAY(p.arena, struct patch, p.most);
	p.plan->left = ARENA_ARRAY(p.arena, struct left_alone, n);
	p.remedy = model_remedies(input->model, input->finding, n);
	p.plan->by_key = p.predicate_fn &&
		!model_reads_memory(input->model, p.predicate);
	p.later = ARENA_ARRAY(p.arena, const struct remedy *, n);
	for (size_t i = 0; i < n; i++)
		plan_one(&p, &p.remedy[i]);
	plan_later(&p);
	bring_together(&p);
	drop_missed(&p);
	qsort(p.plan->patch, p.plan->npatch, sizeof(*p.plan->patch),
	      by_worth);
	follow_guarded(&p);
	for (size_t i = 0; i < p.plan->npatch; i++)
		plan_name_alike(&p, &p.plan->patch[i]);
	return p.plan;
}
