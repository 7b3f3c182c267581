// SPDX-License-Identifier: GPL-2.0-only
#include "overlap.h"

#include <string.h>

/* Locals and parameters of the function that is scanned, by name. */
struct scan {
	struct overlap *overlap;
	struct map locals; /* name: record */
	const char *file;
};

static const char *pair(struct overlap *o, const char *a, const char *b)
{
	if (strcmp(a, b) > 0) {
		const char *swap = a;

		a = b;
		b = swap;
	}
	return intern(o->program->strings,
		      arena_printf(o->program->arena, "%s|%s", a, b));
}

static const char *type_of(const struct scan *s, const struct node *e)
{
	const struct program *p = s->overlap->program;
	const struct field *field;
	const struct function *fn;
	const char *record;

	switch (e->kind) {
	case N_LOCAL:
		record = map_get(&s->locals, e->name);
		return record ? record : "";
	case N_FIELD:
		field = program_field(p, e->name);
		return field ? field->record : "";
	case N_CAST:
		return *e->record ? e->record : type_of(s, e->kid[0]);
	case N_CALL:
		if (e->kid[0]->kind != N_FUNC)
			return "";
		fn = program_function(p, e->kid[0]->name, s->file);
		return fn ? fn->func->ret_record : "";
	case N_ADDR:
		field = e->kid[0]->kind == N_FIELD ?
			program_field(p, e->kid[0]->name) : NULL;
		return field ? field->inner : "";
	default:
		return "";
	}
}

static void scan(struct scan *s, const struct node *node)
{
	if (node->kind == N_DECL && *node->record)
		map_put(&s->locals, node->name, (void *)node->record);
	if (node->kind == N_CAST && *node->record) {
		const char *from = type_of(s, node->kid[0]);

		if (*from && from != node->record)
			map_put(&s->overlap->casts,
				pair(s->overlap, from, node->record),
				s->overlap);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			scan(s, node->kid[i]);
}

static void scan_all(struct overlap *o)
{
	struct program *p = o->program;

	o->casts.arena = p->arena;
	for (uint32_t i = 0; i < p->nfunction; i++) {
		struct function *fn = p->function[i];
		struct scan s = { .overlap = o, .file = fn->file,
				  .locals = { .arena = p->arena } };
		struct node *body;

		if (!fn->touches)
			continue;
		for (uint32_t k = 0; k < fn->func->nparam; k++)
			map_put(&s.locals, fn->func->param[k].name,
				(void *)fn->func->param[k].record);
		body = facts_body(fn->func);
		if (body)
			scan(&s, body);
	}
	o->scanned = true;
}

static bool begins_with(const struct record *outer, const char *inner)
{
	for (uint32_t i = 0; outer && i < outer->nfield; i++)
		if (!outer->field[i].offset && outer->field[i].inner == inner)
			return true;
	return false;
}

bool overlap_records(struct overlap *o, const char *a, const char *b)
{
	if (begins_with(program_record(o->program, a), b) ||
	    begins_with(program_record(o->program, b), a))
		return true;
	if (!o->scanned)
		scan_all(o);
	return map_get(&o->casts, pair(o, a, b)) != NULL;
}
