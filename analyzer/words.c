// SPDX-License-Identifier: GPL-2.0-only
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "ctext.h"

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
	uint32_t saved; /* its number among those that are saved */
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

struct words {
	struct arena *arena;
	struct ident *ident;
	size_t nident, ident_cap;
	struct slot *slot;
	size_t nslot; /* a power of two */
	struct use *use;
	size_t nuse, use_cap;
	struct hit *hit;
	size_t nhit, hit_cap;
	size_t *first;       /* by unit: its hits, which stand in a row */
	uint32_t *recalled;  /* by number among the saved */
	size_t nrecalled;

	uint32_t definition; /* the one whose words are being told, or NONE */
	uint32_t stamp;
	uint32_t unit;       /* the .c file being scanned */
	const char *name[2]; /* what the feature and its group are called */
	bool named;          /* the file has one of these somewhere */
	bool *wanted;        /* by unit */
	size_t nunit;
	struct strtab *roots;
	struct pattern *pattern[256]; /* by first letter; [0]: any */
};

static void *grow(void *mem, size_t *cap, size_t size)
{
	*cap = *cap ? *cap * 2 : 4096;
	return xrealloc(mem, *cap * size);
}

static uint32_t find_ident(const struct words *words, const struct cword *word)
{
	size_t i = word->hash & (words->nslot - 1);

	for (; words->slot[i].id != NONE; i = (i + 1) & (words->nslot - 1)) {
		const struct ident *ident;

		if (words->slot[i].hash != word->hash)
			continue;
		ident = &words->ident[words->slot[i].id];
		if (ident->len == word->len &&
		    !memcmp(ident->text, word->text, word->len))
			return words->slot[i].id;
	}
	return NONE;
}

static void place_ident(struct words *words, uint32_t id)
{
	uint32_t hash = words->ident[id].hash;
	size_t i = hash & (words->nslot - 1);

	while (words->slot[i].id != NONE)
		i = (i + 1) & (words->nslot - 1);
	words->slot[i] = (struct slot){ hash, id };
}

/* A table of identifiers that have one of @flags; 0: of all. */
static void make_table(struct words *words, size_t nslot, uint32_t flags)
{
	words->nslot = nslot;
	words->slot = xrealloc(words->slot, nslot * sizeof(*words->slot));
	memset(words->slot, 0xff, nslot * sizeof(*words->slot));
	for (uint32_t id = 0; id < words->nident; id++)
		if (!flags || words->ident[id].flags & flags)
			place_ident(words, id);
}

static uint32_t get_ident(struct words *words, const struct cword *word)
{
	uint32_t id = find_ident(words, word);

	if (id != NONE)
		return id;
	if (words->nident == words->ident_cap)
		words->ident = grow(words->ident, &words->ident_cap,
				   sizeof(*words->ident));
	id = (uint32_t)words->nident++;
	words->ident[id] = (struct ident){
		.text = arena_strndup(words->arena, word->text, word->len),
		.len = word->len,
		.hash = word->hash,
		.uses = NONE,
	};
	if (words->nident * 2 > words->nslot)
		make_table(words, words->nslot * 2, 0);
	else
		place_ident(words, id);
	return id;
}

static void flag_name(struct words *words, const char *name, uint32_t flag)
{
	size_t len = strcspn(name, ".");
	struct cword word = { name, (uint32_t)len, cword_hash(name, len) };
	uint32_t id = get_ident(words, &word);

	words->ident[id].flags |= flag;
}

static void flag_names(struct words *words, const struct names *names,
		       uint32_t flag)
{
	for (size_t i = 0; i < names->n; i++)
		flag_name(words, names->name[i], flag);
}

static void flag_rules(struct words *words, const struct rules *rules,
		       const struct names *option)
{
	for (size_t i = 0; i < option->n; i++)
		flag_name(words, arena_printf(words->arena, "CONFIG_%s",
					      option->name[i]), IDENT_OPTION);
	flag_names(words, &rules->predicate, IDENT_RULES);
	flag_names(words, &rules->table, IDENT_RULES);
	flag_names(words, &rules->root, IDENT_RULES);
	flag_names(words, &rules->charge, IDENT_RULES);
	flag_names(words, &rules->statistics, IDENT_RULES);
	for (size_t i = 0; i < rules->nguard; i++)
		flag_name(words, rules->guard[i].name, IDENT_RULES);
	if (rules->group)
		flag_name(words, rules->group, IDENT_RULES);
}

