// SPDX-License-Identifier: GPL-2.0-only
#include "fact.h"

#include <stdlib.h>
#include <string.h>

#include "overlap.h"
#include "peek.h"

static struct fact *add(struct facts_off *facts, const char *name,
			enum fact_kind kind, const char *record,
			int64_t initial)
{
	struct fact *fact = ARENA_NEW(facts->arena, struct fact);
	struct fact **more;

	if (facts->nfact == facts->fact_cap) {
		facts->fact_cap = facts->fact_cap ? facts->fact_cap * 2 : 256;
		more = ARENA_ARRAY(facts->arena, struct fact *,
				   facts->fact_cap);
		if (facts->nfact)
			memcpy(more, facts->fact,
			       facts->nfact * sizeof(*more));
		facts->fact = more;
	}
	fact->index = facts->nfact;
	facts->fact[facts->nfact++] = fact;
	fact->name = name;
	fact->kind = kind;
	fact->record = record;
	fact->initial = fact->value = value_const(initial, MARK_FACT, name);
	return fact;
}

/*
 * A view of memory that an earlier field is a view of: a store to one is a
 * store to both.
 */
static struct fact *shared(struct facts_off *facts, struct overlap *overlap,
			   const char *name, const struct field *field)
{
	struct feature *f = facts->feature;
	const char *record = program_field_record(f->in, name);

	if (field->offset <= 0)
		return NULL;
	for (uint32_t i = 0; i < f->nfield && f->field[i] != name; i++) {
		const struct field *other = map_get(&f->fields, f->field[i]);

		if (other->name == field->name &&
		    other->offset == field->offset &&
		    other->size == field->size &&
		    overlap_records(overlap, record,
				    program_field_record(f->in, f->field[i])))
			return map_get(&facts->fields, f->field[i]);
	}
	return NULL;
}

static void add_fields(struct facts_off *facts)
{
	struct feature *f = facts->feature;
	struct overlap overlap = { .program = f->in };

	for (uint32_t i = 0; i < f->nfield; i++) {
		const char *name = f->field[i];
		const struct field *field = map_get(&f->fields, name);
		struct fact *fact = shared(facts, &overlap, name, field);

		if (!fact)
			fact = add(facts, name, FACT_FIELD, field->record, 0);
		map_put(&facts->fields, name, fact);
	}
}

static void add_globals(struct facts_off *facts)
{
	struct program *in = facts->feature->in;

	for (uint32_t i = 0; i < in->nglobal; i++) {
		struct global_symbol *g = in->global[i];
		const struct node *init = g->global->init;
		struct fact *fact;

		if (!g->feature || !(g->global->flags & GLOBAL_DEFINED) ||
		    (g->global->flags & GLOBAL_CONST) ||
		    (init && init->kind != N_INT))
			continue;
		fact = add(facts, g->name, FACT_GLOBAL, g->global->record,
			   init ? init->value : 0);
		fact->global = g;
		map_put(&facts->globals, g, fact);
	}
}

/* What an initialiser of a variable says is there from the start. */
static void start_with(struct facts_off *facts, struct fact *fact,
		       const struct node *init)
{
	struct value v = VALUE_UNKNOWN;

	if (!fact)
		return;
	while (init->kind == N_CAST && init->kid[0])
		init = init->kid[0];
	if (init->kind == N_INT)
		v = value_const(init->value, MARK_FACT, fact->name);
	else if (*fact->record)
		v = fact_of_pointer(facts, fact->record, NULL);
	fact->initial = value_join(fact->initial, v, NULL);
	fact->value = fact->initial;
}

static void read_init(struct facts_off *facts, const struct node *init)
{
	struct program *in = facts->feature->in;
	const struct record *record;
	uint32_t at = 0;

	if (init->kind == N_FIELDINIT) {
		if (init->kid[0] && init->kid[0]->kind != N_INIT)
			start_with(facts, fact_of_field(facts, init->name),
				   init->kid[0]);
		if (init->kid[0])
			read_init(facts, init->kid[0]);
		return;
	}
	record = init->kind == N_INIT ? program_record(in, init->record)
				      : NULL;
	for (uint32_t i = 0; i < init->nkid; i++) {
		const struct node *kid = init->kid[i];
		const char *name;

		if (!kid)
			continue;
		if (record && kid->kind != N_FIELDINIT &&
		    kid->kind != N_INIT && at < record->nfield) {
			name = intern(in->strings,
				arena_printf(facts->arena, "%s.%s",
					     record->name,
					     record->field[at].name));
			start_with(facts, fact_of_field(facts, name), kid);
		}
		at++;
		read_init(facts, kid);
	}
}

/*
 * Tables of functions and objects that are made at build time, of both
 * sides of the feature, set the feature's fields too.
 */
static void read_globals(struct facts_off *facts)
{
	struct program *in = facts->feature->in;

	for (uint32_t i = 0; i < in->nglobal; i++)
		if (in->global[i]->global->init)
			read_init(facts, in->global[i]->global->init);
}

