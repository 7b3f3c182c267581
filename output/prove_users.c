// SPDX-License-Identifier: GPL-2.0-only
/* Which files use what a patch touches, by their text. */
#include <dirent.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "../analyzer/ctext.h"
#include "prove.h"

/* Headers using headers using headers; and how far one patch may spread. */
#define ROUNDS 3
#define NAMES  24

/* A name and a patch that it concerns. */
struct interest {
	char *name;
	size_t len, patch;
	bool direct; /* one of the patch's functions */
	unsigned round;
	struct interest *same; /* the name's next patch */
	UT_hash_handle hh;     /* by name, the first one only */
};

struct interests {
	struct interest *table, **all;
	size_t n, cap;
	unsigned round;
	size_t *count; /* names, for each patch */
};

static struct interest *look(const struct interests *set, const char *name,
			     size_t len)
{
	struct interest *found;

	HASH_FIND(hh, set->table, name, len, found);
	return found;
}

static void add(struct interests *set, const char *name, size_t len,
		size_t patch, bool direct)
{
	struct interest *first = look(set, name, len), *new;

	for (struct interest *at = first; at; at = at->same)
		if (at->patch == patch)
			return;
	if (!len || set->count[patch] == NAMES)
		return;
	set->count[patch]++;
	new = xcalloc(1, sizeof(*new));
	new->name = strndup(name, len);
	new->len = len;
	new->patch = patch;
	new->direct = direct;
	new->round = set->round;
	if (first) {
		new->same = first->same;
		first->same = new;
	} else {
		HASH_ADD_KEYPTR(hh, set->table, new->name, len, new);
	}
	if (set->n == set->cap) {
		set->cap = set->cap ? set->cap * 2 : 64;
		set->all = xrealloc(set->all, set->cap * sizeof(*set->all));
	}
	set->all[set->n++] = new;
}

static void interests_release(struct interests *set)
{
	HASH_CLEAR(hh, set->table);
	for (size_t i = 0; i < set->n; i++) {
		free(set->all[i]->name);
		free(set->all[i]);
	}
	free(set->all);
	free(set->count);
}

struct scan {
	struct interests *set;
	char *current; /* the function or macro that we are in */
};

static bool no_option(void *data, const struct cword *word)
{
	(void)data;
	(void)word;
	return false;
}

static void take_declared(void *data, enum ctext_kind kind,
			  const struct cword *name, bool region)
{
	struct scan *scan = data;

	(void)region;
	free(scan->current);
	scan->current = kind == CTEXT_FUNCTION || kind == CTEXT_MACRO ?
		strndup(name->text, name->len) : NULL;
}

static void take_word(void *data, const struct cword *word, bool inside)
{
	struct scan *scan = data;
	struct interest *at;

	if (!inside || !scan->current)
		return;
	for (at = look(scan->set, word->text, word->len); at; at = at->same)
		add(scan->set, scan->current, strlen(scan->current),
		    at->patch, false);
}

/* Does it name anything that is new since the last round? */
static bool is_worth_it(const struct interests *set, const struct strbuf *text)
{
	for (size_t i = 0; text->len && i < set->n; i++)
		if (set->all[i]->round + 1 == set->round &&
		    memmem(text->buf, text->len, set->all[i]->name,
			   set->all[i]->len))
			return true;
	return false;
}

static void scan_header(struct interests *set, const char *path)
{
	struct scan scan = { .set = set };
	const struct ctext_sink sink = {
		.data = &scan, .is_option = no_option,
		.declared = take_declared, .word = take_word,
	};
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	if (!strbuf_read_file(&text, path, &err) && is_worth_it(set, &text))
		ctext_scan(text.buf, text.len, &sink);
	free(scan.current);
	strbuf_release(&text);
	err_clear(&err);
}

static bool is_header(const char *name)
{
	size_t len = strlen(name);

	return len > 2 && !strcmp(name + len - 2, ".h");
}

/* Headers that other directories may include. */
static void scan_headers(struct prove *prove, struct interests *set)
{
	char *root[2] = { NULL, NULL };
	FTSENT *entry;
	FTS *fts;

	if (asprintf(&root[0], "%s/include", prove->tree->root) < 0)
		die("out of memory");
	fts = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (fts && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_D &&
		    (!strcmp(entry->fts_name, "uapi") ||
		     !strcmp(entry->fts_name, "dt-bindings")))
			fts_set(fts, entry, FTS_SKIP);
		if (entry->fts_info == FTS_F && is_header(entry->fts_name))
			scan_header(set, entry->fts_path);
	}
	if (fts)
		fts_close(fts);
	free(root[0]);
}

/* Headers beside the files that may include them. */
static void scan_beside(struct prove *prove, const struct prove_config *side,
			struct interests *set)
{
	const char *last = "";
	size_t nlast = 0;

