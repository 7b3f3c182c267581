// SPDX-License-Identifier: GPL-2.0-only
#include "sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../model/statement.h"

/* Instructions per operation that make a finding matter. */
#define SEVERITY_HIGH 8.0
#define SEVERITY_MEDIUM 1.0

struct entry {
	struct finding finding;
	uint64_t key; /* rule, function and statement */
};

struct sink {
	struct model *model;
	struct entry *entry;
	size_t n, cap;
};

struct sink *sink_new(struct model *model)
{
	struct sink *sink = ARENA_NEW(model->arena, struct sink);

	sink->model = model;
	return sink;
}

void found_because(struct model *model, struct found *found,
		   const char *file, uint32_t line, const char *fmt, ...)
{
	struct why *more;
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		BUG("bad format '%s'", fmt);
	text = arena_alloc(model->arena, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < found->nwhy; i++)
		if (found->why[i].line == line &&
		    !strcmp(found->why[i].text, text) &&
		    !strcmp(found->why[i].file, file))
			return;
	/* grows at the powers of two */
	if (!(found->nwhy & (found->nwhy - 1))) {
		more = ARENA_ARRAY(model->arena, struct why,
				   found->nwhy ? found->nwhy * 2 : 1);
		if (found->nwhy)
			memcpy(more, found->why,
			       found->nwhy * sizeof(*more));
		found->why = more;
	}
	found->why[found->nwhy++] = (struct why){ file, line, text };
}

void found_covers(struct model *model, struct found *found, const char *name)
{
	const char **more;

	for (size_t i = 0; i < found->ncovers; i++)
		if (!strcmp(found->covers[i], name))
			return;
	if (!(found->ncovers & (found->ncovers - 1))) {
		more = ARENA_ARRAY(model->arena, const char *,
				   found->ncovers ? found->ncovers * 2 : 1);
		if (found->ncovers)
			memcpy(more, found->covers,
			       found->ncovers * sizeof(*more));
		found->covers = more;
	}
	found->covers[found->ncovers++] = name;
}

/* The first folder; for a header in include/ what stands below. */
static const char *subsystem(struct model *model, const char *file)
{
	const char *slash = strchr(file, '/');

	if (!slash)
		return intern(model->strings, "kernel");
	if (!strncmp(file, "include/linux/", 14))
		return intern(model->strings, "include");
	return intern_n(model->strings, file, (size_t)(slash - file));
}

static enum level severity(double heat, unsigned cost)
{
	double price = heat * cost;

	return price >= SEVERITY_HIGH ? LEVEL_HIGH :
	       price >= SEVERITY_MEDIUM ? LEVEL_MEDIUM : LEVEL_LOW;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void set_place(struct finding *f, const struct found *found)
{
	const struct func *func = found->fn ? found->fn->func : NULL;

	if (found->lacking) {
		f->function = found->lacking;
		f->file = found->file;
	} else if (found->variable) {
		f->function = found->variable->name;
		f->file = found->variable->file;
		f->line = found->variable->global->line;
		f->column = found->variable->global->column;
	} else {
		f->function = found->fn->name;
		f->file = found->fn->file;
		f->line = func->line;
		f->column = func->column;
	}
	if (found->line) {
		f->line = found->line;
		f->column = found->column;
	}
	f->end_line = f->line;
	f->end_column = f->column ? f->column +
			(found->line ? 0 : (uint32_t)strlen(f->function)) : 0;
}

void sink_add(struct sink *sink, const struct found *found)
{
	struct model *model = sink->model;
	struct strbuf text = STRBUF_INIT;
	struct entry *entry;
	struct finding *f;
	double heat = found->heat;

	if (sink->n == sink->cap) {
		struct entry *more;

		sink->cap = sink->cap ? sink->cap * 2 : 32;
		more = ARENA_ARRAY(model->arena, struct entry, sink->cap);
		if (sink->n)
			memcpy(more, sink->entry, sink->n * sizeof(*more));
		sink->entry = more;
	}
	entry = &sink->entry[sink->n++];
	f = &entry->finding;
	set_place(f, found);
	f->rule = found->rule;
	f->subsystem = subsystem(model, f->file);
	f->message = found->message;
	f->state = found->state ? found->state : "off";
	f->confidence = found->confidence;
	f->residue = found->cost;
	if (found->fn) {
		const struct heat *own = found->reached ? found->reached :
					 &model->heat[found->fn->index];

		f->hot = model_hot(model, own, &f->nhot);
		if (heat < 0)
			heat = own->most;
	}
	f->heat = heat < 0 ? 0 : heat;
	f->severity = severity(f->heat, f->residue);
	f->why = found->why;
	f->nwhy = found->nwhy;
	f->covers = found->covers;
	f->ncovers = found->ncovers;
	if (f->ncovers)
		qsort(f->covers, f->ncovers, sizeof(*f->covers), by_text);

	strbuf_addf(&text, "%s\n%s\n", f->rule, f->function);
	if (found->statement)
		statement_text(found->statement, &text);
	/* the path only tells static functions of one name apart */
	if (found->fn && !found->variable && found->fn->is_static &&
	    !found->fn->header &&
	    ((struct function *)map_get(&model->feature->in->functions,
					found->fn->name))->next)
		strbuf_addf(&text, "\n%s", found->fn->file);
	entry->key = XXH3_64bits(text.buf, text.len);
	strbuf_release(&text);
}

static int by_place(const void *a, const void *b)
{
	const struct finding *x = &((const struct entry *)a)->finding;
	const struct finding *y = &((const struct entry *)b)->finding;
	int d = strcmp(x->file, y->file);

	if (d)
		return d;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	d = strcmp(x->rule, y->rule);
	if (d)
		return d;
	d = strcmp(x->function, y->function);
	if (d)
		return d;
	return x->column < y->column ? -1 : x->column > y->column;
}

struct finding *sink_finish(struct sink *sink, size_t *n)
{
	struct model *model = sink->model;
	struct finding *finding = ARENA_ARRAY(model->arena, struct finding,
					      sink->n);

	if (sink->n)
		qsort(sink->entry, sink->n, sizeof(*sink->entry), by_place);
	for (size_t i = 0; i < sink->n; i++) {
		unsigned ordinal = 0;

		for (size_t k = 0; k < i; k++)
			ordinal += sink->entry[k].key == sink->entry[i].key;
		finding[i] = sink->entry[i].finding;
		finding[i].id = ordinal ?
			arena_printf(model->arena, "%016llx-%u",
				     (unsigned long long)sink->entry[i].key,
				     ordinal) :
			arena_printf(model->arena, "%016llx",
				     (unsigned long long)sink->entry[i].key);
	}
	*n = sink->n;
	return finding;
}