static const char *raised_key(const struct node *call)
{
	const struct node *e = call->nkid > 1 ? call->kid[1] : NULL;

	while (e && (e->kind == N_ADDR || e->kind == N_FIELD ||
		     e->kind == N_CAST))
		e = e->kid[0];
	return e && e->kind == N_GLOBAL ? e->name : NULL;
}

/* Keys that are raised somewhere below @node. */
static void find_raises(struct program *in, const struct node *node,
			struct map *raised)
{
	if (node->kind == N_CALL && node->kid[0]->kind == N_FUNC &&
	    program_callee(in, node->kid[0]->name)->kind == CALLEE_RAISE) {
		const char *key = raised_key(node);

		if (key)
			map_put(raised, key, raised);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i])
			find_raises(in, node->kid[i], raised);
}

/*
 * A key may be there without the feature, and still only be raised by it:
 * then it is the feature's.
 */
static void find_own_keys(struct facts_off *facts)
{
	struct program *in = facts->feature->in;
	struct map others = { .arena = facts->arena };
	struct peek peek = { NULL, 0 };
	uint32_t i, k;

	for (i = 0; i < in->nfunction; i++) {
		struct function *fn = in->function[i];
		struct node *body;

		for (k = 0; k < fn->func->nref; k++)
			if (program_callee(in, fn->func->ref[k])->kind ==
			    CALLEE_RAISE)
				break;
		if (k == fn->func->nref)
			continue;
		body = peek_body(&peek, fn->func);
		if (body)
			find_raises(in, body, fn->differs && !fn->other ?
				    &facts->own_keys : &others);
	}
	peek_done(&peek);
	facts->others_keys = others;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct emptiness *const *)a)->name,
		      (*(struct emptiness *const *)b)->name);
}

static void add_records(struct facts_off *facts)
{
	struct feature *f = facts->feature;
	struct program *in = f->in;

	facts->emptiness = ARENA_ARRAY(facts->arena, struct emptiness *,
				       in->nrecord);
	for (uint32_t i = 0; i < in->nrecord; i++) {
		const char *name = in->record[i]->name;
		struct emptiness *e;

		if (!feature_record(f, name) ||
		    (facts->group && !strcmp(name, facts->group)))
			continue;
		e = ARENA_NEW(facts->arena, struct emptiness);
		e->name = name;
		e->index = facts->nemptiness;
		e->empty = true;
		map_put(&facts->records, name, e);
		facts->emptiness[facts->nemptiness++] = e;
	}
	qsort(facts->emptiness, facts->nemptiness, sizeof(*facts->emptiness),
	      by_name);
}

struct facts_off *facts_off_none(struct feature *feature, const char *group,
				 struct arena *arena)
{
	struct facts_off *facts = ARENA_NEW(arena, struct facts_off);

	facts->arena = facts->fields.arena = facts->globals.arena =
		facts->keys.arena = facts->records.arena = arena;
	facts->feature = feature;
	if (group)
		facts->group = intern(feature->in->strings, group);
	facts->own_keys.arena = arena;
	facts->none = true;
	return facts;
}

struct facts_off *facts_off_new(struct feature *feature, const char *group,
				struct arena *arena)
{
	struct facts_off *facts = facts_off_none(feature, group, arena);

	facts->none = false;
	add_fields(facts);
	add_globals(facts);
	add_records(facts);
	read_globals(facts);
	find_own_keys(facts);
	return facts;
}

struct fact *fact_of_field(const struct facts_off *facts, const char *name)
{
	return map_get(&facts->fields, name);
}

struct fact *fact_of_global(const struct facts_off *facts,
			    const struct global_symbol *global)
{
	return map_get(&facts->globals, global);
}

/* A key whose initialiser holds a number is raised from the start. */
static bool any_number(const struct node *node)
{
	if (node->kind == N_INT && node->value)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && any_number(node->kid[i]))
			return true;
	return false;
}

struct fact *fact_of_key(struct facts_off *facts, struct global_symbol *global)
{
	struct fact *fact = map_get(&facts->keys, global);
	const struct node *init = global->global->init;

	if (fact || facts->none || !(global->global->flags & GLOBAL_DEFINED))
		return fact;
	if (!global->feature && (!map_get(&facts->own_keys, global->name) ||
				 map_get(&facts->others_keys, global->name)))
		return NULL;
	fact = add(facts, global->name, FACT_KEY, "",
		   init && any_number(init));
	fact->global = global;
	map_put(&facts->keys, global, fact);
	return fact;
}

