// SPDX-License-Identifier: GPL-2.0-only
#include "reading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

/* More than this is not said: the reading is cut. */
#define DEPTH_MAX 100
/* A longer text is told by its hash: equal ones stay equal. */
#define TEXT_MAX 4000
#define DEFS_MAX 8

/* A local whose stores are being read. */
struct knot {
	const struct frame *frame;
	const char *name;
	struct knot *up;
};

/* What is stored in a local, where the walk reaches it. */
struct defs {
	const struct node *node[DEFS_MAX];
	unsigned n;
	bool more; /* or something else: its address is taken, += and so on */
};

void reading_init(struct reading *r, struct feature *feature,
		  struct world *world, struct arena *arena)
{
	*r = (struct reading){
		.feature = feature, .world = world, .arena = arena,
		.reached = { .arena = arena },
	};
}

static const bool *reached_lines(struct reading *r, const struct summary *s)
{
	bool *seen = map_get(&r->reached, s);
	const struct func *func = s->fn->func;

	if (seen)
		return seen;
	seen = ARENA_ARRAY(r->arena, bool,
			   func->end_line - func->start_line + 1);
	world_trace(r->world, s->fn, s->arg, s->narg, seen);
	map_put(&r->reached, s, seen);
	return seen;
}

static bool is_reached(struct reading *r, const struct frame *frame,
		       const struct node *node)
{
	const struct func *func = frame->s->fn->func;

	if (node->line < func->start_line || node->line > func->end_line)
		return true;
	return reached_lines(r, frame->s)[node->line - func->start_line];
}

const struct node *reading_strip(const struct node *e)
{
	for (;;) {
		if (e->kind == N_CAST ||
		    (e->kind == N_OTHER && e->nkid == 1 && e->kid[0]))
			e = e->kid[0];
		else if (e->kind == N_BINARY && e->op == OP_COMMA)
			e = e->kid[1];
		else if (e->kind == N_STMTEXPR && e->nkid &&
			 e->kid[e->nkid - 1] &&
			 e->kid[e->nkid - 1]->kind == N_EXPR)
			e = e->kid[e->nkid - 1]->kid[0];
		else
			return e;
	}
}

static bool is_local(const struct node *e, const char *name)
{
	e = reading_strip(e);
	return e->kind == N_LOCAL && e->name == name;
}

static void find_defs(struct reading *r, const struct frame *frame,
		      const struct node *node, const char *name,
		      struct defs *defs)
{
	const struct node *def = NULL;

	if (node->line && !is_reached(r, frame, node))
		return;
	if (node->kind == N_DECL && node->name == name)
		def = node->kid[0];
	else if (node->kind == N_ASSIGN && is_local(node->kid[0], name) &&
		 node->op == OP_SET)
		def = node->kid[1];
	else if ((node->kind == N_ASSIGN || node->kind == N_ADDR) &&
		 is_local(node->kid[0], name))
		defs->more = true;
	else if (node->kind == N_LOCAL && node->name == name &&
		 (node->flags & NODE_OUT))
		defs->more = true;
	if (def && defs->n < DEFS_MAX)
		defs->node[defs->n++] = def;
	else if (def)
		defs->more = true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_defs(r, frame, node->kid[i], name, defs);
}

static struct defs defs_of(struct reading *r, const struct frame *frame,
			   const char *name)
{
	const struct node *body = facts_body(frame->s->fn->func);
	struct defs defs = { .n = 0 };

	if (body)
		find_defs(r, frame, body, name, &defs);
	return defs;
}

/* The number of the parameter, or -1. */
int reading_param(const struct frame *frame, const char *name)
{
	const struct func *func = frame->s->fn->func;

	for (uint32_t i = 0; i < func->nparam; i++)
		if (func->param[i].name == name)
			return (int)i;
	return -1;
}

static const struct node *argument(const struct frame *frame, int param)
{
	const struct node *call = frame->call;

	return frame->up && call && (uint32_t)param + 1 < call->nkid ?
	       call->kid[param + 1] : NULL;
}

const struct event *reading_call(const struct frame *frame,
				 const struct node *node)
{
	const struct summary *s = frame->s;

	for (uint32_t i = s->nevent; i-- > 0;)
		if (s->event[i].node == node &&
		    (s->event[i].kind == EV_CALL ||
		     s->event[i].kind == EV_INLINE))
			return &s->event[i];
	return NULL;
}

