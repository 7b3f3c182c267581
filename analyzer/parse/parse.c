// SPDX-License-Identifier: GPL-2.0-only
/* Units to facts: what is in the cache, what must be parsed, and how. */
#include "parse.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "../base/scratch.h"
#include "cache.h"
#include "changes.h"
#include "deps.h"
#include "facts_layout.h"
#include "headers.h"
#include "parsing.h"
#include "worker.h"

/*
 * A configuration's share of a run. Its headers are settled before any of
 * its units is looked for in the cache or parsed: what a unit's facts hold
 * depends on them.
 */
struct side {
	const struct config *config;
	struct memfile *file;    /* sorted by path */
	size_t nfile;
	const char *const *flags;
	size_t ncommon;
	size_t *job;             /* numbers of its jobs */
	size_t njob;
	struct task headers;     /* text NULL: every unit reads its own */
	struct key key;          /* of the headers' facts; 0 without */
	struct key plain;        /* the same of the tree on disk */
	bool reuses;             /* what units say with those */
	struct facts *shared;
	enum {
		HEADERS_NONE,    /* every unit reads its own */
		HEADERS_WANTED,  /* must be made before units are parsed */
		HEADERS_MAKING,
		HEADERS_READY,
	} state;
	bool looked;             /* for its units in the cache */
	bool made;               /* headers.pch is of this run */
	bool in_cache;           /* headers.pch is in the cache's directory */
};

/*
 * Workers are forks: what they are to see of a task must be there before the
 * first of them starts. So all tasks are made at once, in one array: units
 * with the precompiled header, the same without it, headers of the sides.
 */
struct parsing {
	struct parse_job *job;
	size_t njob;
	const struct parse_options *options;
	struct arena *arena;
	struct strtab *strings;
	struct parse_stats *stats;
	struct clang_place place;
	struct key clang;        /* what the library is */
	struct changes changes;  /* of headers, by the tree's view */
	int64_t started;         /* nanoseconds of the epoch */
	struct side *side;
	size_t nside;
	struct side **side_of;   /* by job */
	struct key *key;         /* by job */
	struct task *task;
	size_t *queue;           /* tasks */
	size_t next, queued, done;
	struct scratch scratch;  /* for headers, without a cache */
};

static struct key key_with(const struct parsing *p, const struct side *side,
			   const struct task *task, struct key headers)
{
	struct strbuf parts = STRBUF_INIT;
	struct key key;

	task_key_add(&parts, task, p->clang);
	key_add_number(&parts, side->config->hash);
	key_add_number(&parts, p->options->headers);
	key_add_number(&parts, headers.lo);
	key_add_number(&parts, headers.hi);
	key = key_make(&parts);
	strbuf_release(&parts);
	return key;
}

static struct key task_key(const struct parsing *p, const struct side *side,
			   const struct task *task)
{
	return key_with(p, side, task, side->key);
}

static struct memfile *side_files(const struct config *config, size_t *n)
{
	struct memfile *file = tree_memfiles(config->tree, config->file,
					     config->nfile, n);

	return sorted_files(file, *n);
}

/* Sides, in the order of their first jobs. */
static void make_sides(struct parsing *p)
{
	p->side = xcalloc(p->njob, sizeof(*p->side));
	for (size_t i = 0; i < p->njob; i++) {
		const struct config *config = p->job[i].config;
		struct side *side = p->side;

		while (side < p->side + p->nside && side->config != config)
			side++;
		if (side == p->side + p->nside) {
			p->nside++;
			side->config = config;
			side->file = side_files(config, &side->nfile);
			side->job = xcalloc(p->njob, sizeof(*side->job));
		}
		side->job[side->njob++] = i;
		p->side_of[i] = side;
	}
}

static void make_task(struct parsing *p, size_t i)
{
	const struct parse_job *job = &p->job[i];
	struct side *side = p->side_of[i];
	struct task *task = &p->task[i];

	task->kind = TASK_UNIT;
	task->root = side->config->tree->root;
	task->unit = job->unit;
	task->flags = tree_flags(side->config, job->unit, &task->nflags,
				 &task->ncommon);
	side->flags = task->flags;
	side->ncommon = task->ncommon;
	task->file = side->file;
	task->nfile = side->nfile;
	task->keep = p->options->keep;
	task->nkeep = p->options->nkeep;
	task->size = tree_file_size(task->root, task->unit);
	p->task[p->njob + i] = *task;
}

