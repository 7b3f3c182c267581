// SPDX-License-Identifier: GPL-2.0-only
#include "headers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "../base/err.h"
#include "../base/strbuf.h"

/* With fewer units it costs more than it saves. */
#define LEAST_UNITS 8
/* A header that at least one unit in so many includes is worth it. */
#define SHARE 16

struct header {
	size_t count, last; /* units that include it; the last one, plus 1 */
	UT_hash_handle hh;
	char name[];
};

/* "linux/mm.h" of "#include <linux/mm.h>", else NULL; its length in @len. */
static const char *included(const char *line, const char *end, size_t *len)
{
	const char *name;

	while (line < end && isblank((unsigned char)*line))
		line++;
	if (line == end || *line++ != '#')
		return NULL;
	while (line < end && isblank((unsigned char)*line))
		line++;
	if (end - line < 7 || strncmp(line, "include", 7))
		return NULL;
	line += 7;
	while (line < end && isblank((unsigned char)*line))
		line++;
	if (line == end || *line++ != '<')
		return NULL;
	name = line;
	while (line < end && *line != '>' &&
	       (isalnum((unsigned char)*line) || strchr("_-./", *line)))
		line++;
	*len = (size_t)(line - name);
	if (line == end || *line != '>' || *len < 8 ||
	    strncmp(name, "linux/", 6) || strncmp(line - 2, ".h", 2) ||
	    memmem(name, *len, "..", 2))
		return NULL;
	return name;
}

static void count_headers(struct header **headers, const char *text,
			  size_t len, size_t number)
{
	const char *end = text + len, *eol, *name;
	struct header *header;
	size_t n;

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', (size_t)(end - text));
		if (!eol)
			eol = end;
		name = included(text, eol, &n);
		if (!name)
			continue;
		HASH_FIND(hh, *headers, name, n, header);
		if (!header) {
			header = xcalloc(1, sizeof(*header) + n + 1);
			memcpy(header->name, name, n);
			HASH_ADD(hh, *headers, name[0], n, header);
		}
		if (header->last != number + 1)
			header->count++;
		header->last = number + 1;
	}
}

