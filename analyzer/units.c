// SPDX-License-Identifier: GPL-2.0-only
#include "units.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ctext.h"
#include "model/finding.h"
#include "tree/files.h"

/* One file in so many has the word: it is too common to choose files by. */
#define WORD_SHARE 100
/* Directories inside directories of headers; deeper ones are not looked at. */
#define DIR_DEPTH 8

enum ident_flag {
	IDENT_INSIDE = 1,   /* declared in a region */
	IDENT_OUTSIDE = 2,  /* declared elsewhere too */
	IDENT_OPTION = 4,   /* CONFIG_ of an option that differs */
	IDENT_RULES = 8,    /* named in the rules */
	IDENT_REACHED = 16, /* has a word, however common */
	IDENT_WORD = 32,    /* a word */
};

#define NONE UINT32_MAX

struct ident {
	const char *text;
	uint32_t len, hash;
	uint32_t flags;
	uint32_t uses;  /* head of the list of definitions that have it */
	uint32_t stamp; /* the file or definition it was last seen in */
	uint32_t files; /* .c files that have it */
};

struct use { /* a header's definition that has some identifier */
	uint32_t definition, next;
};

struct hit { /* a .c file that has some identifier */
	uint32_t unit, ident;
};

/* The hash is beside the number: a miss touches no identifier. */
struct slot {
	uint32_t hash, id;
};

struct pattern {
	const char *text;
	struct pattern *next;
};

struct scan {
	const struct units_input *input;
	struct arena *arena; /* lives as long as the scan */
	struct tree_files *files;
	struct strbuf text;

	struct ident *ident;
	size_t nident, ident_cap;
	struct slot *slot;
	size_t nslot; /* a power of two */
	struct use *use;
	size_t nuse, use_cap;
	struct hit *hit;
	size_t nhit, hit_cap;

	uint32_t definition; /* the one whose words are being told, or NONE */
	uint32_t stamp;
	uint32_t unit;       /* the .c file being scanned */
	bool *has_root;      /* by unit: defines a function of a hot root */
	struct strtab *roots;
	struct pattern *pattern[256]; /* by first letter; [0]: any */
};

static void *grow(void *mem, size_t *cap, size_t size)
{
	*cap = *cap ? *cap * 2 : 4096;
	return xrealloc(mem, *cap * size);
}

static uint32_t find_ident(const struct scan *scan, const struct cword *word)
{
	size_t i = word->hash & (scan->nslot - 1);

	for (; scan->slot[i].id != NONE; i = (i + 1) & (scan->nslot - 1)) {
		const struct ident *ident;

		if (scan->slot[i].hash != word->hash)
			continue;
		ident = &scan->ident[scan->slot[i].id];
		if (ident->len == word->len &&
		    !memcmp(ident->text, word->text, word->len))
			return scan->slot[i].id;
	}
	return NONE;
}

static void place_ident(struct scan *scan, uint32_t id)
{
	uint32_t hash = scan->ident[id].hash;
	size_t i = hash & (scan->nslot - 1);

	while (scan->slot[i].id != NONE)
		i = (i + 1) & (scan->nslot - 1);
	scan->slot[i] = (struct slot){ hash, id };
}

/* A table of identifiers that have one of @flags; 0: of all. */
static void make_table(struct scan *scan, size_t nslot, uint32_t flags)
{
	scan->nslot = nslot;
	scan->slot = xrealloc(scan->slot, nslot * sizeof(*scan->slot));
	memset(scan->slot, 0xff, nslot * sizeof(*scan->slot));
	for (uint32_t id = 0; id < scan->nident; id++)
		if (!flags || scan->ident[id].flags & flags)
			place_ident(scan, id);
}