/*
 * The choice of headers is kept: it should not change, and with it every
 * key, because one unit was edited or a run looks at a few units only.
 */
static const char *choose_headers(struct parsing *p, struct side *side)
{
	const char *root = side->config->tree->root;
	struct cache *cache = p->options->cache;
	struct strbuf parts = STRBUF_INIT;
	const char **unit, *text = NULL;
	uint64_t njob = side->njob;
	char *kept = NULL;
	struct key key;
	size_t len;

	key_add_number(&parts, FACTS_FORMAT);
	key_add(&parts, root);
	key_add_number(&parts, side->config->hash);
	key = key_make(&parts);
	parts.len = 0;
	if (cache)
		kept = cache_get(cache, "headers", key.lo, key.hi, &len);
	if (kept && len > sizeof(njob)) {
		memcpy(&njob, kept, sizeof(njob));
		text = arena_strndup(p->arena, kept + sizeof(njob),
				     len - sizeof(njob));
	}
	free(kept);
	/* made for a run that was much smaller than this one: again */
	if (text && side->njob <= njob * 2)
		goto out;
	unit = xcalloc(side->njob, sizeof(*unit));
	for (size_t i = 0; i < side->njob; i++)
		unit[i] = p->job[side->job[i]].unit;
	text = headers_choose(root, unit, side->njob, side->flags,
			      side->ncommon, p->arena);
	free(unit);
	if (text && cache) {
		njob = side->njob;
		strbuf_add(&parts, &njob, sizeof(njob));
		strbuf_addstr(&parts, text);
		cache_put(cache, "headers", key.lo, key.hi, parts.buf,
			  parts.len);
	}
out:
	strbuf_release(&parts);
	return text;
}

static bool cache_writable(const struct cache *cache)
{
	return cache && !cache_problem(cache) &&
	       !access(cache_dir(cache), W_OK);
}

/* Where a precompiled header of this run goes, in the arena; or NULL. */
static const char *new_pch(struct parsing *p, struct side *side)
{
	struct err err = { 0 };
	const char *kept;

	if (cache_writable(p->options->cache)) {
		char *path = cache_temporary(p->options->cache);

		kept = arena_strdup(p->arena, path);
		free(path);
		side->in_cache = true;
		return kept;
	}
	if (!p->scratch.dir && scratch_make(&p->scratch, NULL, &err)) {
		/* every unit then reads its headers by itself */
		err_clear(&err);
		return NULL;
	}
	return arena_printf(p->arena, "%s/%zu.pch", p->scratch.dir,
			    (size_t)(side - p->side));
}

/* What stands before the facts of headers in the cache. */
struct pch_head {
	uint64_t size, sum;
};

static bool pch_head(const char *path, struct pch_head *head)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *map = MAP_FAILED;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			   fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	head->size = (uint64_t)st.st_size;
	head->sum = XXH3_64bits(map, head->size);
	munmap(map, head->size);
	return true;
}

static struct facts *keep_facts(struct parsing *p, const void *bytes,
				size_t len, const char **why)
{
	struct err err = { 0 };
	struct facts *facts;
	char *kept = arena_alloc(p->arena, len);

	memcpy(kept, bytes, len);
	facts = facts_decode(kept, len, p->arena, p->strings, &err);
	if (!facts && why)
		*why = arena_strdup(p->arena, err.text);
	err_clear(&err);
	return facts;
}

/*
 * Headers from the cache. Without its file the precompiled header must be
 * made again, but only if there is a unit to parse.
 */
static void find_headers(struct parsing *p, struct side *side,
			 struct key key)
{
	struct cache *cache = p->options->cache;
	struct pch_head head, now;
	size_t len;
	char *data, *path;

	data = deps_get(cache, key, &len, &side->key);
	if (!data)
		return;
	if (len > sizeof(head))
		side->shared = keep_facts(p, data + sizeof(head),
					  len - sizeof(head), NULL);
	if (side->shared) {
		memcpy(&head, data, sizeof(head));
		path = cache_path(cache, "pch", side->key.lo, side->key.hi);
		if (pch_head(path, &now) && now.size == head.size &&
		    now.sum == head.sum) {
			side->headers.pch = arena_strdup(p->arena, path);
			side->state = HEADERS_READY;
			utimensat(AT_FDCWD, path, NULL, 0);
		}
		free(path);
	}
	free(data);
}

