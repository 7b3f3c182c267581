// SPDX-License-Identifier: GPL-2.0-only
#include "total.h"

#include <string.h>

#include "peek.h"
#include "reading.h"
#include "syntax.h"

/* Calls of the feature above one another; more is no code anybody wrote. */
#define DEEP 250

struct totals {
	struct model *model;
	struct arena *arena;
	struct reading reading;
	const char *group;      /* its record, interned */
	struct map of_group;    /* records that a group leads to */
	struct map hot_loads;   /* fields that hot paths read */
	struct caller **caller; /* by function->index of who is called */
	bool *climbed;          /* by function->index */
	struct total *total;
	size_t ntotal, total_cap;
};

struct caller {
	const struct summary *s;
	const struct event *event;
	struct caller *next;
};

static void find_records(struct totals *t, const char *name)
{
	struct program *in = t->model->feature->in;
	const char **queue = ARENA_ARRAY(t->arena, const char *,
					 in->nrecord + 1);
	uint32_t n = 0;

	map_put(&t->of_group, name, (void *)name);
	queue[n++] = name;
	for (uint32_t i = 0; i < n; i++) {
		const struct record *record = program_record(in, queue[i]);

		for (uint32_t k = 0; record && k < record->nfield; k++) {
			const struct field *field = &record->field[k];
			const char *to = *field->inner ? field->inner :
							 field->record;

			if (!feature_record(t->model->feature, to) ||
			    map_get(&t->of_group, to))
				continue;
			map_put(&t->of_group, to, (void *)to);
			queue[n++] = to;
		}
	}
}

static bool gives(const struct node *node, const char *local)
{
	return node->kind == N_DECL ? node->name == local :
	       node->kind == N_ASSIGN && node->op == OP_SET &&
	       syntax_is_local(node->kid[0], local);
}

/* The sum that "x = a + b" gives @local, or NULL. */
static const struct node *sum_of(const struct node *node, const char *local)
{
	const struct node *value = NULL;

	if (local && node->nkid && gives(node, local))
		value = syntax_bare(node->kid[node->nkid - 1]);
	return value && value->kind == N_BINARY && value->op == OP_ADD ?
	       value : NULL;
}

static const struct node *written(const struct node *assign)
{
	const struct node *to = assign->kid[0];

	while (to->kind == N_INDEX || to->kind == N_CAST)
		to = to->kid[0];
	return to;
}

/*
 * Is the field read below @node, other than to be added to, or for the sum that
 * @local is?
 */
static bool reads(const struct node *node, const char *field,
		  const char *local)
{
	if (node->kind == N_FIELD && node->name == field)
		return true;
	if (sum_of(node, local))
		return false;
	for (uint32_t i = 0; i < node->nkid; i++) {
		const struct node *to;

		if (!node->kid[i])
			continue;
		to = node->kind == N_ASSIGN && !i ? written(node) : NULL;
		if (to && to->kind == N_FIELD && to->name == field)
			continue;
		if (reads(node->kid[i], field, local))
			return true;
	}
	return false;
}

static bool sums(const struct node *node, const char *field,
		 const char *local)
{
	const struct node *sum = sum_of(node, local);

	if (sum)
		return reads(sum, field, NULL);
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && sums(node->kid[i], field, local))
			return true;
	return false;
}

/* Is the local used behind @line? @at is that of what @node is in. */
static bool used_behind(const struct node *node, const char *local,
			uint32_t line, uint32_t at)
{
	at = node->line ? node->line : at;
	if (node->kind == N_LOCAL && node->name == local && at > line)
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] &&
		    used_behind(node->kid[i], local, line, at))
			return true;
	return false;
}

/*
 * "x = field + more; ...; field = x": the last is an addition as well, if x is
 * not asked for behind it.
 */
static bool writes_back(const struct node *body, const struct node *assign)
{
	const struct node *to = written(assign);
	const struct node *value = syntax_bare(assign->kid[1]);

	return assign->op == OP_SET && to->kind == N_FIELD && value &&
	       value->kind == N_LOCAL && sums(body, to->name, value->name) &&
	       !reads(body, to->name, value->name) &&
	       !used_behind(body, value->name, assign->line, 0);
}

/* Does the function that @node is of read the field for that alone? */
static bool only_adds(const struct node *body, const struct node *node,
		      const char *field)
{
	if (node->kind == N_ASSIGN && written(node)->kind == N_FIELD &&
	    written(node)->name == field && writes_back(body, node))
		return true;
	for (uint32_t i = 0; i < node->nkid; i++)
		if (node->kid[i] && only_adds(body, node->kid[i], field))
			return true;
	return false;
}

/* Is a load of the field in @fn a part of an addition to a group's number? */
static bool is_part(struct totals *t, const struct function *fn,
		    const char *field)
{
	const struct node *body;

	if (!map_get(&t->of_group, program_field_record(t->model->feature->in,
							field)))
		return false;
	body = facts_body(fn->func);
	return body && only_adds(body, body, field);
}

