// SPDX-License-Identifier: GPL-2.0-only
#include "effect.h"
#include "missed.h"

#include <string.h>

/* A function that does more is not compared. */
#define EFFECTS_MAX 3000

struct walk_effects {
	const struct model *model;
	struct effects *effects;
	struct arena *arena;
	unsigned depth;
};

static struct effect *add(struct walk_effects *w, enum effect_kind kind,
			  const struct frame *frame,
			  const struct event *event, uint8_t flags)
{
	struct effects *effects = w->effects;
	struct effect *effect;

	if (effects->n >= EFFECTS_MAX)
		effects->cut = "it does more than is looked at";
	GROW_LIST(w->arena, effects->effect, effects->n, effects->cap);
	effect = &effects->effect[effects->n++];
	*effect = (struct effect){
		.kind = kind, .name = event->name, .frame = frame,
		.event = event,
		.flags = flags & (EVENT_MAYBE | EVENT_LOOP),
	};
	return effect;
}

/* The section that a call of @name opens or closes; -1: none. */
int effect_section(const struct kernel_rules *kernel, const char *name,
		   enum effect_kind *kind)
{
	for (size_t i = 0; i < kernel->nsection; i++) {
		const struct section *section = &kernel->section[i];

		*kind = EFFECT_CLOSE;
		if (names_match(&section->close, name))
			return (int)i;
		*kind = EFFECT_OPEN;
		if (names_match(&section->open, name))
			return (int)i;
	}
	return -1;
}

/* See struct effect. */
static bool is_own(struct walk_effects *w, const struct frame *frame,
		   const struct node *call, const char *name)
{
	bool later = names_match(&w->model->kernel->later, name), some = false;

	for (uint32_t i = 1; i < call->nkid; i++) {
		struct memory m;

		if (!call->kid[i])
			continue;
		m = reading_pointee(&w->effects->reading, frame,
				    call->kid[i]);
		some |= m.feature && m.pointer;
		if (m.pointer && !m.feature && !later)
			return false;
	}
	return some;
}

static const struct node *call_node(const struct event *event)
{
	return event->node && event->node->kind == N_CALL ? event->node : NULL;
}

static void call(struct walk_effects *w, const struct frame *frame,
		 const struct event *event, uint8_t flags,
		 enum effect_kind kind, int section)
{
	struct reading *r = &w->effects->reading;
	struct effect *effect = add(w, kind, frame, event, flags);
	const struct node *node = call_node(event);
	const char *arguments = node ? reading_arguments(r, frame, node) :
				"()";

	effect->fn = event->fn;
	if (section >= 0) {
		effect->section = (unsigned)section;
		effect->name = w->model->kernel->section[section].name;
	}
	effect->text = arena_printf(w->arena, "%d %s%s", kind, event->name,
				    arguments);
	effect->own = node && is_own(w, frame, node, event->name);
}

static void store(struct walk_effects *w, const struct frame *frame,
		  const struct event *event, uint8_t flags)
{
	struct reading *r = &w->effects->reading;
	const struct node *node = event->node;
	struct effect *effect;
	struct memory to = { .leaf = event->name, .path = event->name };
	const char *text = event->name;

	if (node && node->kind == N_ASSIGN) {
		to = reading_memory(r, frame, node->kid[0]);
		text = arena_printf(w->arena, "%s %s= %s",
				    reading_text(r, frame, node->kid[0]),
				    node_op_name((enum node_op)node->op),
				    reading_text(r, frame, node->kid[1]));
	}
	effect = add(w, EFFECT_STORE, frame, event, flags);
	effect->to = to;
	if (to.path)
		effect->name = to.path;
	effect->text = arena_printf(w->arena, "%d %s", EFFECT_STORE, text);
}

/* Assembly counts for what it writes; heavy one also for itself. */
static void assembly(struct walk_effects *w, const struct frame *frame,
		     const struct event *event, uint8_t flags)
{
	struct reading *r = &w->effects->reading;
	const struct node *node = event->node;
	bool writes = event->op == OP_KIND_HEAVY;
	const char *text = event->name;
	struct memory to = { .leaf = NULL };
	struct effect *effect;

	for (uint32_t i = 0; node && node->kind == N_ASM && i < node->nkid;
	     i++) {
		const struct node *operand = node->kid[i];
		struct memory m;

		if (!operand)
			continue;
		m = reading_memory(r, frame, operand);
		text = arena_printf(w->arena, "%s %s", text,
				    reading_text(r, frame, operand));
		if (!(operand->flags & NODE_OUT) || m.local)
			continue;
		writes = true;
		if (!to.leaf)
			to = m;
	}
	if (!writes)
		return;
	effect = add(w, EFFECT_ASM, frame, event, flags);
	effect->to = to;
	if (to.path)
		effect->name = to.path;
	effect->text = arena_printf(w->arena, "%d %s", EFFECT_ASM, text);
}

