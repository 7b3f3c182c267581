// SPDX-License-Identifier: GPL-2.0-only
/* What the rest of the program asks for: units to facts. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker.h"

/* A run of parse_units(). */
struct parsing {
	struct parse_job *job;
	size_t njob;
	const struct parse_options *options;
	struct arena *arena;
	struct strtab *strings;
	struct parse_stats *stats;
	struct task *task;  /* as many as jobs */
	size_t *order;      /* the largest first */
	size_t next, done;
};

static unsigned how_many(unsigned jobs)
{
	long n = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 256 ? 256 : (unsigned)n;
}

static uint64_t file_size(const char *root, const char *path)
{
	struct strbuf full = STRBUF_INIT;
	struct stat st;
	uint64_t size = 0;

	strbuf_addf(&full, "%s/%s", root, path);
	if (!stat(full.buf, &st))
		size = (uint64_t)st.st_size;
	strbuf_release(&full);
	return size;
}

static void make_task(const struct parsing *parsing, size_t i)
{
	const struct parse_job *job = &parsing->job[i];
	const struct config *config = job->config;
	struct task *task = &parsing->task[i];
	size_t ncommon;

	task->kind = TASK_UNIT;
	task->root = config->tree->root;
	task->unit = job->unit;
	task->flags = tree_flags(config, job->unit, &task->nflags, &ncommon);
	task->file = config->file;
	task->nfile = config->nfile;
	task->keep = parsing->options->keep;
	task->nkeep = parsing->options->nkeep;
	task->size = file_size(task->root, task->unit);
}

static int compare_size(const void *a, const void *b, void *data)
{
	const struct task *task = data;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (task[x].size != task[y].size)
		return task[x].size < task[y].size ? 1 : -1;
	return x < y ? -1 : 1;
}

static bool next_unit(void *data, size_t *task)
{
	struct parsing *parsing = data;

	if (parsing->next == parsing->njob)
		return false;
	*task = parsing->order[parsing->next++];
	return true;
}

/* Bytes that the arena keeps to facts. */
static void take_facts(struct parsing *parsing, struct parse_job *job,
		       const void *bytes, size_t len)
{
	struct err err = { 0 };
	char *kept = arena_alloc(parsing->arena, len);

	memcpy(kept, bytes, len);
	job->facts = facts_decode(kept, len, parsing->arena, parsing->strings,
				  &err);
	if (!job->facts)
		job->failure = arena_strdup(parsing->arena, err.text);
	err_clear(&err);
}

static void unit_done(void *data, size_t task, struct reply *reply)
{
	struct parsing *parsing = data;
	struct parse_job *job = &parsing->job[task];
	const struct parse_options *options = parsing->options;

	if (reply->ok)
		take_facts(parsing, job, reply->payload.buf,
			   reply->payload.len);
	else
		job->failure = arena_strdup(parsing->arena, reply->why ?
					    reply->why : "failed");
	if (job->facts)
		parsing->stats->parsed++;
	else
		parsing->stats->failed++;
	parsing->done++;
	if (options->progress)
		options->progress(options->progress_data, parsing->done,
				  parsing->njob);
}

int parse_units(struct parse_job *job, size_t njob,
		const struct parse_options *options, struct arena *arena,
		struct strtab *strings, struct parse_stats *stats,
		struct err *err)
{
	struct parsing parsing = {
		.job = job, .njob = njob, .options = options, .arena = arena,
		.strings = strings, .stats = stats,
	};
	struct clang_place place;
	struct pool pool = {
		.ntask = njob, .jobs = how_many(options->jobs),
		.place = &place, .limits = options->limits,
		.interrupted = options->interrupted,
		.next = next_unit, .done = unit_done, .data = &parsing,
	};
	int ret;

	if (clang_find(&place, err))
		return -1;
	parsing.task = xcalloc(njob, sizeof(*parsing.task));
	parsing.order = xcalloc(njob, sizeof(*parsing.order));
	for (size_t i = 0; i < njob; i++) {
		make_task(&parsing, i);
		parsing.order[i] = i;
	}
	qsort_r(parsing.order, njob, sizeof(*parsing.order), compare_size,
		parsing.task);
	pool.task = parsing.task;
	ret = pool_run(&pool, err);
	stats->cpu += pool.cpu;
	free(parsing.task);
	free(parsing.order);
	clang_place_release(&place);
	return ret;
}

struct constants {
	bool given;
	void (*each)(void *data, const char *name, long long value);
	void *data;
	const char *unit;
	struct err *err;
};

static bool next_constants(void *data, size_t *task)
{
	struct constants *constants = data;

	if (constants->given)
		return false;
	constants->given = true;
	*task = 0;
	return true;
}

static void give_constants(struct constants *constants, char *text)
{
	char *line, *value, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = '\0';
		constants->each(constants->data, line, strtoll(value, NULL,
							       10));
	}
}

static void constants_done(void *data, size_t task, struct reply *reply)
{
	struct constants *constants = data;

	(void)task;
	if (!reply->ok)
		err_set(constants->err, STATUS_USAGE, "%s: %s",
			constants->unit, reply->why ? reply->why : "failed");
	else if (reply->payload.len)
		give_constants(constants, reply->payload.buf);
}

/*
 * Nobody says where the tree is, but its generated files are in it: the
 * folder over one of them in which there is such a unit.
 */
static char *find_root(const struct memfile *file, size_t nfile,
		       const char *unit)
{
	for (size_t i = 0; i < nfile; i++) {
		char *root = xstrdup(file[i].path), *slash;

		while ((slash = strrchr(root, '/')) && slash > root) {
			*slash = '\0';
			if (file_size(root, unit))
				return root;
		}
		free(root);
	}
	return NULL;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct memfile *)a)->path,
		      ((const struct memfile *)b)->path);
}

int parse_constants(void *data, const char *unit, const char *const *flags,
		    size_t nflags, const struct memfile *file, size_t nfile,
		    void (*each)(void *each_data, const char *name,
				 long long value),
		    void *each_data, struct err *err)
{
	const struct parse_options *options = data;
	struct constants constants = {
		.each = each, .data = each_data, .unit = unit, .err = err,
	};
	struct clang_place place;
	struct task task = {
		.kind = TASK_CONSTANTS, .unit = unit, .flags = flags,
		.nflags = nflags, .nfile = nfile,
	};
	struct memfile *sorted;
	char *root;
	struct pool pool = {
		.task = &task, .ntask = 1, .jobs = 1, .place = &place,
		.limits = options->limits,
		.interrupted = options->interrupted,
		.next = next_constants, .done = constants_done,
		.data = &constants,
	};
	int ret;

	root = find_root(file, nfile, unit);
	if (!root)
		return err_set(err, STATUS_USAGE, "%s: no such file", unit);
	sorted = xcalloc(nfile, sizeof(*sorted));
	memcpy(sorted, file, nfile * sizeof(*sorted));
	qsort(sorted, nfile, sizeof(*sorted), compare_paths);
	task.file = sorted;
	task.root = root;
	ret = clang_find(&place, err);
	if (!ret) {
		ret = pool_run(&pool, err);
		clang_place_release(&place);
	}
	free(sorted);
	free(root);
	return ret || err->text ? -1 : 0;
}

void parse_doctor(struct parse_doctor *doctor)
{
	(void)doctor;
}
