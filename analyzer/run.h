/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole way from a kernel tree to findings:
 *
 *	rules -> tree_open() -> units_derive() -> tree_configure() in and out
 *	-> parse_units() -> model_build() -> model_check() -> struct report
 */
#ifndef NOCHARGE_RUN_H
#define NOCHARGE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rules.h"
#include "model/model.h"
#include "parse/parse.h"
#include "tree/tree.h"

struct options;
struct unit_set;

struct run {
	struct arena *arena;
	struct strtab *strings;
	struct rules *rules;
	struct kernel_rules *kernel;
	struct tree *tree;
	struct config *in, *out;
	struct cache *cache;
	struct model *model;
	struct default_on *default_on; /* NULL: not asked for */
	struct report report;
	struct parse_stats stats;
	bool plain; /* headers as they are, nothing for the analysis in them */
	size_t njob; /* parsed units, a unit counted once per side */
};

/*
 * Open @tree by the rules of file @rules, make both configurations and choose
 * the units, which live in @run. Nothing is parsed but what the headers that
 * kbuild would generate need. Returns as run_model() does.
 */
int run_units(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct unit_set *set,
	      struct err *err);

/*
 * The same with the headers as a compiler would see them: without what is
 * laid over them for the analysis.
 */
int run_plain_units(struct run *run, const char *tree, const char *rules,
		    const struct options *options, struct unit_set *set,
		    struct err *err);

/*
 * Analyse @tree by the rules of file @rules and fill in run->report, from the
 * cache when nothing changed: there may be no run->model. Returns 0, or -1
 * with @err set; @run must be released in both cases.
 */
int run_check(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct err *err);

/* The same, always with a model, which can be asked further. */
int run_model(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct err *err);

void run_release(struct run *run);

/* Is @finding on @name, or does it cover that? */
bool run_is_on(const struct finding *finding, const char *name);
/* Is @name an entry point of @report, or one that a finding is on? */
bool run_knows(const struct report *report, const char *name);
/* Does --function ask for @finding? Without that option for every one. */
bool run_asks_for(const struct options *options,
		  const struct finding *finding);

/*
 * The status of a report with @nfinding findings that count, INTERFACE's
 * way: what was skipped outweighs what was found.
 */
enum status run_status(const struct report *report, size_t nfinding,
		       const struct options *options);

/*
 * Print @err, or what an interrupted run got done, and return the status
 * the program ends with.
 */
int run_failed(struct err *err);

#endif