static bool is_feature(const struct model *model, const struct frame *frame,
		       const char *name)
{
	const struct global_symbol *g;

	if (map_get(&model->feature->fields, name) ||
	    (strchr(name, '.') && feature_alone(model->feature, name)))
		return true;
	g = program_global(model->feature->in, name, frame->s->fn->file);
	return g && g->feature;
}

static void load(struct walk_effects *w, const struct frame *frame,
		 const struct event *event)
{
	struct effects *effects = w->effects;

	if (!event->name || !is_feature(w->model, frame, event->name))
		return;
	GROW_LIST(w->arena, effects->load, effects->nload, effects->load_cap);
	effects->load[effects->nload++] = (struct seen_load){
		event->name, frame, event->line,
	};
}

static void operation(struct walk_effects *w, const struct frame *frame,
		      const struct event *event, uint8_t flags)
{
	struct effect *effect;

	switch (event->op) {
	case OP_KIND_STORE:
		store(w, frame, event, flags);
		break;
	case OP_KIND_ASM: case OP_KIND_HEAVY:
		assembly(w, frame, event, flags);
		break;
	case OP_KIND_ICALL:
		effect = add(w, EFFECT_ICALL, frame, event, flags);
		effect->text = arena_printf(w->arena, "%d %s", EFFECT_ICALL,
					    event->name);
		break;
	case OP_KIND_LOAD: case OP_KIND_GLOAD:
		load(w, frame, event);
		break;
	default:
		break;
	}
}

static void flatten(struct walk_effects *w, const struct frame *frame,
		    uint8_t above)
{
	const struct summary *s = frame->s;
	struct effects *effects = w->effects;

	if (s->cut && !effects->cut)
		effects->cut = s->cut;
	for (uint32_t i = 0; i < s->nevent && !effects->cut; i++) {
		const struct event *event = &s->event[i];
		uint8_t flags = event->flags | above;
		enum effect_kind kind;
		struct frame *inner;
		int section;

		switch (event->kind) {
		case EV_OP:
			operation(w, frame, event, flags);
			break;
		case EV_SAME:
			store(w, frame, event, flags);
			break;
		case EV_INLINE: case EV_CALL:
			section = effect_section(w->model->kernel, event->name,
					     &kind);
			if (section >= 0) {
				call(w, frame, event, flags, kind, section);
				break;
			}
			if (!event->summary || (event->kind == EV_CALL &&
			     !(event->fn && reading_follows(event->fn)))) {
				call(w, frame, event, flags, EFFECT_CALL, -1);
				break;
			}
			inner = ARENA_NEW(w->arena, struct frame);
			*inner = (struct frame){ event->summary, frame,
						 call_node(event) };
			flatten(w, inner, flags & (EVENT_MAYBE | EVENT_LOOP));
			break;
		default:
			break;
		}
	}
}

struct effects *effects_of(const struct model *model, struct world *world,
			   const struct summary *s, struct arena *arena)
{
	struct effects *effects = ARENA_NEW(arena, struct effects);
	struct walk_effects w = {
		.model = model, .effects = effects, .arena = arena,
	};
	struct frame *frame = ARENA_NEW(arena, struct frame);

	reading_init(&effects->reading, model->feature, world, arena);
	frame->s = s;
	flatten(&w, frame, 0);
	if (!function_is_void(s->fn))
		effects->ret = reading_returns(&effects->reading, frame,
					       &effects->nret);
	if (effects->reading.cut && !effects->cut)
		effects->cut = "an expression is too deep to be compared";
	return effects;
}

void effects_live_loads(const struct model *model, struct map *loads)
{
	struct program *in = model->feature->in;
	const bool *gone = missed_unreached(model, loads->arena);
	const struct summary *s;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		if ((!model->live[i].live && !model->live[i].inlined) ||
		    gone[i])
			continue;
		for (s = model->off->memo[i]; s; s = s->next)
			for (uint32_t k = 0; k < s->nevent; k++) {
				const struct event *event = &s->event[k];
				bool op = event->kind == EV_OP &&
					  (event->op == OP_KIND_LOAD ||
					   event->op == OP_KIND_GLOAD);

				if ((op || event->kind == EV_NAMED ||
				     event->kind == EV_GLOBAL) &&
				    !map_get(loads, event->name))
					map_put(loads, event->name, s->fn);
			}
	}
}
