// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places: what an expression on the left of an assignment names, what
 * reading it gives and storing to it does.
 */
#include <string.h>

#include "walk.h"

/* A pointer this close to NULL is NULL with the offset of a field. */
#define NULL_PAGE 4096

void walk_check_null(struct walk *w, struct value v, const char *name)
{
	if (v.kind == V_CONST && v.mark != MARK_SOURCE && v.number >= 0 &&
	    v.number < NULL_PAGE)
		walk_emit(w, EV_NULL, name)->value = walk_keep(w, v);
}

static bool one_group(const struct walk *w)
{
	return world_root_only(w->world);
}

/* Is reading the field a value, and not the address of an array? */
static bool is_scalar(const struct field *field)
{
	return !field || field->pointer || field->bitfield ||
	       (field->size && field->size <= 64 && !*field->inner);
}

static void set_field(struct walk *w, struct place *p, const char *name)
{
	p->kind = PLACE_FIELD;
	p->name = name;
	p->field = program_field(w->program, name);
	p->record = p->field ? p->field->record : "";
	p->fact = w->world->facts ? fact_of_field(w->world->facts, name)
				  : NULL;
}

static void set_global(struct walk *w, struct place *p, const char *name,
		       struct global_symbol *global)
{
	p->kind = PLACE_GLOBAL;
	p->name = name;
	p->global = global;
	p->record = global ? global->global->record : "";
	p->loads = true;
	if (global && w->world->facts)
		p->fact = fact_of_global(w->world->facts, global);
}

bool walk_is_own(const struct walk *w, uint32_t slot)
{
	uint32_t param = w->scope->slot[slot].param;

	return param == NO_SLOT || (param < w->summary->narg &&
				    w->summary->arg[param].own);
}

static struct place slot_place(struct walk *w, uint32_t slot)
{
	struct place p = { .kind = PLACE_SLOT, .slot = slot, .record = "" };

	if (slot == NO_SLOT) {
		p.kind = PLACE_OTHER;
		p.name = "*";
		return p;
	}
	p.name = w->scope->slot[slot].name;
	p.record = w->scope->slot[slot].record;
	p.fact = walk_slot_fact(w, slot);
	if (p.fact)
		p.field = program_field(w->program, p.name);
	p.local = w->scope->slot[slot].param == NO_SLOT;
	p.own = walk_is_own(w, slot);
	p.loads = !p.own;
	return p;
}

static struct place child_place(struct walk *w, uint32_t slot,
				const char *name)
{
	const struct field *field = program_field(w->program, name);
	struct place p;

	slot = scope_child(w->scope, slot, name, field ? field->record : "");
	p = slot_place(w, slot);
	p.name = name;
	p.field = field;
	p.record = field ? field->record : "";
	if (w->world->facts)
		p.fact = fact_of_field(w->world->facts, name);
	return p;
}

/* What a pointer with an identity points to. False if it has none. */
static bool target(struct walk *w, struct value v, struct place *p)
{
	if (!value_has_identity(v))
		return false;
	switch (v.object) {
	case OBJECT_SLOT:
		*p = slot_place(w, v.slot);
		return true;
	case OBJECT_GLOBAL:
		set_global(w, p, ((const struct global_symbol *)v.id)->name,
			   (struct global_symbol *)v.id);
		return true;
	default:
		p->kind = PLACE_FIELD;
		p->fact = (struct fact *)v.id;
		p->name = p->fact->name;
		p->field = program_field(w->program, p->name);
		p->record = p->fact->record;
		p->loads = true;
		return true;
	}
}

/* What is followed is not NULL, so of the two it is root. */
static bool may_be_root(struct value v)
{
	return value_is_root(v) || v.kind == V_NULL_OR_ROOT;
}

static struct place through_pointer(struct walk *w, struct value v,
				    const char *name)
{
	struct place p = { .kind = PLACE_OTHER, .name = name, .record = "",
			   .loads = true };

	target(w, v, &p);
	p.root = may_be_root(v);
	p.pointer = v;
	return p;
}

