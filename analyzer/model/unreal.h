/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cannot be come to: it follows a pointer to a record that is never made
 * in the off state, and a kernel that works does not do that.
 */
#ifndef NOCHARGE_UNREAL_H
#define NOCHARGE_UNREAL_H

#include "event.h"

/* Does it follow one for certain, whatever it is given? */
bool unreal_summary(const struct facts_off *facts, const struct summary *s);

/*
 * @call, of @s: is it given a pointer that the same function follows for
 * certain where it gets as far?
 */
bool unreal_call(const struct facts_off *facts, const struct summary *s,
		 const struct event *call);

#endif
