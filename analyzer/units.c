// SPDX-License-Identifier: GPL-2.0-only
#include "units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <xxhash.h>

#include "base/strbuf.h"
#include "callers.h"
#include "model/finding.h"
#include "parse/bytes.h"
#include "parse/parse.h"
#include "tree/files.h"
#include "words.h"

/* One file in so many has the word: it is too common to choose files by. */
#define WORD_SHARE 100
/* Callers of callers are looked for so often. */
#define CALLERS_ROUNDS 8
/* Directories inside directories of headers; deeper ones are not looked at. */
#define DIR_DEPTH 8
/* What is kept in the cache: bump when it, or what it is made of, changes. */
#define UNITS_FORMAT 7
/* A file this young may change again without looking any different. */
#define YOUNG_SECONDS 3

struct paths {
	const char **path; /* interned */
	size_t n, cap;
};

/* What is looked into, listed before anything is read. */
struct look {
	const struct units_input *input;
	struct tree_files *files;
	struct paths header;
	uint32_t *unit; /* numbers of input->unit */
	size_t nunit;
	uint64_t *sign;     /* by unit: what it looks like; 0: not certain */
	uint64_t header_key, header_key2; /* of all but the units */
	uint64_t key, key2; /* of all that the result depends on */
	bool young_header;  /* a header is too young to be trusted */
	bool young;         /* the same, or a unit */
};

static void add_path(struct paths *paths, const char *path)
{
	if (paths->n == paths->cap) {
		paths->cap = paths->cap ? paths->cap * 2 : 1024;
		paths->path = xrealloc(paths->path,
				       paths->cap * sizeof(*paths->path));
	}
	paths->path[paths->n++] = path;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && !strcmp(name + len - end, suffix);
}

/* Is @path one of the directories, or in one? */
static bool in_directory(const struct names *dirs, const char *path)
{
	for (size_t i = 0; i < dirs->n; i++) {
		size_t len = strlen(dirs->name[i]);

		if (!strncmp(path, dirs->name[i], len) &&
		    (path[len] == '/' || !path[len]))
			return true;
	}
	return false;
}

static void list_headers(struct look *look, const char *dir, bool recurse,
			 unsigned depth)
{
	const struct names *exclude = &look->input->kernel->exclude;
	struct strtab *strings = look->input->strings;
	const char *const *name;
	size_t n;

	if (depth > DIR_DEPTH || in_directory(exclude, dir))
		return;
	name = tree_files_list(look->files, dir, &n);
	for (size_t i = 0; i < n; i++) {
		bool header = has_suffix(name[i], ".h");
		const char *path;

		if (!header && !(recurse && !strchr(name[i], '.')))
			continue;
		path = path_resolve(strings, dir, name[i]);
		if (!path)
			continue;
		if (header)
			add_path(&look->header, path);
		/* what a link leads to has a name of its own */
		else if (tree_files_real_dir(look->files, path) == path)
			list_headers(look, path, true, depth + 1);
	}
}

static bool worth_a_look(const struct units_input *input,
			 const struct unit *unit)
{
	if (in_directory(&input->kernel->exclude, unit->path))
		return false;
	return unit->built || in_directory(&input->kernel->gated, unit->path);
}

static void list_files(struct look *look)
{
	const struct units_input *input = look->input;
	struct arena *scratch = arena_new();
	struct strtab *dirs = strtab_new(scratch);

	list_headers(look, "include", true, 0);
	list_headers(look, arena_printf(scratch, "arch/%s/include",
					input->tree->arch), true, 0);
	look->unit = xcalloc(input->nunit + 1, sizeof(*look->unit));
	for (size_t i = 0; i < input->nunit; i++) {
		const char *dir;

		if (!worth_a_look(input, &input->unit[i]))
			continue;
		look->unit[look->nunit++] = (uint32_t)i;
		dir = path_dir(input->strings, input->unit[i].path);
		if (!interned(dirs, dir)) {
			intern(dirs, dir);
			/* what its files include by a name in quotes */
			list_headers(look, dir, false, 0);
		}
	}
	arena_free(scratch);
}

/*
 * Size, times and inode: what git, too, knows a changed file by. Returns 0
 * if it is too young to be known.
 */
static uint64_t hash_file(struct look *look, XXH3_state_t *state,
			  struct strbuf *path, const char *name, time_t now)
{
	struct stat st = { 0 };
	int64_t seen[7];

