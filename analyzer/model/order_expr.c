// SPDX-License-Identifier: GPL-2.0-only
#include "order_walk.h"

#include <string.h>

#include "../base/strbuf.h"
#include "reading.h"

/* The longest name of a place: "a->b->c[i]". */
#define KEY_MAX 256

struct result *result_add(struct walker *w, struct results *out)
{
	GROW_LIST(w->arena, out->r, out->n, out->cap);
	out->r[out->n] = (struct result){ 0 };
	return &out->r[out->n++];
}

static void give(struct walker *w, struct results *out, struct path *path,
		 struct val v)
{
	struct result *r = result_add(w, out);

	r->path = path;
	r->val = v;
}

static struct val constant(int64_t number)
{
	return (struct val){ .kind = VAL_CONST, .number = number };
}

static bool add_key(struct strbuf *out, const struct node *e)
{
	switch (e->kind) {
	case N_CAST:
		return add_key(out, e->kid[0]);
	case N_LOCAL:
		strbuf_addstr(out, e->name);
		break;
	case N_GLOBAL:
		strbuf_addf(out, "::%s", e->name);
		break;
	case N_INT:
		strbuf_addf(out, "%lld", (long long)e->value);
		break;
	case N_FIELD:
		if (!add_key(out, e->kid[0]))
			return false;
		strbuf_addf(out, "%s%s", e->flags & NODE_ARROW ? "->" : ".",
			    e->name);
		break;
	case N_DEREF:
		strbuf_addch(out, '*');
		return add_key(out, e->kid[0]);
	case N_INDEX:
		if (!add_key(out, e->kid[0]))
			return false;
		strbuf_addch(out, '[');
		if (!add_key(out, e->kid[1]))
			return false;
		strbuf_addch(out, ']');
		break;
	default:
		return false;
	}
	return out->len < KEY_MAX;
}

/* Where the value of a place is kept, or -1. */
static int place_of(struct walker *w, const struct node *e)
{
	struct strbuf key = STRBUF_INIT;
	int slot = -1;

	e = reading_strip(e);
	if (e->kind == N_LOCAL)
		return walker_slot(w, e->name);
	if (e->kind != N_INT && add_key(&key, e))
		slot = walker_slot(w, intern(w->order->model->strings,
					     key.buf));
	strbuf_release(&key);
	return slot;
}

int order_thing(struct walker *w, struct path *path, struct val v)
{
	int thing;

	if (v.kind == VAL_THING)
		return v.thing;
	if (v.kind != VAL_LATE)
		return -1;
	thing = walker_thing(w, path, v.made ? v.made : w->key[v.slot - 1],
			     v.fresh ? THING_FRESH : 0);
	if (thing >= 0 && v.slot)
		path_set(w, path, v.slot - 1,
			 (struct val){ .kind = VAL_THING,
				       .thing = (uint8_t)thing });
	return thing;
}

/* An object whose type says that it is one. */
static struct val as_object(struct walker *w, struct path *path, struct val v)
{
	int thing = order_thing(w, path, v);

	return thing < 0 ? v : (struct val){ .kind = VAL_THING,
					     .thing = (uint8_t)thing };
}

static bool is_object(const struct walker *w, const char *record)
{
	return order_is_object(w->order->model, record);
}

static bool of_thing(struct val v)
{
	return v.kind >= VAL_THING && v.kind <= VAL_HELD;
}

static struct val turned(struct val v, enum val_kind kind)
{
	return of_thing(v) ? (struct val){ .kind = (uint8_t)kind,
					   .thing = v.thing } :
	       (struct val){ 0 };
}

/* What is read where nothing was stored yet. */
static struct val read_place(struct walker *w, struct path *path,
			     const struct node *e, const char *record,
			     bool untyped)
{
	int slot = place_of(w, e);
	struct val v = path_get(path, slot);

	if (slot < 0)
		return (struct val){ 0 };
	if (!v.kind && (untyped || is_object(w, record)))
		v = (struct val){ .kind = VAL_LATE,
				  .slot = (uint16_t)(slot + 1) };
	return is_object(w, record) ? as_object(w, path, v) : v;
}

void order_assign(struct walker *w, const struct node *to, struct path *path,
		  struct val v)
{
	const struct field *field;
	const char *record = "";
	int slot;

