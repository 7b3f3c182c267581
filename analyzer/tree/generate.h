/* SPDX-License-Identifier: GPL-2.0-only */
/* The headers that kbuild would generate, made in memory. */
#ifndef NOCHARGE_GENERATE_H
#define NOCHARGE_GENERATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tree.h"

struct strbuf;

/* A growing set of memory files. */
struct memfiles {
	struct arena *arena;
	struct strtab *strings; /* paths are interned */
	struct memfile *file;
	size_t n, size;
};

/*
 * Give @path (absolute) the text of @text, which is left empty; a file that
 * is there already is replaced. Returns the file.
 */
struct memfile *memfiles_put(struct memfiles *files, const char *path,
			     struct strbuf *text);
const struct memfile *memfiles_get(const struct memfiles *files,
				   const char *path);

/* All but those that need a compiler's word. */
void generate_headers(const struct config *config, struct memfiles *files);
/* The part that depends on the architecture. */
void generate_arch(const struct config *config, struct memfiles *files);
/*
 * bounds.h, asm-offsets.h and the like, asked of how->constants. A unit that
 * could not be parsed (STATUS_INCOMPLETE) goes into config->skipped.
 */
int generate_constants(struct config *config,
		       const struct configure *how, struct memfiles *files,
		       struct err *err);

/* Put @text under TREE_GENERATED/@path, and a printf for one line of it. */
void generated(struct memfiles *files, const char *path, struct strbuf *text);
void generated_line(struct memfiles *files, const char *path, const char *fmt,
		    ...) __attribute__((format(printf, 3, 4)));

/* Overlays: @how->overlay_dir appended to the tree's files. */
int overlay_apply(const struct config *config, const struct configure *how,
		  struct memfiles *files, struct err *err);

/*
 * What every unit includes first, in one file of our own: -include with the
 * tree's path in it fails where that has a quote or a line break.
 */
#define TREE_FIRST "include/generated/nocharge.h"

/*
 * The flags that all units share, into config->priv. False if a limit was hit
 * in the top Makefile.
 */
bool flags_common(struct config *config);

#endif