static struct place field_of(struct walk *w, struct place base,
			     const char *name)
{
	struct place p = base;

	if (base.kind == PLACE_SLOT && !base.element)
		return child_place(w, base.slot, name);
	if (base.fact && base.kind != PLACE_OTHER)
		p.within = base.fact;
	if (base.kind != PLACE_GLOBAL)
		p.global = NULL;
	set_field(w, &p, name);
	return p;
}

static struct place index_place(struct walk *w, const struct node *e,
				struct env *env)
{
	const struct node *array = walk_strip(e->kid[0]);
	struct place p = { .kind = PLACE_OTHER, .name = "[]", .record = "",
			   .loads = true };
	bool named = array->kind == N_FIELD || array->kind == N_GLOBAL ||
		     array->kind == N_LOCAL;
	struct value v, i;

	if (named) {
		p = walk_place(w, array, env);
		if ((p.kind == PLACE_GLOBAL && p.global &&
		     (p.global->global->flags & GLOBAL_ARRAY)) ||
		    (array->kind == N_FIELD && p.field &&
		     !p.field->pointer)) {
			i = walk_value(w, e->kid[1], env);
			p.element = true;
			p.loads = !p.own;
			if (one_group(w) && p.name) {
				const struct enumerator *known =
					map_get(&w->world->root_array, p.name);

				if (known && i.kind == V_CONST &&
				    i.number == known->value)
					p.root = true;
			}
			if (p.kind == PLACE_SLOT) {
				/* which element is not told apart */
				p.kind = PLACE_OTHER;
			}
			return p;
		}
		v = walk_read(w, &p, env);
	} else {
		v = walk_value(w, array, env);
	}
	i = walk_value(w, e->kid[1], env);
	if (array->kind == N_LOCAL && p.kind == PLACE_SLOT && p.local &&
	    env_get(env, p.slot).kind == V_NONE) {
		/* never assigned as a whole: an array */
		p = (struct place){ .kind = PLACE_OTHER, .name = "[]",
				    .record = "", .local = true,
				    .own = true };
		return p;
	}
	/* an array of the rules that the tree reaches as a pointer */
	if (named && one_group(w) && p.kind == PLACE_FIELD) {
		const struct enumerator *known =
			map_get(&w->world->root_array, p.name);

		if (known && i.kind == V_CONST && i.number == known->value) {
			p.root = p.element = true;
			return p;
		}
	}
	p = through_pointer(w, v, p.name ? p.name : "[]");
	p.element = true;
	if (p.kind == PLACE_SLOT)
		p.kind = PLACE_OTHER;
	return p;
}

struct place walk_place(struct walk *w, const struct node *e, struct env *env)
{
	struct place p = { .kind = PLACE_OTHER, .name = "*", .record = "",
			   .loads = true };
	struct value v;

	walk_arrive(w, e);
	switch (e->kind) {
	case N_LOCAL:
		return slot_place(w, scope_local(w->scope, e->name, NULL));
	case N_GLOBAL:
		set_global(w, &p, e->name,
			   program_global(w->program, e->name, w->file));
		return p;
	case N_FIELD:
		if (!(e->flags & NODE_ARROW))
			return field_of(w, walk_place(w, e->kid[0], env),
					e->name);
		v = walk_value(w, e->kid[0], env);
		p = field_of(w, through_pointer(w, v, e->name), e->name);
		p.root = may_be_root(v);
		return p;
	case N_DEREF:
		v = walk_value(w, e->kid[0], env);
		return through_pointer(w, v, "*");
	case N_INDEX:
		return index_place(w, e, env);
	case N_CAST:
		return walk_place(w, e->kid[0], env);
	case N_BINARY:
		if (e->op != OP_COMMA)
			break;
		walk_value(w, e->kid[0], env);
		return walk_place(w, e->kid[1], env);
	case N_STMTEXPR:
		/* its last expression names the place */
		if (e->nkid && e->kid[e->nkid - 1] &&
		    e->kid[e->nkid - 1]->kind == N_EXPR && e->nkid == 1)
			return walk_place(w, e->kid[0]->kid[0], env);
		break;
	default:
		break;
	}
	p.local = p.own = e->kind == N_INIT;
	p.loads = false;
	walk_value(w, e, env);
	return p;
}