	to = reading_strip(to);
	slot = place_of(w, to);
	if (slot < 0)
		return;
	if (to->kind == N_LOCAL) {
		record = w->record[slot];
	} else if (to->kind == N_FIELD) {
		field = program_field(w->order->program, to->name);
		record = field ? field->record : "";
	}
	if (v.kind == VAL_LATE && is_object(w, record))
		v = as_object(w, path, v);
	else if (v.kind == VAL_THING && to->kind != N_LOCAL && w->watch &&
		 path->thing[v.thing].write == w->watch->write)
		order_prevent(w, to->line, "=", "keeps the object somewhere");
	else if (v.kind == VAL_LATE) /* it becomes one where it stands */
		v.slot = (uint16_t)(slot + 1);
	/* behind a pointer only what may be an object is worth knowing */
	if (to->kind != N_LOCAL && v.kind != VAL_THING && v.kind != VAL_LATE &&
	    v.kind != VAL_CONST)
		v = (struct val){ 0 };
	path_set(w, path, slot, v);
}

/* @kids one after the other on every path; @n of them, with their values. */
struct partial {
	struct path *path;
	struct val *val;
};

struct partials {
	struct partial *p;
	uint32_t n, cap;
};

static struct partials eval_all(struct walker *w, struct node *const *kid,
				uint32_t n, struct path *path)
{
	struct partials now = { 0 }, then;

	GROW_LIST(w->arena, now.p, now.n, now.cap);
	now.p[now.n++] = (struct partial){ path, ARENA_ARRAY(w->arena,
							     struct val, n) };
	for (uint32_t i = 0; i < n; i++) {
		if (!kid[i])
			continue;
		then = (struct partials){ 0 };
		for (uint32_t k = 0; k < now.n; k++) {
			struct results r = { 0 };

			order_eval(w, kid[i], now.p[k].path, &r);
			for (uint32_t m = 0; m < r.n; m++) {
				struct val *val = now.p[k].val;

				if (m) {
					val = ARENA_ARRAY(w->arena, struct val,
							  n);
					memcpy(val, now.p[k].val,
					       n * sizeof(*val));
				}
				val[i] = r.r[m].val;
				GROW_LIST(w->arena, then.p, then.n, then.cap);
				then.p[then.n++] = (struct partial){
					r.r[m].path, val };
			}
		}
		now = then;
	}
	return now;
}

static struct val binary(const struct node *e, struct val a, struct val b)
{
	struct val of = of_thing(a) ? a : b;

	if (a.kind == VAL_CONST && b.kind == VAL_CONST) {
		struct value v = value_binary((enum node_op)e->op,
			e->flags & NODE_UNSIGNED,
			value_const(a.number, MARK_SOURCE, NULL),
			value_const(b.number, MARK_SOURCE, NULL));

		return v.kind == V_CONST ? constant(v.number) :
		       (struct val){ 0 };
	}
	if ((e->op == OP_EQ || e->op == OP_NE) &&
	    ((a.kind == VAL_NONNULL && b.kind == VAL_CONST && !b.number) ||
	     (b.kind == VAL_NONNULL && a.kind == VAL_CONST && !a.number)))
		return constant(e->op == OP_NE);
	if ((e->op == OP_ADD || e->op == OP_SUB) && a.kind == VAL_THING &&
	    !of_thing(b))
		return a; /* a part of the same one */
	if (a.kind == VAL_HELD || b.kind == VAL_HELD)
		return turned(a.kind == VAL_HELD ? a : b, VAL_HELD);
	return turned(of, VAL_PART);
}

static void eval_field(struct walker *w, const struct node *e,
		       struct path *path, struct results *out)
{
	const struct field *field = program_field(w->order->program, e->name);
	const char *record = field ? field->record : "";
	struct results base = { 0 };

	order_eval(w, e->kid[0], path, &base);
	for (uint32_t i = 0; i < base.n; i++) {
		struct val v = base.r[i].val;

		path = base.r[i].path;
		if (v.kind == VAL_LATE && (e->flags & NODE_ARROW) &&
		    is_object(w, program_field_record(w->order->program,
						      e->name)))
			v = as_object(w, path, v);
		if (of_thing(v))
			v = turned(v, is_object(w, record) ? VAL_THING :
				   VAL_HELD);
		else
			v = read_place(w, path, e, record, false);
		give(w, out, path, v);
	}
}

