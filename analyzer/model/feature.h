/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What belongs to the feature: found by comparing the program with the
 * feature in and out, never by names.
 */
#ifndef NOCHARGE_FEATURE_H
#define NOCHARGE_FEATURE_H

#include "program.h"

struct feature {
	struct arena *arena;
	struct program *in, *out;
	struct map records;   /* name: record, of those only in */
	struct map fields;    /* "record.field": field, of those only in */
	const char **field;   /* their names, sorted */
	uint32_t nfield;
	struct function **differs; /* sorted */
	uint32_t ndiffers;
	uint32_t ntouches;
	struct map *spoken;        /* feature_alone()'s; NULL: not asked yet */
};

/*
 * Pair the functions and globals of @in and @out, and fill in what struct
 * function and struct global_symbol say about the feature.
 */
struct feature *feature_compare(struct program *in, struct program *out,
				struct arena *arena);

/*
 * Does no function that is there without the feature look into the record of
 * the field ("record.field")? Then only the feature has a use for what is in
 * it. Only functions of units are known; who has such an object hands it to
 * the feature, and is one.
 */
bool feature_alone(struct feature *feature, const char *field);

static inline bool feature_record(const struct feature *feature,
				  const char *name)
{
	return name && *name && map_get(&feature->records, name);
}

#endif