static bool given_value(struct walk *w, const struct place *p,
			struct value *v)
{
	const struct world *world = w->world;
	const char *dot;

	if (!p->global)
		return false;
	for (uint32_t i = 0; i < world->ngiven; i++) {
		const struct given *given = &world->given[i];

		if (given->global != p->global)
			continue;
		if (!given->field && p->kind == PLACE_GLOBAL && !p->element) {
			*v = given->value;
			return true;
		}
		if (!given->field || p->kind != PLACE_FIELD)
			continue;
		dot = strchr(p->name, '.');
		if (dot && !strcmp(dot + 1, given->field)) {
			*v = given->value;
			return true;
		}
	}
	return false;
}

/*
 * Does it lead from a part of a group to the same part of another? Where root
 * is the only group that is nowhere.
 */
static bool leads_on(const struct walk *w, const struct place *p)
{
	return w->world->state == WORLD_ROOT && p->root && p->field &&
	       p->field->pointer && *p->field->record &&
	       p->field->record == program_field_record(w->program, p->name);
}

/* What any object's field, or a variable, holds in this state. */
static struct value default_value(struct walk *w, const struct place *p)
{
	const struct value *root;
	struct value v;

	if (given_value(w, p, &v))
		return v;
	if (!one_group(w))
		return VALUE_UNKNOWN;
	if (p->root) {
		if (p->element)
			return value_object(OBJECT_ROOT, NULL);
		root = map_get(&w->world->root_field, p->name);
		if (root)
			return *root;
		if (leads_on(w, p))
			return value_const(0, MARK_FACT, p->name);
	}
	if (p->kind == PLACE_GLOBAL && p->global && !p->element &&
	    map_get(&w->world->root_global, p->global)) {
		v = value_object(OBJECT_ROOT, NULL);
		v.mark = MARK_FACT;
		v.because = p->name;
		return v;
	}
	if (walk_holds(w, p->fact) && p->fact->value.kind != V_NONE)
		return p->fact->value;
	if (walk_holds(w, p->within) && value_is_zero(p->within->value))
		return value_const(0, MARK_FACT, p->within->name);
	return walk_pointer(w, p->record);
}

static struct value slot_value(struct walk *w, const struct place *p,
			       const struct env *env)
{
	struct value v = env_get(env, p->slot), up;
	uint32_t slot = p->slot;

	if (v.kind != V_NONE && (v.kind != V_UNKNOWN ||
				 v.object != OBJECT_ANY))
		return v;
	if (v.kind == V_NONE) {
		/* a field of what was cleared as a whole */
		while ((slot = w->scope->slot[slot].parent) != NO_SLOT) {
			up = env_get(env, slot);
			if (value_is_zero(up))
				return up;
			if (up.kind != V_NONE ||
			    w->scope->slot[slot].pointee)
				break;
		}
	}
	return default_value(w, p);
}

struct value walk_read(struct walk *w, const struct place *p, struct env *env)
{
	if (p->loads && p->kind == PLACE_GLOBAL && p->global &&
	    (p->global->global->flags & GLOBAL_ARRAY) && !p->element)
		return walk_address(w, p);
	if (!is_scalar(p->field) && !p->element && p->kind != PLACE_OTHER)
		return walk_address(w, p);
	walk_check_null(w, p->pointer, p->name);
	if (p->loads)
		walk_op(w, p->kind == PLACE_GLOBAL ? OP_KIND_GLOAD
						   : OP_KIND_LOAD, p->name);
	switch (p->kind) {
	case PLACE_SLOT:
		return slot_value(w, p, env);
	case PLACE_FIELD: case PLACE_GLOBAL:
		return default_value(w, p);
	default:
		if (p->root && p->element && one_group(w))
			return value_object(OBJECT_ROOT, NULL);
		return VALUE_UNKNOWN;
	}
}

void walk_write_record(struct walk *w, const char *name)
{
	const struct record *record = program_record(w->program, name);
	const char *known;

	if (!w->world->facts || !record)
		return;
	for (uint32_t i = 0; i < record->nfield; i++) {
		known = interned(w->program->strings,
				 arena_printf(w->world->arena, "%s.%s",
					      record->name,
					      record->field[i].name));
		if (known)
			walk_write(w, fact_of_field(w->world->facts, known),
				   VALUE_UNKNOWN);
	}
}

