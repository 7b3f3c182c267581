// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every .c file that some Makefile names, with the options that decide
 * whether it is built, without a configuration.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "files.h"
#include "kbuild.h"
#include "make.h"
#include "tree_private.h"

#define COND_LIMIT 200
#define GATE_LIMIT 12

/* A word of a list as it was written, with what stood in its way. */
struct mention {
	const char *word, *list; /* interned; "obj" of obj-y */
	const char *gate[GATE_LIMIT];
	size_t ngate;
	bool ungated; /* somewhere nothing stands in its way */
	struct mention *next; /* of the same word */
	UT_hash_handle hh;
};

struct cond {
	const char *gate[GATE_LIMIT];
	size_t n;
};

struct seen {
	const char *path;
	UT_hash_handle hh;
};

struct collector {
	struct tree *tree;
	struct kbuild_names *names;
	struct seen *seen;
	size_t ndir;
};

struct dir_lists {
	struct tree *tree;
	struct arena *arena;
	struct mention *mentions;
	struct cond cond[COND_LIMIT];
	size_t ncond, too_deep;
};

static void add_gate(const char **gate, size_t *n, const char *name)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (gate[i] == name)
			return;
	if (*n < GATE_LIMIT)
		gate[(*n)++] = name;
}

/* Every CONFIG_ name in @text. */
static void gates_in(struct tree *tree, const char *text, const char **gate,
		     size_t *n)
{
	size_t len;

	while ((text = strstr(text, "CONFIG_"))) {
		text += 7;
		len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789_");
		if (len)
			add_gate(gate, n, intern_n(tree->strings, text, len));
		text += len;
	}
}

/* True if the branch is taken when the options it names are set. */
static bool positive(const char *word, const char *text)
{
	const char *comma;

	if (!strncmp(word, "ifdef", 5))
		return true;
	if (!strncmp(word, "ifndef", 6))
		return false;
	comma = strrchr(text, ',');
	if (!comma)
		return false;
	for (comma++; *comma == ' ' || *comma == '\t';)
		comma++;
	if (!strncmp(word, "ifeq", 4))
		return *comma == 'y' || *comma == 'm';
	return *comma == ')' || *comma == 'n';
}

static void on_branch(void *data, const struct mk_line *line)
{
	struct dir_lists *lists = data;
	struct cond *cond;

	if (line->kind == MK_IF && lists->ncond == COND_LIMIT) {
		lists->too_deep++;
	} else if (line->kind == MK_IF) {
		cond = &lists->cond[lists->ncond++];
		cond->n = 0;
		if (positive(line->word, line->text))
			gates_in(lists->tree, line->text, cond->gate, &cond->n);
	} else if (line->kind == MK_ENDIF && lists->too_deep) {
		lists->too_deep--;
	} else if (line->kind == MK_ENDIF) {
		if (lists->ncond)
			lists->ncond--;
	} else if (lists->ncond && !lists->too_deep) {
		cond = &lists->cond[lists->ncond - 1];
		cond->n = 0;
		if (!strncmp(line->text, "if", 2) &&
		    positive(line->text, line->text))
			gates_in(lists->tree, line->text, cond->gate, &cond->n);
	}
}

static struct mention *get_mention(struct dir_lists *lists, const char *word,
				   const char *list)
{
	struct mention *first, *m;

	HASH_FIND_PTR(lists->mentions, &word, first);
	for (m = first; m; m = m->next)
		if (m->list == list)
			return m;
	m = ARENA_NEW(lists->arena, struct mention);
	m->word = word;
	m->list = list;
	if (first) {
		m->next = first->next;
		first->next = m;
	} else {
		HASH_ADD_PTR(lists->mentions, word, m);
	}
	return m;
}

/* The name of a list without -y, -objs or -$(CONFIG_X); NULL if it is none. */
static const char *list_name(struct tree *tree, const char *name)
{
	const char *end = strstr(name, "-$"), *dash;

	if (!end) {
		dash = strrchr(name, '-');
		if (!dash || (strcmp(dash, "-y") && strcmp(dash, "-m") &&
			      strcmp(dash, "-objs")))
			return NULL;
		end = dash;
	}
	return intern_n(tree->strings, name, (size_t)(end - name));
}

