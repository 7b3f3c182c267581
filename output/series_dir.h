/* SPDX-License-Identifier: GPL-2.0-only */
/* The directory that a series goes into, which may hold other things. */
#ifndef NOCHARGE_SERIES_DIR_H
#define NOCHARGE_SERIES_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"

/*
 * Can @dir be written into, or be made? It must not be in @tree, a path without
 * links, which is only read, and nobody else may have put a patch there.
 * Returns 0, or -1 with @err set.
 */
int series_dir_check(const char *dir, const char *tree, struct arena *arena,
		     struct err *err);
/* The same, and it is made if it is not there. */
int series_dir_place(const char *dir, const char *tree, struct arena *arena,
		     struct err *err);

/*
 * Names in @dir that a series has, sorted: patches, then
 * measure.json, proof.json, send.cmd and series.json. With @ours only files that nocharge wrote. NULL
 * with @err set.
 */
const char **series_dir_list(const char *dir, bool ours, size_t *n,
			     struct arena *arena, struct err *err);

/* A file that is there when it is whole. */
int series_dir_write(const char *path, const char *text, size_t len,
		     struct err *err);

/*
 * Put the series in @from into @to, in place of the one there, which is left
 * as it was where there is no space for both. What nocharge did not write
 * stays. series.json goes first and comes last. Returns 0, or -1 with @err.
 */
int series_dir_replace(const char *from, const char *to, struct arena *arena,
		       struct err *err);

#endif
