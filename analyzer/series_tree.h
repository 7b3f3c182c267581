/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree that a series was made for, and by which rules. */
#ifndef NOCHARGE_SERIES_TREE_H
#define NOCHARGE_SERIES_TREE_H

#include <stdint.h>

#include "../output/prove.h"
#include "options.h"

/* Of all that a compiler may read: a change anywhere makes it another one. */
uint64_t series_content(const char *root);

/* The series' rules become those of @options; ends the program without. */
void series_find_rules(struct prove *prove, struct options *options);

#endif
