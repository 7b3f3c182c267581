/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proving a patch series: that each patch does what it says and nothing else.
 *
 *	prove_series_read()  series.json and the patches, none of it trusted
 *	prove_states_make()  each patch applied, in a private repository
 *	prove_run()          the checks, in parallel; proof.json after each
 *
 * "State" k is the tree with the first k patches. A state is never laid out
 * as a whole: only the files that the series touches are kept, and compilers
 * see them in the tree's place through an overlay.
 *
 * Everything lives in prove->arena, which is only used under prove->lock once
 * prove_run() has started. What returns an int gives 0, or -1 with @err set,
 * where nothing else is said.
 */
#ifndef NOCHARGE_PROVE_H
#define NOCHARGE_PROVE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/base/strbuf.h"
#include "../analyzer/tree/tree.h"

/* In the order of proof.json and of the table. */
enum prove_check {
	PROVE_APPLIES, PROVE_COMPILES, PROVE_BUILDS, PROVE_STYLE,
	PROVE_SPARSE, PROVE_SAME_ON, PROVE_SAME_OFF, PROVE_CLEARS,
	PROVE_ORDER, PROVE_BISECTABLE, PROVE_ACCOUNTS, PROVE_DEFAULTS,
	PROVE_SIZE, PROVE_NCHECK
};

extern const char *const prove_check_name[PROVE_NCHECK];

enum prove_verdict {
	PROVE_NONE, PROVE_PASS, PROVE_FAIL, PROVE_NOT_RUN,
	PROVE_NOT_APPLICABLE
};

struct prove_result {
	enum prove_verdict verdict;
	const char *why;  /* one line, "" if there is nothing to say */
	bool kept;        /* taken over from an earlier run */
	/* of PROVE_ACCOUNTS: numbers, and what they are of */
	size_t ncompared;
	struct names compared, left_out;
};

/* What a touched file says in one or more states. */
struct prove_version {
	const char *text; /* NULL: there is no such file */
	size_t len;
	uint64_t hash;
	/* for each configuration: of what is left under its options */
	uint64_t *reduced;
	const char *disk; /* a copy in a file of its own */
	/* the same with every predicate saying "on", if it defines one */
	const char *forced;
};

struct prove_file {
	const char *path; /* relative to the tree */
	bool c;           /* a .c file; else a header or other text */
	struct prove_version *version;
	size_t nversion;
	size_t *at;       /* for each state: which version */
};

struct prove_rename {
	const char *old, *inner; /* the body of @old is now called @inner */
};

struct prove_patch {
	const char *file;    /* its name in the series' directory */
	const char *number;  /* "3": how the command line names it */
	const char *text;
	size_t len;
	const char *id;      /* of git patch-id --stable */
	const char *kind, *predicate;
	struct names functions, findings, rules;
	struct prove_rename *rename;
	size_t nrename;
	struct prove_file **touched;
	size_t ntouched;
	/* what is compiled for it: first the .c files that it touches */
	const char **unit;
	size_t nunit, nown;
	size_t nuser; /* files that name what it touches, chosen or not */
	uint64_t key;        /* of it and all before it */
	bool applied, selected;
	struct prove_result result[PROVE_NCHECK];
};

/* A side of a feature: its headers are on the disk. */
struct prove_config {
	const struct config *config;
	const struct rules *rules;
	bool in;
	const char *headers; /* the directory that stands for TREE_GENERATED */
	size_t number;
	const struct unit *built; /* sorted by path, built or not */
	size_t nbuilt;
	const char **overlay, **forced; /* for each state */
	/* files that may name what a patch touches, the in side's only */
	const char *const *unit;
	size_t nunit;
};

struct cache;
struct prove_boots;
struct prove_build;
struct prove_compiles; /* results of compilers, by content */

struct prove {
	struct arena *arena;
	pthread_mutex_t lock;
	const volatile int *interrupted;
	/* set by the caller: */
	const char *dir;      /* of the series, absolute */
	const char *work;     /* a directory of our own, empty at first */
	const char *tree_arg; /* how the user calls the tree, for commands */
	const char *dir_arg;
	bool trust_tree;
	struct names cc;      /* compilers that kbuild is given */
	unsigned jobs;
	bool asked[PROVE_NCHECK];
	bool again;  /* checks that were named are run, whatever is known */
	/* from series.json */
	const char *arch, *config; /* config NULL: the feature's own */
	struct names rules;
	struct prove_patch *patch;
	size_t npatch;
	struct prove_file *file;
	size_t nfile, file_limit;
	/* of the tree */
	struct tree *tree;
	struct prove_config *side;
	size_t nside;
	uint64_t state; /* of the tree, its configurations and the rules */
	uint64_t content; /* of the tree alone */
	struct cache *cache; /* or NULL */
	struct prove_compiles *compiles;
	const char *makefile[2]; /* that name warnings; NULL: not read yet */
	struct prove_build *build;
	struct prove_boots *boots;
	const char **farm; /* for each state, NULL: not made yet */
	size_t nstep, ndone;
	struct err err; /* the first thing that went wrong for all */
};

/*
 * Run a program with nothing of our environment but PATH. @input may be NULL;
 * standard output and errors as process_run() has them. Returns its status,
 * 127 if there is none such, or -1 with @err. No more than @seconds, 4 GB and
 * PROVE_ARGS arguments.
 */
#define PROVE_ARGS 400
int prove_program(struct prove *prove, const char *dir,
		  const char *const *args, const struct strbuf *input,
		  unsigned seconds, struct strbuf *out, struct strbuf *errors,
		  struct err *err);