/* Headers: what is declared, and which definition has which identifiers. */

static bool header_option(void *data, const struct cword *word)
{
	struct words *words = data;
	uint32_t id;

	/* CONFIG_X and CONFIG_X_MODULE, in any of the ways to ask for it */
	id = find_ident(words, word);
	return id != NONE && words->ident[id].flags & IDENT_OPTION;
}

static void header_declared(void *data, enum ctext_kind kind,
			    const struct cword *name, bool region)
{
	struct words *words = data;
	uint32_t id = get_ident(words, name);

	words->ident[id].flags |= region ? IDENT_INSIDE : IDENT_OUTSIDE;
	if (kind == CTEXT_MACRO || kind == CTEXT_FUNCTION) {
		words->definition = id;
		words->stamp++;
		words->ident[id].stamp = words->stamp;
	}
}

static void add_use(struct words *words, uint32_t id, uint32_t definition)
{
	if (words->nuse == words->use_cap)
		words->use = grow(words->use, &words->use_cap,
				 sizeof(*words->use));
	words->use[words->nuse] = (struct use){
		.definition = definition,
		.next = words->ident[id].uses,
	};
	words->ident[id].uses = (uint32_t)words->nuse++;
}

static void header_word(void *data, const struct cword *word, bool inside)
{
	struct words *words = data;
	uint32_t id;

	if (!inside || words->definition == NONE)
		return;
	id = get_ident(words, word);
	if (words->ident[id].stamp == words->stamp)
		return;
	words->ident[id].stamp = words->stamp;
	add_use(words, id, words->definition);
}

void words_header(struct words *words, const char *text, size_t len)
{
	const struct ctext_sink sink = {
		.data = words,
		.is_option = header_option,
		.declared = header_declared,
		.word = header_word,
	};

	words->definition = NONE;
	ctext_scan(text, len, &sink);
}

/* .c files: which reached identifiers and which hot roots they have. */

static bool unit_option(void *data, const struct cword *word)
{
	(void)data;
	(void)word;
	return false;
}

/* A small table, which stays near the processor: most words miss. */
static void keep_reached(struct words *words)
{
	size_t reached = 0, nslot = 1024;

	for (uint32_t id = 0; id < words->nident; id++) {
		words->ident[id].stamp = 0;
		reached += (words->ident[id].flags & IDENT_REACHED) != 0;
	}
	while (nslot < reached * 8)
		nslot *= 2;
	make_table(words, nslot, IDENT_REACHED);
	words->stamp = 0;
}

static bool is_root(const struct words *words, const struct cword *name)
{
	const struct pattern *pattern;
	char text[128];

	if (name->len >= sizeof(text))
		return false;
	memcpy(text, name->text, name->len);
	text[name->len] = 0;
	if (interned(words->roots, text))
		return true;
	for (pattern = words->pattern[(unsigned char)*text]; pattern;
	     pattern = pattern->next)
		if (pattern_match(pattern->text, text))
			return true;
	for (pattern = words->pattern[0]; pattern; pattern = pattern->next)
		if (pattern_match(pattern->text, text))
			return true;
	return false;
}

/* Is a name of the feature part of @word? */
static bool is_named(const struct words *words, const struct cword *word)
{
	for (size_t i = 0; i < 2; i++)
		if (words->name[i] &&
		    memmem(word->text, word->len, words->name[i],
			   strlen(words->name[i])))
			return true;
	return false;
}

static void add_hit(struct words *words, uint32_t unit, uint32_t id)
{
	words->ident[id].files++;
	if (words->nhit == words->hit_cap)
		words->hit = grow(words->hit, &words->hit_cap,
				 sizeof(*words->hit));
	words->hit[words->nhit++] = (struct hit){ unit, id };
}

static void unit_word(void *data, const struct cword *word, bool inside)
{
	struct words *words = data;
	uint32_t id = find_ident(words, word);
	struct ident *ident;

	(void)inside;
	if (words->named && !words->wanted[words->unit])
		words->wanted[words->unit] = is_named(words, word);
	if (id == NONE)
		return;
	ident = &words->ident[id];
	if (ident->stamp == words->stamp)
		return;
	ident->stamp = words->stamp;
	add_hit(words, words->unit, id);
}