	XXH3_128bits_update(state, name, strlen(name) + 1);
	path->len = 0;
	strbuf_addf(path, "%s/%s", look->input->tree->root, name);
	if (stat(path->buf, &st))
		st.st_size = -1;
	seen[0] = st.st_size;
	seen[1] = st.st_mtim.tv_sec;
	seen[2] = st.st_mtim.tv_nsec;
	seen[3] = st.st_ctim.tv_sec;
	seen[4] = st.st_ctim.tv_nsec;
	seen[5] = (int64_t)st.st_ino;
	seen[6] = (int64_t)st.st_dev;
	XXH3_128bits_update(state, seen, sizeof(seen));
	if (st.st_ctim.tv_sec < now - YOUNG_SECONDS)
		return XXH3_64bits(seen, sizeof(seen));
	look->young = true;
	return 0;
}

static void hash_look(struct look *look)
{
	const struct units_input *input = look->input;
	const uint64_t fixed[] = {
		UNITS_FORMAT, WORD_SHARE, input->rules->hash,
		input->kernel->hash, look->header.n,
	};
	XXH3_state_t *state = XXH3_createState();
	struct strbuf path = STRBUF_INIT;
	time_t now = time(NULL);
	XXH128_hash_t hash;

	if (!state)
		die("out of memory");
	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, fixed, sizeof(fixed));
	for (size_t i = 0; i < input->option->n; i++) {
		const char *name = input->option->name[i];

		XXH3_128bits_update(state, name, strlen(name) + 1);
	}
	for (size_t i = 0; i < look->header.n; i++)
		hash_file(look, state, &path, look->header.path[i], now);
	hash = XXH3_128bits_digest(state);
	look->header_key = hash.low64;
	look->header_key2 = hash.high64;
	look->young_header = look->young;
	look->sign = xcalloc(look->nunit + 1, sizeof(*look->sign));
	for (size_t i = 0; i < look->nunit; i++) {
		const struct unit *unit = &input->unit[look->unit[i]];

		XXH3_128bits_update(state, &unit->built, sizeof(unit->built));
		look->sign[i] = hash_file(look, state, &path, unit->path, now);
	}
	hash = XXH3_128bits_digest(state);
	look->key = hash.low64;
	look->key2 = hash.high64;
	XXH3_freeState(state);
	strbuf_release(&path);
}

/* Kept: units, an empty line, words, one on a line each. */
static void keep(const struct look *look, const struct unit_set *set)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < set->n; i++)
		strbuf_addf(&text, "%s\n", set->unit[i]);
	strbuf_addch(&text, '\n');
	for (size_t i = 0; i < set->nword; i++)
		strbuf_addf(&text, "%s\n", set->word[i]);
	/* cache_problem() tells if it could not be written */
	(void)cache_put(look->input->cache, "units", look->key, look->key2,
			text.buf, text.len);
	strbuf_release(&text);
}

static const char **take_lines(const struct look *look, const char **text,
			       const char *end, size_t *n)
{
	const char *p = *text, *eol;
	const char **line;

	*n = 0;
	for (; p < end && *p != '\n'; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			return NULL;
		++*n;
	}
	line = ARENA_ARRAY(look->input->arena, const char *, *n);
	p = *text;
	for (size_t i = 0; i < *n; i++) {
		eol = memchr(p, '\n', (size_t)(end - p));
		line[i] = intern_n(look->input->strings, p,
				   (size_t)(eol - p));
		p = eol + 1;
	}
	*text = p + (p < end);
	return line;
}

/* True if the cache has the result. */
static bool take(const struct look *look, struct unit_set *set)
{
	size_t len = 0;
	char *text = cache_get(look->input->cache, "units", look->key,
			       look->key2, &len);
	const char *p = text, *end;

	if (!text)
		return false;
	end = text + len;
	set->unit = take_lines(look, &p, end, &set->n);
	set->word = set->unit ? take_lines(look, &p, end, &set->nword) : NULL;
	free(text);
	return set->word != NULL;
}

/*
 * What every file says, so that one that changes is all that is read again:
 * what headers say, then path, looks and words of each unit.
 */
static void keep_scan(const struct look *look, struct words *words)
{
	struct strbuf out = STRBUF_INIT, unit = STRBUF_INIT;

	words_save(words, &out);
	for (size_t i = 0; i < look->nunit; i++) {
		const char *path = look->input->unit[look->unit[i]].path;

		if (!look->sign[i])
			continue;
		unit.len = 0;
		words_save_unit(words, look->unit[i], &unit);
		put_number(&out, strlen(path));
		strbuf_addstr(&out, path);
		put_number(&out, look->sign[i]);
		put_number(&out, unit.len);
		strbuf_add(&out, unit.buf, unit.len);
	}
	(void)cache_put(look->input->cache, "scan", look->header_key,
			look->header_key2, out.buf, out.len);
	strbuf_release(&out);
	strbuf_release(&unit);
}

