// SPDX-License-Identifier: GPL-2.0-only
#include "deps.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <uthash.h>
#include <xxhash.h>

#include "../base/err.h"
#include "bytes.h"
#include "cache.h"
#include "parse.h"

/*
 * Sets of files that are remembered per key: branches between which one goes,
 * and states of a series.
 */
#define SETS 4
#define SETS_REPLACED 16

void key_add(struct strbuf *parts, const char *text)
{
	size_t len = strlen(text);

	put_number(parts, len);
	strbuf_add(parts, text, len);
}

void key_add_number(struct strbuf *parts, uint64_t number)
{
	put_number(parts, number);
}

struct key key_make(const struct strbuf *parts)
{
	XXH128_hash_t hash = XXH3_128bits(parts->buf, parts->len);

	return (struct key){ hash.low64, hash.high64 };
}

struct hashed_file {
	uint64_t hash;
	bool replaced; /* as a whole, by file_hashes_replace() */
	uint64_t disk; /* then: what is on disk; 0: not looked at */
	UT_hash_handle hh;
	char path[];
};

struct file_hashes {
	struct hashed_file *files;
	bool replaced; /* some are */
};

struct file_hashes *file_hashes_new(void)
{
	return xcalloc(1, sizeof(struct file_hashes));
}

void file_hashes_free(struct file_hashes *hashes)
{
	struct hashed_file *file, *next;

	HASH_ITER(hh, hashes->files, file, next) {
		HASH_DEL(hashes->files, file);
		free(file);
	}
	free(hashes);
}

static struct hashed_file *find_file(const struct file_hashes *hashes,
				     const char *path)
{
	struct hashed_file *file;

	HASH_FIND(hh, hashes->files, path, strlen(path), file);
	return file;
}

static struct hashed_file *add_file(struct file_hashes *hashes,
				    const char *path)
{
	size_t len = strlen(path);
	struct hashed_file *file = xcalloc(1, sizeof(*file) + len + 1);

	memcpy(file->path, path, len);
	HASH_ADD(hh, hashes->files, path[0], len, file);
	return file;
}

/* 0 says that there is none. */
static uint64_t hash_text(const void *text, size_t len)
{
	uint64_t hash = XXH3_64bits(text, len);

	return hash ? hash : 1;
}

/* Is @path another name of a file that is replaced? */
static const struct hashed_file *find_replaced(const struct file_hashes *hashes,
					       const char *path)
{
	const struct hashed_file *file;
	char real[PATH_MAX];

	if (!hashes->replaced || !realpath(path, real))
		return NULL;
	file = find_file(hashes, real);
	return file && file->replaced ? file : NULL;
}

static const struct hashed_file *look_at(struct file_hashes *hashes,
					 const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct hashed_file *file = find_file(hashes, path);
	const struct hashed_file *replaced;

	if (file)
		return file;
	replaced = find_replaced(hashes, path);
	file = add_file(hashes, path);
	if (replaced) {
		file->hash = replaced->hash;
		file->replaced = true;
	} else if (!strbuf_read_file(&text, path, NULL)) {
		file->hash = hash_text(text.buf, text.len);
	}
	strbuf_release(&text);
	return file;
}

/* 0 if it is not a file that can be read. Each file is read once in a run. */
static uint64_t file_hash(struct file_hashes *hashes, const char *path)
{
	return look_at(hashes, path)->hash;
}

void file_hashes_replace(struct file_hashes *hashes, const char *path,
			 const void *text, size_t len)
{
	struct hashed_file *file = find_file(hashes, path);

	if (!file)
		file = add_file(hashes, path);
	file->hash = hash_text(text, len);
	file->replaced = hashes->replaced = true;
}

/*
 * One set in the manifest: its length, then path and hash of each file. The
 * result's own key is made of the manifest's key and of these bytes.
 */
static struct key exact_key(struct key key, const void *set, size_t len)
{
	struct strbuf parts = STRBUF_INIT;
	struct key exact;

	strbuf_add(&parts, &key, sizeof(key));
	strbuf_add(&parts, set, len);
	exact = key_make(&parts);
	strbuf_release(&parts);
	return exact;
}

/* What it is taken for in a comparison with how the tree is on disk. */
static uint64_t disk_hash(struct file_hashes *hashes, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct hashed_file *file;

	if (!look_at(hashes, path)->replaced)
		return file_hash(hashes, path);
	file = find_file(hashes, path);
	if (!file->disk && !strbuf_read_file(&text, path, NULL))
		file->disk = hash_text(text.buf, text.len);
	strbuf_release(&text);
	return file->disk;
}

/* *@replaced: NULL, or how many files of the set are; it holds on disk. */
static bool set_holds(struct file_hashes *hashes, struct reader in,
		      unsigned *replaced)
{
	struct strbuf path = STRBUF_INIT;
	bool holds = true;

	while (holds && in.at < in.end) {
		uint32_t len = get_count(&in, 1);
		uint64_t hash;

		if (in.bad || (size_t)(in.end - in.at) < len + sizeof(hash)) {
			holds = false;
			break;
		}
		path.len = 0;
		strbuf_add(&path, in.at, len);
		memcpy(&hash, in.at + len, sizeof(hash));
		in.at += len + sizeof(hash);
		holds = (replaced ? disk_hash(hashes, path.buf) :
			 file_hash(hashes, path.buf)) == hash;
		if (replaced)
			*replaced += look_at(hashes, path.buf)->replaced;
	}
	strbuf_release(&path);
	return holds && !in.bad;
}

