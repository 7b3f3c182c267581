/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kbuild would build and with which flags, from Makefiles as text.
 *
 * kbuild_walk() does for one configuration what kbuild does, kbuild_names()
 * without a configuration collects everything that some Makefile names, and
 * the options that stand in the way of it.
 */
#ifndef NOCHARGE_KBUILD_H
#define NOCHARGE_KBUILD_H

#include <stdbool.h>
#include <stddef.h>

#include <uthash.h>

struct config;
struct kbuild;
struct kbuild_names;
struct make;
struct strbuf;
struct makefiles;
struct tree;

/* Directories within each other. */
#define KBUILD_DEPTH 40
#define KBUILD_DIRS 20000

void makefiles_free(struct makefiles *makefiles);

/* Options as names without CONFIG_. */
struct gates {
	const char **name; /* interned */
	size_t n;
};

/* A .c file that some Makefile names. */
struct named {
	const char *path; /* interned */
	struct gates gates; /* its own first, then those of its directories */
	UT_hash_handle hh;
};

struct kbuild_names {
	struct named *named;     /* by path */
	struct named **sorted;
	size_t n;
};

/* Made once per tree and kept there. */
const struct kbuild_names *kbuild_names(struct tree *tree);
void kbuild_names_free(struct kbuild_names *names);

/* A directory as one configuration sees it. */
struct kdir {
	const char *path; /* interned */
	bool builtin;     /* not only for modules */
	const char **flag; /* what ccflags-y adds to its files */
	size_t nflag;
	const char **sub;  /* what it adds to its directories */
	size_t nsub;
	struct kfile *file; /* files with flags of their own, by object */
	UT_hash_handle hh;
};

struct kfile {
	const char *object; /* interned: "sub/file.o" */
	const char **flag;
	size_t nflag;
	UT_hash_handle hh;
};

struct built {
	const char *path; /* interned */
	bool module;
	const struct kdir *dir;
	const char *object;
	UT_hash_handle hh;
};

struct kbuild {
	const struct config *config;
	struct kdir *dirs;
	struct built *built;
	size_t ndir;
	const char **skipped; /* "file: why" */
	size_t nskipped, skipped_size;
	const char **absent;  /* files that are named and not there */
	size_t nabsent;
};

/* Lives in the tree's arena but for its tables. */
struct kbuild *kbuild_walk(const struct config *config);
void kbuild_free(struct kbuild *kbuild);

/*
 * The directories and objects that the top Makefile and the architecture's
 * name, in @each(): a path that ends with '/' or ".o", and the option that it
 * depends on or NULL. Options that @config has not set are left out.
 */
void kbuild_top(struct tree *tree, const struct config *config,
		void (*each)(void *data, const char *path, const char *option),
		void *data);

/* The Makefile of @dir: Kbuild if there is one. */
const char *kbuild_file(struct tree *tree, const char *dir);
/* The directory that a word of a list stands for, or NULL. */
const char *kbuild_subdir(struct tree *tree, const char *dir,
			  const char *word, size_t len);
/* The .c file of an object, or NULL if the tree has none. */
const char *kbuild_source(struct tree *tree, const char *dir,
			  const char *word, size_t len);
/* Append the parts of a composite object; false if it is none. */
bool kbuild_parts(struct make *make, const char *word, size_t len, bool module,
		  struct strbuf *out);

/* The arguments in @text that tell where headers are and what is defined. */
const char **kbuild_flags(struct tree *tree, const char *text, size_t *n);

#endif