/* The address of a field of an object is the object where it is one, too. */
static void eval_address(struct walker *w, const struct node *e,
			 struct path *path, struct results *out)
{
	const struct node *of = reading_strip(e->kid[0]);
	const struct field *field;
	struct results base = { 0 };

	if (of->kind == N_LOCAL || of->kind == N_GLOBAL ||
	    of->kind == N_FUNC) {
		give(w, out, path, (struct val){ .kind = VAL_NONNULL });
		return;
	}
	if (of->kind == N_DEREF) {
		order_eval(w, of->kid[0], path, out);
		return;
	}
	if (of->kind != N_FIELD && of->kind != N_INDEX) {
		order_eval(w, of, path, out);
		return;
	}
	field = of->kind == N_FIELD ?
		program_field(w->order->program, of->name) : NULL;
	order_eval(w, of->kid[0], path, &base);
	for (uint32_t i = 0; i < base.n; i++) {
		struct val v = base.r[i].val;

		path = base.r[i].path;
		if (of->kind == N_INDEX)
			v = of_thing(v) ? v :
			    (struct val){ .kind = VAL_NONNULL };
		else if (of_thing(v))
			v = turned(v, field && is_object(w, field->inner) ?
				   VAL_THING : VAL_PART);
		else
			v = (struct val){ .kind = VAL_NONNULL };
		give(w, out, path, v);
	}
}

static void eval_deref(struct walker *w, const struct node *e,
		       struct path *path, struct results *out)
{
	struct partials all = eval_all(w, e->kid, e->nkid, path);

	for (uint32_t i = 0; i < all.n; i++) {
		struct val v = all.p[i].val[0];

		path = all.p[i].path;
		if (of_thing(v))
			v = turned(v, VAL_HELD);
		else
			v = read_place(w, path, e, "", true);
		give(w, out, path, v);
	}
}

static void eval_cast(struct walker *w, const struct node *e,
		      struct path *path, struct results *out)
{
	uint32_t from = out->n;

	order_eval(w, e->kid[0], path, out);
	if (!is_object(w, e->record))
		return;
	for (uint32_t i = from; i < out->n; i++) {
		struct val *v = &out->r[i].val;

		if (v->kind == VAL_UNKNOWN || v->kind == VAL_NONNULL)
			*v = (struct val){ .kind = VAL_LATE, .made = e };
		*v = of_thing(*v) ? turned(*v, VAL_THING) :
		     as_object(w, out->r[i].path, *v);
	}
}

static void eval_assign(struct walker *w, const struct node *e,
			struct path *path, struct results *out)
{
	const struct node *to = reading_strip(e->kid[0]);
	struct results r = { 0 };

	if (to->kind != N_LOCAL && to->nkid) {
		struct partials all = eval_all(w, to->kid, to->nkid, path);

		for (uint32_t i = 0; i < all.n; i++)
			order_eval(w, e->kid[1], all.p[i].path, &r);
	} else {
		order_eval(w, e->kid[1], path, &r);
	}
	for (uint32_t i = 0; i < r.n; i++) {
		struct val v = e->op == OP_SET ? r.r[i].val : (struct val){ 0 };

		order_assign(w, to, r.r[i].path, v);
		if (v.kind == VAL_LATE)
			v = path_get(r.r[i].path, place_of(w, to));
		give(w, out, r.r[i].path, v);
	}
}

static void eval_truth(struct walker *w, const struct node *e,
		       struct path *path, struct results *out)
{
	struct paths yes = { 0 }, no = { 0 };

	order_branch(w, e, path, &yes, &no);
	for (uint32_t i = 0; i < yes.n; i++)
		give(w, out, yes.path[i], constant(1));
	for (uint32_t i = 0; i < no.n; i++)
		give(w, out, no.path[i], constant(0));
}

static void eval_choice(struct walker *w, const struct node *e,
			struct path *path, struct results *out)
{
	struct paths yes = { 0 }, no = { 0 };

	if (!e->kid[1]) { /* "a ?: b" */
		order_eval(w, e->kid[0], path_copy(w, path), out);
		order_eval(w, e->kid[2], path, out);
		return;
	}
	order_branch(w, e->kid[0], path, &yes, &no);
	for (uint32_t i = 0; i < yes.n; i++)
		order_eval(w, e->kid[1], yes.path[i], out);
	for (uint32_t i = 0; i < no.n; i++)
		order_eval(w, e->kid[2], no.path[i], out);
}

