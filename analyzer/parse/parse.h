/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units to facts, by libclang in worker processes.
 *
 * A worker is a fork of this process that loads libclang by itself; it has
 * limits on address space, processor and wall time, so that a unit that
 * crashes, hangs or grows costs that unit and not the run. A precompiled
 * header of what most units include is built once per configuration and kept
 * in the cache with the facts.
 */
#ifndef NOCHARGE_PARSE_H
#define NOCHARGE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../tree/tree.h"
#include "facts.h"

struct cache;

struct parse_limits {
	uint64_t memory;  /* bytes of address space of a worker */
	unsigned cpu;     /* seconds of processor per unit */
	unsigned wall;    /* seconds of wall time per unit */
};
#define PARSE_LIMITS_DEFAULT { 4ull << 30, 60, 120 }

struct parse_job {
	const struct config *config;
	const char *unit; /* relative path */
	/* filled in: */
	struct facts *facts; /* NULL if it could not be analysed */
	uint64_t shared; /* sum of the headers' facts that units share; or 0 */
	const char *failure; /* why not, or NULL; one line, no text of the file */
	bool cached;
};

struct parse_stats {
	size_t parsed, cached, failed;
	double cpu; /* seconds of processor of the workers */
};

struct parse_options {
	unsigned jobs; /* worker processes; 0: one per processor */
	struct parse_limits limits;
	struct cache *cache; /* or NULL */
	/* words that make a header function worth keeping even unreferenced */
	const char *const *keep;
	size_t nkeep;
	/*
	 * Of the names of the tree's headers: a new one may stand before one
	 * that was found until now.
	 */
	uint64_t headers;
	/* called after each unit, in any order; may be NULL */
	void (*progress)(void *data, size_t done, size_t total);
	void *progress_data;
	/* set by a signal handler: stop, keep what is done */
	const volatile int *interrupted;
};

/*
 * Fill in every job. Facts live in @arena. What headers say stands in the
 * facts of at least one unit of a configuration that needs it, not of each
 * that includes them: only all facts of a configuration together are whole.
 * Returns 0 even when units failed (they say so themselves); -1 with @err set
 * when nothing can be parsed: no libclang, no resource directory, interrupted.
 */
int parse_units(struct parse_job *job, size_t njob,
		const struct parse_options *options, struct arena *arena,
		struct strtab *strings, struct parse_stats *stats,
		struct err *err);

/* A tree_constants_fn; @data is a struct parse_options. */
int parse_constants(void *data, const char *unit, const char *const *flags,
		    size_t nflags, const struct memfile *file, size_t nfile,
		    void (*each)(void *each_data, const char *name,
				 long long value),
		    void *each_data, struct err *err);

/* What a worker would load: for doctor. The strings are the caller's. */
struct parse_doctor {
	char *library;      /* path, or NULL */
	char *version;      /* "clang version 19.1.7", or NULL */
	char *resource_dir; /* or NULL */
	char *problem;      /* what is missing and how to get it, or NULL */
};
void parse_doctor(struct parse_doctor *doctor);

/*
 * The cache: a directory of files named by what they hold. Every file is
 * written beside its place and renamed, so that a kill leaves it whole; a
 * file that is damaged is as good as absent. Two runs may share one.
 */
/* @dir NULL: XDG_CACHE_HOME/nocharge, or ~/.cache/nocharge. NULL with @err. */
struct cache *cache_open(const char *dir, struct err *err);
/* The same without making it: one that is not there is empty. */
struct cache *cache_look(const char *dir, struct err *err);
void cache_close(struct cache *cache);
/*
 * For who uses this handle, these files have the content that they have here:
 * for a tree with a tree_replace(). Paths are real.
 */
void cache_replace(struct cache *cache, const struct memfile *file, size_t n);
const char *cache_dir(const struct cache *cache);
/* malloc'd content, or NULL if absent or damaged. */
void *cache_get(struct cache *cache, const char *kind, uint64_t key,
		uint64_t key2, size_t *len);
/*
 * Returns 0, or -1 when it could not be written; the first failure of a run
 * is kept in cache_problem(), the run goes on without.
 */
int cache_put(struct cache *cache, const char *kind, uint64_t key,
	      uint64_t key2, const void *data, size_t len);
const char *cache_problem(const struct cache *cache);
/* Bytes in use; remove what was not used longest until @keep bytes are left. */
uint64_t cache_size(struct cache *cache);
int cache_prune(struct cache *cache, uint64_t keep, struct err *err);

#endif