static void write_slot(struct walk *w, struct fact *fact, struct value v,
		       bool local)
{
	if (!fact)
		return;
	walk_write(w, fact, v);
	if (local)
		w->world->event[w->world->nevent - 1].flags |= EVENT_LOCAL;
}

/* A store to a field may be one to the same field behind a parameter. */
static void store_aliases(struct walk *w, const struct place *p,
			  struct env *env, struct value v)
{
	for (uint32_t i = 0; i < env->n; i++) {
		const struct slot *slot = &w->scope->slot[i];
		bool reached = slot->param != NO_SLOT ||
			       (slot->parent != NO_SLOT &&
				slot->parent < w->nescaped &&
				w->escaped[slot->parent]);

		if (!reached || slot->name != p->name ||
		    env->v[i].kind == V_NONE)
			continue;
		env->v[i] = value_join(env->v[i], v, NULL);
	}
}

/* Can somebody else read the local by a pointer? */
static bool outlives(const struct walk *w, uint32_t slot)
{
	for (; slot != NO_SLOT; slot = w->scope->slot[slot].parent)
		if (slot < w->nescaped && w->escaped[slot])
			return true;
	return false;
}

/* A store of nothing is no work, but one that others may see. */
static void tell_store(struct walk *w, const struct place *p, struct value v,
		       bool nothing)
{
	struct event *event;

	if (p->own)
		return;
	if (!nothing) {
		walk_op(w, OP_KIND_STORE, p->name);
	} else if (v.mark != MARK_SOURCE &&
		   !(walk_holds(w, p->fact) &&
		     value_is_zero(p->fact->value))) {
		event = walk_emit(w, EV_SAME, p->name);
		event->op = OP_KIND_STORE;
	}
}

void walk_store(struct walk *w, const struct place *p, struct env *env,
		struct value v)
{
	/* zero because of the off state, or where nothing else ever was */
	bool nothing = value_is_zero(v) &&
		       (v.mark != MARK_SOURCE ||
			(walk_holds(w, p->fact) &&
			 value_is_zero(p->fact->value)));

	walk_check_null(w, p->pointer, p->name);
	switch (p->kind) {
	case PLACE_SLOT:
		tell_store(w, p, v, nothing);
		for (uint32_t i = p->slot + 1; i < env->n; i++)
			if (env->v[i].kind != V_NONE && i != p->slot &&
			    scope_below(w->scope, i, p->slot))
				env->v[i] = VALUE_NONE;
		env_set(env, p->slot, v.kind == V_NONE ? VALUE_UNKNOWN : v);
		write_slot(w, p->fact, v, p->local);
		if (outlives(w, p->slot))
			break;
		return;
	case PLACE_GLOBAL: case PLACE_FIELD:
		tell_store(w, p, v, nothing);
		walk_write(w, p->fact, v);
		if (p->within)
			walk_write(w, p->within, value_is_zero(v) ?
				   v : VALUE_UNKNOWN);
		if (p->kind == PLACE_FIELD)
			store_aliases(w, p, env, v);
		break;
	default:
		if (!p->own)
			walk_op(w, OP_KIND_STORE, p->name);
		break;
	}
	walk_escape(w, env, v);
}

struct value walk_address(struct walk *w, const struct place *p)
{
	struct value v = value_object(OBJECT_ANY, NULL);

