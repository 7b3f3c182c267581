/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that operations take, counted in an emulator, with a feature
 * compiled out, switched off and on, before and after the patches of a series.
 *
 *	measure_run()    build, boot and count
 *	measure_write()  measure.json
 *	measure_read()   the same, of whoever wrote it
 *	measure_table()  for people
 *	measure_tell()   in the messages of a series
 *
 * These are instructions and not time: what they wait for costs nothing here.
 * All lives in the arena that is given.
 */
#ifndef NOCHARGE_MEASURE_H
#define NOCHARGE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/rules.h"
#include "out.h"

#define MEASURE_SCHEMA "nocharge-measure-1"
/* What the first columns are called; "off+N" is that after patch N. */
#define MEASURE_OUT "out"
#define MEASURE_OFF "off"
/* what a kernel does that is off unless it is asked, and is asked nothing */
#define MEASURE_DEFAULT "default"
#define MEASURE_ON  "on"
#define MEASURE_ALL "on+all"

/* A line of rules/boot/operations. */
struct operation {
	const char *name;  /* in measure.json */
	const char *title; /* for people */
	struct names hot;  /* paths of rules/kernel.json that are on its way */
};

struct operations {
	struct operation *item;
	size_t n;
};

int operations_load(struct operations *operations, struct arena *arena,
		    struct err *err);

struct amount {
	const char *name;
	double n;
};

struct amounts {
	struct amount *item; /* sorted by name where it says so */
	size_t n;
};

/* One operation in one state. */
struct cell {
	bool there;              /* it could be counted */
	double n;                /* instructions per operation */
	double low, high;        /* of repetitions, but the least and the most;
				  * where it was counted, not from a file */
	struct amounts function; /* of which these are in; sorted */
};

struct measure_state {
	const char *name;
	struct amounts bytes; /* of the kernel's image and its memory */
	struct cell *cell;    /* of each operation */
	const char *patch_id; /* whose the state is; NULL: no patch's */
	const char *command;  /* the emulator's */
};

struct measure {
	struct operations operations;
	struct measure_state *state; /* out first, in the order of columns */
	size_t nstate;
	/* how it was measured: in pairs, name and value */
	struct names how;
	struct names differ;   /* options that differ between in and out */
	struct names problems; /* "OPERATION, STATE: why" of what is not there */
};

/* NULL if there is none such. */
const struct measure_state *measure_state(const struct measure *measure,
					  const char *name);
/* The last of "off+N"; NULL if the series has no patches. */
const struct measure_state *measure_last(const struct measure *measure);

/*
 * A difference of @cell and another that is less is where the clock ticks,
 * which page comes next, and how code lies.
 */
double measure_least(const struct cell *cell);

/*
 * What a boot says, and the plugin: into @state, whose cells are there. Adds
 * to @problems what could not be done. False if it ends early.
 */
struct strbuf;
bool measure_log(struct measure_state *state,
		 const struct operations *operations,
		 const struct strbuf *numbers, const struct strbuf *counts,
		 struct names *problems, struct arena *arena);

int measure_write(const struct measure *measure, const char *path,
		  struct err *err);
struct measure *measure_read(const char *path, struct arena *arena,
			     struct err *err);
/* The same of text in memory; @path is for messages. */
struct measure *measure_parse(const char *path, const char *text, size_t len,
			      struct arena *arena, struct err *err);
void measure_table(const struct measure *measure, struct out *out);

/* The same rows, without bytes and colours, in lines that mail takes. */
struct strbuf;
void measure_rows(const struct measure *measure, struct strbuf *out);

/* An SVG of operation @op, readable in black and white; append it. */
void measure_picture(const struct measure *measure, size_t op,
		     struct strbuf *out);
/* The same of each operation as @dir/OPERATION.svg; @dir is made. */
int measure_plot(const struct measure *measure, const char *dir,
		 struct arena *arena, struct err *err);

/*
 * Put the table into the cover letter in @dir, and into the message of each
 * of @file, the patches in order, what it changes. Diffs stay as they are.
 */
int measure_tell(const struct measure *measure, const char *dir,
		 const struct names *file, struct arena *arena,
		 struct err *err);

#endif
