// SPDX-License-Identifier: GPL-2.0-only
#include "order_flags.h"

#include <string.h>

#include "effect.h"
#include "reading.h"

/* More locals than this are not followed. */
#define ALIASES 8
/* Functions that call each other for a flag; a made-up tree may have more. */
#define FLAGS_DEEP 16

struct alias {
	const char *name;
	int param;
	bool address; /* of the flags, not of the object */
};

/* One function, in the order of its text. */
struct scan {
	struct flag_uses *uses;
	const struct function *fn;
	struct flag_use *use;
	struct alias alias[ALIASES];
	unsigned nalias;
	uint32_t fence_line; /* the last barrier; 0: none yet */
	const struct function *fence;
	unsigned depth;
};

static const struct flag_use *use_of(struct flag_uses *uses,
				     const struct function *fn,
				     unsigned depth);

bool order_is_object(const struct model *model, const char *record)
{
	return record && *record &&
	       names_have(&model->kernel->object.records, record);
}

static const struct function *callee_of(const struct scan *scan,
					const struct node *call)
{
	const struct node *f = reading_strip(call->kid[0]);

	return f->kind == N_FUNC ?
	       program_function(scan->uses->program, f->name, scan->fn->file) :
	       NULL;
}

static const struct alias *alias_of(const struct scan *scan, const char *name)
{
	for (unsigned i = scan->nalias; i--;)
		if (scan->alias[i].name == name)
			return &scan->alias[i];
	return NULL;
}

/* The parameter whose object @e points into, or -1. */
static int object_of(const struct scan *scan, const struct node *e)
{
	const struct alias *alias;
	int param = -1;

	e = reading_strip(e);
	switch (e->kind) {
	case N_LOCAL:
		alias = alias_of(scan, e->name);
		return alias && !alias->address ? alias->param : -1;
	case N_FIELD: case N_DEREF: case N_ADDR: case N_INDEX: case N_UNARY:
		return object_of(scan, e->kid[0]);
	case N_COND:
		if (e->kid[1])
			param = object_of(scan, e->kid[1]);
		return param < 0 ? object_of(scan, e->kid[2]) : param;
	case N_BINARY:
		param = object_of(scan, e->kid[0]);
		return param < 0 ? object_of(scan, e->kid[1]) : param;
	case N_CALL:
		for (uint32_t i = 1; i < e->nkid && param < 0; i++)
			param = object_of(scan, e->kid[i]);
		return param;
	case N_STMTEXPR: case N_OTHER:
		if (!e->nkid || !e->kid[e->nkid - 1])
			return -1;
		e = e->kid[e->nkid - 1];
		return object_of(scan, e->kind == N_EXPR ? e->kid[0] : e);
	default:
		return -1;
	}
}

/* Is it the flags of the object, or a part of them? */
static bool is_flags(const struct scan *scan, const struct node *e)
{
	const struct names *flags = &scan->uses->model->kernel->object.flags;

	for (e = reading_strip(e); e->kind == N_FIELD || e->kind == N_INDEX;
	     e = reading_strip(e->kid[0]))
		if (e->kind == N_FIELD && names_have(flags, e->name))
			return true;
	return false;
}

/* The parameter whose flags @e is the address of, or -1. */
static int address_of(const struct scan *scan, const struct node *e)
{
	const struct alias *alias;
	const struct function *fn;
	const struct flag_use *use;

	e = reading_strip(e);
	switch (e->kind) {
	case N_LOCAL:
		alias = alias_of(scan, e->name);
		return alias && alias->address ? alias->param : -1;
	case N_ADDR:
		return is_flags(scan, e->kid[0]) ?
		       object_of(scan, e->kid[0]) : -1;
	case N_BINARY:
		return address_of(scan, e->kid[0]);
	case N_CALL:
		fn = callee_of(scan, e);
		if (!fn || !fn->header)
			return -1;
		use = use_of(scan->uses, fn, scan->depth + 1);
		return use->address < 0 ||
		       (uint32_t)use->address + 1 >= e->nkid ? -1 :
		       object_of(scan, e->kid[use->address + 1]);
	case N_STMTEXPR:
		if (!e->nkid || !e->kid[e->nkid - 1] ||
		    e->kid[e->nkid - 1]->kind != N_EXPR)
			return -1;
		return address_of(scan, e->kid[e->nkid - 1]->kid[0]);
	default:
		return -1;
	}
}

static void add_alias(struct scan *scan, const char *name,
		      const struct node *value)
{
	int param = address_of(scan, value);
	bool address = param >= 0;

	if (param < 0)
		param = object_of(scan, value);
	if (param < 0 || scan->nalias == ALIASES)
		return;
	scan->alias[scan->nalias++] = (struct alias){ name, param, address };
}

static void note_write(struct scan *scan, int param, uint64_t bits,
		       const struct function *fence, uint32_t fence_line)
{
	struct flag_use *use = scan->use;

	if (use->param < 0)
		use->param = param;
	if (use->param != param)
		return;
	use->writes |= bits;
	if (!fence)
		return;
	use->fenced |= bits;
	if (!use->fence) {
		use->fence = fence;
		use->fence_line = fence_line;
	}
}

static void note_read(struct scan *scan, int param, uint64_t bits)
{
	if (scan->use->param < 0)
		scan->use->param = param;
	if (scan->use->param == param)
		scan->use->reads |= bits;
}