static void eval_block(struct walker *w, const struct node *e,
		       struct path *path, struct results *out)
{
	struct paths paths = { 0 };
	const struct node *last = e->nkid ? e->kid[e->nkid - 1] : NULL;

	paths_add(w, &paths, path);
	for (uint32_t i = 0; i + 1 < e->nkid; i++)
		if (e->kid[i])
			order_statement(w, e->kid[i], &paths);
	for (uint32_t i = 0; i < paths.n; i++) {
		struct paths one = { 0 };

		if (last && last->kind == N_EXPR) {
			order_eval(w, last->kid[0], paths.path[i], out);
			continue;
		}
		paths_add(w, &one, paths.path[i]);
		if (last)
			order_statement(w, last, &one);
		for (uint32_t k = 0; k < one.n; k++)
			give(w, out, one.path[k], (struct val){ 0 });
	}
}

/* Kids for what they do; the value is of any object that is in there. */
static void eval_other(struct walker *w, const struct node *e,
		       struct path *path, struct results *out)
{
	struct partials all = eval_all(w, e->kid, e->nkid, path);

	for (uint32_t i = 0; i < all.n; i++) {
		struct val v = { 0 };

		for (uint32_t k = 0; k < e->nkid && !of_thing(v); k++)
			v = turned(all.p[i].val[k], VAL_PART);
		give(w, out, all.p[i].path, v);
	}
}

static void eval_binary(struct walker *w, const struct node *e,
			struct path *path, struct results *out)
{
	struct partials all = eval_all(w, e->kid, e->nkid, path);

	for (uint32_t i = 0; i < all.n; i++)
		give(w, out, all.p[i].path, e->op == OP_COMMA ?
		     all.p[i].val[1] :
		     binary(e, all.p[i].val[0], all.p[i].val[1]));
}

static struct val unary(const struct node *e, struct val v)
{
	if (v.kind == VAL_CONST) {
		struct value known = value_unary((enum node_op)e->op,
			value_const(v.number, MARK_SOURCE, NULL));

		return known.kind == V_CONST ? constant(known.number) :
		       (struct val){ 0 };
	}
	return v.kind == VAL_HELD ? v : turned(v, VAL_PART);
}

void order_eval(struct walker *w, const struct node *e, struct path *path,
		struct results *out)
{
	uint32_t from = out->n;

	if (++w->steps > ORDER_STEPS) {
		w->cut = "too long for the order of its calls";
		path_drop(w, path);
		return;
	}
	switch (e->kind) {
	case N_INT:
		give(w, out, path, constant(e->value));
		return;
	case N_LOCAL:
		give(w, out, path, read_place(w, path, e,
			w->record[walker_slot(w, e->name) < 0 ? 0 :
				  walker_slot(w, e->name)], false));
		return;
	case N_FUNC: case N_STR:
		give(w, out, path, (struct val){ .kind = VAL_NONNULL });
		return;
	case N_FIELD:
		eval_field(w, e, path, out);
		return;
	case N_ADDR:
		eval_address(w, e, path, out);
		return;
	case N_DEREF: case N_INDEX:
		eval_deref(w, e, path, out);
		return;
	case N_CAST:
		eval_cast(w, e, path, out);
		return;
	case N_ASSIGN:
		eval_assign(w, e, path, out);
		return;
	case N_CALL:
		order_call(w, e, path, out);
		return;
	case N_COND:
		eval_choice(w, e, path, out);
		return;
	case N_STMTEXPR:
		eval_block(w, e, path, out);
		return;
	case N_UNARY:
		if (e->op == OP_NOT) {
			eval_truth(w, e, path, out);
			return;
		}
		order_eval(w, e->kid[0], path, out);
		for (; from < out->n; from++)
			out->r[from].val = unary(e, out->r[from].val);
		return;
	case N_BINARY:
		if (e->op == OP_ANDAND || e->op == OP_OROR)
			eval_truth(w, e, path, out);
		else
			eval_binary(w, e, path, out);
		return;
	case N_OTHER:
		if (e->nkid == 1 && e->kid[0]) {
			order_eval(w, e->kid[0], path, out);
			return;
		}
		/* fall through */
	default:
		eval_other(w, e, path, out);
		return;
	}
}

