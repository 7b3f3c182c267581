/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makefiles as text: variables, conditionals, includes and the functions
 * that work on words. Rules and recipes are passed over, and what would run
 * a command is answered by policy: the compiler has every option, output of
 * a command is empty.
 */
#ifndef NOCHARGE_MAKE_H
#define NOCHARGE_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include <uthash.h>

#include "../base/strbuf.h"
#include "files.h"

struct config;
struct tree;

enum mk_kind {
	MK_ASSIGN, MK_IF, MK_ELSE, MK_ENDIF, MK_INCLUDE, MK_EXPAND
};

struct mk_line {
	enum mk_kind kind;
	char op;          /* MK_ASSIGN: = : + ? */
	const char *word; /* MK_ASSIGN: the name; MK_IF: ifeq, ifdef ... */
	const char *text; /* the value, the condition, the files */
};

/* A Makefile as it stands there, read once. */
struct makefile {
	const char *path; /* interned */
	enum read_result result;
	struct mk_line *line;
	size_t n, size;
	UT_hash_handle hh;
};

struct kbuild_names;

/* Everything read of a tree's Makefiles that no configuration changes. */
struct makefiles {
	struct makefile *file;
	struct kbuild_names *names;
};

/* Never NULL; look at its result. Kept in the tree. */
const struct makefile *makefile_get(struct tree *tree, const char *path);

/* The lines of @text; the caller frees file->line. */
void makefile_parse(struct tree *tree, const char *text, size_t len,
		    struct makefile *file);

struct mk_var {
	const char *name; /* interned */
	struct strbuf value;
	bool recursive, busy;
	UT_hash_handle hh;
};

/*
 * One evaluation. With @config NULL everything that some configuration could
 * say is collected: all branches are taken and every option is y.
 */
struct make {
	struct tree *tree;
	const struct config *config;
	struct mk_var *vars;
	const char *const *arg; /* of a called function */
	size_t narg;
	unsigned depth, include_depth;
	size_t work; /* bytes expanded so far */
	bool cut;    /* a limit was hit: nothing more is expanded */
	bool limited; /* a limit was hit, which only cost a part */
	bool literal; /* lists of objects expand to nothing */
	/* told of every assignment that is taken, before it is made */
	void (*assigned)(void *data, struct make *make,
			 const struct mk_line *line);
	/* told of conditions, when all branches are taken */
	void (*branch)(void *data, const struct mk_line *line);
	void *data;
};

/* @dir: what obj and src are. */
void make_init(struct make *make, struct tree *tree,
	       const struct config *config, const char *dir);
void make_release(struct make *make);
void make_set(struct make *make, const char *name, const char *value);
/* Evaluate the lines of @path; false if it cannot be read. */
bool make_run(struct make *make, const char *path);
/*
 * After make_run(): true if a limit was hit on the way. What was found until
 * then can still be asked for.
 */
bool make_rest(struct make *make);
/* Append the expanded value of @name, or @text expanded. */
void make_value(struct make *make, const char *name, struct strbuf *out);
void make_expand(struct make *make, const char *text, size_t len,
		 struct strbuf *out);

/* Evaluate @text as lines of the Makefile. */
void make_eval(struct make *make, const char *text);
/* One of the functions; false if @name is none. */
bool make_function(struct make *make, const char *name, const char *const *arg,
		   size_t narg, struct strbuf *out);
/* The next word at *@at, NULL at the end. */
const char *next_word(const char **at, size_t *len);

#endif
