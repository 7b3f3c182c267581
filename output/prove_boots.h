/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels of the states of a series, built and booted once each, for all
 * checks that want to see what they do. Building runs the tree's code.
 */
#ifndef NOCHARGE_PROVE_BOOTS_H
#define NOCHARGE_PROVE_BOOTS_H

#include "accounts.h"
#include "kernels.h"
#include "prove.h"

enum boot_mode { MODE_ON, MODE_OFF, NMODE };

/* Boots of the unpatched kernel that say what cannot be compared. */
#define BOOTS_OTHER 3

struct booted {
	struct accounts accounts;
	struct strbuf console, seen;
	const char *trouble; /* what is wrong with it, or NULL */
	const char *failure; /* why there is nothing to judge, or NULL */
	const char *command;
};

/* Used under its lock; in an arena of its own. */
struct prove_boots {
	pthread_mutex_t lock;
	struct arena *arena;
	struct kernels kernels;
	struct boot_how how;
	const struct rules *rules;
	struct account_rules *account_rules;
	struct names append;  /* to the kernel's command line */
	struct names trouble; /* words of its log */
	const char *failure;       /* why nothing can be booted at all */
	struct booted **plain[NMODE]; /* of each state */
	struct booted *other[NMODE][BOOTS_OTHER]; /* of the unpatched tree */
};

/* Never NULL, and locked: the caller unlocks. */
struct prove_boots *boots_get(struct prove *prove);

/*
 * "A+LEN,..." in the kernel of @state of the function @name, or if that is
 * NULL of all that the patch touches which makes that state. NULL: none.
 */
const char *boots_watch(struct prove *prove, struct prove_boots *boots,
			size_t state, const char *name);

/*
 * The kernel of @state, booted; state 0 also in @other ways (from 1 on), with
 * another clock, other memory and other pages in use. Never NULL.
 */
const struct booted *boots_run(struct prove *prove, struct prove_boots *boots,
			       size_t state, enum boot_mode mode,
			       size_t other);

#endif