/* @e is zero, or it is not: what does that say of the place it names? */
static bool refine(struct walker *w, const struct node *e, struct path *path,
		   bool zero)
{
	struct val v;
	int slot;

	e = reading_strip(e);
	if (e->kind == N_ASSIGN && e->op == OP_SET)
		e = reading_strip(e->kid[0]);
	if (e->kind != N_LOCAL)
		return true;
	slot = walker_slot(w, e->name);
	v = path_get(path, slot);
	/* what has been written to is there */
	if (zero && v.kind == VAL_THING && path->thing[v.thing].write)
		return false;
	if (slot < 0 || (v.kind != VAL_UNKNOWN && !zero))
		return true;
	if (zero)
		path_set(w, path, slot, constant(0));
	else
		path_set(w, path, slot,
			 (struct val){ .kind = VAL_NONNULL });
	return true;
}

static int truth(struct val v)
{
	if (v.kind == VAL_CONST)
		return v.number != 0;
	return v.kind == VAL_NONNULL ? 1 : -1;
}

static void doubt(struct path *path, struct val v)
{
	if (v.kind == VAL_HELD && v.thing < path->nthing &&
	    !(path->thing[v.thing].bits & THING_FRESH))
		path->thing[v.thing].bits |= THING_DOUBT;
}

/* "x == 0" and "x != 0" are x. */
static const struct node *compared(const struct node *e, bool *is_not)
{
	const struct node *other;

	if (e->kind != N_BINARY || (e->op != OP_EQ && e->op != OP_NE))
		return NULL;
	*is_not = e->op == OP_EQ;
	other = reading_strip(e->kid[1]);
	if (other->kind == N_INT && !other->value)
		return e->kid[0];
	other = reading_strip(e->kid[0]);
	return other->kind == N_INT && !other->value ? e->kid[1] : NULL;
}

/* unlikely(x) and what else says x. */
static const struct node *marked(const struct walker *w, const struct node *e)
{
	const struct node *f;

	if (e->kind != N_CALL || e->nkid < 2)
		return NULL;
	f = reading_strip(e->kid[0]);
	if (f->kind != N_FUNC)
		return NULL;
	switch (program_callee(w->order->program, f->name)->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
		return e->kid[1];
	default:
		return NULL;
	}
}

static void branch_both(struct walker *w, const struct node *e,
			struct path *path, struct paths *yes,
			struct paths *no)
{
	struct paths more = { 0 };
	bool both = e->op == OP_ANDAND;

	order_branch(w, e->kid[0], path, both ? &more : yes,
		     both ? no : &more);
	for (uint32_t i = 0; i < more.n; i++)
		order_branch(w, e->kid[1], more.path[i], yes, no);
}

void order_branch(struct walker *w, const struct node *e, struct path *path,
		  struct paths *yes, struct paths *no)
{
	const struct node *of;
	struct results r = { 0 };
	bool is_not = false;

	while (e->kind == N_CAST || (e->kind == N_OTHER && e->nkid == 1 &&
				     e->kid[0]))
		e = e->kid[0];
	of = marked(w, e);
	if (!of)
		of = compared(e, &is_not);
	if (!of && e->kind == N_UNARY && e->op == OP_NOT) {
		of = e->kid[0];
		is_not = true;
	}
	if (of) {
		order_branch(w, of, path, is_not ? no : yes,
			     is_not ? yes : no);
		return;
	}
	if (e->kind == N_BINARY && (e->op == OP_ANDAND || e->op == OP_OROR)) {
		branch_both(w, e, path, yes, no);
		return;
	}
	order_eval(w, e, path, &r);
	for (uint32_t i = 0; i < r.n; i++) {
		int known = truth(r.r[i].val);
		struct path *other;

		path = r.r[i].path;
		if (known >= 0) {
			paths_add(w, known ? yes : no, path);
			continue;
		}
		doubt(path, r.r[i].val);
		other = path_copy(w, path);
		if (refine(w, e, other, true))
			paths_add(w, no, other);
		else
			path_drop(w, other);
		if (refine(w, e, path, false))
			paths_add(w, yes, path);
		else
			path_drop(w, path);
	}
}