/* The frame of a call that is followed, or NULL. */
static const struct frame *enter(struct reading *r, const struct frame *frame,
				 const struct node *call)
{
	const struct event *event = reading_call(frame, call);
	struct frame *inner;

	if (!event || !event->fn || !event->summary ||
	    event->summary->walking ||
	    (event->kind != EV_INLINE && !reading_follows(event->fn)))
		return NULL;
	inner = ARENA_NEW(r->arena, struct frame);
	inner->s = event->summary;
	inner->up = frame;
	inner->call = call;
	return inner;
}

static void find_returns(struct reading *r, const struct frame *frame,
			 const struct node *node, struct defs *returns)
{
	if (node->line && !is_reached(r, frame, node))
		return;
	if (node->kind == N_RETURN && node->kid[0]) {
		if (returns->n < DEFS_MAX)
			returns->node[returns->n++] = node->kid[0];
		else
			returns->more = true;
		return;
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_returns(r, frame, node->kid[i], returns);
}

static struct defs returns_of(struct reading *r, const struct frame *frame)
{
	const struct node *body = facts_body(frame->s->fn->func);
	struct defs returns = { .n = 0 };

	if (body)
		find_returns(r, frame, body, &returns);
	return returns;
}

bool reading_step(struct reading *r)
{
	if (r->budget && r->depth < DEPTH_MAX) {
		r->budget--;
		return true;
	}
	r->cut = true;
	return false;
}

/* Markers that hand on what they are given. */
static const struct node *marked(const struct reading *r,
				 const struct node *call)
{
	const struct node *f = reading_strip(call->kid[0]);

	if (f->kind != N_FUNC || call->nkid < 2)
		return NULL;
	switch (program_callee(r->world->program, f->name)->kind) {
	case CALLEE_UNLIKELY: case CALLEE_WARN: case CALLEE_EXPECT:
		return call->kid[1];
	default:
		return NULL;
	}
}

/* One step to what a value comes from; node NULL: this is where it is. */
struct spot reading_source(struct reading *r, struct spot at)
{
	struct spot none = { NULL, NULL };
	const struct node *e = at.node;
	const struct frame *inner;
	struct defs defs;
	int param;

	switch (e->kind) {
	case N_LOCAL:
		defs = defs_of(r, at.frame, e->name);
		param = reading_param(at.frame, e->name);
		if (defs.more || defs.n + (param >= 0) != 1)
			return none;
		if (param < 0)
			return (struct spot){ defs.node[0], at.frame };
		return (struct spot){ argument(at.frame, param),
				      at.frame->up };
	case N_CALL:
		if (marked(r, e))
			return (struct spot){ marked(r, e), at.frame };
		inner = enter(r, at.frame, e);
		if (!inner)
			return none;
		defs = returns_of(r, inner);
		if (defs.more || defs.n != 1)
			return none;
		return (struct spot){ defs.node[0], inner };
	default:
		return none;
	}
}

struct spot reading_resolve(struct reading *r, struct spot at)
{
	struct spot next;

	at.node = reading_strip(at.node);
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		next = reading_source(r, at);
		if (!next.node)
			return at;
		at = next;
		at.node = reading_strip(at.node);
	}
	return at;
}

/* --- text */

static const char *text_of(struct reading *r, const struct frame *frame,
			   const struct node *e);

static bool number(const char *text, int64_t *value)
{
	char *end;

	if (!*text)
		return false;
	*value = strtoll(text, &end, 10);
	return !*end;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t sort_texts(const char **text, size_t n)
{
	size_t used = 0;

	if (n)
		qsort(text, n, sizeof(*text), by_text);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(text[i], text[used - 1]))
			text[used++] = text[i];
	return used;
}

/* "a", or "{a|b}" */
static const char *any_of(struct reading *r, const char **text, size_t n)
{
	const char *all;

	n = sort_texts(text, n);
	if (n == 1)
		return text[0];
	all = "{";
	for (size_t i = 0; i < n; i++)
		all = arena_printf(r->arena, "%s%s%s", all, i ? "|" : "",
				   text[i]);
	return arena_printf(r->arena, "%s}", all);
}

static const char *local_text(struct reading *r, const struct frame *frame,
			      const struct node *e)
{
	struct knot knot = { frame, e->name, r->knot }, *k;
	const char *text[DEFS_MAX + 2];
	struct defs defs;
	size_t n = 0;
	int param;

	for (k = r->knot; k; k = k->up)
		if (k->frame == frame && k->name == e->name)
			return arena_printf(r->arena, "$%s", e->name);
	r->knot = &knot;
	defs = defs_of(r, frame, e->name);
	param = reading_param(frame, e->name);
	if (param >= 0) {
		const struct node *arg = argument(frame, param);

		text[n++] = arg ? text_of(r, frame->up, arg) :
			    arena_printf(r->arena, "$%d", param);
	}
	for (unsigned i = 0; i < defs.n; i++)
		text[n++] = text_of(r, frame, defs.node[i]);
	if (defs.more || !n)
		text[n++] = arena_printf(r->arena, "$%s", e->name);
	r->knot = knot.up;
	return any_of(r, text, n);
}