static void make_headers_task(struct parsing *p, struct side *side)
{
	struct task *task = &side->headers;

	task->kind = TASK_HEADERS;
	task->root = side->config->tree->root;
	task->unit = "nocharge-headers.h";
	task->flags = side->flags;
	task->nflags = task->ncommon = side->ncommon;
	task->file = side->file;
	task->nfile = side->nfile;
	task->keep = p->options->keep;
	task->nkeep = p->options->nkeep;
	task->text = choose_headers(p, side);
	if (!task->text)
		return;
	side->state = HEADERS_WANTED;
	if (p->options->cache)
		find_headers(p, side, task_key(p, side, task));
	if (side->state == HEADERS_WANTED) {
		task->pch = new_pch(p, side);
		if (!task->pch)
			side->state = HEADERS_NONE;
	}
}

static int compare_size(const void *a, const void *b, void *data)
{
	const struct task *task = data;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (task[x].size != task[y].size)
		return task[x].size < task[y].size ? 1 : -1;
	return x < y ? -1 : 1;
}

static void enqueue(struct parsing *p, size_t task)
{
	p->queue[p->queued++] = task;
}

static void job_done(struct parsing *p, struct parse_job *job)
{
	const struct parse_options *options = p->options;

	if (!job->facts)
		p->stats->failed++;
	else if (job->cached)
		p->stats->cached++;
	else
		p->stats->parsed++;
	p->done++;
	if (options->progress)
		options->progress(options->progress_data, p->done, p->njob);
}

static bool is_header(const char *path)
{
	size_t len = strlen(path);

	return len > 2 && !strcmp(path + len - 2, ".h");
}

/* Do headers of the view change nothing but functions? */
static bool only_functions_change(struct parsing *p, const struct tree *tree)
{
	bool only = true;

	p->changes = (struct changes){ .arena = p->arena };
	for (size_t i = 0; i < tree->nview && only; i++) {
		const struct memfile *file = &tree->view[i];
		struct strbuf disk = STRBUF_INIT;

		if (!is_header(file->path))
			continue;
		only = !strbuf_read_file(&disk, file->path, NULL) &&
		       header_changes(&p->changes, disk.buf, disk.len,
				      file->text, file->len);
		strbuf_release(&disk);
	}
	return only;
}

/* Did the headers on disk come to include the same files? */
static bool same_includes(struct parsing *p, const struct side *side)
{
	struct arena *arena = arena_new();
	struct err err = { 0 };
	struct facts *plain = NULL;
	size_t len, head = sizeof(struct pch_head);
	bool same;
	char *data = cache_get(p->options->cache, "facts", side->plain.lo,
			       side->plain.hi, &len);

	if (data && len > head)
		plain = facts_decode(data + head, len - head, arena,
				     strtab_new(arena), &err);
	same = plain && plain->ndep == side->shared->ndep;
	for (uint32_t i = 0; same && i < plain->ndep; i++)
		same = !strcmp(plain->dep[i], side->shared->dep[i]);
	err_clear(&err);
	free(data);
	arena_free(arena);
	return same;
}

/*
 * What units say with the headers on disk holds for the view too, if these
 * differ in functions only. That all of them are in the precompiled header
 * again shows that none has an error.
 */
static void find_reuse(struct parsing *p, struct side *side)
{
	const struct tree *tree = side->config->tree;
	unsigned replaced, now = 0;

	side->reuses = false;
	if (!tree->nview || !p->options->cache || !side->shared ||
	    !deps_find_plain(p->options->cache,
			     key_with(p, side, &side->headers,
				      (struct key){ 0 }),
			     &side->plain, &replaced))
		return;
	for (size_t i = 0; i < tree->nview; i++) {
		const char *path = tree->view[i].path + strlen(tree->root) + 1;

		for (uint32_t k = 0; k < side->shared->ndep; k++)
			now += !strcmp(side->shared->dep[k], path);
	}
	side->reuses = now == replaced && only_functions_change(p, tree) &&
		       (!p->changes.includes || same_includes(p, side));
}