static uint32_t get_ident(struct scan *scan, const struct cword *word)
{
	uint32_t id = find_ident(scan, word);

	if (id != NONE)
		return id;
	if (scan->nident == scan->ident_cap)
		scan->ident = grow(scan->ident, &scan->ident_cap,
				   sizeof(*scan->ident));
	id = (uint32_t)scan->nident++;
	scan->ident[id] = (struct ident){
		.text = arena_strndup(scan->arena, word->text, word->len),
		.len = word->len,
		.hash = word->hash,
		.uses = NONE,
	};
	if (scan->nident * 2 > scan->nslot)
		make_table(scan, scan->nslot * 2, 0);
	else
		place_ident(scan, id);
	return id;
}

static void flag_name(struct scan *scan, const char *name, uint32_t flag)
{
	size_t len = strcspn(name, ".");
	struct cword word = { name, (uint32_t)len, cword_hash(name, len) };
	uint32_t id = get_ident(scan, &word);

	scan->ident[id].flags |= flag;
}

static void flag_names(struct scan *scan, const struct names *names,
		       uint32_t flag)
{
	for (size_t i = 0; i < names->n; i++)
		flag_name(scan, names->name[i], flag);
}

static void flag_rules(struct scan *scan)
{
	const struct rules *rules = scan->input->rules;
	const struct names *option = scan->input->option;

	for (size_t i = 0; i < option->n; i++)
		flag_name(scan, arena_printf(scan->arena, "CONFIG_%s",
					     option->name[i]), IDENT_OPTION);
	flag_names(scan, &rules->predicate, IDENT_RULES);
	flag_names(scan, &rules->table, IDENT_RULES);
	flag_names(scan, &rules->root, IDENT_RULES);
	flag_names(scan, &rules->charge, IDENT_RULES);
	for (size_t i = 0; i < rules->nguard; i++)
		flag_name(scan, rules->guard[i].name, IDENT_RULES);
	if (rules->group)
		flag_name(scan, rules->group, IDENT_RULES);
}

/* Headers: what is declared, and which definition has which identifiers. */

static bool header_option(void *data, const struct cword *word)
{
	struct scan *scan = data;
	uint32_t id;

	/* CONFIG_X and CONFIG_X_MODULE, in any of the ways to ask for it */
	id = find_ident(scan, word);
	return id != NONE && scan->ident[id].flags & IDENT_OPTION;
}

static void header_declared(void *data, enum ctext_kind kind,
			    const struct cword *name, bool region)
{
	struct scan *scan = data;
	uint32_t id = get_ident(scan, name);

	scan->ident[id].flags |= region ? IDENT_INSIDE : IDENT_OUTSIDE;
	if (kind == CTEXT_MACRO || kind == CTEXT_FUNCTION) {
		scan->definition = id;
		scan->stamp++;
		scan->ident[id].stamp = scan->stamp;
	}
}

static void header_word(void *data, const struct cword *word, bool inside)
{
	struct scan *scan = data;
	uint32_t id;

	if (!inside || scan->definition == NONE)
		return;
	id = get_ident(scan, word);
	if (scan->ident[id].stamp == scan->stamp)
		return;
	scan->ident[id].stamp = scan->stamp;
	if (scan->nuse == scan->use_cap)
		scan->use = grow(scan->use, &scan->use_cap,
				 sizeof(*scan->use));
	scan->use[scan->nuse] = (struct use){
		.definition = scan->definition,
		.next = scan->ident[id].uses,
	};
	scan->ident[id].uses = (uint32_t)scan->nuse++;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && !strcmp(name + len - end, suffix);
}

static void scan_header(struct scan *scan, const char *path)
{
	const struct ctext_sink sink = {
		.data = scan,
		.is_option = header_option,
		.declared = header_declared,
		.word = header_word,
	};

	scan->text.len = 0;
	if (tree_files_read(scan->files, path, &scan->text) != READ_OK)
		return;
	scan->definition = NONE;
	ctext_scan(scan->text.buf, scan->text.len, &sink);
}