/* What the state says of a place, as a number; or NULL. */
static const char *known_text(struct reading *r, const struct frame *frame,
			      const struct node *e)
{
	const struct world *world = r->world;
	const struct global_symbol *g;
	const struct fact *fact = NULL;

	if (!world->facts)
		return NULL;
	if (e->kind == N_FIELD) {
		fact = fact_of_field(world->facts, e->name);
	} else {
		g = program_global(world->program, e->name,
				   frame->s->fn->file);
		fact = g ? fact_of_global(world->facts, g) : NULL;
	}
	if (!fact || fact->value.kind != V_CONST)
		return NULL;
	return arena_printf(r->arena, "%" PRId64, fact->value.number);
}

static const char *field_text(struct reading *r, const struct frame *frame,
			      const struct node *e)
{
	const char *base = known_text(r, frame, e);

	if (base)
		return base;
	base = text_of(r, frame, e->kid[0]);
	if (!(e->flags & NODE_ARROW))
		return arena_printf(r->arena, "%s.%s", base, e->name);
	if (*base == '&')
		return arena_printf(r->arena, "%s.%s", base + 1, e->name);
	return arena_printf(r->arena, "%s->%s", base, e->name);
}

/* && and || as far as one side decides; what the other does is told apart. */
static const char *logical_text(struct reading *r, const struct node *e,
				const char *a, const char *b)
{
	bool stop = e->op == OP_OROR;
	int64_t x, y;

	if ((number(a, &x) && !x == !stop) || (number(b, &y) && !y == !stop))
		return stop ? "1" : "0";
	/* no number is left but the one that leaves it to the other side */
	if (number(b, &y))
		b = stop ? "0" : "1";
	else if (number(a, &x))
		a = stop ? "0" : "1";
	return arena_printf(r->arena, "(%s %s %s)", a,
			    node_op_name((enum node_op)e->op), b);
}

static const char *binary_text(struct reading *r, const struct frame *frame,
			       const struct node *e)
{
	const char *a = text_of(r, frame, e->kid[0]);
	const char *b = text_of(r, frame, e->kid[1]);
	struct value v;
	int64_t x, y;

	if (e->op == OP_ANDAND || e->op == OP_OROR)
		return logical_text(r, e, a, b);
	if (number(a, &x) && number(b, &y)) {
		v = value_binary((enum node_op)e->op,
				 e->flags & NODE_UNSIGNED,
				 value_const(x, MARK_SOURCE, NULL),
				 value_const(y, MARK_SOURCE, NULL));
		if (v.kind == V_CONST)
			return arena_printf(r->arena, "%" PRId64, v.number);
	}
	return arena_printf(r->arena, "(%s %s %s)", a,
			    node_op_name((enum node_op)e->op), b);
}

static const char *value_number(struct reading *r, struct value v)
{
	if (v.kind == V_CONST)
		return arena_printf(r->arena, "%" PRId64, v.number);
	return value_is_root(v) ? "root" : NULL;
}

static const char *call_text(struct reading *r, const struct frame *frame,
			     const struct node *e)
{
	const struct node *f = reading_strip(e->kid[0]), *of = marked(r, e);
	const struct frame *inner;
	const struct event *event;
	const char *known, **text;
	size_t n;

	if (of)
		return text_of(r, frame, of);
	event = reading_call(frame, e);
	known = event && event->summary ?
		value_number(r, event->summary->ret) : NULL;
	if (known)
		return known;
	inner = enter(r, frame, e);
	if (inner) {
		text = reading_returns(r, inner, &n);
		if (n)
			return any_of(r, text, n);
	}
	return arena_printf(r->arena, "%s%s",
			    f->kind == N_FUNC ? f->name :
			    text_of(r, frame, f),
			    reading_arguments(r, frame, e));
}

static const char *list_text(struct reading *r, const struct frame *frame,
			     const struct node *e, uint32_t from)
{
	const char *all = "";

	for (uint32_t i = from; i < e->nkid; i++)
		all = arena_printf(r->arena, "%s%s%s", all,
				   i > from ? ", " : "", e->kid[i] ?
				   text_of(r, frame, e->kid[i]) : "");
	return all;
}

