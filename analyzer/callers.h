/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files hold a call of certain functions, directly or by way of others
 * that are handed the same object, and which make the object: found in the
 * text, as units are.
 */
#ifndef NOCHARGE_CALLERS_H
#define NOCHARGE_CALLERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rules.h"

struct callers;

/*
 * Of the functions @names (patterns), handed an object of the records
 * @records. Both must outlive the result.
 */
struct callers *callers_new(const struct names *names,
			    const struct names *records);
void callers_free(struct callers *callers);

/* Everything is going to be looked into, in any order, the first time or again. */
void callers_begin(struct callers *callers);

/*
 * Look into @text: does it hold a call that it was not asked for in the round
 * before? Functions in it that hand the object on count as the ones that are
 * looked for from now on; *@more is set if there is a new one, and then there
 * is to be one more round.
 */
bool callers_look(struct callers *callers, const char *text, size_t len,
		  bool *more);

/*
 * When that has come to an end: does @text define a function that gives an
 * object back to who may charge it then? Those whose results it gives back in
 * turn are looked for as well; *@more as above.
 */
bool callers_give(struct callers *callers, const char *text, size_t len,
		  bool *more);

#endif