/* The facts of a unit that the view changes nothing for; or NULL. */
static void *unchanged(struct parsing *p, struct side *side, size_t number,
		       size_t *len)
{
	const struct task *task = &p->task[number];
	const struct tree *tree = side->config->tree;
	struct strbuf text = STRBUF_INIT;
	const char *path;
	bool named;

	if (!side->reuses)
		return NULL;
	path = arena_printf(p->arena, "%s/%s", tree->root, task->unit);
	if (strbuf_read_file(&text, path, NULL))
		return NULL;
	named = changes_named(&p->changes, text.buf, text.len);
	strbuf_release(&text);
	if (named)
		return NULL;
	return deps_get_plain(p->options->cache,
			      key_with(p, side, task, side->plain), len);
}

/* Take what the cache has of a side's units, and queue the others. */
static void look_up(struct parsing *p, struct side *side)
{
	bool pch = side->state != HEADERS_NONE;

	find_reuse(p, side);
	for (size_t i = 0; i < side->njob; i++) {
		size_t number = side->job[i], len;
		struct parse_job *job = &p->job[number];
		struct key exact;
		void *data = NULL;

		if (job->facts || job->failure)
			continue;
		p->key[number] = task_key(p, side, &p->task[number]);
		if (p->options->cache)
			data = deps_get(p->options->cache, p->key[number],
					&len, &exact);
		if (!data)
			data = unchanged(p, side, number, &len);
		if (data) {
			job->facts = keep_facts(p, data, len, NULL);
			free(data);
		}
		if (job->facts) {
			job->cached = true;
			job_done(p, job);
		} else {
			enqueue(p, number + (pch ? 0 : p->njob));
		}
	}
	side->looked = true;
	qsort_r(p->queue + p->next, p->queued - p->next, sizeof(*p->queue),
		compare_size, p->task);
}

static struct side *task_side(struct parsing *p, size_t task)
{
	return p->side_of[task % p->njob];
}

/* Does any unit wait for this side's headers? */
static bool awaited(struct parsing *p, const struct side *side)
{
	if (!side->looked)
		return true;
	for (size_t i = p->next; i < p->queued; i++)
		if (task_side(p, p->queue[i]) == side)
			return true;
	return false;
}

static bool next_task(void *data, size_t *task)
{
	struct parsing *p = data;

	for (size_t i = 0; i < p->nside; i++) {
		struct side *side = &p->side[i];

		if (side->state == HEADERS_WANTED && awaited(p, side)) {
			side->state = HEADERS_MAKING;
			*task = p->njob * 2 + i;
			return true;
		}
	}
	for (size_t i = p->next; i < p->queued; i++) {
		const struct side *side = task_side(p, p->queue[i]);

		if (side->state == HEADERS_MAKING)
			continue;
		*task = p->queue[i];
		memmove(p->queue + p->next + 1, p->queue + p->next,
			(i - p->next) * sizeof(*p->queue));
		p->next++;
		return true;
	}
	return false;
}

static void headers_done(struct parsing *p, struct side *side,
			 struct reply *reply)
{
	struct strbuf kept = STRBUF_INIT;
	struct pch_head head = { 0 };
	struct facts *shared = NULL;

	if (reply->ok && pch_head(side->headers.pch, &head))
		shared = keep_facts(p, reply->payload.buf,
				    reply->payload.len, NULL);
	if (shared) {
		side->key = task_key(p, side, &side->headers);
		if (p->options->cache) {
			struct key key = side->key;

			strbuf_add(&kept, &head, sizeof(head));
			strbuf_add(&kept, reply->payload.buf,
				   reply->payload.len);
			deps_put(p->options->cache, key, &reply->deps,
				 kept.buf, kept.len, p->started, &side->key);
			strbuf_release(&kept);
		}
		side->shared = shared;
		side->made = true;
		side->state = HEADERS_READY;
	} else {
		/* units say themselves what is wrong with their headers */
		memset(&side->key, 0, sizeof(side->key));
		side->state = HEADERS_NONE;
		for (size_t i = p->next; i < p->queued; i++)
			if (task_side(p, p->queue[i]) == side)
				p->queue[i] = p->queue[i] % p->njob + p->njob;
	}
	if (!side->looked)
		look_up(p, side);
}

