// SPDX-License-Identifier: GPL-2.0-only
/* Constants that only a compiler knows, for who generates headers. */
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "deps.h"
#include "parsing.h"
#include "worker.h"

struct constants {
	bool given;
	void (*each)(void *data, const char *name, long long value);
	void *data;
	const char *unit;
	struct cache *cache; /* or NULL */
	struct key key;
	int64_t started;
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
	struct key exact;

	(void)task;
	if (!reply->ok) {
		err_set(constants->err, STATUS_USAGE, "%s: %s",
			constants->unit, reply->why ? reply->why : "failed");
		return;
	}
	if (constants->cache)
		deps_put(constants->cache, constants->key, &reply->deps,
			 reply->payload.buf, reply->payload.len,
			 constants->started, &exact);
	if (reply->payload.len)
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
			if (tree_file_size(root, unit))
				return root;
		}
		free(root);
	}
	return NULL;
}

static struct key constants_key(const struct task *task, struct key clang)
{
	struct strbuf parts = STRBUF_INIT;
	struct key key;

	task_key_add(&parts, task, clang);
	for (size_t i = 0; i < task->nfile; i++) {
		if (task->file[i].view)
			continue;
		key_add(&parts, task->file[i].path);
		key_add_number(&parts, XXH3_64bits(task->file[i].text,
						   task->file[i].len));
	}
	key = key_make(&parts);
	strbuf_release(&parts);
	return key;
}

/* Returns true if the cache has them. */
static bool from_cache(struct constants *constants)
{
	struct key exact;
	size_t len;
	char *data, *text;

	if (!constants->cache)
		return false;
	data = deps_get(constants->cache, constants->key, &len, &exact);
	if (!data)
		return false;
	text = xcalloc(1, len + 1);
	memcpy(text, data, len);
	give_constants(constants, text);
	free(text);
	free(data);
	return true;
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
		.cache = options->cache, .started = parse_now(),
	};
	struct clang_place place;
	struct task task = {
		.kind = TASK_CONSTANTS, .unit = unit, .flags = flags,
		.nflags = nflags, .nfile = nfile,
	};
	struct memfile *sorted;
	struct pool pool = {
		.task = &task, .ntask = 1, .jobs = 1, .place = &place,
		.limits = options->limits,
		.interrupted = options->interrupted,
		.next = next_constants, .done = constants_done,
		.data = &constants,
	};
	char *root;
	int ret;

	root = find_root(file, nfile, unit);
	if (!root)
		return err_set(err, STATUS_USAGE, "%s: no such file", unit);
	sorted = sorted_files(file, nfile);
	task.file = sorted;
	task.root = root;
	ret = clang_find(&place, err);
	if (!ret) {
		constants.key = constants_key(&task, clang_key(&place));
		if (!from_cache(&constants))
			ret = pool_run(&pool, err);
		clang_place_release(&place);
	}
	free(sorted);
	free(root);
	return ret || err->text ? -1 : 0;
}