static void on_assign(void *data, struct make *make,
		      const struct mk_line *line)
{
	struct dir_lists *lists = data;
	struct strbuf value = STRBUF_INIT;
	const char *list, *at, *word, *gate[GATE_LIMIT];
	size_t len, ngate = 0, i, j;
	struct mention *m;

	list = list_name(lists->tree, line->word);
	if (!list)
		return;
	gates_in(lists->tree, line->word, gate, &ngate);
	for (i = 0; i < lists->ncond; i++)
		for (j = 0; j < lists->cond[i].n; j++)
			add_gate(gate, &ngate, lists->cond[i].gate[j]);
	strbuf_addstr(&value, "");
	make->literal = true;
	make_expand(make, line->text, strlen(line->text), &value);
	make->literal = false;
	at = value.buf;
	while ((word = next_word(&at, &len))) {
		if (word[len - 1] != '/' && (len < 3 || memcmp(word + len - 2,
							       ".o", 2)))
			continue;
		m = get_mention(lists, intern_n(lists->tree->strings, word,
						len), list);
		m->ungated |= !ngate;
		for (i = 0; i < ngate; i++)
			add_gate(m->gate, &m->ngate, gate[i]);
	}
	strbuf_release(&value);
}

static void add_gates(struct gates *to, struct arena *arena,
		      const char *const *gate, size_t n)
{
	const char **both;

	if (!n)
		return;
	both = ARENA_ARRAY(arena, const char *, to->n + n);
	if (to->n)
		memcpy(both, to->name, to->n * sizeof(*both));
	memcpy(both + to->n, gate, n * sizeof(*both));
	to->name = both;
	to->n += n;
}

/* What stands in the way of @word of @list, or of any list if not there. */
static void mention_gates(struct dir_lists *lists, const char *word,
			  size_t len, const char *list, struct gates *out)
{
	struct arena *arena = lists->tree->arena;
	struct mention *first, *m;
	bool any = true;

	word = intern_n(lists->tree->strings, word, len);
	list = intern(lists->tree->strings, list);
	HASH_FIND_PTR(lists->mentions, &word, first);
	for (m = first; m; m = m->next)
		if (m->list == list)
			any = false;
	for (m = first; m; m = m->next)
		if ((any || m->list == list) && !m->ungated)
			add_gates(out, arena, m->gate, m->ngate);
}

static void add_named(struct collector *c, const char *path,
		      struct gates gates)
{
	struct named *named;

	HASH_FIND_PTR(c->names->named, &path, named);
	if (named) {
		/* the way with fewer obstacles */
		if (gates.n < named->gates.n)
			named->gates = gates;
		return;
	}
	named = ARENA_NEW(c->tree->arena, struct named);
	named->path = path;
	named->gates = gates;
	HASH_ADD_PTR(c->names->named, path, named);
}

static void collect_object(struct collector *c, struct dir_lists *lists,
			   struct make *make, const char *dir,
			   const char *word, size_t len, const char *list,
			   const struct gates *outer)
{
	struct strbuf parts = STRBUF_INIT;
	struct arena *arena = c->tree->arena;
	struct gates gates = { 0 }, one;
	const char *path, *at, *part, *stem;
	size_t plen;

	mention_gates(lists, word, len, list, &gates);
	add_gates(&gates, arena, outer->name, outer->n);
	if (!kbuild_parts(make, word, len, true, &parts)) {
		path = kbuild_source(c->tree, dir, word, len);
		if (path)
			add_named(c, path, gates);
		goto out;
	}
	stem = intern_n(c->tree->strings, word, len - 2);
	at = parts.buf;
	while ((part = next_word(&at, &plen))) {
		path = kbuild_source(c->tree, dir, part, plen);
		if (!path)
			continue;
		memset(&one, 0, sizeof(one));
		mention_gates(lists, part, plen, stem, &one);
		add_gates(&one, arena, gates.name, gates.n);
		add_named(c, path, one);
	}
out:
	strbuf_release(&parts);
}