static void scan_headers(struct scan *scan, const char *dir, bool recurse,
			 unsigned depth)
{
	struct strtab *strings = scan->input->strings;
	const char *const *name;
	size_t n;

	if (depth > DIR_DEPTH)
		return;
	name = tree_files_list(scan->files, dir, &n);
	for (size_t i = 0; i < n; i++) {
		const char *path;

		if (!has_suffix(name[i], ".h") &&
		    !(recurse && !strchr(name[i], '.')))
			continue;
		path = path_resolve(strings, dir, name[i]);
		if (!path)
			continue;
		if (has_suffix(name[i], ".h"))
			scan_header(scan, path);
		else
			scan_headers(scan, path, true, depth + 1);
	}
}

/* .c files: which reached identifiers and which hot roots they have. */

static bool unit_option(void *data, const struct cword *word)
{
	(void)data;
	(void)word;
	return false;
}

/* A small table, which stays near the processor: most words miss. */
static void keep_reached(struct scan *scan)
{
	size_t reached = 0, nslot = 1024;

	for (uint32_t id = 0; id < scan->nident; id++) {
		scan->ident[id].stamp = 0;
		reached += (scan->ident[id].flags & IDENT_REACHED) != 0;
	}
	while (nslot < reached * 8)
		nslot *= 2;
	make_table(scan, nslot, IDENT_REACHED);
	scan->stamp = 0;
}

static bool is_root(const struct scan *scan, const struct cword *name)
{
	const struct pattern *pattern;
	char text[128];

	if (name->len >= sizeof(text))
		return false;
	memcpy(text, name->text, name->len);
	text[name->len] = 0;
	if (interned(scan->roots, text))
		return true;
	for (pattern = scan->pattern[(unsigned char)*text]; pattern;
	     pattern = pattern->next)
		if (pattern_match(pattern->text, text))
			return true;
	for (pattern = scan->pattern[0]; pattern; pattern = pattern->next)
		if (pattern_match(pattern->text, text))
			return true;
	return false;
}

static void unit_word(void *data, const struct cword *word, bool inside)
{
	struct scan *scan = data;
	uint32_t id = find_ident(scan, word);
	struct ident *ident;

	(void)inside;
	if (id == NONE)
		return;
	ident = &scan->ident[id];
	if (ident->stamp == scan->stamp)
		return;
	ident->stamp = scan->stamp;
	ident->files++;
	if (scan->nhit == scan->hit_cap)
		scan->hit = grow(scan->hit, &scan->hit_cap,
				 sizeof(*scan->hit));
	scan->hit[scan->nhit++] = (struct hit){ scan->unit, id };
}

static void unit_declared(void *data, enum ctext_kind kind,
			  const struct cword *name, bool region)
{
	struct scan *scan = data;

	(void)region;
	unit_word(data, name, false);
	if (kind == CTEXT_FUNCTION && !scan->has_root[scan->unit])
		scan->has_root[scan->unit] = is_root(scan, name);
}

static void scan_unit(struct scan *scan, uint32_t unit)
{
	const struct ctext_sink sink = {
		.data = scan,
		.is_option = unit_option,
		.declared = unit_declared,
		.word = unit_word,
	};

	const char *path = scan->input->unit[unit].path;

	scan->text.len = 0;
	if (tree_files_read(scan->files, path, &scan->text) != READ_OK) {
		/* what is there and cannot be read says so when it is parsed */
		scan->has_root[unit] = tree_files_have(scan->files, path);
		return;
	}
	scan->unit = unit;
	scan->stamp++;
	ctext_scan(scan->text.buf, scan->text.len, &sink);
}

static void prepare_roots(struct scan *scan)
{
	const struct kernel_rules *kernel = scan->input->kernel;

	scan->roots = strtab_new(scan->arena);
	for (size_t i = 0; i < kernel->nroot; i++) {
		for (size_t k = 0; k < kernel->root[i].nfunction; k++) {
			const char *name = kernel->root[i].function[k].name;
			struct pattern *pattern, **head;

			if (!strpbrk(name, "*?[")) {
				intern(scan->roots, name);
				continue;
			}
			head = &scan->pattern[strchr("*?[", *name) ?
				0 : (unsigned char)*name];
			pattern = ARENA_NEW(scan->arena, struct pattern);
			pattern->text = name;
			pattern->next = *head;
			*head = pattern;
		}
	}
}

