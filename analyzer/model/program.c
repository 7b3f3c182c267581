// SPDX-License-Identifier: GPL-2.0-only
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "../base/rules.h"
#include "../base/strbuf.h"

static bool ends_in_c(const char *file)
{
	size_t len = strlen(file);

	return len > 2 && !strcmp(file + len - 2, ".c");
}

static int by_unit(const void *a, const void *b)
{
	const struct facts *x = *(struct facts *const *)a;
	const struct facts *y = *(struct facts *const *)b;

	return strcmp(x->unit, y->unit);
}

static void add_hash(struct program *p, struct function *fn, uint64_t hash)
{
	uint64_t *more;

	for (uint32_t i = 0; i < fn->nhash; i++)
		if (fn->hash[i] == hash)
			return;
	/* grows at the powers of two */
	if (!(fn->nhash & (fn->nhash - 1)) || !fn->nhash) {
		more = ARENA_ARRAY(p->arena, uint64_t,
				   fn->nhash ? fn->nhash * 2 : 1);
		if (fn->nhash)
			memcpy(more, fn->hash, fn->nhash * sizeof(*more));
		fn->hash = more;
	}
	fn->hash[fn->nhash++] = hash;
}

static struct function *find_function(struct program *p, const char *name,
				      const char *file)
{
	struct function *fn = map_get(&p->functions, name);

	while (fn && fn->file != file)
		fn = fn->next;
	return fn;
}

static void add_function(struct program *p, struct func *func)
{
	struct function *fn = find_function(p, func->name, func->file);

	if (!fn) {
		fn = ARENA_NEW(p->arena, struct function);
		fn->name = func->name;
		fn->file = func->file;
		fn->func = func;
		/* a .c file that another includes is no header */
		fn->header = (func->flags & FUNC_HEADER) &&
			     !ends_in_c(func->file);
		fn->is_static = func->flags & FUNC_STATIC;
		fn->next = map_get(&p->functions, func->name);
		map_put(&p->functions, func->name, fn);
		p->nfunction++;
	} else {
		/* named by an initcall in one unit is named by an initcall */
		fn->func->flags |= func->flags & FUNC_INITCALL;
	}
	add_hash(p, fn, func->hash);
}

/* A static variable is one for each file, any other one for the program. */
static struct global_symbol *find_global(const struct program *p,
					 const char *name, const char *file)
{
	struct global_symbol *g, *shared = NULL;

	for (g = map_get(&p->globals, name); g; g = g->next) {
		if (!(g->global->flags & GLOBAL_STATIC))
			shared = g;
		else if (g->file == file)
			return g;
	}
	return shared;
}

static void add_global(struct program *p, struct global *global)
{
	struct global_symbol *g = find_global(p, global->name, global->file);

	if (!g || (g->global->flags & GLOBAL_STATIC) !=
		  (global->flags & GLOBAL_STATIC)) {
		g = ARENA_NEW(p->arena, struct global_symbol);
		g->name = global->name;
		g->file = global->file;
		g->global = global;
		g->next = map_get(&p->globals, global->name);
		map_put(&p->globals, global->name, g);
		p->nglobal++;
		return;
	}
	/* the definition says more than a declaration */
	if (!(g->global->flags & GLOBAL_DEFINED) &&
	    (global->flags & GLOBAL_DEFINED)) {
		g->global = global;
		g->file = global->file;
	}
}

static void add_record(struct program *p, struct record *record)
{
	struct record *old = map_get(&p->records, record->name);
	struct strbuf name = STRBUF_INIT;

	/* most units say the same of a record: the field names are known */
	if (old && old->file == record->file && old->line == record->line &&
	    old->nfield == record->nfield)
		return;
	if (!old || (!old->nfield && record->nfield)) {
		if (!old)
			p->nrecord++;
		map_put(&p->records, record->name, record);
	}
	for (uint32_t i = 0; i < record->nfield; i++) {
		const char *full;

		if (!*record->field[i].name)
			continue;
		name.len = 0;
		strbuf_addf(&name, "%s.%s", record->name,
			    record->field[i].name);
		full = intern_n(p->strings, name.buf, name.len);
		if (!map_get(&p->fields, full))
			map_put(&p->fields, full, &record->field[i]);
	}
	strbuf_release(&name);
}

/* A variable that the rules name is there even if no unit declares it. */
static void name_global(struct program *p, const char *name)
{
	const char *dot = strchr(name, '.');
	struct global *global;

	name = dot ? intern_n(p->strings, name, (size_t)(dot - name))
		   : intern(p->strings, name);
	if (map_get(&p->globals, name))
		return;
	global = ARENA_NEW(p->arena, struct global);
	global->name = name;
	global->file = global->type = global->record =
		intern(p->strings, "");
	/* it is looked up and never listed */
	add_global(p, global);
	p->nglobal--;
}