/* What more units include is likelier to stand on its own. */
static int compare_headers(const struct header *a, const struct header *b)
{
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

char *headers_choose(const char *root, const char *const *unit, size_t nunit,
		     const char *const *flags, size_t nflags,
		     struct arena *arena)
{
	struct header *headers = NULL, *header, *next;
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	char *kept = NULL;
	size_t used = 0;

	if (nunit < LEAST_UNITS)
		return NULL;
	for (size_t i = 0; i < nunit; i++) {
		path.len = text.len = 0;
		strbuf_addf(&path, "%s/%s", root, unit[i]);
		if (!strbuf_read_file(&text, path.buf, NULL))
			count_headers(&headers, text.buf, text.len, i);
	}
	for (size_t i = 0; i + 1 < nflags; i++)
		if (!strcmp(flags[i], "-include"))
			strbuf_addf(&out, "#include \"%s\"\n", flags[++i]);
	HASH_SORT(headers, compare_headers);
	HASH_ITER(hh, headers, header, next) {
		if (header->count * SHARE >= nunit && header->count > 1) {
			strbuf_addf(&out, "#include <%s>\n", header->name);
			used++;
		}
		HASH_DEL(headers, header);
		free(header);
	}
	if (used)
		kept = arena_strdup(arena, out.buf);
	strbuf_release(&text);
	strbuf_release(&path);
	strbuf_release(&out);
	return kept;
}

/* Where a name stands first in a sorted array; names are interned. */
struct name_at {
	const char *name;
	uint32_t first;
	UT_hash_handle hh;
};

struct sharing {
	struct facts *shared;
	struct name_at *funcs, *globals;
	struct name_at *memory;
	bool *func, *global; /* needed */
	uint32_t *todo;      /* functions whose names are not yet looked at */
	size_t ntodo;
};

static void index_names(struct sharing *s)
{
	struct facts *shared = s->shared;
	struct name_at *item;

	item = s->memory = xcalloc(shared->nfunc + shared->nglobal,
				   sizeof(*item));
	for (uint32_t i = 0; i < shared->nfunc; i++) {
		if (i && shared->func[i].name == shared->func[i - 1].name)
			continue;
		item->name = shared->func[i].name;
		item->first = i;
		HASH_ADD_PTR(s->funcs, name, item);
		item++;
	}
	for (uint32_t i = 0; i < shared->nglobal; i++) {
		if (i && shared->global[i].name == shared->global[i - 1].name)
			continue;
		item->name = shared->global[i].name;
		item->first = i;
		HASH_ADD_PTR(s->globals, name, item);
		item++;
	}
}

static void need_func(struct sharing *s, uint32_t i)
{
	if (!s->func[i]) {
		s->func[i] = true;
		s->todo[s->ntodo++] = i;
	}
}

static void need_funcs(struct sharing *s, const char **name, uint32_t n)
{
	struct facts *shared = s->shared;
	struct name_at *found;

	for (uint32_t k = 0; k < n; k++) {
		HASH_FIND_PTR(s->funcs, &name[k], found);
		for (uint32_t i = found ? found->first : shared->nfunc;
		     i < shared->nfunc && shared->func[i].name == name[k]; i++)
			need_func(s, i);
	}
}

static void need_globals(struct sharing *s, const char **name, uint32_t n);

/* Globals that an initialiser takes the address of. */
static void need_of_init(struct sharing *s, const struct node *node)
{
	const char *name;

	if (!node)
		return;
	if (node->kind == N_GLOBAL) {
		name = node->name;
		need_globals(s, &name, 1);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		need_of_init(s, node->kid[i]);
}

static void need_globals(struct sharing *s, const char **name, uint32_t n)
{
	struct facts *shared = s->shared;
	struct name_at *found;

	for (uint32_t k = 0; k < n; k++) {
		HASH_FIND_PTR(s->globals, &name[k], found);
		for (uint32_t i = found ? found->first : shared->nglobal;
		     i < shared->nglobal && shared->global[i].name == name[k];
		     i++) {
			if (s->global[i])
				continue;
			s->global[i] = true;
			need_funcs(s, shared->global[i].ref,
				   shared->global[i].nref);
			need_of_init(s, shared->global[i].init);
		}
	}
}

static void find_needed(struct sharing *s, struct parse_job **job,
			size_t njob)
{
	struct facts *shared = s->shared;

	for (uint32_t i = 0; i < shared->nfunc; i++)
		if (shared->func[i].flags & FUNC_KEPT)
			need_func(s, i);
	for (size_t k = 0; k < njob; k++) {
		const struct facts *facts = job[k]->facts;

		for (uint32_t i = 0; i < facts->nfunc; i++) {
			need_funcs(s, facts->func[i].ref,
				   facts->func[i].nref);
			need_globals(s, facts->func[i].global,
				     facts->func[i].nglobal);
		}
		for (uint32_t i = 0; i < facts->nglobal; i++)
			need_funcs(s, facts->global[i].ref,
				   facts->global[i].nref);
	}
	while (s->ntodo) {
		const struct func *func = &shared->func[s->todo[--s->ntodo]];

		need_funcs(s, func->ref, func->nref);
		need_globals(s, func->global, func->nglobal);
	}
}

/* @a and then those of @b for which @wanted, all if it is NULL. */
static void *joined(struct arena *arena, const void *a, uint32_t *na,
		    const void *b, uint32_t nb, const bool *wanted,
		    size_t size)
{
	char *all = arena_alloc(arena, size * ((size_t)*na + nb + 1));

	if (*na)
		memcpy(all, a, size * *na);
	for (uint32_t i = 0; i < nb; i++)
		if (!wanted || wanted[i])
			memcpy(all + size * (*na)++,
			       (const char *)b + size * i, size);
	return all;
}

#define JOIN(member, n, wanted) \
	facts->member = joined(arena, facts->member, &facts->n, \
			       shared->member, shared->n, wanted, \
			       sizeof(*facts->member))

/* Both sorted behind the first, which is the unit. */
static void share_deps(struct facts *facts, const struct facts *shared,
		       struct arena *arena)
{
	const char **dep = ARENA_ARRAY(arena, const char *,
				       (size_t)facts->ndep + shared->ndep);
	uint32_t i = 1, k = 1, n = 0;

	dep[n++] = facts->dep[0];
	while (i < facts->ndep || k < shared->ndep) {
		int diff = i == facts->ndep ? 1 : k == shared->ndep ? -1 :
			   strcmp(facts->dep[i], shared->dep[k]);

		dep[n++] = diff <= 0 ? facts->dep[i] : shared->dep[k];
		i += diff <= 0;
		k += diff >= 0;
	}
	facts->dep = dep;
	facts->ndep = n;
}

void headers_share(struct parse_job **job, size_t njob, struct facts *shared,
		   struct arena *arena)
{
	struct sharing s = { .shared = shared };
	struct facts *facts;

	if (!njob)
		return;
	s.func = xcalloc(shared->nfunc, sizeof(*s.func));
	s.global = xcalloc(shared->nglobal, sizeof(*s.global));
	s.todo = xcalloc(shared->nfunc, sizeof(*s.todo));
	index_names(&s);
	find_needed(&s, job, njob);
	facts = job[0]->facts;
	JOIN(func, nfunc, s.func);
	JOIN(global, nglobal, s.global);
	JOIN(record, nrecord, NULL);
	JOIN(decl, ndecl, NULL);
	JOIN(enumerator, nenum, NULL);
	for (size_t i = 0; i < njob; i++)
		if (job[i]->facts->ndep)
			share_deps(job[i]->facts, shared, arena);
	HASH_CLEAR(hh, s.funcs);
	HASH_CLEAR(hh, s.globals);
	free(s.memory);
	free(s.func);
	free(s.global);
	free(s.todo);
}
