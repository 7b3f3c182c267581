// SPDX-License-Identifier: GPL-2.0-only
#include "order_walk.h"

#include <string.h>

static struct label *label_of(struct walker *w, const char *name)
{
	for (uint32_t i = 0; i < w->nlabel; i++)
		if (w->label[i].name == name)
			return &w->label[i];
	GROW_LIST(w->arena, w->label, w->nlabel, w->label_cap);
	w->label[w->nlabel] = (struct label){ .name = name };
	return &w->label[w->nlabel++];
}

static bool label_waits(const struct walker *w)
{
	for (uint32_t i = 0; i < w->nlabel; i++)
		if (w->label[i].fresh.n)
			return true;
	return false;
}

static bool case_waits(const struct walker *w)
{
	for (const struct jump *jump = w->jump; jump; jump = jump->up)
		if (jump->enter.n)
			return true;
	return false;
}

/* All of @paths that were not in @seen go to @fresh and to @seen. */
static void only_new(struct walker *w, struct paths *paths, struct paths *seen,
		     struct paths *fresh)
{
	for (uint32_t i = 0; i < paths->n; i++) {
		struct path *path = paths->path[i];

		if (paths_have(seen, path)) {
			path_drop(w, path);
			continue;
		}
		paths_add(w, seen, path_copy(w, path));
		paths_add(w, fresh, path);
	}
	paths->n = 0;
}

static void evaluate(struct walker *w, const struct node *e,
		     struct paths *paths)
{
	struct paths from = *paths;

	*paths = (struct paths){ 0 };
	for (uint32_t i = 0; i < from.n; i++) {
		struct results r = { 0 };

		order_eval(w, e, from.path[i], &r);
		for (uint32_t k = 0; k < r.n; k++) {
			path_clean(w, r.r[k].path);
			paths_add(w, paths, r.r[k].path);
		}
	}
}

static void branch(struct walker *w, const struct node *e,
		   struct paths *paths, struct paths *yes, struct paths *no)
{
	for (uint32_t i = 0; i < paths->n; i++)
		order_branch(w, e, paths->path[i], yes, no);
	paths->n = 0;
}

/*
 * Both sides of a condition go on from here: what the object held made no
 * difference.
 */
static void undoubt(struct paths *list, const struct paths *other,
		    uint64_t before)
{
	if (!list->n || !other->n)
		return;
	for (uint32_t i = 0; i < list->n; i++)
		for (uint32_t k = 0; k < list->path[i]->nthing; k++)
			if (!(before >> k & 1))
				list->path[i]->thing[k].bits &=
					(uint8_t)~THING_DOUBT;
}

static uint64_t doubts(const struct paths *list)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < list->n; i++)
		for (uint32_t k = 0; k < list->path[i]->nthing; k++)
			if (list->path[i]->thing[k].bits & THING_DOUBT)
				mask |= (uint64_t)1 << k;
	return mask;
}

static void do_if(struct walker *w, const struct node *s, struct paths *paths)
{
	struct paths yes = { 0 }, no = { 0 };
	uint64_t before = doubts(paths);

	branch(w, s->kid[0], paths, &yes, &no);
	order_statement(w, s->kid[1], &yes);
	if (s->kid[2])
		order_statement(w, s->kid[2], &no);
	undoubt(&yes, &no, before);
	undoubt(&no, &yes, before);
	paths_move(w, paths, &yes);
	paths_move(w, paths, &no);
}

static void do_loop(struct walker *w, const struct node *s,
		    struct paths *paths)
{
	struct jump jump = { .up = w->jump, .loop = true };
	struct paths seen = { 0 }, out = { 0 }, yes;
	bool first = s->op == LOOP_DO;

