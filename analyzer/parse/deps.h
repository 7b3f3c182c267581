/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results by what they were made from.
 *
 * A result has a key made of all that is known before it is made: the
 * configuration, the flags, the name of the file, the compiler. Under this
 * key the cache has a few sets of the files that were read and the hashes of
 * their contents; a set that still holds names the result. So a touched
 * header counts for who reads it, and a changed time alone for nobody.
 *
 * Known limit: a header that newly appears in front of another one in the
 * search path is not noticed until something else changes.
 */
#ifndef NOCHARGE_DEPS_H
#define NOCHARGE_DEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/strbuf.h"

struct cache;
struct file_hashes;

struct key {
	uint64_t lo, hi;
};

/* To make a key: add everything in a row, each with its length. */
void key_add(struct strbuf *parts, const char *text);
void key_add_number(struct strbuf *parts, uint64_t number);
struct key key_make(const struct strbuf *parts);

struct file_hashes *file_hashes_new(void);
void file_hashes_free(struct file_hashes *hashes);

/*
 * From now on the file @path, a real path, has the content @text, whatever
 * the disk says. What depends on it is remembered apart from the rest, which
 * must not be crowded out.
 */
void file_hashes_replace(struct file_hashes *hashes, const char *path,
			 const void *text, size_t len);

/*
 * The result for @key whose files have not changed, malloc'd, or NULL.
 * *@exact is its own key: equal keys, equal results.
 */
void *deps_get(struct cache *cache, struct key key, size_t *len,
	       struct key *exact);

/*
 * The same as if no file were replaced. With @data, of what depends on none
 * that is; else @exact is all that is told, and *@replaced how many files it
 * depends on are. False, or NULL, if there is none.
 */
bool deps_find_plain(struct cache *cache, struct key key, struct key *exact,
		     unsigned *replaced);
void *deps_get_plain(struct cache *cache, struct key key, size_t *len);

/*
 * Keep a result. @deps are absolute paths, each with a NUL behind it. A
 * result made from a file that changed since @since (nanoseconds of the
 * epoch) is not kept, since nobody knows which content it was made from;
 * *@exact is set nevertheless.
 */
void deps_put(struct cache *cache, struct key key, const struct strbuf *deps,
	      const void *data, size_t len, int64_t since, struct key *exact);

#endif
