/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results side by side, in per cent of the first one: operations per second of
 * machines (nocharge-hardware-1), or instructions of an emulator
 * (nocharge-measure-1), never both.
 *
 * Whether a difference of rates is one is asked of Welch's t test over the
 * runs of both, two-sided. Over numbers of processes the harmonic mean stands
 * for all: it is taken of each run, and tested like any other. Instructions
 * are counted and have no noise but that of measure_least().
 */
#ifndef NOCHARGE_COMPARE_H
#define NOCHARGE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/json.h"
#include "../analyzer/base/rules.h"
#include "measure.h"
#include "out.h"

#define HARDWARE_SCHEMA "nocharge-hardware-1"
/* So improbable must it be that a difference comes from noise. */
#define COMPARE_LEVEL   0.05
/* Who had more of the processors meanwhile, in per cent, may be the reason. */
#define COMPARE_OTHERS  5.0

/* What was got for one operation in so many processes; 0: does not matter. */
struct reading {
	const char *operation;
	unsigned processes;
	double *run;
	size_t n;
};

/* A result: a file, or a state of a measure.json. */
struct column {
	const char *label;
	const char *path, *machine; /* what it was got on; may be NULL */
	const char *kernel;         /* or NULL */
	struct reading *reading;
	size_t n;
	double others;              /* had so many per cent of the processors */
	struct names not_done;      /* "OPERATION, N at once: why" */
};

/* One number beside the others. */
struct against_base {
	bool there;
	double mean, deviation;
	size_t n;
	double percent; /* more than the base */
	double p;       /* that noise makes such a difference; -1: unknown */
	bool differs;   /* no noise */
};

struct compare_row {
	const char *operation, *title;
	unsigned processes;         /* 0: the harmonic mean of all that are */
				    /* in every column, or none matter */
	bool harmonic;
	struct against_base *cell;  /* of each column */
};

struct compare {
	bool rates;                 /* or instructions */
	struct column *column;      /* the base first */
	size_t ncolumn;
	struct compare_row *row;
	size_t nrow;
	struct names missing;       /* what a column does not have */
	struct names warning;       /* why they may not be comparable */
};

/*
 * Read @path and put them side by side; one alone has nothing beside it. NULL
 * with @err, also if several have nothing in them.
 */
struct compare *compare_read(const struct names *path, struct arena *arena,
			     struct err *err);
/* The same of files that were read. */
struct compare *compare_make(struct json *const *file, size_t n,
			     struct arena *arena, struct err *err);

/* The columns alone, for compare_make(); 0, or -1 with @err. */
int compare_columns(struct compare *compare, struct json *const *file,
		    size_t n, struct arena *arena, struct err *err);

void compare_table(const struct compare *compare, struct out *out);
void compare_json(const struct compare *compare, struct out *out);

/* The probability of samples that differ so much or more. */
double welch(const struct against_base *a, const struct against_base *b);

#endif
