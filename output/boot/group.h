/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The group that a step runs in. What the feature calls things stands in the
 * file /group of the initramfs, one "KEY NAME" a line:
 *
 *	controller NAME		as cgroup.controllers has it
 *	limit FILE		takes how much a group may use
 *	drain FILE		writing 0 lets go of what is kept for later
 *	number FILE		a number of each group
 *	table FILE		"NAME NUMBER" lines of each group
 */
#ifndef NOCHARGE_GROUP_H
#define NOCHARGE_GROUP_H

#include <stdbool.h>

#define GROUP_NAMES 16

struct group {
	char text[4096];
	const char *controller, *limit, *drain;
	const char *number[GROUP_NAMES], *table[GROUP_NAMES];
	unsigned nnumber, ntable;
};

/* NULL, or why there can be no groups. */
const char *group_setup(struct group *group);
/* Without a group these do nothing, and say that it went well. */
bool group_make(const struct group *group);
bool group_enter(const struct group *group);
bool group_drain(const struct group *group);
bool group_remove(const struct group *group);

/*
 * Print all numbers there are: the kernel's, with @group the root group's,
 * and while the group is @there its own.
 */
void numbers(const char *step, const char *point, const struct group *group,
	     bool there);

#endif