static void name_globals(struct program *p)
{
	const struct rules *rules = p->rules;
	size_t i;

	for (i = 0; i < rules->nguard; i++)
		name_global(p, rules->guard[i].name);
	for (i = 0; i < rules->nknown; i++)
		name_global(p, rules->known[i].name);
	for (i = 0; i < rules->root.n; i++)
		name_global(p, rules->root.name[i]);
	for (i = 0; i < rules->table.n; i++)
		name_global(p, rules->table.name[i]);
}

static int function_compare(const struct function *a, const struct function *b)
{
	int d = strcmp(a->name, b->name);

	return d ? d : strcmp(a->file, b->file);
}

static int by_function(const void *a, const void *b)
{
	return function_compare(*(struct function *const *)a,
				*(struct function *const *)b);
}

static int by_global(const void *a, const void *b)
{
	const struct global_symbol *x = *(struct global_symbol *const *)a;
	const struct global_symbol *y = *(struct global_symbol *const *)b;
	int d = strcmp(x->name, y->name);

	return d ? d : strcmp(x->file, y->file);
}

static int by_record(const void *a, const void *b)
{
	const struct record *x = *(struct record *const *)a;
	const struct record *y = *(struct record *const *)b;

	return strcmp(x->name, y->name);
}

/*
 * The tables are only read in the order of the facts, which are sorted; the
 * lists here are what everything else walks.
 */
static void make_lists(struct program *p, struct facts **facts, size_t nfacts)
{
	struct map seen = { .arena = p->arena };
	uint32_t nf = 0, ng = 0, nr = 0, i;

	p->function = ARENA_ARRAY(p->arena, struct function *, p->nfunction);
	p->global = ARENA_ARRAY(p->arena, struct global_symbol *, p->nglobal);
	p->record = ARENA_ARRAY(p->arena, struct record *, p->nrecord);
	for (size_t u = 0; u < nfacts; u++) {
		struct facts *f = facts[u];

		for (i = 0; i < f->nfunc; i++) {
			struct function *fn =
				find_function(p, f->func[i].name,
					      f->func[i].file);

			if (!map_get(&seen, fn)) {
				map_put(&seen, fn, fn);
				p->function[nf++] = fn;
			}
		}
		for (i = 0; i < f->nglobal; i++) {
			struct global_symbol *g =
				find_global(p, f->global[i].name,
					    f->global[i].file);

			if (!map_get(&seen, g)) {
				map_put(&seen, g, g);
				p->global[ng++] = g;
			}
		}
		for (i = 0; i < f->nrecord; i++) {
			struct record *r = map_get(&p->records,
						   f->record[i].name);

			if (!map_get(&seen, r)) {
				map_put(&seen, r, r);
				p->record[nr++] = r;
			}
		}
	}
	if (nf != p->nfunction || ng != p->nglobal || nr != p->nrecord)
		BUG("lists of the program are not whole");
	qsort(p->function, nf, sizeof(*p->function), by_function);
	qsort(p->global, ng, sizeof(*p->global), by_global);
	qsort(p->record, nr, sizeof(*p->record), by_record);
	for (i = 0; i < nf; i++) {
		p->function[i]->index = i;
		p->function[i]->next = NULL;
	}
	/* chain equal names in their sorted order */
	for (i = nf; i-- > 0;) {
		struct function *fn = p->function[i];

		if (i + 1 < nf && p->function[i + 1]->name == fn->name)
			fn->next = p->function[i + 1];
		map_put(&p->functions, fn->name, fn);
	}
}

struct program *program_new(struct facts **facts, size_t nfacts,
			    const struct rules *rules,
			    const struct kernel_rules *kernel,
			    struct arena *arena, struct strtab *strings)
{
	struct program *p = ARENA_NEW(arena, struct program);
	struct facts **sorted = ARENA_ARRAY(arena, struct facts *, nfacts);
	size_t n = 0;
	uint32_t i;

	p->arena = arena;
	p->strings = strings;
	p->rules = rules;
	p->kernel = kernel;
	p->functions.arena = p->globals.arena = p->records.arena =
		p->fields.arena = p->decls.arena = p->enumerators.arena =
		p->callees.arena = p->units.arena = arena;
	for (size_t u = 0; u < nfacts; u++)
		if (facts[u])
			sorted[n++] = facts[u];
	qsort(sorted, n, sizeof(*sorted), by_unit);
	for (size_t u = 0; u < n; u++) {
		struct facts *f = sorted[u];

		map_put(&p->units, f->unit, f);
		for (i = 0; i < f->nfunc; i++)
			add_function(p, &f->func[i]);
		for (i = 0; i < f->nglobal; i++)
			add_global(p, &f->global[i]);
		for (i = 0; i < f->nrecord; i++)
			add_record(p, &f->record[i]);
		for (i = 0; i < f->ndecl; i++)
			if (!map_get(&p->decls, f->decl[i].name))
				map_put(&p->decls, f->decl[i].name,
					&f->decl[i]);
		for (i = 0; i < f->nenum; i++)
			if (!map_get(&p->enumerators, f->enumerator[i].name))
				map_put(&p->enumerators, f->enumerator[i].name,
					&f->enumerator[i]);
	}
	make_lists(p, sorted, n);
	name_globals(p);
	return p;
}

