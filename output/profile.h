/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is spent in which function, as a measurement or a profiler has it, to
 * rank findings and functions by. These are read:
 *
 *	measure.json            off minus out of each function, of each operation
 *	perf report --stdio     "12.34%  ...  [k] symbol"; of two, the second is
 *	                        the symbol's own
 *	folded stacks           "a;b;c 123", of which c has the 123; what is
 *	                        inlined is "c_[i]" or "c (inlined)"
 *	a table of files        "mm/a.c  6.6441  395842", and below it of its
 *	                        symbols "  symbol  2.950%  175781"
 *
 * A line that is in none of these forms is an error that names it.
 */
#ifndef NOCHARGE_PROFILE_H
#define NOCHARGE_PROFILE_H

#include "../analyzer/model/finding.h"
#include "../analyzer/model/model.h"
#include "measure.h"

/* What is spent in one function, where it is known below which others. */
struct spent {
	const char *name;
	const char *caller;   /* who is above on the stack; NULL: not known */
	const char **within;  /* whose machine code it is inlined in */
	size_t nwithin;
	double n;
	bool taken;           /* somebody asked for it */
};

struct profile {
	struct spent *item; /* sorted by name */
	size_t n;
	struct names_of {   /* each name of each item; sorted */
		const char *name;
		size_t item;
	} *index;
	size_t nindex;
	double total;       /* of the items, in per cent; 100, or less where */
			    /* the profile does not list all */
	bool difference;    /* off minus out, and not all that was done */
	struct model **model; /* say who is inlined where; may be none */
	size_t nmodel;
	struct arena *arena;
};

/* NULL with @err if it is none of these, or has nothing in it. */
struct profile *profile_read(const char *path, struct arena *arena,
			     struct err *err);

/* The same of text in memory; @path is for messages. */
struct strbuf;
struct profile *profile_parse(const char *path, const struct strbuf *text,
			      struct arena *arena, struct err *err);

/* Ask @model, too, who is inlined where. It must outlive the profile. */
void profile_knows(struct profile *profile, struct model *model);

/* A function and the part of its share that is its own or a callee's. */
struct share {
	double n;
	struct amounts part; /* the function's own first, if it has any */
};

/*
 * What is spent in @function ("name" or "name@file") and in what is inlined
 * there, in per cent. A callee of which nobody says by whom it was called
 * counts for everyone that inlines it and is in the profile too.
 */
struct share profile_of(struct profile *profile, const char *function);

/*
 * Say of each finding, and of each entry point, how much is spent in its
 * function; for a finding also in those that it covers. Of a difference of off
 * and out, what a function has that is nobody's is shared by the residue that
 * is inlined there.
 */
void profile_share(struct profile *profile, struct finding *finding,
		   size_t n);
void profile_entries(struct profile *profile, struct entry_point *entry,
		     size_t n);
/* Those with most first. */
void profile_sort(struct finding *finding, size_t n);
void profile_sort_entries(struct entry_point *entry, size_t n);

/* What nobody asked for: how many functions, and how much of it. */
size_t profile_lost(const struct profile *profile, double *lost);

/* For the readers: take items as they come, the same more than once too. */
struct spent_list {
	struct spent *item;
	size_t n, cap;
	bool percent; /* they are of a whole that is not all listed */
	bool difference; /* off minus out */
	struct arena *arena;
};

void spent_add(struct spent_list *list, const struct spent *spent);
/* NULL if there is nothing. */
struct profile *profile_make(struct spent_list *list);

#endif