static bool is_own(const struct ident *ident)
{
	uint32_t own = ident->flags & (IDENT_INSIDE | IDENT_OUTSIDE |
				       IDENT_OPTION | IDENT_RULES);

	return own && own != IDENT_OUTSIDE &&
		own != (IDENT_INSIDE | IDENT_OUTSIDE);
}

/* Put the definitions that have @id, and are not in @seen yet, into @todo. */
static size_t add_users(const struct scan *scan, uint32_t id, uint32_t *seen,
			uint32_t stamp, uint32_t *todo, size_t n)
{
	uint32_t use = scan->ident[id].uses;

	for (; use != NONE; use = scan->use[use].next) {
		uint32_t user = scan->use[use].definition;

		if (seen[user] == stamp)
			continue;
		seen[user] = stamp;
		todo[n++] = user;
	}
	return n;
}

/*
 * Do the definitions that have @id, and those that have these, stand in at
 * most @most files together? An allocator's helper does not: it is in every
 * file, by one carrier or another, and its rarer carriers say nothing either.
 */
static bool is_carried(const struct scan *scan, uint32_t id, uint32_t most,
		       uint32_t *seen, uint32_t *todo)
{
	uint32_t stamp = id + 1;
	uint64_t files = 0;
	size_t n;

	seen[id] = stamp;
	n = add_users(scan, id, seen, stamp, todo, 0);
	while (n) {
		uint32_t user = todo[--n];

		files += scan->ident[user].files;
		if (files > most)
			return false;
		n = add_users(scan, user, seen, stamp, todo, n);
	}
	return true;
}

/*
 * Give @flag to the words and to every definition that has one, as far as
 * @most files or fewer have it.
 */
static void close_over(struct scan *scan, uint32_t flag, uint32_t most)
{
	uint32_t *todo = xcalloc(scan->nident + 1, sizeof(*todo));
	uint32_t *more = xcalloc(scan->nident + 1, sizeof(*more));
	uint32_t *seen = xcalloc(scan->nident + 1, sizeof(*seen));
	size_t n = 0;

	for (uint32_t id = 0; id < scan->nident; id++) {
		struct ident *ident = &scan->ident[id];

		if (!is_own(ident) || ident->files > most)
			continue;
		ident->flags |= flag;
		todo[n++] = id;
	}
	while (n) {
		uint32_t id = todo[--n], use = scan->ident[id].uses;

		if (most != UINT32_MAX &&
		    !is_carried(scan, id, most, seen, more))
			continue;
		for (; use != NONE; use = scan->use[use].next) {
			uint32_t user = scan->use[use].definition;

			if (scan->ident[user].flags & flag)
				continue;
			scan->ident[user].flags |= flag;
			todo[n++] = user;
		}
	}
	free(todo);
	free(more);
	free(seen);
}

/* Is @path in one of the directories? */
static bool in_directory(const struct names *dirs, const char *path)
{
	for (size_t i = 0; i < dirs->n; i++) {
		size_t len = strlen(dirs->name[i]);

		if (!strncmp(path, dirs->name[i], len) && path[len] == '/')
			return true;
	}
	return false;
}

