// SPDX-License-Identifier: GPL-2.0-only
#include "feature.h"

#include <stdlib.h>
#include <string.h>

#include "peek.h"

/* Header functions that only pass on to the feature; a bound, not a limit. */
#define PASSING_ON_MAX 400

static bool same_text(const struct function *a, const struct function *b)
{
	for (uint32_t i = 0; i < a->nhash; i++)
		for (uint32_t j = 0; j < b->nhash; j++)
			if (a->hash[i] == b->hash[j])
				return true;
	return false;
}

/*
 * The same function in the other configuration: the one of the same file, or
 * for what is visible outside its file any other that is (a stub).
 */
static struct function *counterpart(const struct function *fn,
				    struct program *other)
{
	struct function *o, *visible = NULL;

	for (o = map_get(&other->functions, fn->name); o; o = o->next) {
		if (o->file == fn->file)
			return o;
		if (!visible && (o->header || !o->is_static))
			visible = o;
	}
	return fn->is_static && !fn->header ? NULL : visible;
}

/* Both are read from one text: a stub stands on other lines, under #else. */
static bool one_definition(const struct func *a, const struct func *b)
{
	return a->start_line <= b->end_line && b->start_line <= a->end_line;
}

static void pair_functions(struct feature *f)
{
	for (uint32_t i = 0; i < f->in->nfunction; i++) {
		struct function *fn = f->in->function[i];

		fn->other = counterpart(fn, f->out);
		if (fn->other && !fn->other->other)
			fn->other->other = fn;
		fn->differs = !fn->other || !same_text(fn, fn->other);
		fn->both = fn->other && fn->other->file == fn->file &&
			   !fn->other->header;
		fn->stays = fn->both && one_definition(fn->func,
						       fn->other->func);
	}
}

static void list_differs(struct feature *f)
{
	f->differs = ARENA_ARRAY(f->arena, struct function *,
				 f->in->nfunction);
	for (uint32_t i = 0; i < f->in->nfunction; i++)
		if (f->in->function[i]->differs)
			f->differs[f->ndiffers++] = f->in->function[i];
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_fields(struct feature *f)
{
	struct program *in = f->in;
	uint32_t i, k, max = 0;

	for (i = 0; i < in->nrecord; i++) {
		struct record *r = in->record[i];
		struct record *o = program_record(f->out, r->name);

		if (r->nfield && (!o || !o->nfield))
			map_put(&f->records, r->name, r);
		max += r->nfield;
	}
	f->field = ARENA_ARRAY(f->arena, const char *, max);
	for (i = 0; i < in->nrecord; i++) {
		struct record *r = in->record[i];
		bool whole = feature_record(f, r->name);

		for (k = 0; k < r->nfield; k++) {
			struct field *field = &r->field[k];
			const char *name;

			if (!*field->name)
				continue;
			name = intern(in->strings,
				      arena_printf(f->arena, "%s.%s", r->name,
						   field->name));
			if (!whole && program_field(f->out, name) &&
			    !feature_record(f, field->record))
				continue;
			if (map_get(&f->fields, name))
				continue;
			map_put(&f->fields, name, field);
			f->field[f->nfield++] = name;
		}
	}
	qsort(f->field, f->nfield, sizeof(*f->field), by_text);
}

static void pair_globals(struct feature *f)
{
	for (uint32_t i = 0; i < f->in->nglobal; i++) {
		struct global_symbol *g = f->in->global[i];

		g->other = program_global(f->out, g->name, g->file);
		/*
		 * What is defined in no unit may only be there because what
		 * else was read does not ask for it.
		 */
		g->feature = (!g->other &&
			      (g->global->flags & GLOBAL_DEFINED)) ||
			     ((g->global->flags & GLOBAL_DEFINED) &&
			      !(g->other->global->flags & GLOBAL_DEFINED)) ||
			     feature_record(f, g->global->record);
	}
}

static bool names_any(const struct map *names, const char **list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (map_get(names, list[i]))
			return true;
	return false;
}

/* Does the tree name a field of the feature? */
static bool mentions(const struct feature *f, const struct node *node)
{
	if ((node->kind == N_FIELD || node->kind == N_FIELDINIT) &&
	    map_get(&f->fields, node->name))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && mentions(f, node->kid[i]))
			return true;
	return false;
}

/* Does it handle the feature's records, fields or globals? */
static bool handles(const struct feature *f, struct function *fn,
		    struct peek *peek)
{
	struct func *func = fn->func;
	struct node *body;

	if (feature_record(f, func->ret_record))
		return true;
	for (uint32_t i = 0; i < func->nparam; i++)
		if (feature_record(f, func->param[i].record))
			return true;
	for (uint32_t i = 0; i < func->nglobal; i++) {
		struct global_symbol *g =
			program_global(f->in, func->global[i], fn->file);

		if (g && g->feature)
			return true;
	}
	body = peek_body(peek, func);
	return body && mentions(f, body);
}

