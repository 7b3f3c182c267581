/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two proofs of a patch that the analysis itself gives: that it clears what
 * it is for, and that with the feature off the functions it touches do what
 * they did before.
 *
 * A series is a row of states of one tree: as it is, with the first patch,
 * with the first two. Each is analysed once; a patch is judged by the state
 * before it and the one after:
 *
 *	before = off_state_new(tree, options, NULL, 0, &err);
 *	after = off_state_new(tree, options, files, nfiles, &err);
 *	off_prove(before, after, &patch, &proof, arena);
 *	off_state_free(before), and on with before = after
 */
#ifndef NOCHARGE_PROVE_OFF_H
#define NOCHARGE_PROVE_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/tree/tree.h"

struct options;
struct off_state;

/*
 * Analyse @tree with @file in place of its own files (as in tree_replace()),
 * by every file of options->rules. NULL with @err set. @file and its texts
 * must outlive the result.
 */
struct off_state *off_state_new(const char *tree,
				const struct options *options,
				const struct memfile *file, size_t nfile,
				struct err *err);
void off_state_free(struct off_state *state);

/* A hash of the rules that it was made by: they may change on the disk. */
uint64_t off_state_rules(const struct off_state *state);

/*
 * What @after could not look at and @before could, or NULL; then nothing can
 * be said of what lies between them. Lives in @arena.
 */
const char *off_state_lost(const struct off_state *before,
			   const struct off_state *after,
			   struct arena *arena);

/*
 * A finding that @after has and @before has not, as a sentence, or NULL. A
 * function that is as it was and had a finding about where its guard is may
 * have another one of that kind, and one that did work when off may be left
 * with the call: it is guarded inside where it cannot have a wrapper. What was
 * found in a function is the same in what its wrapper calls now.
 */
const char *off_state_brings(const struct off_state *before,
			     const struct off_state *after,
			     struct arena *arena);

/* Is a finding of that id reported? */
bool off_state_reports(const struct off_state *state, const char *id);

struct off_patch {
	/*
	 * public names of the functions that it touches, or "name@file"; of
	 * variables there is nothing to compare
	 */
	const char *const *function;
	size_t nfunction;
	/* ids of the findings that it is to clear */
	const char *const *finding;
	size_t nfinding;
};

struct off_result {
	bool applies; /* false: there is nothing to compare */
	bool pass;
	const char *why; /* one line; never NULL */
};

struct off_proof {
	/*
	 * None of the findings is reported any more, and nothing is that was
	 * not before.
	 */
	struct off_result clears;
	/*
	 * Of findings about an order: what is done in another order now was
	 * followed on every path from the old place to the new one or out,
	 * and nobody there can tell. All that was looked at is in the why.
	 */
	struct off_result order;
	/* the first of the findings that is reported all the same, or NULL */
	const char *still;
	/*
	 * Each function does, in the off state, what it did: the same stores,
	 * calls and assembly, in the same order and under as much condition,
	 * and returns the same. What may be gone:
	 *
	 * - loads, tests, and calls that store nowhere, however deep;
	 * - stores to memory that only the feature has and that, with the
	 *   patch, no live code reads;
	 * - calls on the feature's own objects and on nothing else (see
	 *   struct effect);
	 * - sections that were opened and closed, in one function or, over
	 *   all that the patch touches, in several, where nothing that stays
	 *   was inside but what the stub does outside of one, and no stub
	 *   opens one;
	 * - calls that the stub does not do either, where they were done
	 *   without looking at live memory of the feature: the kernel
	 *   without the feature has the same memory and lives without them.
	 *
	 * A function that nobody comes to in the off state, before and after,
	 * does nothing there.
	 *
	 * Arguments are not known, but for pointers to the feature's records,
	 * which are what live callers pass.
	 *
	 * What is done in another way passes if both ways store to the same
	 * memory, with all they call, and are given the same. All but plain
	 * equality is said in the why.
	 */
	struct off_result same;
};

/* @proof->*.why lives in @arena. */
void off_prove(const struct off_state *before, const struct off_state *after,
	       const struct off_patch *patch, struct off_proof *proof,
	       struct arena *arena);

#endif
