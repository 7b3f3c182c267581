/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The books of a kernel that was booted (output/boot/guest.h), and whether
 * those of two kernels are the same.
 *
 * Numbers are told by "WHERE NAME" ("group memory.current"), and are those of
 * a step at a point. What is not the group's is counted from where the step
 * began.
 */
#ifndef NOCHARGE_ACCOUNTS_H
#define NOCHARGE_ACCOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/base/strbuf.h"

/* A number made of others. */
struct account_sum {
	const char *name;
	struct account_term {
		const char *name;
		int64_t times;
	} *term;
	size_t nterm;
};

/* rules/boot/FEATURE.json */
struct account_rules {
	const char *guest; /* what the guest is told, as its group.h says */
	struct account_sum *sum;
	size_t nsum;
	struct account_zero {
		const char *point, *name; /* is 0 there at the end of a step */
	} *zero;
	size_t nzero;
	/* patterns of numbers that are no books: how memory was reclaimed */
	struct names except;
	/*
	 * Numbers made of free pages. What a processor keeps of them for
	 * itself is not among them, and when it takes and gives back hangs on
	 * how many there were, so on the image's size. They are the same when
	 * they differ by no more than it keeps: pages that are lost at work
	 * are more than that.
	 */
	struct account_near {
		const char *name;
		int64_t by;
	} *near;
	size_t nnear;
};

/*
 * NULL with @err: there is none for the feature (STATUS_INCOMPLETE), or it
 * cannot be read. In @arena.
 */
struct account_rules *account_rules_load(const char *feature,
					 struct arena *arena,
					 struct err *err);

struct account {
	const char *step, *point, *name;
	int64_t value;
};

struct accounts {
	struct account *account; /* sorted by name, step and point */
	size_t n, cap;
	struct names skipped; /* "STEP: WHY" */
	struct names failed;
	bool ended;
	const char *last; /* the step that it came to, or "boot" */
};

/* @text as the guest wrote it; a line that is none is passed over. */
void accounts_read(struct accounts *accounts, const struct strbuf *text,
		   const struct account_rules *rules, struct arena *arena);

/* What of @one does not differ by itself: it is in @other too, the same. */
struct accounts *accounts_steady(const struct accounts *one,
				 const struct accounts *other,
				 const struct account_rules *rules,
				 struct arena *arena);

/* What @accounts says of the numbers of @these that it has. */
struct accounts *accounts_of(const struct accounts *accounts,
			     const struct accounts *these,
			     struct arena *arena);

/*
 * Numbers of @steady that are others in @after, or missing; each is a line
 * "STEP, POINT: NAME: 1 before, 2 after" of @out. Returns how many.
 */
size_t accounts_differ(const struct accounts *steady,
		       const struct accounts *after,
		       const struct account_rules *rules, struct strbuf *out);

/*
 * Numbers that are not 0 in @after where they must be, and are in @before;
 * lines "STEP, POINT: NAME: 2, and not 0" of @out.
 */
size_t accounts_not_zero(const struct accounts *before,
			 const struct accounts *after,
			 const struct account_rules *rules,
			 struct strbuf *out);

/*
 * Add the names that were compared somewhere, and those of @all that were
 * not, or not everywhere: "MODE: NAME", or "MODE: NAME (STEP POINT, ...)".
 */
void accounts_told(const struct accounts *all, const struct accounts *steady,
		   const char *mode, struct names *compared,
		   struct names *left_out, struct arena *arena);

#endif