/*
 * A header function may only be there in one configuration because nothing
 * else that was read uses it: it belongs to the feature where it handles
 * something of it or names a function that does.
 */
static void forget_others_helpers(struct feature *f)
{
	struct map names = { .arena = f->arena };
	struct program *in = f->in;
	struct peek peek = { NULL, 0 };
	struct function **helper = ARENA_ARRAY(f->arena, struct function *,
					       in->nfunction);
	uint32_t n = 0, before, i;

	for (i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];

		if (!fn->differs)
			continue;
		if (fn->header && !fn->other && !handles(f, fn, &peek))
			helper[n++] = fn;
		else
			map_put(&names, fn->name, fn);
	}
	peek_done(&peek);
	do {
		before = n;
		for (i = n = 0; i < before; i++) {
			const struct func *func = helper[i]->func;

			if (names_any(&names, func->ref, func->nref))
				map_put(&names, func->name, helper[i]);
			else
				helper[n++] = helper[i];
		}
	} while (n != before);
	for (i = 0; i < n; i++)
		helper[i]->differs = false;
}

/*
 * The feature can matter in a function that differs, in one that names what
 * differs or a header function that passes on to it, and in one that handles
 * the feature's records, fields or globals.
 */
static void find_touched(struct feature *f)
{
	struct map names = { .arena = f->arena };
	struct program *in = f->in;
	struct peek peek = { NULL, 0 };
	uint32_t i, n = 0, before;

	for (i = 0; i < f->ndiffers; i++)
		map_put(&names, f->differs[i]->name, f->differs[i]);
	do {
		before = n;
		for (i = 0; i < in->nfunction && n < PASSING_ON_MAX; i++) {
			struct function *fn = in->function[i];

			if (!fn->header || map_get(&names, fn->name) ||
			    !names_any(&names, fn->func->ref, fn->func->nref))
				continue;
			map_put(&names, fn->name, fn);
			n++;
		}
	} while (n != before);
	for (i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];

		fn->touches = fn->differs ||
			      names_any(&names, fn->func->ref,
					fn->func->nref) ||
			      handles(f, fn, &peek);
		f->ntouches += fn->touches;
		if (fn->touches && fn->other)
			fn->other->touches = true;
	}
	peek_done(&peek);
}

/*
 * A static function that hands on to one of its file where the feature can
 * matter: what it is given decides what it hands on.
 */
static void find_passing_on(struct feature *f)
{
	struct program *in = f->in;
	uint32_t before, i, k;

	do {
		before = f->ntouches;
		for (i = 0; i < in->nfunction; i++) {
			struct function *fn = in->function[i], *to;

			if (fn->touches || fn->header || !fn->is_static)
				continue;
			for (k = 0; k < fn->func->nref; k++) {
				to = program_function(in, fn->func->ref[k],
						      fn->file);
				if (to && to->touches && to->is_static &&
				    to->file == fn->file)
					break;
			}
			if (k == fn->func->nref)
				continue;
			fn->touches = true;
			f->ntouches++;
			if (fn->other)
				fn->other->touches = true;
		}
	} while (f->ntouches != before);
}

struct feature *feature_compare(struct program *in, struct program *out,
				struct arena *arena)
{
	struct feature *f = ARENA_NEW(arena, struct feature);

	f->arena = f->records.arena = f->fields.arena = arena;
	f->in = in;
	f->out = out;
	pair_functions(f);
	find_fields(f);
	pair_globals(f);
	forget_others_helpers(f);
	list_differs(f);
	find_touched(f);
	find_passing_on(f);
	return f;
}

struct speaking {
	const struct program *program;
	struct map *spoken;
};

static void speak(const struct speaking *speaking, const struct node *node)
{
	if (node->kind == N_FIELD || node->kind == N_FIELDINIT) {
		const char *record = program_field_record(speaking->program,
							  node->name);

		if (!map_get(speaking->spoken, record))
			map_put(speaking->spoken, record, speaking->spoken);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			speak(speaking, node->kid[i]);
}

bool feature_alone(struct feature *feature, const char *field)
{
	const struct program *out = feature->out;
	struct speaking speaking = { .program = out };
	struct peek peek = { NULL, 0 };
	const char *record = program_field_record(out, field);

	if (!feature->spoken) {
		feature->spoken = ARENA_NEW(feature->arena, struct map);
		feature->spoken->arena = feature->arena;
		speaking.spoken = feature->spoken;
		for (uint32_t i = 0; i < out->nfunction; i++) {
			const struct node *body = peek_body(&peek,
						out->function[i]->func);

			if (body)
				speak(&speaking, body);
		}
		for (uint32_t i = 0; i < out->nglobal; i++)
			if (out->global[i]->global->init)
				speak(&speaking,
				      out->global[i]->global->init);
		peek_done(&peek);
	}
	return *record && !map_get(feature->spoken, record);
}