static bool next_set(struct reader *in, struct reader *set)
{
	uint32_t len;

	if (in->at >= in->end)
		return false;
	len = get_count(in, 1);
	if (in->bad)
		return false;
	*set = (struct reader){ .at = in->at, .end = in->at + len };
	in->at += len;
	return true;
}

/* Where the sets are that have a replaced file in them, or the others. */
static struct key manifest_key(struct key key, bool replaced)
{
	if (replaced)
		key.hi = ~key.hi;
	return key;
}

static void *get(struct cache *cache, struct key key, bool replaced,
		 size_t *len, struct key *exact)
{
	struct key where = manifest_key(key, replaced);
	size_t size;
	unsigned char *manifest = cache_get(cache, "deps", where.lo, where.hi,
					    &size);
	struct reader in, set;
	void *data = NULL;

	if (!manifest)
		return NULL;
	in = (struct reader){ .at = manifest, .end = manifest + size };
	while (!data && next_set(&in, &set)) {
		if (!set_holds(cache_hashes(cache), set, NULL))
			continue;
		*exact = exact_key(key, set.at, (size_t)(set.end - set.at));
		data = cache_get(cache, "facts", exact->lo, exact->hi, len);
	}
	free(manifest);
	return data;
}

void *deps_get(struct cache *cache, struct key key, size_t *len,
	       struct key *exact)
{
	void *data = get(cache, key, false, len, exact);

	if (!data && cache_hashes(cache)->replaced)
		data = get(cache, key, true, len, exact);
	return data;
}

bool deps_find_plain(struct cache *cache, struct key key, struct key *exact,
		     unsigned *replaced)
{
	size_t size;
	unsigned char *manifest = cache_get(cache, "deps", key.lo, key.hi,
					    &size);
	struct reader in, set;
	bool found = false;

	if (!manifest)
		return false;
	in = (struct reader){ .at = manifest, .end = manifest + size };
	while (!found && next_set(&in, &set)) {
		*replaced = 0;
		found = set_holds(cache_hashes(cache), set, replaced);
		if (found)
			*exact = exact_key(key, set.at,
					   (size_t)(set.end - set.at));
	}
	free(manifest);
	return found;
}

void *deps_get_plain(struct cache *cache, struct key key, size_t *len)
{
	struct key exact;
	unsigned replaced;

	if (!deps_find_plain(cache, key, &exact, &replaced) || replaced)
		return NULL;
	return cache_get(cache, "facts", exact.lo, exact.hi, len);
}

/* The clock of a file system ticks a few times in a hundred milliseconds. */
#define SLACK (20 * 1000000ll)

static bool changed_since(const char *path, int64_t since)
{
	struct stat st;

	return stat(path, &st) || (int64_t)st.st_mtim.tv_sec * 1000000000ll +
	       st.st_mtim.tv_nsec >= since - SLACK;
}

void deps_put(struct cache *cache, struct key key, const struct strbuf *deps,
	      const void *data, size_t len, int64_t since, struct key *exact)
{
	struct strbuf set = STRBUF_INIT, manifest = STRBUF_INIT;
	struct reader in, other;
	unsigned char *old;
	const char *path;
	bool certain = true, replaced = false;
	unsigned sets = 1, most;
	struct key where;
	size_t size;

	for (path = deps->buf; path && path < deps->buf + deps->len;
	     path += strlen(path) + 1) {
		const struct hashed_file *file = look_at(cache_hashes(cache),
							 path);

		key_add(&set, path);
		strbuf_add(&set, &file->hash, sizeof(file->hash));
		replaced |= file->replaced;
		certain &= file->replaced ||
			   (file->hash && !changed_since(path, since));
	}
	*exact = exact_key(key, set.buf, set.len);
	if (!certain)
		goto out;
	put_number(&manifest, set.len);
	strbuf_add(&manifest, set.buf, set.len);
	where = manifest_key(key, replaced);
	most = replaced ? SETS_REPLACED : SETS;
	old = cache_get(cache, "deps", where.lo, where.hi, &size);
	in = (struct reader){ .at = old, .end = old ? old + size : NULL };
	while (sets < most && next_set(&in, &other)) {
		size_t n = (size_t)(other.end - other.at);

		if (n == set.len && !memcmp(other.at, set.buf, n))
			continue;
		put_number(&manifest, n);
		strbuf_add(&manifest, other.at, n);
		sets++;
	}
	free(old);
	/* the result first: a manifest must not name what is not there */
	if (!cache_put(cache, "facts", exact->lo, exact->hi, data, len))
		cache_put(cache, "deps", where.lo, where.hi, manifest.buf,
			  manifest.len);
out:
	strbuf_release(&set);
	strbuf_release(&manifest);
}
