/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From findings to patches: which kind of fix each one gets, chosen by what
 * its function does in the off state, and which are left alone and why.
 *
 *	guard        a test at the top of the function
 *	move-guard   the same, and the test further down goes away
 *	wrap         an inline wrapper in the header tests and calls the
 *	             function, which gets another name
 *	unguard      a test that can only pass goes away
 *	guard-call   one call is made only when the feature is on
 *	guard-compare  a side of a comparison is not worked out when off
 *	static-key   a flag becomes a static key
 *	charge-order  a flag write goes behind the charge of its object
 *	batch-break  a loop over parts of an array becomes one call
 *	split-accounting  a helper is called that has the same statements
 *	root-work    the root group is left out at the top of the function
 *	boot-parameter  one that asks for the feature
 *	default-off  an option by which it is off without that
 *
 * Nothing is edited here: a patch is a list of runs of semantic patches.
 */
#ifndef NOCHARGE_PLAN_H
#define NOCHARGE_PLAN_H

#include "../analyzer/model/remedy.h"
#include "../analyzer/tree/tree.h"

/* Stands for a test that is no call while spatch is at work. */
#define PLAN_TEST "nocharge_test"
/* Stands for lines that are held together then. */
#define PLAN_HELD "nocharge_held"

struct edit_name {
	const char *name, *value;
};

struct patch;

struct edit;

/*
 * What a file that is no C says once an entry is in its place; NULL with *@why
 * if there is no place for it.
 */
typedef char *edit_place(const struct edit *edit, const char *text,
			 const char **why, struct arena *arena);

/* One run of semantic-patches/COCCI.cocci on one file. */
struct edit {
	const char *cocci;
	edit_place *place; /* instead of spatch; or NULL */
	const char *file;
	struct edit_name name[8];
	size_t nname;
	bool optional; /* to change nothing is fine */
	/* only where that patch, which comes before, is in the series too */
	const struct patch *with;
	/* not needed where this stands already, by a patch before */
	const char *once;
	const char *gone; /* an identifier that must not be left */
	const char *renames; /* a function that is called otherwise behind it */
	const char *test; /* the patch's, before it was brought together */
	/*
	 * Lines of "fn" that stand there as the call nocharge_held() while
	 * spatch is at work, so that a comment goes where its statement goes.
	 */
	const char *held;
	uint32_t held_line; /* where they begin; edits before may move them */
	/* what comes back for them, as far to the right as the call; or NULL */
	const char *back;
	const char *form; /* one more virtual of the semantic patch, or NULL */
	/*
	 * Which definition of "fn" in the file is meant, the first being 0:
	 * the others (its stub) are out of sight. -1: none.
	 */
	int nth;
};

/* A function that a wrapper of its name calls by another. */
struct rename {
	const char *name, *inner;
	const char *header, *source; /* of the wrapper, and of the function */
	const char *export;          /* the macro that exports it, or NULL */
	bool gpl;                    /* to GPL modules only */
	const struct remedy *remedy; /* what is known of the function */
};

struct patch {
	const char *kind;
	const struct remedy **remedy; /* what it is for, the dearest first */
	size_t nremedy;
	struct edit *edit;
	size_t nedit;
	const char *function;
	struct rename *rename;
	size_t nrename;
	const char *predicate;
	/* what is asked instead of the predicate in that file, or NULL */
	const char *test, *test_file;
	const char *leave, *work;     /* what is done when off */
	bool own;                     /* those are its own statements */
	const char *fallback;         /* why it is no wrapper, or NULL */
	const char *needs; /* whose patch has to be in the series; or NULL */
	/* sentences: what it does and what that costs, where no guard is made */
	const char *does, *pays;
	double saves;                 /* instructions per operation, roughly */
	/* what was brought together here, which may be of other kinds; or 0 */
	struct patch *part;
	size_t npart;
};

struct left_alone {
	const struct finding *finding;
	const char *file, *why;
	uint32_t line;
};

struct plan {
	struct patch *patch; /* in the order of the series */
	size_t npatch;
	struct left_alone *left;
	size_t nleft;
	bool by_key; /* the predicate is one: it reads no memory */
};

struct plan_input {
	struct model *model;
	struct tree *tree;
	const struct config *in, *out;
	const struct rules *rules;
	const struct kernel_rules *kernel;
	const struct finding *finding;
	size_t nfinding;
	bool keep_exports;
	struct arena *arena;
};

/*
 * Every finding is in one patch or left alone. Never NULL; lives in the arena,
 * and what @input points to must outlive it.
 */
struct plan *plan_make(const struct plan_input *input);

#endif
