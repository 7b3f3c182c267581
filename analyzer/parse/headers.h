/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Headers that most units include are read once: as a precompiled header for
 * the compiler, and as facts that all units of a configuration share. A unit
 * that is parsed with it has only the facts of the rest; parse_units() adds
 * the shared ones that are needed to the first unit, so that all together
 * say the same as without.
 */
#ifndef NOCHARGE_HEADERS_H
#define NOCHARGE_HEADERS_H

#include <stddef.h>

#include "../base/arena.h"
#include "parse.h"

/*
 * The text of the header: what -include of @flags asks for, then headers that
 * at least one in sixteen of @unit includes, on disk: files that are replaced
 * in memory are to have the headers of those that are not. NULL if it would
 * not pay.
 */
char *headers_choose(const char *root, const char *const *unit, size_t nunit,
		     const char *const *flags, size_t nflags,
		     struct arena *arena);

/*
 * Add to the facts of @job (of one configuration, those that have some) what
 * of @shared they need. Facts live in @arena.
 */
void headers_share(struct parse_job **job, size_t njob, struct facts *shared,
		   struct arena *arena);

#endif