/* "bool (unsigned int, const volatile unsigned long *)": is argument @i const? */
static bool takes_const(const struct function *fn, uint32_t i)
{
	const char *p = strchr(fn->func->type, '('), *end;

	for (p = p ? p + 1 : ""; i && *p; p++)
		i -= *p == ',';
	end = p + strcspn(p, ",)");
	for (; p + 5 <= end; p++)
		if (!strncmp(p, "const", 5))
			return true;
	return false;
}

static uint64_t bit_of(const struct node *call)
{
	for (uint32_t i = 1; i < call->nkid; i++) {
		const struct node *arg = reading_strip(call->kid[i]);

		if (arg->kind == N_INT && arg->value >= 0 && arg->value < 63)
			return (uint64_t)1 << arg->value;
	}
	return FLAG_UNKNOWN;
}

/* The address of the flags is handed to somebody. */
static bool scan_address(struct scan *scan, const struct node *call,
			 const char *name, const struct function *fn)
{
	enum effect_kind kind;

	/* a lock that is kept among the flags tells nothing of the object */
	if (effect_section(scan->uses->model->kernel, name, &kind) >= 0)
		return false;
	for (uint32_t i = 1; i < call->nkid; i++) {
		int param = address_of(scan, call->kid[i]);

		if (param < 0)
			continue;
		if (fn && takes_const(fn, i - 1))
			note_read(scan, param, bit_of(call));
		else
			note_write(scan, param, bit_of(call), scan->fence,
				   scan->fence_line);
		return true;
	}
	return false;
}

static void scan_call(struct scan *scan, const struct node *call)
{
	const struct node *f = reading_strip(call->kid[0]);
	const struct function *fn;
	const struct flag_use *use;
	int param;

	if (f->kind != N_FUNC)
		return;
	if (program_callee(scan->uses->program, f->name)->orders) {
		scan->fence = scan->fn;
		scan->fence_line = call->line;
		return;
	}
	fn = callee_of(scan, call);
	if (scan_address(scan, call, f->name, fn) || !fn || !fn->header)
		return;
	use = use_of(scan->uses, fn, scan->depth + 1);
	if (use->param < 0 || (uint32_t)use->param + 1 >= call->nkid)
		return;
	param = object_of(scan, call->kid[use->param + 1]);
	if (param < 0)
		return;
	if (use->reads)
		note_read(scan, param, use->reads);
	if (use->fenced && scan->fn->header)
		note_write(scan, param, use->fenced, use->fence,
			   use->fence_line);
	else if (use->writes)
		note_write(scan, param, use->writes, scan->fence,
			   scan->fence_line);
}

static void scan_node(struct scan *scan, const struct node *node)
{
	const struct node *mask;
	int param;

	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			scan_node(scan, node->kid[i]);
	switch (node->kind) {
	case N_CALL:
		scan_call(scan, node);
		break;
	case N_DECL:
		if (node->kid[0])
			add_alias(scan, node->name, node->kid[0]);
		break;
	case N_ASSIGN:
		if (node->kid[0]->kind == N_LOCAL) {
			add_alias(scan, node->kid[0]->name, node->kid[1]);
		} else if (is_flags(scan, node->kid[0])) {
			param = object_of(scan, node->kid[0]);
			if (param >= 0)
				note_write(scan, param, FLAG_UNKNOWN,
					   scan->fence, scan->fence_line);
		}
		break;
	case N_BINARY:
		mask = reading_strip(node->kid[1]);
		if (node->op != OP_AND || mask->kind != N_INT ||
		    !is_flags(scan, node->kid[0]))
			break;
		param = object_of(scan, node->kid[0]);
		if (param >= 0)
			note_read(scan, param, (uint64_t)mask->value);
		break;
	case N_RETURN:
		if (node->kid[0] && scan->use->address < 0)
			scan->use->address = address_of(scan, node->kid[0]);
		break;
	default:
		break;
	}
}

static const struct flag_use *use_of(struct flag_uses *uses,
				     const struct function *fn, unsigned depth)
{
	static const struct flag_use none = { .param = -1, .address = -1 };
	struct flag_use *use = &uses->use[fn->index];
	struct scan scan = { .uses = uses, .fn = fn, .use = use,
			     .depth = depth };
	struct peek peek = { NULL, 0 };
	const struct node *body;

	if (use->known)
		return use;
	if (use->walking || depth > FLAGS_DEEP)
		return &none;
	use->walking = true;
	use->param = use->address = -1;
	for (uint32_t i = 0; i < fn->func->nparam; i++)
		if (order_is_object(uses->model, fn->func->param[i].record) &&
		    scan.nalias < ALIASES)
			scan.alias[scan.nalias++] = (struct alias){
				fn->func->param[i].name, (int)i, false };
	body = scan.nalias ? peek_body(&peek, fn->func) : NULL;
	if (body)
		scan_node(&scan, body);
	peek_done(&peek);
	use->walking = false;
	use->known = true;
	return use;
}

/* A function that is none of a header's and does more is no flag write. */
#define WRITER_BODY 512

bool flag_is_write(struct flag_uses *uses, const struct function *fn)
{
	const struct flag_use *use = use_of(uses, fn, 0);

	return use->fenced && (fn->header || (use->fence == fn &&
			       fn->func->code_len < WRITER_BODY));
}

const struct flag_use *flag_use_of(struct flag_uses *uses,
				   const struct function *fn)
{
	return use_of(uses, fn, 0);
}

struct flag_uses *flag_uses_new(const struct model *model,
				struct arena *arena)
{
	struct flag_uses *uses = ARENA_NEW(arena, struct flag_uses);

	uses->model = model;
	uses->program = model->feature->in;
	uses->arena = arena;
	uses->use = ARENA_ARRAY(arena, struct flag_use,
				uses->program->nfunction);
	return uses;
}