static bool worth_a_look(const struct units_input *input,
			 const struct unit *unit)
{
	if (in_directory(&input->kernel->exclude, unit->path))
		return false;
	return unit->built || in_directory(&input->kernel->gated, unit->path);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect(struct scan *scan, struct unit_set *set)
{
	const struct units_input *input = scan->input;
	bool *wanted = scan->has_root;

	for (size_t i = 0; i < scan->nhit; i++)
		if (scan->ident[scan->hit[i].ident].flags & IDENT_WORD)
			wanted[scan->hit[i].unit] = true;
	set->n = 0;
	set->unit = ARENA_ARRAY(input->arena, const char *, input->nunit);
	for (size_t i = 0; i < input->nunit; i++)
		if (wanted[i])
			set->unit[set->n++] = input->unit[i].path;
	set->nword = 0;
	for (size_t i = 0; i < scan->nident; i++)
		set->nword += (scan->ident[i].flags & IDENT_WORD) != 0;
	set->word = ARENA_ARRAY(input->arena, const char *, set->nword);
	set->nword = 0;
	for (size_t i = 0; i < scan->nident; i++)
		if (scan->ident[i].flags & IDENT_WORD)
			set->word[set->nword++] =
				intern(input->strings, scan->ident[i].text);
	qsort(set->word, set->nword, sizeof(*set->word), by_name);
}

void units_derive(struct unit_set *set, const struct units_input *input)
{
	struct scan scan = {
		.input = input,
		.arena = arena_new(),
		.definition = NONE,
	};
	struct strtab *dirs = strtab_new(scan.arena);

	scan.files = tree_files_new(input->tree->root, input->strings);
	scan.has_root = xcalloc(input->nunit + 1, sizeof(*scan.has_root));
	make_table(&scan, 1 << 16, 0);
	prepare_roots(&scan);
	flag_rules(&scan);

	scan_headers(&scan, "include", true, 0);
	scan_headers(&scan, arena_printf(scan.arena, "arch/%s/include",
					 input->tree->arch), true, 0);
	for (size_t i = 0; i < input->nunit; i++) {
		const char *dir;

		if (!worth_a_look(input, &input->unit[i]))
			continue;
		dir = path_dir(input->strings, input->unit[i].path);
		if (!interned(dirs, dir)) {
			intern(dirs, dir);
			scan_headers(&scan, dir, false, 0);
		}
	}
	close_over(&scan, IDENT_REACHED, UINT32_MAX);

	keep_reached(&scan);

	*set = (struct unit_set){ 0 };
	for (size_t i = 0; i < input->nunit; i++) {
		if (!worth_a_look(input, &input->unit[i]))
			continue;
		scan_unit(&scan, (uint32_t)i);
		set->scanned++;
	}
	close_over(&scan, IDENT_WORD,
		   (uint32_t)(set->scanned / WORD_SHARE + 8));
	collect(&scan, set);

	tree_files_free(scan.files);
	strbuf_release(&scan.text);
	free(scan.has_root);
	free(scan.ident);
	free(scan.slot);
	free(scan.use);
	free(scan.hit);
	arena_free(scan.arena);
}

static int by_path(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return strcmp(x->path, y->path);
}

const struct unit *unit_find(const struct unit *unit, size_t nunit,
			     const char *path)
{
	struct unit key = { .path = path };

	return bsearch(&key, unit, nunit, sizeof(*unit), by_path);
}

void units_select(struct unit_set *set, const struct unit *unit,
		  size_t nunit, const struct kernel_rules *kernel,
		  struct arena *arena, struct report *report)
{
	size_t n = 0, built = 0, excluded = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct unit *found = unit_find(unit, nunit,
						     set->unit[i]);

		if (found && found->built)
			set->unit[n++] = set->unit[i];
	}
	set->n = n;
	for (size_t i = 0; i < nunit; i++) {
		if (!unit[i].built)
			continue;
		built++;
		excluded += in_directory(&kernel->exclude, unit[i].path);
	}
	report->built = built;
	report->excluded = arena_alloc(arena, 2 * sizeof(*report->excluded));
	report->excluded[0].why = "no word of the feature, no hot root";
	report->excluded[0].count = built - excluded - n;
	report->nexcluded = 1;
	if (excluded) {
		report->excluded[1].why = "a directory that is left out";
		report->excluded[1].count = excluded;
		report->nexcluded = 2;
	}
}