static const char *conditional_text(struct reading *r,
				    const struct frame *frame,
				    const struct node *e)
{
	const char *c = text_of(r, frame, e->kid[0]);
	int64_t value;

	if (number(c, &value)) {
		if (value && !e->kid[1])
			return c;
		return text_of(r, frame, e->kid[value ? 1 : 2]);
	}
	return arena_printf(r->arena, "(%s ? %s : %s)", c, e->kid[1] ?
			    text_of(r, frame, e->kid[1]) : "",
			    text_of(r, frame, e->kid[2]));
}

static const char *unary_text(struct reading *r, const struct frame *frame,
			      const struct node *e)
{
	const char *a = text_of(r, frame, e->kid[0]);
	struct value v;
	int64_t x;

	switch (e->kind) {
	case N_DEREF:
		return *a == '&' ? a + 1 : arena_printf(r->arena, "*%s", a);
	case N_ADDR:
		return *a == '*' ? a + 1 : arena_printf(r->arena, "&%s", a);
	default:
		v = number(a, &x) ?
		    value_unary((enum node_op)e->op,
				value_const(x, MARK_SOURCE, NULL)) :
		    VALUE_UNKNOWN;
		if (v.kind == V_CONST)
			return arena_printf(r->arena, "%" PRId64, v.number);
		return arena_printf(r->arena, "%s%s",
				    node_op_name((enum node_op)e->op), a);
	}
}

static const char *plain_text(struct reading *r, const struct frame *frame,
			      const struct node *e)
{
	const char *known;

	switch (e->kind) {
	case N_INT:
		return arena_printf(r->arena, "%" PRId64, e->value);
	case N_STR:
		return "\"\"";
	case N_LOCAL:
		return local_text(r, frame, e);
	case N_GLOBAL:
		known = known_text(r, frame, e);
		return known ? known : e->name;
	case N_FUNC:
		return e->name;
	case N_FIELD:
		return field_text(r, frame, e);
	case N_INDEX:
		return arena_printf(r->arena, "%s[%s]",
				    text_of(r, frame, e->kid[0]),
				    text_of(r, frame, e->kid[1]));
	case N_DEREF: case N_ADDR: case N_UNARY:
		return unary_text(r, frame, e);
	case N_BINARY:
		return binary_text(r, frame, e);
	case N_ASSIGN:
		if (e->op == OP_SET)
			return text_of(r, frame, e->kid[1]);
		return arena_printf(r->arena, "(%s %s= %s)",
				    text_of(r, frame, e->kid[0]),
				    node_op_name((enum node_op)e->op),
				    text_of(r, frame, e->kid[1]));
	case N_COND:
		return conditional_text(r, frame, e);
	case N_CALL:
		return call_text(r, frame, e);
	case N_FIELDINIT:
		return arena_printf(r->arena, ".%s = %s", e->name,
				    list_text(r, frame, e, 0));
	default:
		return arena_printf(r->arena, "%s{%s}",
				    node_kind_name((enum node_kind)e->kind),
				    list_text(r, frame, e, 0));
	}
}

static const char *text_of(struct reading *r, const struct frame *frame,
			   const struct node *e)
{
	const char *text;
	size_t len;

	if (!reading_step(r))
		return "?";
	r->depth++;
	text = plain_text(r, frame, reading_strip(e));
	r->depth--;
	len = strlen(text);
	return len > TEXT_MAX ? arena_printf(r->arena, "<%016" PRIx64 ">",
			XXH3_64bits(text, len)) : text;
}

const char *reading_text(struct reading *r, const struct frame *frame,
			 const struct node *node)
{
	r->budget = READING_STEPS;
	return text_of(r, frame, node);
}

const char *reading_arguments(struct reading *r, const struct frame *frame,
			      const struct node *call)
{
	if (!r->depth)
		r->budget = READING_STEPS;
	return arena_printf(r->arena, "(%s)", list_text(r, frame, call, 1));
}

const char **reading_returns(struct reading *r, const struct frame *frame,
			     size_t *n)
{
	struct defs returns;
	const char **text, *known = value_number(r, frame->s->ret);

	if (!r->depth)
		r->budget = READING_STEPS;
	text = ARENA_ARRAY(r->arena, const char *, DEFS_MAX + 1);
	*n = 1;
	text[0] = known;
	if (known)
		return text;
	returns = returns_of(r, frame);
	for (unsigned i = 0; i < returns.n; i++)
		text[i] = text_of(r, frame, returns.node[i]);
	if (returns.more)
		r->cut = true;
	*n = sort_texts(text, returns.n);
	return text;
}