/* Both lists are sorted: *@at is where the search for the next one begins. */
static bool find_unit(const struct look *look, const char *path, size_t len,
		      size_t *at)
{
	for (; *at < look->nunit; ++*at) {
		const char *name = look->input->unit[look->unit[*at]].path;
		int order = strncmp(name, path, len);

		if (order >= 0)
			return !order && !name[len];
	}
	return false;
}

/* False if what was kept is damaged. */
static bool recall(const struct look *look, struct words *words,
		   struct reader *in, bool *known)
{
	size_t at = 0;

	if (!words_recall(words, in))
		return false;
	while (in->at < in->end) {
		struct reader path, unit;
		uint64_t sign;

		path = get_bytes(in);
		sign = get_number(in);
		unit = get_bytes(in);
		if (in->bad)
			return false;
		if (!find_unit(look, (const char *)path.at,
			       (size_t)(path.end - path.at), &at) ||
		    look->sign[at] != sign)
			continue;
		known[at] = words_recall_unit(words, look->unit[at], &unit);
		if (!known[at])
			return false;
	}
	return true;
}

/* Everything that headers say, and every unit that is @known; or NULL. */
static struct words *recall_words(const struct look *look, bool *known)
{
	const struct units_input *input = look->input;
	struct reader in = { 0 };
	struct words *words;
	size_t len;
	void *data;

	data = input->cache && !look->young_header ?
	       cache_get(input->cache, "scan", look->header_key,
			 look->header_key2, &len) : NULL;
	if (!data)
		return NULL;
	in.at = data;
	in.end = in.at + len;
	words = words_new(input->rules, input->kernel, input->option,
			  input->nunit);
	if (!recall(look, words, &in, known)) {
		words_free(words);
		words = NULL;
		memset(known, 0, look->nunit * sizeof(*known));
	}
	free(data);
	return words;
}

static struct words *scan_headers(const struct look *look)
{
	const struct units_input *input = look->input;
	struct strbuf text = STRBUF_INIT;
	struct words *words;

	words = words_new(input->rules, input->kernel, input->option,
			  input->nunit);
	for (size_t i = 0; i < look->header.n; i++) {
		text.len = 0;
		if (tree_files_read(look->files, look->header.path[i],
				    &text) == READ_OK)
			words_header(words, text.buf, text.len);
	}
	words_seal(words);
	strbuf_release(&text);
	return words;
}

typedef bool ask_fn(struct callers *callers, const char *text, size_t len,
		    bool *more);

/* Headers and units once; is there more to ask for? */
static bool ask_all(const struct look *look, ask_fn *ask,
		    struct callers *callers, bool *wanted)
{
	const struct units_input *input = look->input;
	struct strbuf text = STRBUF_INIT;
	bool more = false;

	callers_begin(callers);
	for (size_t i = 0; i < look->header.n; i++) {
		text.len = 0;
		if (tree_files_read(look->files, look->header.path[i],
				    &text) == READ_OK)
			ask(callers, text.buf, text.len, &more);
	}
	for (size_t i = 0; i < look->nunit; i++) {
		text.len = 0;
		if (tree_files_read(look->files,
				    input->unit[look->unit[i]].path,
				    &text) == READ_OK)
			wanted[i] |= ask(callers, text.buf, text.len, &more);
	}
	strbuf_release(&text);
	return more;
}

/*
 * Units, by number of look->unit, that hold a call of what charges, or make
 * what is charged.
 */
static bool *find_callers(const struct look *look)
{
	static ask_fn *const ask[] = { callers_look, callers_give };
	const struct units_input *input = look->input;
	bool *wanted = xcalloc(look->nunit + 1, sizeof(*wanted));
	struct callers *callers;

	if (!input->rules->charge.n)
		return wanted;
	callers = callers_new(&input->rules->charge,
			      &input->kernel->object.records);
	for (size_t k = 0; k < 2; k++)
		for (unsigned i = 0; i < CALLERS_ROUNDS; i++)
			if (!ask_all(look, ask[k], callers, wanted))
				break;
	callers_free(callers);
	return wanted;
}

