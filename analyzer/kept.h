/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the model found, kept in the cache under everything that it was found
 * from: the facts of every unit, the rules, and this program. When nothing of
 * it changed, the model need not be built.
 */
#ifndef NOCHARGE_KEPT_H
#define NOCHARGE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rules.h"
#include "model/finding.h"
#include "parse/parse.h"

struct kept_key {
	uint64_t key, key2;
	bool valid; /* false: nothing can be kept */
};

struct kept_input {
	const struct rules *rules;
	const struct kernel_rules *kernel;
	const struct names *only; /* rules asked for */
	const struct config *in;  /* of the jobs with the feature in */
	const struct parse_job *job;
	size_t njob;
};

void kept_make_key(struct kept_key *key, const struct kept_input *input);

/* Keep the findings and entry points of @report, and @skipped. */
void kept_put(struct cache *cache, const struct kept_key *key,
	      const struct report *report, const struct skipped *skipped,
	      size_t nskipped);

/*
 * The same into @report, whose other members are left alone. False if the
 * cache does not have it, or only damaged; then nothing was changed.
 */
bool kept_take(struct cache *cache, const struct kept_key *key,
	       struct report *report, struct skipped **skipped,
	       size_t *nskipped, struct arena *arena, struct strtab *strings);

#endif
