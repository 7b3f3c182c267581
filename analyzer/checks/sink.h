/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one way from a check to a report.
 *
 * A check fills in what it found; the sink gives it an id, severity, the hot
 * roots and its place in the order, and drops nothing.
 */
#ifndef NOCHARGE_SINK_H
#define NOCHARGE_SINK_H

#include "../model/verdict.h"
#include "checks.h"

struct sink;

struct found {
	const char *rule;
	/* the function, or the variable where that is the cause */
	const struct function *fn;
	const struct global_symbol *variable;
	/* or what is not there yet, and in which file it would be */
	const char *lacking, *file;
	/* what the finding is about, for its id; NULL: the whole function */
	const struct node *statement;
	/* where it is; 0: where the function or variable is defined */
	uint32_t line, column;
	/* the hot paths that lead there; NULL: the function's own, off */
	const struct heat *reached;
	double heat;          /* below 0: of @reached */
	unsigned cost;        /* instructions per execution */
	enum level confidence;
	const char *state;    /* NULL: "off" */
	const char *message;
	struct why *why;
	size_t nwhy;
	const char **covers;  /* in any order, may repeat */
	size_t ncovers;
};

struct sink *sink_new(struct model *model);
void sink_add(struct sink *sink, const struct found *found);
/* Sorted findings; they live in the model's arena. */
struct finding *sink_finish(struct sink *sink, size_t *n);

/* Add a line to the reason of @found; the text is formatted. */
void found_because(struct model *model, struct found *found,
		   const char *file, uint32_t line, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void found_covers(struct model *model, struct found *found, const char *name);

#endif