static void add_record(struct facts_set *set, const struct emptiness *e)
{
	uint32_t i = SET_FACTS + e->index % SET_RECORDS;

	set->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

struct value fact_of_pointer(const struct facts_off *facts,
			     const char *record, struct facts_set *reads)
{
	const struct emptiness *e;

	if (!record || !*record)
		return VALUE_UNKNOWN;
	if (record == facts->group)
		return (struct value){ .kind = V_NULL_OR_ROOT,
				       .mark = MARK_FACT,
				       .because = record };
	e = map_get(&facts->records, record);
	if (e && reads)
		add_record(reads, e);
	if (e && e->empty)
		return value_const(0, MARK_FACT, record);
	return VALUE_UNKNOWN;
}

static void remember(struct facts_off *facts, struct fact *fact,
		     const struct writer *writer)
{
	struct writer *more;

	for (uint32_t i = 0; i < fact->nwriter; i++)
		if (fact->writer[i].fn == writer->fn &&
		    fact->writer[i].within == writer->within)
			return;
	if (fact->nwriter == fact->writer_cap) {
		fact->writer_cap = fact->writer_cap ? fact->writer_cap * 2 : 2;
		more = ARENA_ARRAY(facts->arena, struct writer,
				   fact->writer_cap);
		if (fact->nwriter)
			memcpy(more, fact->writer,
			       fact->nwriter * sizeof(*more));
		fact->writer = more;
	}
	fact->writer[fact->nwriter++] = *writer;
}

/* What may be read by now, given who writes when. */
static struct value settle(const struct fact *fact)
{
	struct value v = VALUE_NONE;
	const struct value *part[4];
	unsigned n = 0;

	/*
	 * What an initcall stores for certain replaces what was there
	 * before. All that was stored while it was not known to be certain
	 * stays in.
	 */
	if (!fact->overwritten || fact->not_certain) {
		part[n++] = &fact->initial;
		part[n++] = &fact->setup;
	}
	part[n++] = &fact->initcall;
	part[n++] = &fact->running;
	for (unsigned i = 0; i < n; i++) {
		if (part[i]->kind == V_NONE)
			continue;
		v = v.kind == V_NONE ? *part[i]
				     : value_join(v, *part[i], NULL);
	}
	if (v.kind == V_OBJECT && v.object != OBJECT_ROOT)
		v = VALUE_UNKNOWN;
	if (v.kind != V_UNKNOWN && v.mark < MARK_FACT) {
		v.mark = MARK_FACT;
		v.because = fact->name;
	}
	return v;
}

void fact_store(struct facts_off *facts, struct fact *fact,
		const struct writer *writer)
{
	struct value *part = writer->time == STORE_RUNNING ? &fact->running :
			     writer->time == STORE_SETUP ? &fact->setup :
							   &fact->initcall;
	struct value v = writer->value;

	/* a pointer that nothing is known of is what its type allows */
	if ((v.kind == V_UNKNOWN ||
	     (v.kind == V_OBJECT && v.object != OBJECT_ROOT)) &&
	    *fact->record)
		v = fact_of_pointer(facts, fact->record, NULL);
	/* a store of what it is from the start needs no explanation */
	if (v.kind != V_CONST || v.number != fact->initial.number)
		remember(facts, fact, writer);
	v.because = NULL;
	*part = part->kind == V_NONE ? v : value_join(*part, v, NULL);
	if (writer->time == STORE_INITCALL && !writer->conditional)
		fact->overwritten = true;
}

void fact_start(struct facts_off *facts, struct fact *fact, struct value v)
{
	const struct value was = fact->overwritten ? fact->value : v;

	/* two that disagree leave it as it was */
	if (v.kind != V_CONST || was.kind != V_CONST || was.number != v.number)
		v = fact->initial;
	v.mark = MARK_FACT;
	v.because = fact->name;
	fact->overwritten = true;
	fact->value = v;
	facts_set_add(&facts->changed, fact);
}

void fact_make(struct facts_off *facts, const char *record,
	       const struct function *by)
{
	struct emptiness *e = map_get(&facts->records, record);

	if (e && !e->by)
		e->by = by;
}

void facts_off_begin(struct facts_off *facts)
{
	for (uint32_t i = 0; i < facts->nfact; i++) {
		struct fact *fact = facts->fact[i];

		fact->was_overwritten = fact->overwritten;
		fact->overwritten = false;
	}
}

bool facts_off_end(struct facts_off *facts)
{
	bool changed = false;

	memset(&facts->changed, 0, sizeof(facts->changed));
	for (uint32_t i = 0; i < facts->nfact; i++) {
		struct fact *fact = facts->fact[i];
		struct value now;

		if (fact->was_overwritten && !fact->overwritten)
			fact->not_certain = true;
		now = settle(fact);
		if (now.kind == fact->value.kind &&
		    (now.kind != V_CONST || now.number == fact->value.number))
			continue;
		fact->value = now;
		facts_set_add(&facts->changed, fact);
		changed = true;
	}
	for (uint32_t i = 0; i < facts->nemptiness; i++) {
		struct emptiness *e = facts->emptiness[i];

		if (e->by && e->empty) {
			e->empty = false;
			add_record(&facts->changed, e);
			changed = true;
		}
	}
	return changed;
}

static int by_kind_and_name(const void *a, const void *b)
{
	const struct fact *x = *(struct fact *const *)a;
	const struct fact *y = *(struct fact *const *)b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->name, y->name);
}

void facts_off_sort(struct facts_off *facts)
{
	if (facts->nfact)
		qsort(facts->fact, facts->nfact, sizeof(*facts->fact),
		      by_kind_and_name);
}