/* What hot functions read, and who calls whom there. */
static void look_around(struct totals *t)
{
	struct model *model = t->model;
	struct program *in = model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct summary *s;

		for (s = model->root->memo[i]; s; s = s->next) {
			if (s->heat < HEAT_HOT)
				continue;
			for (uint32_t k = 0; k < s->nevent; k++) {
				const struct event *event = &s->event[k];
				struct caller *caller;

				if (event->kind == EV_OP &&
				    event->op == OP_KIND_LOAD &&
				    !(event->flags & EVENT_COLD) &&
				    !is_part(t, s->fn, event->name))
					map_put(&t->hot_loads, event->name,
						(void *)event);
				if (!event_calls(event) || !reading_follows(event->fn))
					continue;
				caller = ARENA_NEW(t->arena, struct caller);
				*caller = (struct caller){
					s, event,
					t->caller[event->fn->index],
				};
				t->caller[event->fn->index] = caller;
			}
		}
	}
}

/* A number of a group that this adds to and that no hot path reads. */
static bool is_statistic(struct totals *t, const struct function *fn,
			 const struct event *event)
{
	struct program *in = t->model->feature->in;
	const struct node *body;

	if (event->kind != EV_OP || event->op != OP_KIND_STORE ||
	    event->node->kind != N_ASSIGN ||
	    !map_get(&t->of_group, program_field_record(in, event->name)) ||
	    map_get(&t->hot_loads, event->name))
		return false;
	/* a new value that the function asks for is read, however that is */
	body = facts_body(fn->func);
	return body && (event->node->op != OP_SET ?
			!reads(body, event->name, NULL) :
			writes_back(body, event->node));
}

/* Sorted by function, each number once. */
static void add_total(struct totals *t, const struct summary *s,
		      const struct event *add)
{
	const struct node *to = add->node->kid[0];
	struct total total = {
		.fn = s->fn, .add = add, .field = add->name,
	};
	size_t i;

	while (to->kind == N_CAST || (to->kind == N_BINARY &&
				      to->op == OP_COMMA))
		to = to->kid[to->nkid - 1];
	if (to->kind == N_INDEX && to->kid[1]->kind == N_INT) {
		total.numbered = true;
		total.number = to->kid[1]->value;
	}
	for (i = 0; i < t->ntotal; i++)
		if (t->total[i].fn == total.fn &&
		    t->total[i].field == total.field &&
		    t->total[i].numbered == total.numbered &&
		    t->total[i].number == total.number)
			return;
	GROW_LIST(t->arena, t->total, t->ntotal, t->total_cap);
	t->total[t->ntotal++] = total;
}

static bool says_little(const char *text)
{
	return !strcmp(text, "0") || !strcmp(text, "1") || !strcmp(text, "-1");
}

/* Is what reads as @text what told of the group, or was handed to who did? */
static bool group_of(struct totals *t, const struct frame *frame,
		     const struct node *arg, const char *text)
{
	struct spot at = { arg, frame };

	for (unsigned step = 0; step < DEEP && at.node; step++) {
		const struct node *e = at.node = reading_strip(at.node);
		uint32_t first = e->kind == N_CALL;

		for (uint32_t i = first; (first || e->kind == N_FIELD) &&
		     i < e->nkid; i++)
			if (!strcmp(text, reading_text(&t->reading, at.frame,
						       e->kid[i])))
				return true;
		at = reading_source(&t->reading, at);
	}
	return false;
}

/*
 * Are both calls given the same object, the same number of one, or one of them
 * an object and the other its group? Where that says little, @to has to be
 * given such an object as well.
 */
static bool same_argument(struct totals *t, const struct summary *s,
			  const struct event *own, const struct event *other,
			  const struct function *to)
{
	const struct frame frame = { .s = s };
	const struct node *a = own->node, *b = other->node;
	const char *text, *beside;
	bool group;

	if (a->kind != N_CALL || b->kind != N_CALL)
		return false;
	for (uint32_t i = 1; i < a->nkid; i++) {
		text = reading_text(&t->reading, &frame, a->kid[i]);
		group = own->fn && i <= own->fn->func->nparam &&
			own->fn->func->param[i - 1].record == t->group;
		if (says_little(text) ||
		    (to && !function_takes(to, i <= own->fn->func->nparam ?
				  own->fn->func->param[i - 1].record : "")))
			continue;
		for (uint32_t k = 1; k < b->nkid; k++) {
			beside = reading_text(&t->reading, &frame, b->kid[k]);
			if (!strcmp(text, beside) ||
			    (group && !says_little(beside) &&
			     group_of(t, &frame, a->kid[i], beside)))
				return true;
		}
	}
	return false;
}

/*
 * The counter that a call adds to, itself or, if @deep, whom it calls; or
 * NULL.
 */