static void unit_done(struct parsing *p, size_t task, struct reply *reply)
{
	size_t number = task % p->njob;
	struct parse_job *job = &p->job[number];
	bool pch = task < p->njob;
	struct key exact;

	if (reply->ok)
		job->facts = keep_facts(p, reply->payload.buf,
					reply->payload.len, &job->failure);
	else
		job->failure = arena_strdup(p->arena, reply->why ?
					    reply->why : "failed");
	/* is it the unit, or what it was told to begin with? */
	if (pch && (reply->crashed || (job->facts && job->facts->nerror))) {
		job->facts = NULL;
		job->failure = NULL;
		enqueue(p, task + p->njob);
		return;
	}
	/* what failed may do so for what is not a file that it has read */
	if (job->facts && !job->facts->nerror && p->options->cache)
		deps_put(p->options->cache, p->key[number], &reply->deps,
			 reply->payload.buf, reply->payload.len, p->started,
			 &exact);
	job_done(p, job);
}

static void task_done(void *data, size_t task, struct reply *reply)
{
	struct parsing *p = data;

	if (task < p->njob * 2)
		unit_done(p, task, reply);
	else
		headers_done(p, &p->side[task - p->njob * 2], reply);
}

static int run_tasks(struct parsing *p, struct err *err)
{
	struct pool pool = {
		.task = p->task, .ntask = p->njob * 2 + p->nside,
		.jobs = parse_jobs(p->options->jobs), .place = &p->place,
		.limits = p->options->limits,
		.interrupted = p->options->interrupted,
		.next = next_task, .done = task_done, .data = p,
	};
	int ret = pool_run(&pool, err);

	p->stats->cpu += pool.cpu;
	return ret;
}

/* A header that is worth it goes where the next run finds it. */
static void store_headers(struct parsing *p, struct side *side)
{
	struct cache *cache = p->options->cache;
	char *path;

	if (side->state == HEADERS_READY && !side->made)
		return;
	if (!side->headers.pch)
		return;
	if (side->made && side->in_cache && cache_writable(cache)) {
		path = cache_path(cache, "pch", side->key.lo, side->key.hi);
		cache_rename(cache, side->headers.pch, path);
		free(path);
	} else {
		unlink(side->headers.pch);
	}
}

static void share_headers(struct parsing *p, struct side *side)
{
	const struct facts_head *head;
	struct parse_job **job;
	size_t n = 0;

	if (!side->shared)
		return;
	head = side->shared->bytes;
	job = xcalloc(side->njob, sizeof(*job));
	for (size_t i = 0; i < side->njob; i++) {
		p->job[side->job[i]].shared = head->sum;
		if (p->job[side->job[i]].facts)
			job[n++] = &p->job[side->job[i]];
	}
	headers_share(job, n, side->shared, p->arena);
	free(job);
}

static void parsing_release(struct parsing *p)
{
	for (size_t i = 0; i < p->nside; i++) {
		store_headers(p, &p->side[i]);
		free(p->side[i].file);
		free(p->side[i].job);
	}
	scratch_remove(&p->scratch);
	free(p->side);
	free(p->side_of);
	free(p->key);
	free(p->task);
	free(p->queue);
	clang_place_release(&p->place);
}

int parse_units(struct parse_job *job, size_t njob,
		const struct parse_options *options, struct arena *arena,
		struct strtab *strings, struct parse_stats *stats,
		struct err *err)
{
	struct parsing p = {
		.job = job, .njob = njob, .options = options, .arena = arena,
		.strings = strings, .stats = stats, .started = parse_now(),
	};
	int ret;

	if (clang_find(&p.place, err))
		return -1;
	p.clang = clang_key(&p.place);
	p.side_of = xcalloc(njob, sizeof(*p.side_of));
	p.key = xcalloc(njob, sizeof(*p.key));
	p.task = xcalloc(njob * 3, sizeof(*p.task));
	p.queue = xcalloc(njob * 2, sizeof(*p.queue));
	make_sides(&p);
	for (size_t i = 0; i < njob; i++)
		make_task(&p, i);
	for (size_t i = 0; i < p.nside; i++)
		make_headers_task(&p, &p.side[i]);
	for (size_t i = 0; i < p.nside; i++) {
		struct side *side = &p.side[i];

		p.task[njob * 2 + i] = side->headers;
		for (size_t k = 0; k < side->njob; k++)
			p.task[side->job[k]].pch = side->headers.pch;
		if (side->shared || side->state == HEADERS_NONE)
			look_up(&p, side);
	}
	ret = run_tasks(&p, err);
	for (size_t i = 0; i < p.nside; i++)
		share_headers(&p, &p.side[i]);
	parsing_release(&p);
	return ret;
}
