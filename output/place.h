/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an entry goes in a file that is no C, or that needs no more than a
 * line: by what stands there, not by a number. Each is an edit_place, whose
 * edit has these names:
 */
#ifndef NOCHARGE_PLACE_H
#define NOCHARGE_PLACE_H

#include "plan.h"

/* "entry" goes below the entry of the option "below" of a Kconfig file. */
edit_place place_option;

/*
 * "entry", lines that begin with one tab and the parameter "name=", goes where
 * the alphabet has it behind the parameter "below", which is there.
 */
edit_place place_parameter;

/*
 * "prototype" goes behind that of the function "beside", and "stub" behind its
 * stub, which is one line.
 */
edit_place place_declaration;

/* The value of @name of @edit; a defect if there is none. */
const char *place_value(const struct edit *edit, const char *name);

#endif