struct function *program_function(const struct program *p, const char *name,
				  const char *file)
{
	struct function *fn, *header = NULL, *outside = NULL, *only = NULL;
	unsigned statics = 0;

	for (fn = map_get(&p->functions, name); fn; fn = fn->next) {
		if (fn->file == file)
			return fn;
		if (fn->header) {
			if (!header)
				header = fn;
		} else if (!fn->is_static) {
			/* a weak definition gives way */
			if (!outside || ((outside->func->flags & FUNC_WEAK) &&
					 !(fn->func->flags & FUNC_WEAK)))
				outside = fn;
		} else {
			statics++;
			only = fn;
		}
	}
	if (header)
		return header;
	if (outside)
		return outside;
	/*
	 * A static function of another file is only meant where one of the
	 * files includes the other's text.
	 */
	if (statics == 1 && file && ends_in_c(file) &&
	    (!map_get(&p->units, file) || !map_get(&p->units, only->file)))
		return only;
	return NULL;
}

struct global_symbol *program_global(const struct program *p,
				     const char *name, const char *file)
{
	struct global_symbol *g = find_global(p, name, file);

	/* named through a macro or an included file: there is only one */
	if (!g) {
		g = map_get(&p->globals, name);
		if (g && g->next)
			g = NULL;
	}
	return g;
}

struct record *program_record(const struct program *p, const char *name)
{
	return name && *name ? map_get(&p->records, name) : NULL;
}

struct field *program_field(const struct program *p, const char *name)
{
	return map_get(&p->fields, name);
}

const char *program_field_record(const struct program *p, const char *name)
{
	const char *dot = strchr(name, '.');

	return dot ? intern_n(p->strings, name, (size_t)(dot - name)) : "";
}

static enum callee_kind marker(const char *name)
{
	static const struct {
		const char *name;
		enum callee_kind kind;
	} known[] = {
		{ "__nocharge_unlikely", CALLEE_UNLIKELY },
		{ "__nocharge_warn", CALLEE_WARN },
		{ "__nocharge_key", CALLEE_KEY },
		{ "__nocharge_barrier", CALLEE_NOTHING },
		{ "__nocharge_order", CALLEE_NOTHING },
		{ "__nocharge_mb", CALLEE_FENCE },
		{ "__nocharge_percpu", CALLEE_PERCPU },
		{ "__nocharge_current", CALLEE_CURRENT },
		{ "__builtin_expect", CALLEE_EXPECT },
		{ "__builtin_expect_with_probability", CALLEE_EXPECT },
		{ "memcpy", CALLEE_COPY }, { "memmove", CALLEE_COPY },
		{ "__memcpy", CALLEE_COPY }, { "__builtin_memcpy", CALLEE_COPY },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].name, name))
			return known[i].kind;
	return CALLEE_PLAIN;
}

const struct callee *program_callee(struct program *p, const char *name)
{
	struct callee *callee = map_get(&p->callees, name);

	if (callee)
		return callee;
	callee = ARENA_NEW(p->arena, struct callee);
	callee->kind = marker(name);
	callee->cold = names_match(&p->kernel->cold, name);
	callee->orders = callee->kind == CALLEE_FENCE ||
			 !strcmp(name, "__nocharge_order") ||
			 names_match(&p->kernel->barrier, name);
	if (callee->kind == CALLEE_PLAIN) {
		if (names_match(&p->kernel->free, name))
			callee->kind = CALLEE_FREE;
		else if (names_match(&p->kernel->raise, name))
			callee->kind = CALLEE_RAISE;
		else if (names_match(&p->kernel->lower, name))
			callee->kind = CALLEE_LOWER;
		else if (names_match(&p->kernel->periodic, name))
			callee->kind = CALLEE_PERIODIC;
	}
	map_put(&p->callees, name, callee);
	return callee;
}

bool function_inlined(const struct function *fn, const char *file)
{
	unsigned flags = fn->func->flags;

	if (flags & FUNC_NOINLINE)
		return false;
	if (flags & FUNC_ALWAYS_INLINE)
		return true;
	if (fn->header)
		return true;
	return (flags & (FUNC_INLINE | FUNC_STATIC)) && fn->file == file;
}
