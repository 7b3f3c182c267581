/* SPDX-License-Identifier: GPL-2.0-only */
/* What only the parser does with a cache; parse.h has the rest. */
#ifndef NOCHARGE_CACHE_H
#define NOCHARGE_CACHE_H

#include <stdint.h>

struct cache;
struct file_hashes;

/* Where such a file is or would be; the caller's. */
char *cache_path(const struct cache *cache, const char *kind, uint64_t key,
		 uint64_t key2);
/* A name in the cache's directory that nobody else uses; the caller's. */
char *cache_temporary(struct cache *cache);
/* As in cache_put(): -1 is a problem of the cache; @from is gone then. */
int cache_rename(struct cache *cache, const char *from, const char *to);

/* Hashes of the files that were looked at in this run. */
struct file_hashes *cache_hashes(struct cache *cache);

#endif
