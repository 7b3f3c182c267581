/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How those who changed a file lately began their subjects: what the history
 * of a git tree says of its habits.
 *
 * Only the commits are read, by a repository of our own that borrows the
 * tree's objects: no configuration, hook or attribute of the tree matters.
 */
#ifndef NOCHARGE_HISTORY_H
#define NOCHARGE_HISTORY_H

#include "../analyzer/base/arena.h"

struct history;

/* Of the tree at @root, absolute; in @arena. Nothing is read yet. */
struct history *history_new(const char *root, struct arena *arena);
void history_release(struct history *history);

/*
 * "mm: memcontrol", without the colon behind it, as most subjects of a year
 * begin that changed @file, relative to the root; in the arena. NULL if there
 * is no git, no history or no habit.
 */
const char *history_prefix(struct history *history, const char *file);

#endif
