// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <xxhash.h>

#include "../base/fd.h"
#include "../base/strbuf.h"
#include "cache.h"
#include "deps.h"
#include "parse.h"

/* When a run ends with more than this, what was not used longest goes. */
#define CACHE_MOST ((uint64_t)2 << 30)
/* A file that a run in progress is still writing is younger than this. */
#define STALE_SECONDS 3600
/* Use is noted no more often than this, so that reading rarely writes. */
#define TOUCH_SECONDS 3600

struct cache_head {
	char magic[4];
	uint32_t version;
	uint64_t len, sum; /* of what follows */
};

struct cache {
	char *dir;
	char *problem;
	bool wrote;
	unsigned serial;       /* of temporary files */
	struct file_hashes *hashes;
};

static void head_make(struct cache_head *head, const void *data, size_t len)
{
	memset(head, 0, sizeof(*head));
	memcpy(head->magic, "nchc", 4);
	head->version = 1;
	head->len = len;
	head->sum = XXH3_64bits(data, len);
}

/* 0 or an error number. */
static int make_dirs(const char *dir)
{
	char *path = xstrdup(dir), *at = path;
	int ret = 0;

	/* some file systems refuse to make what is there */
	while (at) {
		at = strchr(at + 1, '/');
		if (at)
			*at = '\0';
		ret = mkdir(path, 0777) && errno != EEXIST ? errno : 0;
		if (at)
			*at = '/';
	}
	free(path);
	return ret;
}

static char *default_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct strbuf dir = STRBUF_INIT;

	if (xdg && *xdg == '/')
		strbuf_addf(&dir, "%s/nocharge", xdg);
	else if (home && *home == '/')
		strbuf_addf(&dir, "%s/.cache/nocharge", home);
	return dir.buf;
}

struct cache *cache_look(const char *dir, struct err *err)
{
	struct cache *cache;
	char *path = dir ? xstrdup(dir) : default_dir();

	if (!path) {
		err_set(err, STATUS_USAGE, "no place for a cache: neither "
			"XDG_CACHE_HOME nor HOME is an absolute path");
		return NULL;
	}
	cache = xcalloc(1, sizeof(*cache));
	cache->dir = path;
	cache->hashes = file_hashes_new();
	return cache;
}

struct cache *cache_open(const char *dir, struct err *err)
{
	struct cache *cache = cache_look(dir, err);
	struct stat st;
	int failed;

	if (!cache)
		return NULL;
	failed = make_dirs(cache->dir);
	if (stat(cache->dir, &st) || !S_ISDIR(st.st_mode)) {
		err_set(err, STATUS_USAGE, "cannot make the cache '%s': %s",
			cache->dir,
			failed ? strerror(failed) : "not a directory");
		cache_close(cache);
		return NULL;
	}
	return cache;
}

void cache_close(struct cache *cache)
{
	struct err err = { 0 };

	if (!cache)
		return;
	if (cache->wrote && cache_size(cache) > CACHE_MOST)
		cache_prune(cache, CACHE_MOST / 4 * 3, &err);
	err_clear(&err);
	file_hashes_free(cache->hashes);
	free(cache->dir);
	free(cache->problem);
	free(cache);
}

void cache_replace(struct cache *cache, const struct memfile *file, size_t n)
{
	for (size_t i = 0; i < n; i++)
		file_hashes_replace(cache->hashes, file[i].path, file[i].text,
				    file[i].len);
}

const char *cache_dir(const struct cache *cache)
{
	return cache->dir;
}

const char *cache_problem(const struct cache *cache)
{
	return cache->problem;
}

struct file_hashes *cache_hashes(struct cache *cache)
{
	return cache->hashes;
}

static void set_problem(struct cache *cache, const char *what)
{
	struct strbuf text = STRBUF_INIT;

	if (cache->problem)
		return;
	strbuf_addf(&text, "cannot write to the cache '%s': %s", cache->dir,
		    what);
	cache->problem = text.buf;
}

char *cache_path(const struct cache *cache, const char *kind, uint64_t key,
		 uint64_t key2)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s-%016" PRIx64 "%016" PRIx64, cache->dir, kind,
		    key, key2);
	return path.buf;
}

char *cache_temporary(struct cache *cache)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/tmp-%ld-%u", cache->dir, (long)getpid(),
		    cache->serial++);
	return path.buf;
}

/* The cache is pruned by time of use, which is the time of modification. */
static void note_use(int fd, const struct stat *st)
{
	if (st->st_mtime < time(NULL) - TOUCH_SECONDS)
		futimens(fd, NULL);
}