	if (s->kid[0])
		order_statement(w, s->kid[0], paths);
	w->jump = &jump;
	for (unsigned pass = 0; pass < ORDER_PASSES; pass++) {
		struct paths fresh = { 0 };

		only_new(w, paths, &seen, &fresh);
		if (!fresh.n && !label_waits(w) && !case_waits(w))
			break;
		yes = (struct paths){ 0 };
		if (s->kid[1] && !first)
			branch(w, s->kid[1], &fresh, &yes, &out);
		else
			yes = fresh;
		if (s->kid[3])
			order_statement(w, s->kid[3], &yes);
		paths_move(w, &yes, &jump.again);
		if (s->kid[2])
			evaluate(w, s->kid[2], &yes);
		if (s->op == LOOP_DO && s->kid[1]) {
			struct paths back = { 0 };

			branch(w, s->kid[1], &yes, &back, &out);
			yes = back;
		}
		paths_move(w, paths, &yes);
	}
	w->jump = jump.up;
	/* what still is new goes on as if the loop ended there */
	if (s->kid[1])
		paths_move(w, &out, paths);
	paths_clear(w, paths);
	paths_clear(w, &seen);
	paths_move(w, &out, &jump.left);
	*paths = out;
}

static void do_switch(struct walker *w, const struct node *s,
		      struct paths *paths)
{
	struct jump jump = { .up = w->jump };
	struct paths body = { 0 };

	evaluate(w, s->kid[0], paths);
	jump.enter = *paths;
	*paths = (struct paths){ 0 };
	w->jump = &jump;
	order_statement(w, s->kid[1], &body);
	w->jump = jump.up;
	if (!jump.has_default)
		paths_move(w, &body, &jump.enter);
	paths_clear(w, &jump.enter);
	paths_move(w, &body, &jump.left);
	*paths = body;
}

static void do_case(struct walker *w, const struct node *s,
		    struct paths *paths)
{
	struct jump *jump = w->jump;

	while (jump && jump->loop)
		jump = jump->up;
	if (jump) {
		jump->has_default |= !s->kid[0];
		paths_copy(w, paths, &jump->enter);
	}
	order_statement(w, s->kid[1], paths);
}

static void do_leave(struct walker *w, struct paths *paths, bool again)
{
	struct jump *jump = w->jump;

	while (again && jump && !jump->loop)
		jump = jump->up;
	if (jump)
		paths_move(w, again ? &jump->again : &jump->left, paths);
	else
		paths_clear(w, paths);
}

static void do_return(struct walker *w, const struct node *s,
		      struct paths *paths)
{
	for (uint32_t i = 0; i < paths->n; i++) {
		struct results r = { 0 };

		if (s->kid[0]) {
			order_eval(w, s->kid[0], paths->path[i], &r);
		} else {
			struct result *one = result_add(w, &r);

			one->path = paths->path[i];
		}
		for (uint32_t k = 0; k < r.n; k++) {
			if (w->watch && r.r[k].val.kind == VAL_THING &&
			    r.r[k].path->thing[r.r[k].val.thing].write ==
			    w->watch->write)
				order_prevent(w, s->line, "return",
					      "gives the object back");
			GROW_LIST(w->arena, w->exit, w->nexit, w->exit_cap);
			w->exit[w->nexit++] = (struct exit){ r.r[k].path,
							     r.r[k].val };
		}
	}
	paths->n = 0;
}

static void do_goto(struct walker *w, const struct node *s,
		    struct paths *paths)
{
	struct label *label = label_of(w, s->name);

	only_new(w, paths, &label->all, &label->fresh);
}

static void do_label(struct walker *w, const struct node *s,
		     struct paths *paths)
{
	struct label *label = label_of(w, s->name);

	/* those that fall into it have been there, too */
	only_new(w, paths, &label->all, &label->fresh);
	label = label_of(w, s->name);
	*paths = (struct paths){ 0 };
	paths_move(w, paths, &label->fresh);
	order_statement(w, s->kid[0], paths);
}

static void do_decl(struct walker *w, const struct node *s,
		    struct paths *paths)
{
	const struct node *init = s->kid[0];
	int slot = walker_slot(w, s->name);
	struct paths from = *paths;