static void unit_declared(void *data, enum ctext_kind kind,
			  const struct cword *name, bool region)
{
	struct words *words = data;

	(void)region;
	unit_word(data, name, false);
	if (kind == CTEXT_FUNCTION && !words->wanted[words->unit])
		words->wanted[words->unit] = is_root(words, name);
}

void words_unit(struct words *words, uint32_t unit, const char *text,
		size_t len)
{
	const struct ctext_sink sink = {
		.data = words,
		.is_option = unit_option,
		.declared = unit_declared,
		.word = unit_word,
	};

	words->unit = unit;
	words->first[unit] = words->nhit;
	words->stamp++;
	words->named = false;
	for (size_t i = 0; i < 2; i++)
		words->named |= words->name[i] &&
			memmem(text, len, words->name[i],
			       strlen(words->name[i]));
	ctext_scan(text, len, &sink);
}

static void prepare_roots(struct words *words,
			  const struct kernel_rules *kernel)
{
	words->roots = strtab_new(words->arena);
	for (size_t i = 0; i < kernel->nroot; i++) {
		for (size_t k = 0; k < kernel->root[i].nfunction; k++) {
			const char *name = kernel->root[i].function[k].name;
			struct pattern *pattern, **head;

			if (!strpbrk(name, "*?[")) {
				intern(words->roots, name);
				continue;
			}
			head = &words->pattern[strchr("*?[", *name) ?
				0 : (unsigned char)*name];
			pattern = ARENA_NEW(words->arena, struct pattern);
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
static size_t add_users(const struct words *words, uint32_t id, uint32_t *seen,
			uint32_t stamp, uint32_t *todo, size_t n)
{
	uint32_t use = words->ident[id].uses;

	for (; use != NONE; use = words->use[use].next) {
		uint32_t user = words->use[use].definition;

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
static bool is_carried(const struct words *words, uint32_t id, uint32_t most,
		       uint32_t *seen, uint32_t *todo)
{
	uint32_t stamp = id + 1;
	uint64_t files = 0;
	size_t n;

	seen[id] = stamp;
	n = add_users(words, id, seen, stamp, todo, 0);
	while (n) {
		uint32_t user = todo[--n];

		files += words->ident[user].files;
		if (files > most)
			return false;
		n = add_users(words, user, seen, stamp, todo, n);
	}
	return true;
}

/*
 * Give @flag to the words and to every definition that has one, as far as
 * @most files or fewer have it.
 */
static void close_over(struct words *words, uint32_t flag, uint32_t most)
{
	uint32_t *todo = xcalloc(words->nident + 1, sizeof(*todo));
	uint32_t *more = xcalloc(words->nident + 1, sizeof(*more));
	uint32_t *seen = xcalloc(words->nident + 1, sizeof(*seen));
	size_t n = 0;

	for (uint32_t id = 0; id < words->nident; id++) {
		struct ident *ident = &words->ident[id];

		if (!is_own(ident) || ident->files > most)
			continue;
		ident->flags |= flag;
		todo[n++] = id;
	}
	while (n) {
		uint32_t id = todo[--n], use = words->ident[id].uses;

		if (most != UINT32_MAX &&
		    !is_carried(words, id, most, seen, more))
			continue;
		for (; use != NONE; use = words->use[use].next) {
			uint32_t user = words->use[use].definition;

			if (words->ident[user].flags & flag)
				continue;
			words->ident[user].flags |= flag;
			todo[n++] = user;
		}
	}
	free(todo);
	free(more);
	free(seen);
}

struct words *words_new(const struct rules *rules,
			const struct kernel_rules *kernel,
			const struct names *option, size_t nunit)
{
	struct words *words = xcalloc(1, sizeof(*words));

	words->arena = arena_new();
	words->definition = NONE;
	words->nunit = nunit;
	words->name[0] = rules->feature;
	words->name[1] = rules->group;
	words->wanted = xcalloc(nunit + 1, sizeof(*words->wanted));
	words->first = xcalloc(nunit + 1, sizeof(*words->first));
	make_table(words, 1 << 16, 0);
	prepare_roots(words, kernel);
	flag_rules(words, rules, option);
	return words;
}

void words_free(struct words *words)
{
	free(words->wanted);
	free(words->first);
	free(words->recalled);
	free(words->ident);
	free(words->slot);
	free(words->use);
	free(words->hit);
	arena_free(words->arena);
	free(words);
}

void words_seal(struct words *words)
{
	close_over(words, IDENT_REACHED, UINT32_MAX);
	keep_reached(words);
}

/*
 * Reached identifiers are all that files are asked for: what uses one is
 * reached itself.
 */
void words_save(struct words *words, struct strbuf *out)
{
	uint32_t n = 0, use;

	for (uint32_t id = 0; id < words->nident; id++)
		if (words->ident[id].flags & IDENT_REACHED)
			words->ident[id].saved = n++;
	put_number(out, n);
	for (uint32_t id = 0; id < words->nident; id++) {
		const struct ident *ident = &words->ident[id];

		if (!(ident->flags & IDENT_REACHED))
			continue;
		put_number(out, ident->flags);
		put_number(out, ident->len);
		strbuf_add(out, ident->text, ident->len);
		n = 0;
		for (use = ident->uses; use != NONE; use = words->use[use].next)
			n++;
		put_number(out, n);
		for (use = ident->uses; use != NONE; use = words->use[use].next)
			put_number(out, words->ident[words->use[use].definition]
					.saved);
	}
}

bool words_recall(struct words *words, struct reader *in)
{
	uint32_t n = get_count(in, 3);

	words->nrecalled = n;
	words->recalled = xcalloc((size_t)n + 1, sizeof(*words->recalled));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t flags = get_u32(in), len = get_count(in, 1), nuse;
		struct cword word = { (const char *)in->at, len, 0 };
		uint32_t id;

		if (in->bad)
			return false;
		word.hash = cword_hash(word.text, len);
		in->at += len;
		id = get_ident(words, &word);
		words->ident[id].flags |= flags;
		words->recalled[i] = id;
		nuse = get_count(in, 1);
		/* numbers until all are there */
		for (uint32_t k = 0; k < nuse; k++)
			add_use(words, id, get_u32(in));
	}
	for (size_t i = 0; i < words->nuse; i++) {
		if (words->use[i].definition >= n)
			return false;
		words->use[i].definition =
			words->recalled[words->use[i].definition];
	}
	keep_reached(words);
	return !in->bad;
}

void words_save_unit(const struct words *words, uint32_t unit,
		     struct strbuf *out)
{
	size_t i = words->first[unit], n = 0;

	while (i + n < words->nhit && words->hit[i + n].unit == unit)
		n++;
	put_number(out, words->wanted[unit]);
	put_number(out, n);
	for (; n; n--, i++)
		put_number(out, words->ident[words->hit[i].ident].saved);
}

bool words_recall_unit(struct words *words, uint32_t unit, struct reader *in)
{
	uint32_t n;

	words->wanted[unit] = get_number(in);
	n = get_count(in, 1);
	words->first[unit] = words->nhit;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t number = get_u32(in);

		if (in->bad || number >= words->nrecalled)
			return false;
		add_hit(words, unit, words->recalled[number]);
	}
	return !in->bad;
}

const bool *words_choose(struct words *words, uint32_t most)
{
	close_over(words, IDENT_WORD, most);
	for (size_t i = 0; i < words->nhit; i++)
		if (words->ident[words->hit[i].ident].flags & IDENT_WORD)
			words->wanted[words->hit[i].unit] = true;
	return words->wanted;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **words_list(const struct words *words, struct arena *arena,
			struct strtab *strings, size_t *n)
{
	const char **list;

	*n = 0;
	for (size_t i = 0; i < words->nident; i++)
		*n += (words->ident[i].flags & IDENT_WORD) != 0;
	list = ARENA_ARRAY(arena, const char *, *n);
	*n = 0;
	for (size_t i = 0; i < words->nident; i++)
		if (words->ident[i].flags & IDENT_WORD)
			list[(*n)++] = intern(strings, words->ident[i].text);
	qsort(list, *n, sizeof(*list), by_name);
	return list;
}
