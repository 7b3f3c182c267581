// SPDX-License-Identifier: GPL-2.0-only
/* All that some calls may store to, however deep. */
#include <stdlib.h>
#include <string.h>

#include "effect.h"

/* Beyond these nobody can say that two things come to the same. */
#define FUNCTIONS_MAX 4000
#define NAMES_MAX 40000

struct stores {
	const struct model *model;
	struct reading reading;
	struct arena *arena;
	struct function **todo;
	size_t ntodo;
	struct map seen;    /* functions */
	size_t nseen;
	const char **name;
	size_t nname;
	bool full;
};

static void add_name(struct stores *s, const char *name)
{
	if (s->nname < NAMES_MAX)
		s->name[s->nname++] = name;
	else
		s->full = true;
}

static void add_memory(struct stores *s, struct memory m, const char *or)
{
	if (!m.local)
		add_name(s, m.path ? m.path : or);
}

static void add_call(struct stores *s, struct function *fn, const char *name)
{
	if (names_match(&s->model->kernel->pure, name))
		return;
	if (!fn || !fn->func->code_len) {
		add_name(s, arena_printf(s->arena, "%s()", name));
		return;
	}
	if (map_get(&s->seen, fn))
		return;
	if (s->nseen >= FUNCTIONS_MAX) {
		s->full = true;
		return;
	}
	map_put(&s->seen, fn, fn);
	s->todo[s->ntodo++] = fn;
	s->nseen++;
}

static bool is_section(const struct model *model, const char *name)
{
	const struct kernel_rules *kernel = model->kernel;

	for (size_t i = 0; i < kernel->nsection; i++)
		if (names_match(&kernel->section[i].open, name) ||
		    names_match(&kernel->section[i].close, name))
			return true;
	return false;
}

static void add_operation(struct stores *s, const struct frame *frame,
			  const struct event *event)
{
	const struct node *node = event->node;

	switch (event->op) {
	case OP_KIND_STORE:
		if (node && node->kind == N_ASSIGN)
			add_memory(s, reading_memory(&s->reading, frame,
						     node->kid[0]),
				   event->name);
		else
			add_name(s, event->name);
		break;
	case OP_KIND_ASM: case OP_KIND_HEAVY:
		for (uint32_t i = 0; node && node->kind == N_ASM &&
		     i < node->nkid; i++)
			if (node->kid[i] && (node->kid[i]->flags & NODE_OUT))
				add_memory(s, reading_memory(&s->reading,
							     frame,
							     node->kid[i]),
					   event->name);
		break;
	case OP_KIND_ICALL:
		add_name(s, arena_printf(s->arena, "(*%s)()", event->name));
		break;
	default:
		break;
	}
}

static void add_summary(struct stores *s, const struct frame *frame)
{
	const struct summary *summary = frame->s;

	for (uint32_t i = 0; i < summary->nevent; i++) {
		const struct event *event = &summary->event[i];
		const struct node *node = event->node;
		struct frame inner;

		switch (event->kind) {
		case EV_OP: case EV_SAME:
			add_operation(s, frame, event);
			break;
		case EV_INLINE:
			if (is_section(s->model, event->name))
				break;
			inner = (struct frame){
				event->summary, frame,
				node && node->kind == N_CALL ? node : NULL,
			};
			add_summary(s, &inner);
			break;
		case EV_CALL:
			if (!is_section(s->model, event->name))
				add_call(s, event->fn, event->name);
			break;
		default:
			break;
		}
	}
}

static void start(struct stores *s, const struct effect *effect)
{
	switch (effect->kind) {
	case EFFECT_STORE: case EFFECT_ASM:
		add_memory(s, effect->to, effect->name);
		break;
	case EFFECT_CALL:
		add_call(s, effect->fn, effect->name);
		break;
	case EFFECT_ICALL:
		add_name(s, arena_printf(s->arena, "(*%s)()", effect->name));
		break;
	default:
		break;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **effects_stores(const struct model *model,
			    struct effect *const *effect, size_t neffect,
			    size_t *n, struct arena *arena)
{
	struct stores s = {
		.model = model, .arena = arena, .seen = { .arena = arena },
		.todo = ARENA_ARRAY(arena, struct function *, FUNCTIONS_MAX),
		.name = ARENA_ARRAY(arena, const char *, NAMES_MAX),
	};
	size_t used = 0;

	reading_init(&s.reading, model->feature, model->off, arena);
	for (size_t i = 0; i < neffect; i++)
		start(&s, effect[i]);
	while (s.ntodo && !s.full) {
		struct function *fn = s.todo[--s.ntodo];
		struct frame frame = {
			.s = world_summary(model->off, fn,
				world_any_arguments(model->off, fn),
				fn->func->nparam),
		};

		add_summary(&s, &frame);
		s.full |= frame.s->cut != NULL;
	}
	if (s.full)
		return NULL;
	if (s.nname)
		qsort(s.name, s.nname, sizeof(*s.name), by_text);
	for (size_t i = 0; i < s.nname; i++)
		if (!i || strcmp(s.name[i], s.name[used - 1]))
			s.name[used++] = s.name[i];
	*n = used;
	return s.name;
}