static const char *counter_of(struct totals *t, const struct event *call,
			      bool deep)
{
	const struct names *counters = &t->model->kernel->counter;
	const struct func *func = call->fn ? call->fn->func : NULL;

	if (names_match(counters, call->name))
		return call->name;
	if (!deep || !func || reading_follows(call->fn))
		return NULL;
	for (uint32_t i = 0; i < func->nref; i++)
		if (names_match(counters, func->ref[i]))
			return func->ref[i];
	return NULL;
}

/*
 * Beside the call @own of the feature, of @s, which leads to @to. The place
 * that is come to most often is told.
 */
static void find_beside(struct totals *t, const struct summary *s,
			const struct event *own, const struct function *to,
			struct twin *twin)
{
	double heat = s->heat * (double)own->freq;

	for (uint32_t i = 0; i < s->nevent && heat > twin->heat; i++) {
		const struct event *event = &s->event[i];
		const char *counter;

		if ((event->kind != EV_CALL && event->kind != EV_INLINE) ||
		    event == own || (event->flags & EVENT_COLD) ||
		    ((event->flags ^ own->flags) & EVENT_NESTED))
			continue;
		counter = counter_of(t, event, twin->deep);
		if (!counter || !same_argument(t, s, own, event,
					       twin->deep ? to : NULL))
			continue;
		twin->in = s->fn;
		twin->call = event;
		twin->counter = counter;
		twin->heat = heat;
	}
}

/*
 * From @fn up through what the feature does for certain to those who call it,
 * who count as well.
 */
static void climb(struct totals *t, const struct function *fn,
		  const struct function *to, struct twin *twin, unsigned up)
{
	const struct caller *caller;

	if (up > DEEP || t->climbed[fn->index])
		return;
	t->climbed[fn->index] = true;
	for (caller = t->caller[fn->index]; caller; caller = caller->next) {
		find_beside(t, caller->s, caller->event, to, twin);
		if (reading_follows(caller->s->fn) &&
		    !(caller->event->flags & (EVENT_NESTED | EVENT_COLD)))
			climb(t, caller->s->fn, to, twin, up + 1);
	}
}

static void find_twin(struct totals *t, struct total *total)
{
	size_t n = t->model->feature->in->nfunction;

	memset(t->climbed, 0, n * sizeof(*t->climbed));
	climb(t, total->fn, total->fn, &total->twin, 0);
	if (total->twin.counter)
		return;
	memset(t->climbed, 0, n * sizeof(*t->climbed));
	total->twin.deep = true;
	climb(t, total->fn, total->fn, &total->twin, 0);
}

static void find_totals(struct totals *t)
{
	struct program *in = t->model->feature->in;

	for (uint32_t i = 0; i < in->nfunction; i++) {
		const struct summary *s = t->model->root->memo[i];

		if (!reading_follows(in->function[i]))
			continue;
		for (; s; s = s->next)
			for (uint32_t k = 0; s->heat >= HEAT_HOT &&
			     k < s->nevent; k++)
				if (is_statistic(t, s->fn, &s->event[k]))
					add_total(t, s, &s->event[k]);
	}
}

/* One with a counter beside it that adds to the same number as @total. */
static const struct total *find_other(const struct totals *t,
				      const struct total *total)
{
	for (size_t i = 0; i < t->ntotal && total->numbered; i++) {
		const struct total *other = &t->total[i];

		if (other->twin.counter && other->numbered &&
		    other->field == total->field &&
		    other->number == total->number)
			return other;
	}
	return NULL;
}

static void find_readers(struct totals *t)
{
	struct program *in = t->model->feature->in;
	struct peek peek = { NULL, 0 };

	for (uint32_t i = 0; i < in->nfunction && t->ntotal; i++) {
		struct function *fn = in->function[i];
		struct node *body = fn->touches && !fn->header ?
				    peek_body(&peek, fn->func) : NULL;

		for (size_t k = 0; body && k < t->ntotal; k++) {
			struct total *total = &t->total[k];

			if (total->nreader < TOTAL_READERS &&
			    reads(body, total->field, NULL))
				total->reader[total->nreader++] = fn;
		}
	}
	peek_done(&peek);
}

struct total *model_totals(struct model *model, struct arena *arena,
			   size_t *n)
{
	struct program *in = model->feature->in;
	struct totals t = { .model = model, .arena = arena };
	size_t i;

	t.of_group.arena = t.hot_loads.arena = arena;
	t.caller = ARENA_ARRAY(arena, struct caller *, in->nfunction);
	t.climbed = ARENA_ARRAY(arena, bool, in->nfunction);
	reading_init(&t.reading, model->feature, model->root, arena);
	t.group = intern(model->strings, model->rules->group);
	find_records(&t, t.group);
	look_around(&t);
	find_totals(&t);
	for (i = 0; i < t.ntotal; i++)
		find_twin(&t, &t.total[i]);
	for (i = 0; i < t.ntotal; i++)
		if (!t.total[i].twin.counter)
			t.total[i].other = find_other(&t, &t.total[i]);
	find_readers(&t);
	*n = t.ntotal;
	return t.total;
}
