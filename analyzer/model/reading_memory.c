// SPDX-License-Identifier: GPL-2.0-only
/* Which memory an expression names, and whose it is. */
#include "reading.h"

static bool feature_field(const struct reading *r, const char *name)
{
	return map_get(&r->feature->fields, name) ||
	       feature_alone(r->feature, name);
}

static struct memory memory_at(struct reading *r, struct spot at);

/* What a field that is read as a pointer points to. */
static struct memory through_field(struct reading *r, struct spot at)
{
	const struct field *field = program_field(r->world->program,
						  at.node->name);
	struct memory m = { .leaf = at.node->name, .path = at.node->name,
			    .pointer = true };

	if (!field)
		return m;
	if (!field->pointer && !*field->record) {
		/* an array stands for its address, a number for nothing */
		m = memory_at(r, at);
		m.pointer = field->size > 64;
		return m;
	}
	m.feature = feature_field(r, at.node->name) &&
		    (!*field->record ||
		     feature_record(r->feature, field->record));
	m.feature |= feature_record(r->feature, field->record);
	return m;
}

static struct memory through_global(struct reading *r, struct spot at)
{
	const struct global_symbol *g =
		program_global(r->world->program, at.node->name,
			       at.frame->s->fn->file);
	struct memory m = { .leaf = at.node->name, .path = at.node->name };

	if (!g)
		return m;
	if (g->global->flags & GLOBAL_ARRAY)
		return (struct memory){
			.leaf = at.node->name, .path = at.node->name,
			.pointer = true, .feature = g->feature,
		};
	m.pointer = (g->global->flags & GLOBAL_POINTER) || *g->global->record;
	m.feature = *g->global->record ?
		    feature_record(r->feature, g->global->record) :
		    g->feature;
	return m;
}

static const char *decl_record(const struct node *node, const char *name)
{
	const char *record;

	if (node->kind == N_DECL && node->name == name)
		return node->record;
	for (uint32_t i = 0; i < node->nkid; i++) {
		record = node->kid[i] ? decl_record(node->kid[i], name) : NULL;
		if (record)
			return record;
	}
	return NULL;
}

static struct memory through_local(struct reading *r, struct spot at)
{
	const struct node *body = facts_body(at.frame->s->fn->func);
	int param = reading_param(at.frame, at.node->name);
	const char *record = NULL;

	if (param >= 0)
		record = at.frame->s->fn->func->param[param].record;
	else if (body)
		record = decl_record(body, at.node->name);
	return (struct memory){
		.pointer = record && *record,
		.feature = feature_record(r->feature, record),
	};
}

static struct memory pointee_at(struct reading *r, struct spot at)
{
	struct memory m = { .leaf = NULL }, other;
	const struct event *event;

	if (!reading_step(r))
		return m;
	r->depth++;
	at = reading_resolve(r, at);
	switch (at.node->kind) {
	case N_ADDR:
		m = memory_at(r, (struct spot){ at.node->kid[0], at.frame });
		m.pointer = true;
		break;
	case N_BINARY:
		if (at.node->op != OP_ADD && at.node->op != OP_SUB)
			break;
		m = pointee_at(r, (struct spot){ at.node->kid[0], at.frame });
		break;
	case N_FIELD:
		m = through_field(r, at);
		break;
	case N_GLOBAL:
		m = through_global(r, at);
		break;
	case N_LOCAL:
		m = through_local(r, at);
		break;
	case N_CALL:
		event = reading_call(at.frame, at.node);
		if (event && event->fn) {
			m.pointer = *event->fn->func->ret_record;
			m.feature = feature_record(r->feature,
						event->fn->func->ret_record);
		}
		break;
	case N_INDEX: case N_DEREF:
		m = memory_at(r, at);
		m.pointer = false;
		break;
	case N_COND:
		m = pointee_at(r, (struct spot){ at.node->kid[1] ?
						 at.node->kid[1] :
						 at.node->kid[0], at.frame });
		other = pointee_at(r, (struct spot){ at.node->kid[2],
						     at.frame });
		m.feature &= other.feature;
		m.pointer |= other.pointer;
		break;
	default:
		break;
	}
	r->depth--;
	return m;
}

static struct memory field_at(struct reading *r, struct spot at)
{
	struct spot base = { at.node->kid[0], at.frame };
	struct memory m;

	if (at.node->flags & NODE_ARROW) {
		base = reading_resolve(r, base);
		m = (struct memory){ .leaf = NULL };
		/* of what is pointed to by the feature, only that is known */
		if (base.node->kind == N_ADDR || base.node->kind == N_LOCAL ||
		    base.node->kind == N_CALL)
			m = pointee_at(r, base);
		if (base.node->kind == N_ADDR && base.frame != at.frame &&
		    !m.given)
			m.given = m.leaf;
		m.call = base.node->kind == N_CALL ? base.node : NULL;
	} else {
		m = memory_at(r, base);
	}
	m.feature |= feature_field(r, at.node->name);
	m.leaf = at.node->name;
	m.path = m.path ? arena_printf(r->arena, "%s.%s", m.path, m.leaf) :
		 m.leaf;
	m.pointer = false;
	return m;
}

static struct memory memory_at(struct reading *r, struct spot at)
{
	const struct global_symbol *g;
	struct memory m = { .leaf = NULL };

	if (!reading_step(r))
		return m;
	r->depth++;
	at.node = reading_strip(at.node);
	switch (at.node->kind) {
	case N_LOCAL:
		m.local = true;
		break;
	case N_GLOBAL:
		g = program_global(r->world->program, at.node->name,
				   at.frame->s->fn->file);
		m.leaf = m.path = at.node->name;
		m.feature = g && g->feature;
		break;
	case N_FIELD:
		m = field_at(r, at);
		break;
	case N_INDEX: case N_DEREF:
		m = pointee_at(r, (struct spot){ at.node->kid[0], at.frame });
		if (at.node->kind == N_INDEX && !m.leaf && !m.pointer)
			m = memory_at(r, (struct spot){ at.node->kid[0],
							at.frame });
		break;
	default:
		m = pointee_at(r, at);
		break;
	}
	r->depth--;
	return m;
}

struct memory reading_memory(struct reading *r, const struct frame *frame,
			     const struct node *node)
{
	r->budget = READING_STEPS;
	return memory_at(r, (struct spot){ node, frame });
}

struct memory reading_pointee(struct reading *r, const struct frame *frame,
			      const struct node *node)
{
	r->budget = READING_STEPS;
	return pointee_at(r, (struct spot){ node, frame });
}