	for (size_t i = 0; i < side->nunit; i++) {
		const char *unit = side->unit[i], *slash = strrchr(unit, '/');
		size_t len = slash ? (size_t)(slash - unit) : 0;
		char *folder, *path;
		struct dirent **ent;
		int n;

		/* they are sorted by path: most follow one of their folder */
		if (i && len == nlast && !strncmp(unit, last, len))
			continue;
		last = unit;
		nlast = len;
		if (asprintf(&folder, "%s/%.*s", prove->tree->root, (int)len,
			     unit) < 0)
			die("out of memory");
		n = scandir(folder, &ent, NULL, alphasort);
		for (int k = 0; k < n; k++) {
			if (is_header(ent[k]->d_name) &&
			    asprintf(&path, "%s/%s", folder,
				     ent[k]->d_name) > 0) {
				scan_header(set, path);
				free(path);
			}
			free(ent[k]);
		}
		if (n >= 0)
			free(ent);
		free(folder);
	}
}

struct user {
	const char *unit;
	size_t direct, carried;
};

static int by_mentions(const void *a, const void *b)
{
	const struct user *x = a, *y = b;

	if (x->direct != y->direct)
		return x->direct > y->direct ? -1 : 1;
	if (x->carried != y->carried)
		return x->carried > y->carried ? -1 : 1;
	return strcmp(x->unit, y->unit);
}

static bool has_header(const struct prove_patch *patch)
{
	for (size_t i = 0; i < patch->ntouched; i++)
		if (!patch->touched[i]->c)
			return true;
	return false;
}

static bool touches(const struct prove_patch *patch, const char *path)
{
	for (size_t i = 0; i < patch->ntouched; i++)
		if (!strcmp(patch->touched[i]->path, path))
			return true;
	return false;
}

/* Count in @user, one for each patch, what @text mentions. */
static void count(const struct interests *set, const struct strbuf *text,
		  struct user *user)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct interest *one = set->all[i];
		size_t n = prove_mentions(text->buf, text->len, one->name);

		if (one->direct)
			user[one->patch].direct += n;
		else
			user[one->patch].carried += n;
	}
}

static void choose(struct prove *prove, struct prove_patch *patch,
		   struct user *user, size_t nuser)
{
	if (nuser)
		qsort(user, nuser, sizeof(*user), by_mentions);
	patch->unit = ARENA_ARRAY(prove->arena, const char *,
				  patch->ntouched + PROVE_USERS);
	for (size_t i = 0; i < patch->ntouched; i++)
		if (patch->touched[i]->c)
			patch->unit[patch->nunit++] = patch->touched[i]->path;
	patch->nown = patch->nunit;
	patch->nuser = nuser;
	for (size_t i = 0; i < nuser && i < PROVE_USERS; i++)
		patch->unit[patch->nunit++] = user[i].unit;
}

static struct interests find_names(struct prove *prove)
{
	struct interests set = {
		.count = xcalloc(prove->npatch, sizeof(*set.count)),
	};

	for (size_t k = 0; k < prove->npatch; k++) {
		const struct names *names = &prove->patch[k].functions;

		/* a .c file is seen by nobody else */
		for (size_t i = 0; has_header(&prove->patch[k]) &&
		     i < names->n; i++)
			add(&set, names->name[i], strlen(names->name[i]), k,
			    true);
	}
	while (set.n && set.round++ < ROUNDS) {
		scan_headers(prove, &set);
		scan_beside(prove, &prove->side[0], &set);
	}
	return set;
}

void prove_choose_units(struct prove *prove)
{
	const struct prove_config *side = &prove->side[0];
	struct interests set = find_names(prove);
	/* for each unit one of each patch */
	struct user *user = xcalloc(side->nunit * prove->npatch,
				    sizeof(*user));
	struct user *some = xcalloc(side->nunit, sizeof(*some));

	for (size_t i = 0; set.n && i < side->nunit; i++) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
		struct err err = { 0 };

		strbuf_addf(&path, "%s/%s", prove->tree->root, side->unit[i]);
		/* what cannot be read mentions nothing */
		if (!strbuf_read_file(&text, path.buf, &err) && text.len)
			count(&set, &text, &user[i * prove->npatch]);
		strbuf_release(&path);
		strbuf_release(&text);
		err_clear(&err);
	}
	for (size_t k = 0; k < prove->npatch; k++) {
		struct prove_patch *patch = &prove->patch[k];
		size_t n = 0;

		for (size_t i = 0; i < side->nunit; i++) {
			const struct user *one = &user[i * prove->npatch + k];

			if (one->direct + one->carried == 0 ||
			    touches(patch, side->unit[i]))
				continue;
			some[n] = *one;
			some[n++].unit = side->unit[i];
		}
		choose(prove, patch, some, n);
	}
	interests_release(&set);
	free(user);
	free(some);
}
