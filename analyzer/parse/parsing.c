// SPDX-License-Identifier: GPL-2.0-only
#include "parsing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

unsigned parse_jobs(unsigned jobs)
{
	long n = jobs ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 256 ? 256 : (unsigned)n;
}

uint64_t tree_file_size(const char *root, const char *path)
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

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct memfile *)a)->path,
		      ((const struct memfile *)b)->path);
}

struct memfile *sorted_files(const struct memfile *file, size_t n)
{
	struct memfile *sorted = xcalloc(n, sizeof(*sorted));

	memcpy(sorted, file, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_paths);
	return sorted;
}

void task_key_add(struct strbuf *parts, const struct task *task,
		  struct key clang)
{
	key_add_number(parts, FACTS_FORMAT);
	key_add_number(parts, task->kind);
	key_add_number(parts, clang.lo);
	key_add_number(parts, clang.hi);
	key_add(parts, task->root);
	key_add(parts, task->unit);
	key_add_number(parts, task->nflags);
	for (size_t i = 0; i < task->nflags; i++)
		key_add(parts, task->flags[i]);
	key_add_number(parts, task->nkeep);
	for (size_t i = 0; i < task->nkeep; i++)
		key_add(parts, task->keep[i]);
	key_add(parts, task->text ? task->text : "");
}

struct key clang_key(const struct clang_place *place)
{
	struct strbuf parts = STRBUF_INIT;
	struct stat st;
	struct key key;

	/* the content would be 40 MB to read */
	key_add(&parts, place->library);
	key_add(&parts, place->resource_dir);
	if (!stat(place->library, &st)) {
		key_add_number(&parts, (uint64_t)st.st_size);
		key_add_number(&parts, (uint64_t)st.st_mtim.tv_sec);
		key_add_number(&parts, (uint64_t)st.st_mtim.tv_nsec);
	}
	key = key_make(&parts);
	strbuf_release(&parts);
	return key;
}

int64_t parse_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000ll + t.tv_nsec;
}