static void collect_dir(struct collector *c, const char *path,
			struct gates outer, unsigned depth)
{
	static const char *const names[] = { "obj-y", "obj-m", "lib-y",
					     "lib-m", "extra-y" };
	struct strbuf value = STRBUF_INIT;
	struct dir_lists *lists;
	const char *at, *word, *sub, *list;
	struct make make;
	struct seen *seen;
	size_t i, len;

	HASH_FIND_PTR(c->seen, &path, seen);
	if (seen || depth > KBUILD_DEPTH || c->ndir == KBUILD_DIRS)
		return;
	c->ndir++;
	seen = xcalloc(1, sizeof(*seen));
	seen->path = path;
	HASH_ADD_PTR(c->seen, path, seen);

	lists = xcalloc(1, sizeof(*lists));
	lists->tree = c->tree;
	lists->arena = arena_new();
	make_init(&make, c->tree, NULL, path);
	make.assigned = on_assign;
	make.branch = on_branch;
	make.data = lists;
	make_run(&make, kbuild_file(c->tree, path));
	make_rest(&make);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value.len = 0;
		strbuf_addstr(&value, "");
		make_value(&make, names[i], &value);
		list = list_name(c->tree, names[i]);
		at = value.buf;
		while ((word = next_word(&at, &len))) {
			struct gates gates = { 0 };

			sub = kbuild_subdir(c->tree, path, word, len);
			if (!sub) {
				collect_object(c, lists, &make, path, word,
					       len, list, &outer);
				continue;
			}
			if (!*sub)
				continue;
			mention_gates(lists, word, len, list, &gates);
			add_gates(&gates, c->tree->arena, outer.name, outer.n);
			collect_dir(c, sub, gates, depth + 1);
		}
	}
	make_release(&make);
	HASH_CLEAR(hh, lists->mentions);
	arena_free(lists->arena);
	free(lists);
	strbuf_release(&value);
}

static void collect_top(void *data, const char *path, const char *option)
{
	struct collector *c = data;
	size_t len = strlen(path);
	const char *sub = kbuild_subdir(c->tree, "", path, len);
	struct gates gates = { 0 };

	if (option)
		add_gates(&gates, c->tree->arena, &option, 1);
	if (sub && *sub)
		collect_dir(c, sub, gates, 0);
	else if (!sub && (path = kbuild_source(c->tree, "", path, len)))
		add_named(c, path, gates);
}

static int compare_named(const void *a, const void *b)
{
	return strcmp((*(struct named *const *)a)->path,
		      (*(struct named *const *)b)->path);
}

const struct kbuild_names *kbuild_names(struct tree *tree)
{
	struct collector c = { .tree = tree };
	struct named *named;
	struct seen *seen, *next;

	/* makes priv->makefiles */
	makefile_get(tree, "Makefile");
	if (tree->priv->makefiles->names)
		return tree->priv->makefiles->names;
	c.names = xcalloc(1, sizeof(*c.names));
	tree->priv->makefiles->names = c.names;
	kbuild_top(tree, NULL, collect_top, &c);
	c.names->sorted = ARENA_ARRAY(tree->arena, struct named *,
				      HASH_COUNT(c.names->named));
	for (named = c.names->named; named; named = named->hh.next)
		c.names->sorted[c.names->n++] = named;
	qsort(c.names->sorted, c.names->n, sizeof(*c.names->sorted),
	      compare_named);
	HASH_ITER(hh, c.seen, seen, next) {
		HASH_DEL(c.seen, seen);
		free(seen);
	}
	return c.names;
}

void kbuild_names_free(struct kbuild_names *names)
{
	if (!names)
		return;
	HASH_CLEAR(hh, names->named);
	free(names);
}
