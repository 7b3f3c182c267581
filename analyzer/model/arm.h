/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The statements of a function that are left of it in the off state, when
 * they are few and follow one another: what can be said in its place.
 */
#ifndef NOCHARGE_ARM_H
#define NOCHARGE_ARM_H

#include "analysis.h"

#define ARM_PARTS 6

struct arm {
	uint32_t line[ARM_PARTS]; /* where each statement begins */
	bool declares[ARM_PARTS]; /* it is a declaration */
	size_t n;                 /* the last one may be a "return" */
	bool own_file;            /* it names what only its file sees */
};

/*
 * Conditions that the off state decides are gone, and so are calls of the
 * feature that do nothing then and locals that nobody asks for. False if what
 * is left is no plain list, or too long. With @bare what opens and closes a
 * section goes too, and there is no arm where something of the feature is
 * called still.
 */
bool arm_of(struct model *model, struct function *fn, bool bare,
	    struct arm *arm);

#endif