	if (slot >= 0)
		w->record[slot] = s->record ? s->record : "";
	*paths = (struct paths){ 0 };
	for (uint32_t i = 0; i < from.n; i++) {
		struct results r = { 0 };
		struct node to = { .kind = N_LOCAL };

		to.name = s->name;
		if (!init) {
			path_set(w, from.path[i], slot, (struct val){ 0 });
			paths_add(w, paths, from.path[i]);
			continue;
		}
		order_eval(w, init, from.path[i], &r);
		for (uint32_t k = 0; k < r.n; k++) {
			order_assign(w, &to, r.r[k].path,
				     init->kind == N_INIT ? (struct val){ 0 } :
				     r.r[k].val);
			paths_add(w, paths, r.r[k].path);
		}
	}
}

/* What an asm writes is made of what it reads. */
static void do_asm(struct walker *w, const struct node *s,
		   struct paths *paths)
{
	for (uint32_t i = 0; i < paths->n; i++) {
		struct path *path = paths->path[i];
		struct val made = { 0 };

		for (uint32_t k = 0; k < s->nkid; k++) {
			struct results r = { 0 };

			if (!s->kid[k] || (s->kid[k]->flags & NODE_OUT))
				continue;
			order_eval(w, s->kid[k], path, &r);
			if (!r.n)
				continue;
			path = r.r[0].path;
			if (r.r[0].val.kind >= VAL_THING &&
			    r.r[0].val.kind <= VAL_HELD)
				made = (struct val){
					.kind = VAL_HELD,
					.thing = r.r[0].val.thing };
			for (uint32_t m = 1; m < r.n; m++)
				path_drop(w, r.r[m].path);
		}
		for (uint32_t k = 0; k < s->nkid; k++)
			if (s->kid[k] && (s->kid[k]->flags & NODE_OUT))
				order_assign(w, s->kid[k], path, made);
		paths->path[i] = path;
	}
}

static void do_statement(struct walker *w, const struct node *s,
			 struct paths *paths)
{
	if (w->cut || (!paths->n && !label_waits(w) && !case_waits(w))) {
		paths_clear(w, paths);
		return;
	}
	switch (s->kind) {
	case N_BLOCK:
		for (uint32_t i = 0; i < s->nkid; i++)
			if (s->kid[i])
				order_statement(w, s->kid[i], paths);
		return;
	case N_EXPR:
		evaluate(w, s->kid[0], paths);
		return;
	case N_DECL:
		do_decl(w, s, paths);
		return;
	case N_IF:
		do_if(w, s, paths);
		return;
	case N_LOOP:
		do_loop(w, s, paths);
		return;
	case N_SWITCH:
		do_switch(w, s, paths);
		return;
	case N_CASE:
		do_case(w, s, paths);
		return;
	case N_RETURN:
		do_return(w, s, paths);
		return;
	case N_GOTO:
		do_goto(w, s, paths);
		return;
	case N_LABEL:
		do_label(w, s, paths);
		return;
	case N_BREAK: case N_CONTINUE:
		do_leave(w, paths, s->kind == N_CONTINUE);
		return;
	case N_ASM:
		do_asm(w, s, paths);
		return;
	default: /* an expression */
		evaluate(w, s, paths);
		return;
	}
}

/* What is watched has come to where it would stand. */
static void end_watch(struct walker *w, struct paths *paths)
{
	for (uint32_t i = 0; i < paths->n; i++)
		for (uint32_t k = 0; k < paths->path[i]->nthing; k++)
			if (paths->path[i]->thing[k].write == w->watch->write)
				paths->path[i]->thing[k].write = NULL;
}

void order_statement(struct walker *w, const struct node *s,
		     struct paths *paths)
{
	do_statement(w, s, paths);
	if (w->watch && s == w->watch->until)
		end_watch(w, paths);
}

void order_function(struct walker *w, const struct node *body,
		    struct path *path)
{
	struct paths paths = { 0 };

	paths_add(w, &paths, path);
	for (unsigned pass = 0; pass < ORDER_PASSES && !w->cut; pass++) {
		order_statement(w, body, &paths);
		/* it ends without a return */
		for (uint32_t i = 0; i < paths.n; i++) {
			GROW_LIST(w->arena, w->exit, w->nexit, w->exit_cap);
			w->exit[w->nexit++] = (struct exit){
				.path = paths.path[i] };
		}
		paths = (struct paths){ 0 };
		if (!label_waits(w))
			break;
	}
}
