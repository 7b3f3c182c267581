// SPDX-License-Identifier: GPL-2.0-only
#include "profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "against.h"

struct list {
	struct amount *item;
	size_t n, cap;
	struct arena *arena;
};

static void add(struct list *list, const char *symbol, size_t len, double n)
{
	const char *name = arena_strndup(list->arena, symbol, len);

	if (!len || !(n > 0) || !isfinite(n))
		return;
	GROW_LIST(list->arena, list->item, list->n, list->cap);
	list->item[list->n++] = (struct amount){
		function_of_symbol(name, list->arena), n
	};
}

/* "    12.34%  comm  dso  [k] symbol  ..." */
static bool perf_line(struct list *list, const char *line, size_t len)
{
	const char *at = line + strspn(line, " "), *symbol;
	char *end;
	double n = strtod(at, &end);

	if (end == at || *end != '%' || end > line + len)
		return false;
	symbol = memmem(line, len, "[k] ", 4);
	if (!symbol)
		symbol = memmem(line, len, "[.] ", 4);
	if (!symbol)
		return true;
	symbol += 4;
	add(list, symbol, strcspn(symbol, " \t\r\n"), n);
	return true;
}

/* "a;b;c 123" */
static bool folded_line(struct list *list, const char *line, size_t len)
{
	const char *space = memrchr(line, ' ', len), *leaf;
	size_t width;
	double n;
	char *end;

	if (!space || space == line)
		return false;
	n = strtod(space + 1, &end);
	if (end == space + 1 || end != line + len)
		return false;
	leaf = memrchr(line, ';', (size_t)(space - line));
	leaf = leaf ? leaf + 1 : line;
	width = (size_t)(space - leaf);
	/* as some tools mark what is the kernel's */
	if (width > 4 && !strncmp(space - 4, "_[k]", 4))
		width -= 4;
	add(list, leaf, width, n);
	return true;
}

static bool read_lines(struct list *list, const struct strbuf *text)
{
	const char *at = text->len ? text->buf : "";
	size_t perf = 0, folded = 0;

	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (!len || *at == '#')
			continue;
		if (perf_line(list, at, len))
			perf++;
		else if (!perf && folded_line(list, at, len))
			folded++;
	}
	return perf || folded;
}

static double of(const struct amounts *amounts, const char *name)
{
	for (size_t i = 0; i < amounts->n; i++)
		if (!strcmp(amounts->item[i].name, name))
			return amounts->item[i].n;
	return 0;
}

/* Each operation counts as much as any other. */
static void take_measure(struct list *list, const struct measure *measure)
{
	const struct measure_state *out = measure_state(measure, MEASURE_OUT),
		*off = measure_state(measure, MEASURE_OFF);

	for (size_t op = 0; out && off && op < measure->operations.n; op++) {
		const struct cell *a = &out->cell[op], *b = &off->cell[op];

		for (size_t i = 0; a->there && a->n > 0 &&
		     i < b->function.n; i++) {
			const struct amount *one = &b->function.item[i];

			add(list, one->name, strlen(one->name),
			    (one->n - of(&a->function, one->name)) / a->n);
		}
	}
}

static int by_name(const void *a, const void *b)
{
	const struct amount *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static struct profile *finish(struct list *list)
{
	struct profile *profile = ARENA_NEW(list->arena, struct profile);
	double total = 0;
	size_t n = 0;

	qsort(list->item, list->n, sizeof(*list->item), by_name);
	for (size_t i = 0; i < list->n; i++) {
		total += list->item[i].n;
		if (n && !strcmp(list->item[n - 1].name, list->item[i].name))
			list->item[n - 1].n += list->item[i].n;
		else
			list->item[n++] = list->item[i];
	}
	for (size_t i = 0; i < n; i++)
		list->item[i].n *= 100 / total;
	profile->function = (struct amounts){ list->item, n };
	return profile;
}

struct profile *profile_parse(const char *path, const struct strbuf *text,
			      struct arena *arena, struct err *err)
{
	struct list list = { .arena = arena };
	struct measure *measure;
	bool good = true;

	if (text->len && text->buf[strspn(text->buf, " \t\r\n")] == '{') {
		measure = measure_parse(path, text->buf, text->len, arena,
					err);
		if (measure)
			take_measure(&list, measure);
		good = measure;
	} else if (!read_lines(&list, text)) {
		good = false;
		err_set(err, STATUS_USAGE, "'%s' is no profile: neither "
			"measure.json nor what 'perf report --stdio' prints "
			"nor folded stacks", path);
	}
	if (good && !list.n)
		err_set(err, STATUS_USAGE, "'%s' has nothing in it that is "
			"spent in a function", path);
	return good && list.n ? finish(&list) : NULL;
}

struct profile *profile_read(const char *path, struct arena *arena,
			     struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct profile *profile = NULL;

	if (!strbuf_read_file(&text, path, err))
		profile = profile_parse(path, &text, arena, err);
	strbuf_release(&text);
	return profile;
}

/* What is spent in @name; whoever asks first or again, it has an owner. */
static double take(const struct profile *profile, bool *taken,
		   const char *name, size_t len, struct arena *arena)
{
	const struct amount key = { .name = arena_strndup(arena, name, len) };
	const struct amount *found = bsearch(&key, profile->function.item,
					     profile->function.n, sizeof(key),
					     by_name);

	if (!found)
		return 0;
	taken[found - profile->function.item] = true;
	return found->n;
}

static int by_share(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int d;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	d = strcmp(x->file, y->file);
	if (!d)
		d = (x->line > y->line) - (x->line < y->line);
	return d ? d : strcmp(x->id, y->id);
}

void profile_share(struct profile *profile, struct finding *finding, size_t n,
		   struct arena *arena)
{
	bool *taken = ARENA_ARRAY(arena, bool, profile->function.n);

	for (size_t i = 0; i < n; i++) {
		struct finding *f = &finding[i];

		f->shared = true;
		/* of a static it may be "name@file" */
		f->share = take(profile, taken, f->function,
				strcspn(f->function, "@"), arena);
		for (size_t k = 0; k < f->ncovers; k++)
			if (strcmp(f->covers[k], f->function))
				f->share += take(profile, taken, f->covers[k],
						 strcspn(f->covers[k], "@"),
						 arena);
	}
	profile->nlost = 0;
	profile->lost = 0;
	for (size_t i = 0; i < profile->function.n; i++)
		if (!taken[i]) {
			profile->nlost++;
			profile->lost += profile->function.item[i].n;
		}
}

void profile_sort(struct finding *finding, size_t n)
{
	if (n)
		qsort(finding, n, sizeof(*finding), by_share);
}