/* arena_printf() under the lock. */
const char *prove_printf(struct prove *prove, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Read dir/series.json and the patches: arch, config, rules, patch and file
 * are set. A patch that leaves the tree, makes or touches a link, is binary,
 * renames or removes is refused: -1 with @err.
 */
int prove_series_read(struct prove *prove, struct err *err);

/*
 * Apply every patch in a repository in work/; the result of PROVE_APPLIES and
 * what each file says in each state. tree and side are needed.
 */
int prove_states_make(struct prove *prove, struct err *err);

/* What @file says in @state. */
const struct prove_version *prove_version(const struct prove_file *file,
					  size_t state);

/* Write the generated headers of @side into a directory of work/. */
int prove_headers_write(struct prove *prove, struct prove_config *side,
			struct err *err);

/* Overlays of all states for @side, in work/. */
int prove_overlays_write(struct prove *prove, struct prove_config *side,
			 struct err *err);

/* A file of our own in work/ with @text in it; NULL with @err. */
const char *prove_store(struct prove *prove, const char *name,
			const char *text, size_t len, struct err *err);

/*
 * What of @text is left under @config: what an #if excludes that only asks
 * for options goes, comments go, and so do blank lines. Never less than a
 * compiler would see.
 */
void prove_reduce(const char *text, size_t len, const struct config *config,
		  struct strbuf *out);

/*
 * @text with the feature on: every definition of a predicate says so, and
 * every later call of it, and every test of the key that it reads. False if
 * there is none.
 */
bool prove_force_on(const char *text, size_t len, const struct rules *rules,
		    struct strbuf *out);

/* How often @name stands in @text as a word. */
size_t prove_mentions(const char *text, size_t len, const char *name);

/*
 * Append @text with the inner names of @patches (states up to @state) taken
 * back to the public ones.
 */
void prove_rename_back(const struct prove *prove, size_t state,
		       const char *text, size_t len, struct strbuf *out);

/*
 * Append the messages (errors and warnings, without their lines and columns)
 * that @after has more often than @before; returns how many.
 */
size_t prove_new_messages(const struct strbuf *before,
			  const struct strbuf *after, struct strbuf *out);
/*
 * The same of errors that @known does not have at all. Warnings follow from
 * what is lacking, and differ with how it is used.
 */
size_t prove_unknown_errors(const struct strbuf *known,
			    const struct strbuf *text, struct strbuf *out);
/* Take @root out of the paths in @text: files as the tree calls them. */
void prove_shorten(struct strbuf *text, const char *root);
/* The first error in @text, on one line, or NULL. In the arena. */
const char *prove_first_error(struct prove *prove, const struct strbuf *text);

/*
 * proof.json: take over what an earlier run showed for the same patches, the
 * same tree and the same program; write it all; the table.
 */
void prove_results_take(struct prove *prove);
int prove_results_write(struct prove *prove, struct err *err);
void prove_results_table(const struct prove *prove, FILE *stream);

/*
 * Keep @text as the log of a check; none if @text is empty. A log that cannot
 * be written is told once, as prove->err.
 */
void prove_log(struct prove *prove, const struct prove_patch *patch,
	       enum prove_check check, const struct strbuf *text);

/*
 * Find the headers that define the predicates and make them files of the
 * series, if they are not. Before prove_states_make().
 */
int prove_find_predicates(struct prove *prove, struct err *err);

/*
 * A tree of links with the files of @state in their places, for programs that
 * take no overlay; made at @path, a directory that is not there yet. What
 * kbuild would trip over in a tree that was built in is left out, and so is
 * .git.
 */
int prove_farm_make(struct prove *prove, const char *path, size_t state,
		    struct err *err);
/* Put the files of another state into a farm. */
int prove_farm_switch(struct prove *prove, const char *path, size_t from,
		      size_t to, struct err *err);
/* The farm of @state that the checks share, or NULL with @err. Any thread. */
const char *prove_farm(struct prove *prove, size_t state, struct err *err);

/*
 * Choose for every patch what is compiled for it: the .c files that it
 * touches, and if it touches a header, PROVE_USERS of those that name its
 * functions, or what headers make of them; those that name them most go
 * first. After prove_states_make().
 */
#define PROVE_USERS 2
void prove_choose_units(struct prove *prove);

/*
 * One check of prove->patch[@k], which applied: fills in @result, whose why
 * is in the arena, and adds to @log what a reader wants to see if it did not
 * pass. From any thread.
 */
typedef void prove_check_fn(struct prove *prove, size_t k,
			    struct prove_result *result, struct strbuf *log);
prove_check_fn prove_size, prove_compiles, prove_bisectable, prove_same_on,
	prove_style, prove_sparse, prove_builds, prove_accounts,
	prove_defaults;

/*
 * Say in the message of each patch what was measured of it; diffs stay as
 * they are. After prove_run().
 */
int prove_tell_sizes(struct prove *prove, struct err *err);

void prove_boots_free(struct prove *prove);

/* Is @unit one of the files that are built in @side's configuration? */
bool prove_is_built(const struct prove_config *side, const char *unit);

/* Run what was asked for. Returns 0, or -1 with @err (interrupted). */
int prove_run(struct prove *prove, struct err *err);

/*
 * PROVE_CLEARS, PROVE_ORDER and PROVE_SAME_OFF, for which the whole tree is analysed: with
 * options->each after every patch, else after the last, and where something
 * new is reported after as many as it takes to find whose it is. work/ is not
 * needed. Returns 0, or -1 with @err.
 */
struct options;
int prove_run_off(struct prove *prove, const struct options *options,
		  struct err *err);

#endif