void *cache_get(struct cache *cache, const char *kind, uint64_t key,
		uint64_t key2, size_t *len)
{
	char *path = cache_path(cache, kind, key, key2);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct cache_head head, want;
	void *data = NULL;
	struct stat st;
	bool whole = false;

	free(path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size >= sizeof(head) &&
	    fd_read(fd, &head, sizeof(head)) &&
	    head.len == (uint64_t)st.st_size - sizeof(head)) {
		data = xmalloc(head.len);
		whole = fd_read(fd, data, head.len);
	}
	if (whole) {
		head_make(&want, data, head.len);
		whole = !memcmp(&head, &want, sizeof(head));
	}
	if (whole) {
		note_use(fd, &st);
		*len = head.len;
	} else {
		free(data);
		data = NULL;
	}
	close(fd);
	return data;
}

int cache_rename(struct cache *cache, const char *from, const char *to)
{
	if (rename(from, to)) {
		set_problem(cache, strerror(errno));
		unlink(from);
		return -1;
	}
	cache->wrote = true;
	return 0;
}

int cache_put(struct cache *cache, const char *kind, uint64_t key,
	      uint64_t key2, const void *data, size_t len)
{
	char *path, *temporary;
	struct cache_head head;
	int fd, ret = -1;

	/* a full disk stays full */
	if (cache->problem)
		return -1;
	path = cache_path(cache, kind, key, key2);
	temporary = cache_temporary(cache);
	head_make(&head, data, len);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		set_problem(cache, strerror(errno));
	} else {
		bool wrote = fd_write(fd, &head, sizeof(head)) &&
			     fd_write(fd, data, len);

		if (close(fd) || !wrote) {
			set_problem(cache, strerror(errno));
			unlink(temporary);
		} else {
			ret = cache_rename(cache, temporary, path);
		}
	}
	free(path);
	free(temporary);
	return ret;
}

struct entry {
	char *name;
	uint64_t size;
	struct timespec used;
};

struct entries {
	struct entry *entry;
	size_t n;
	uint64_t size;
};

/* "kind-" and the two keys, as cache_path() has it, or not finished yet. */
static bool is_ours(const char *name)
{
	size_t kind = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	if (!strncmp(name, "tmp-", 4)) {
		size_t pid = 4 + strspn(name + 4, "0123456789");

		return pid > 4 && name[pid] == '-' && name[pid + 1] &&
			!name[pid + 1 + strspn(name + pid + 1, "0123456789")];
	}
	return kind && name[kind] == '-' &&
		strspn(name + kind + 1, "0123456789abcdef") == 32 &&
		!name[kind + 1 + 32];
}

/* Only files that look like ours: the directory may hold others. */
static int list_entries(const struct cache *cache, struct entries *list)
{
	DIR *dir = opendir(cache->dir);
	struct dirent *d;
	size_t cap = 0;
	struct stat st;

	memset(list, 0, sizeof(*list));
	if (!dir)
		return errno == ENOENT ? 0 : -1;
	while ((d = readdir(dir))) {
		if (!is_ours(d->d_name) ||
		    fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (list->n == cap) {
			cap = cap ? cap * 2 : 256;
			list->entry = xrealloc(list->entry,
					       cap * sizeof(*list->entry));
		}
		list->entry[list->n++] = (struct entry){
			xstrdup(d->d_name), (uint64_t)st.st_size, st.st_mtim,
		};
		list->size += (uint64_t)st.st_size;
	}
	closedir(dir);
	return 0;
}

static void entries_release(struct entries *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->entry[i].name);
	free(list->entry);
}

uint64_t cache_size(struct cache *cache)
{
	struct entries list;
	uint64_t size;

	list_entries(cache, &list);
	size = list.size;
	entries_release(&list);
	return size;
}

static int compare_used(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec)
		return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

int cache_prune(struct cache *cache, uint64_t keep, struct err *err)
{
	time_t stale = time(NULL) - STALE_SECONDS;
	struct entries list;
	int ret = 0;

	if (list_entries(cache, &list))
		return err_set(err, STATUS_USAGE, "cannot read the cache "
			       "'%s': %s", cache->dir, strerror(errno));
	if (list.n)
		qsort(list.entry, list.n, sizeof(*list.entry), compare_used);
	for (size_t i = 0; i < list.n; i++) {
		struct entry *entry = &list.entry[i];
		struct strbuf path = STRBUF_INIT;
		bool temporary = !strncmp(entry->name, "tmp-", 4);

		if (temporary ? entry->used.tv_sec > stale :
				list.size <= keep)
			continue;
		strbuf_addf(&path, "%s/%s", cache->dir, entry->name);
		if (!unlink(path.buf) || errno == ENOENT)
			list.size -= entry->size;
		else if (!ret)
			ret = err_set(err, STATUS_USAGE, "cannot remove '%s': "
				      "%s", path.buf, strerror(errno));
		strbuf_release(&path);
	}
	entries_release(&list);
	return ret;
}
