/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel source tree, read as text. Nothing in it is ever executed, and
 * nothing outside it is ever read on its behalf: a path that leaves the tree
 * by "..", absolutely or through a symbolic link is refused.
 *
 * The order of use:
 *	tree_open()       version and architecture
 *	tree_configure()  one configuration: Kconfig evaluated, generated
 *	                  headers and overlays made in memory
 *	tree_units()      the files that kbuild would build under it
 *	tree_flags()      the compiler arguments for one of them
 * Two configurations of one tree (the feature in and out) are two struct
 * config of one struct tree.
 */
#ifndef NOCHARGE_TREE_H
#define NOCHARGE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "../base/err.h"

struct rules;
struct strbuf;
struct kernel_rules;
struct tree_private;
struct config_private;

/*
 * Where generated headers are said to be. No file can be there, and it is the
 * same for every tree; what follows is the path that kbuild would give.
 */
#define TREE_GENERATED "/dev/null/nocharge"

struct tree {
	struct arena *arena;
	struct strtab *strings;
	const char *root;   /* absolute, symbolic links resolved, no '/' at the end */
	const char *arch;   /* "x86" or "arm64": the directory under arch/ */
	int version[3];     /* 6, 1, 192 */
	const char *release; /* "6.1.192" */
	const struct kernel_rules *kernel;
	struct memfile *view; /* sorted by path; see tree_replace() */
	size_t nview;
	struct tree_private *priv;
};

/* A file that exists in memory only, or replaces one of the tree's. */
struct memfile {
	const char *path; /* absolute */
	const char *text;
	size_t len;
	bool view; /* of a tree_replace(): results depend on it as on a file */
	bool overlaid; /* the tree's own, with an overlay appended */
	const char *compiled; /* what compilers get then; NULL: the tree's own */
};

struct option {
	const char *name;  /* without CONFIG_ */
	const char *value; /* "y", "m", "n"; a number; a string in quotes */
};

struct config {
	struct tree *tree;
	const char *label;  /* "in" or "out" */
	struct option *option; /* sorted by name; only those that are set */
	size_t noption;
	struct memfile *file;  /* generated headers, then overlays; sorted */
	size_t nfile;
	uint64_t hash;         /* of version, arch, options, memfiles and flags */
	const char **skipped;  /* "file: why": Kconfig files refused or not read */
	size_t nskipped;
	/*
	 * What a reader should know although nothing was left out: files that
	 * the tree names and does not have, a .config of another version.
	 */
	const char **note;
	size_t nnote;
	struct config_private *priv;
};

/* The value of an option, or NULL if it is not set. */
const char *config_get(const struct config *config, const char *name);

/*
 * Open @root. Fails (NULL, @err with STATUS_USAGE) if it is no kernel tree:
 * no directory, no Makefile with a VERSION, no mm/, no arch/@arch.
 */
struct tree *tree_open(const char *root, const char *arch,
		       const struct kernel_rules *kernel, struct err *err);
void tree_free(struct tree *tree);

/*
 * See the tree as if @file were on disk: what is there is replaced, what is
 * not is added. To be called before anything else is asked of @tree. Paths
 * are relative to the root or absolute and in it; texts must outlive @tree.
 * Fails (-1, @err with STATUS_USAGE) if one leaves the tree, goes through a
 * symbolic link, stands for something else than a regular file or is named
 * twice. Nothing is written. What is on disk to the letter is no part of the
 * view.
 */
int tree_replace(struct tree *tree, const struct memfile *file, size_t n,
		 struct err *err);
/*
 * @file and what of the tree's view is not among them: all that a parser must
 * be given. In the tree's arena; *@nall of them.
 */
struct memfile *tree_memfiles(const struct tree *tree,
			      const struct memfile *file, size_t n,
			      size_t *nall);

/*
 * Constants that only a compiler knows (bounds.h, asm-offsets.h): parse
 * @unit, a file of the tree, with @file in memory and @flags, and give every
 * enumerator whose name starts with "__nocharge_" to @each without that
 * prefix. Given by the caller, since the parser lives in its own process.
 * Returns 0, or -1 with @err set.
 */
typedef int (*tree_constants_fn)(void *data, const char *unit,
				 const char *const *flags, size_t nflags,
				 const struct memfile *file, size_t nfile,
				 void (*each)(void *each_data, const char *name,
					      long long value),
				 void *each_data, struct err *err);

struct configure {
	/* a .config to follow, or NULL for the feature's own configuration */
	const char *config_file;
	/* options asked for on top: pairs for this side of the feature */
	const struct option *want;
	size_t nwant;
	const char *label;
	tree_constants_fn constants;
	void *constants_data;
	/*
	 * Directory with overlays: a file at overlay/P is appended, in memory,
	 * to the tree's P where that exists.
	 */
	const char *overlay_dir;
	/*
	 * Only what compilers are to see is kept: headers kbuild would make,
	 * and what is said otherwise for them. All is there for @constants.
	 */
	bool generated_only;
};

/* One configuration. NULL with @err set on failure; lives in the tree. */
struct config *tree_configure(struct tree *tree, const struct configure *how,
			      struct err *err);

/* A file that kbuild would build, and what its Makefiles add for it. */
struct unit {
	const char *path; /* relative: "mm/memcontrol.c" */
	bool built;       /* the gate is on in this configuration */
	bool module;      /* built as a module */
	const char *gate; /* "MEMCG", "BTRFS_FS=m"; for coverage and messages */
};

/*
 * Every .c file that some Makefile of the tree's arch or common directories
 * names, with its gate as it stands in @config, sorted by path. *@nunit is
 * set. Lives in the tree.
 */
struct unit *tree_units(const struct config *config, size_t *nunit);

/*
 * The options that stand in the way of @path in the tree's Makefiles, its own
 * first, then those of the directories that it is in, without regard to any
 * configuration. 0 if no Makefile names it. Options of a wish list made from
 * them need not be booleans that can be set.
 */
size_t tree_gate_symbols(struct tree *tree, const char *path,
			 const char *const **symbols);

/*
 * The arguments for clang, without the unit's name: NULL-terminated, *@n of
 * them. @unit is relative. Flags that only concern one unit (what ccflags-y
 * and CFLAGS_x.o add, -DMODULE) stand behind the common ones; *@ncommon tells
 * where they begin. KBUILD_BASENAME and its like are common: they have one
 * value for all units, so that one precompiled header serves for all. A unit
 * that is not built has the common ones only.
 */
const char *const *tree_flags(const struct config *config, const char *unit,
			      size_t *n, size_t *ncommon);

/*
 * Read a file of the tree as text into the tree's arena, NULL if there is no
 * such regular file inside the tree. With @config not NULL what is in memory
 * goes first.
 */
const char *tree_read(struct tree *tree, const struct config *config,
		      const char *path, size_t *len);

/* Append the same to @out, without a configuration. Returns 0, or -1. */
int tree_look(struct tree *tree, const char *path, struct strbuf *out);

#endif