static void scan_files(const struct look *look, struct unit_set *set)
{
	const struct units_input *input = look->input;
	struct strbuf text = STRBUF_INIT;
	bool *known = xcalloc(look->nunit + 1, sizeof(*known));
	bool *unread = xcalloc(look->nunit + 1, sizeof(*unread));
	struct words *words = recall_words(look, known);
	bool worth = !words;
	const bool *wanted;
	bool *calls;

	if (!words)
		words = scan_headers(look);
	for (size_t i = 0; i < look->nunit; i++) {
		const char *path = input->unit[look->unit[i]].path;

		if (known[i])
			continue;
		text.len = 0;
		if (tree_files_read(look->files, path, &text) == READ_OK) {
			words_unit(words, look->unit[i], text.buf, text.len);
			worth |= input->cache && look->sign[i];
		} else { /* what is there says why when it is parsed */
			unread[i] = tree_files_have(look->files, path);
			if (look->sign)
				look->sign[i] = 0;
		}
	}
	if (worth && input->cache && !look->young_header)
		keep_scan(look, words);
	wanted = words_choose(words, (uint32_t)(look->nunit / WORD_SHARE + 8));
	calls = find_callers(look);
	set->unit = ARENA_ARRAY(input->arena, const char *, look->nunit);
	for (size_t i = 0; i < look->nunit; i++)
		if (wanted[look->unit[i]] || unread[i] || calls[i])
			set->unit[set->n++] =
				input->unit[look->unit[i]].path;
	free(known);
	free(unread);
	free(calls);
	set->word = words_list(words, input->arena, input->strings,
			       &set->nword);
	words_free(words);
	strbuf_release(&text);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of the view that are units: why would they be in it otherwise? */
static void add_view(struct unit_set *set, const struct units_input *input)
{
	const struct tree *tree = input->tree;
	const char **unit = ARENA_ARRAY(input->arena, const char *,
					set->n + tree->nview);
	size_t n = set->n;

	if (n)
		memcpy(unit, set->unit, n * sizeof(*unit));
	for (size_t i = 0; i < tree->nview; i++) {
		const char *path = tree->view[i].path + strlen(tree->root) + 1;
		const struct unit *found = unit_find(input->unit,
						     input->nunit, path);

		if (found && !(set->n && bsearch(&path, set->unit, set->n,
						 sizeof(*set->unit), by_name)))
			unit[n++] = found->path;
	}
	if (n)
		qsort(unit, n, sizeof(*unit), by_name);
	set->unit = unit;
	set->n = n;
}

static uint64_t hash_names(const struct look *look)
{
	uint64_t hash = look->header.n;

	for (size_t i = 0; i < look->header.n; i++)
		hash = XXH3_64bits_withSeed(look->header.path[i],
					    strlen(look->header.path[i]),
					    hash);
	return hash;
}

void units_derive(struct unit_set *set, const struct units_input *input)
{
	struct look look = {
		.input = input,
		.files = tree_files_new(input->tree->root, input->strings),
	};

	*set = (struct unit_set){ 0 };
	list_files(&look);
	if (input->cache)
		hash_look(&look);
	if (!input->cache || !take(&look, set)) {
		*set = (struct unit_set){ 0 };
		scan_files(&look, set);
		if (input->cache && !look.young)
			keep(&look, set);
	}
	set->headers = hash_names(&look);
	if (input->tree->nview)
		add_view(set, input);
	tree_files_free(look.files);
	free(look.header.path);
	free(look.unit);
	free(look.sign);
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

static void exclude(struct report *report, const char *why, size_t count)
{
	if (!count)
		return;
	report->excluded[report->nexcluded].why = why;
	report->excluded[report->nexcluded].count = count;
	report->nexcluded++;
}

void units_select(struct unit_set *set, const struct unit *unit,
		  size_t nunit, const struct kernel_rules *kernel,
		  struct arena *arena, struct report *report)
{
	size_t n = 0, off, built = 0, excluded = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct unit *found = unit_find(unit, nunit,
						     set->unit[i]);

		if (found && found->built)
			set->unit[n++] = set->unit[i];
	}
	off = set->n - n;
	set->n = n;
	for (size_t i = 0; i < nunit; i++) {
		if (!unit[i].built)
			continue;
		built++;
		excluded += in_directory(&kernel->exclude, unit[i].path);
	}
	report->built = built;
	report->excluded = arena_alloc(arena, 3 * sizeof(*report->excluded));
	report->nexcluded = 0;
	exclude(report, "built, but no word of the feature and no hot root",
		built - excluded - n);
	exclude(report, "built, but in a directory that is left out",
		excluded);
	exclude(report, "a word or a hot root, but its option is off", off);
}