	if (p->pointer.kind == V_CONST && p->kind != PLACE_SLOT) {
		/* NULL and the offset of a field */
		v = p->pointer;
		if (p->field)
			v.number += p->field->offset / 8;
		return v;
	}
	switch (p->kind) {
	case PLACE_SLOT:
		v.object = OBJECT_SLOT;
		v.slot = p->slot;
		return v;
	case PLACE_GLOBAL:
		if (!p->global)
			return v;
		if (!w->muted)
			walk_emit(w, EV_GLOBAL, p->name)->global = p->global;
		if (p->element && !p->fact)
			return v;
		if (p->fact ? walk_holds(w, p->fact) : false) {
			v.object = OBJECT_GLOBAL;
			v.id = p->global;
		}
		for (uint32_t i = 0; i < w->world->ngiven; i++) {
			if (w->world->given[i].global != p->global)
				continue;
			v.object = OBJECT_GLOBAL;
			v.id = p->global;
		}
		return v;
	case PLACE_FIELD:
		if (p->root && p->field && !p->field->offset && !p->element) {
			v.object = OBJECT_ROOT;
			v.mark = MARK_FACT;
			v.because = w->world->facts->group;
			/* others know it by this name and store to it */
			walk_write(w, p->fact, VALUE_UNKNOWN);
			return v;
		}
		if (walk_holds(w, p->fact)) {
			v.object = OBJECT_FIELD;
			v.id = p->fact;
		} else if (walk_holds(w, p->within)) {
			v.object = OBJECT_FIELD;
			v.id = p->within;
		}
		return v;
	default:
		return v;
	}
}

static void init_field(struct walk *w, const char *name,
		       const struct node *from, uint32_t slot,
		       struct env *env)
{
	const struct field *field = program_field(w->program, name);
	const char *record = field ? field->record : "";
	const struct node *plain = walk_strip(from);
	uint32_t child = slot == NO_SLOT ? NO_SLOT :
			 scope_child(w->scope, slot, name, record);
	struct value v;

	if (plain->kind == N_INIT) {
		if (child != NO_SLOT)
			env_set(env, child,
				value_const(0, MARK_SOURCE, NULL));
		walk_init(w, plain, child, env);
		return;
	}
	v = walk_typed(w, record, from, walk_value(w, from, env));
	if (w->world->facts)
		write_slot(w, fact_of_field(w->world->facts, name), v,
			   child != NO_SLOT &&
			   w->scope->slot[child].param == NO_SLOT);
	if (child != NO_SLOT)
		env_set(env, child, v);
	else
		walk_escape(w, env, v);
}

/* What an initialiser leaves out is zero; only the feature's is followed. */
static void clear_rest(struct walk *w, const struct record *record,
		       uint32_t slot, struct env *env)
{
	for (uint32_t i = 0; i < record->nfield; i++) {
		const struct field *field = &record->field[i];
		const char *name;
		uint32_t child;

		name = intern(w->program->strings,
			      arena_printf(w->world->arena, "%s.%s",
					   record->name, field->name));
		if (!fact_of_field(w->world->facts, name))
			continue;
		child = scope_child(w->scope, slot, name, field->record);
		if (child != NO_SLOT && env_get(env, child).kind == V_NONE)
			env_set(env, child,
				value_const(0, MARK_SOURCE, NULL));
	}
}

void walk_init(struct walk *w, const struct node *init, uint32_t slot,
	       struct env *env)
{
	const struct record *record;
	uint32_t at = 0;

	if (init->kind == N_FIELDINIT) {
		if (init->kid[0])
			init_field(w, init->name, init->kid[0], slot, env);
		return;
	}
	record = program_record(w->program, init->record);
	for (uint32_t i = 0; i < init->nkid; i++) {
		const struct node *kid = init->kid[i];
		const char *dot;

		if (!kid)
			continue;
		if (kid->kind == N_FIELDINIT) {
			init_field(w, kid->name, kid->kid[0], slot, env);
			dot = strchr(kid->name, '.');
			for (uint32_t k = 0; record && dot &&
			     k < record->nfield; k++)
				if (!strcmp(record->field[k].name, dot + 1))
					at = k + 1;
			continue;
		}
		/* by position; views of one place are one position */
		if (record && at < record->nfield) {
			const char *name = intern(w->program->strings,
				arena_printf(w->world->arena, "%s.%s",
					     record->name,
					     record->field[at].name));

			init_field(w, name, kid, slot, env);
			at++;
			while (at < record->nfield &&
			       record->field[at].is_union &&
			       record->field[at].offset ==
			       record->field[at - 1].offset)
				at++;
		} else {
			walk_escape(w, env, walk_value(w, kid, env));
		}
	}
	if (record && slot != NO_SLOT && w->world->facts)
		clear_rest(w, record, slot, env);
}
