/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The off-state analysis: facts of both configurations to findings.
 */
#ifndef NOCHARGE_MODEL_H
#define NOCHARGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/rules.h"
#include "../parse/facts.h"
#include "finding.h"

struct model;

struct default_on;

struct model_input {
	const struct rules *rules;
	const struct kernel_rules *kernel;
	struct facts **in, **out; /* facts with the feature in and out */
	size_t nin, nout;
	const struct default_on *default_on; /* NULL: not asked for */
	struct arena *arena;
	struct strtab *strings;
};

/*
 * Merge the facts and evaluate to a fixpoint. The result lives in the arena
 * and does not depend on the order of the facts. NULL with @err set if the
 * facts cannot be used (no predicate, no feature).
 */
struct model *model_build(const struct model_input *input, struct err *err);

/* Free what is not in the arena; nothing can be asked of it afterwards. */
void model_release(struct model *model);

/* Functions whose walk was cut by a limit or whose facts were damaged. */
size_t model_skipped(const struct model *model, struct skipped **skipped);

/*
 * Run the checks named in @only (NULL: all that run by default) and add
 * findings and entry points to @report.
 */
int model_check(struct model *model, const struct names *only,
		struct report *report, struct err *err);

enum line_state { LINE_LIVE, LINE_DEAD, LINE_KNOWN, LINE_LEFT, LINE_STUB };

struct explained_line {
	const char *file;
	uint32_t line;
	enum line_state state;
	const char *text; /* "'memcg' is NULL: folio.memcg_data has no live writer" */
};

struct explanation {
	const char *function, *file;
	uint32_t line, end_line;
	const char *state;       /* the entry point's state, or "live", "dead" */
	const char *verdict;     /* a rule, or why there is none */
	struct explained_line *lines;
	size_t nlines;
	const char **chain;      /* from the hot root down to the function */
	size_t nchain;
	const char *root;        /* the hot root's name, or NULL */
	struct why *facts;       /* the facts that decide, with their writers */
	size_t nfacts;
};

/* @function may be "name" or "name@file". NULL if there is none of the name. */
struct explanation *model_explain(struct model *model, const char *function,
				  struct err *err);

struct called {
	const char *name;
	bool inlined; /* its code is put into the caller */
};

/*
 * What all functions called @function name, and who is inlined there: who else
 * is inlined, and whom that calls, or only takes the address of. Sorted by
 * name, in the model's arena; nothing if there is no such function.
 */
size_t model_called(struct model *model, const char *function,
		    struct called **called);

#endif
