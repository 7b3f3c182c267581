/* SPDX-License-Identifier: GPL-2.0-only */
/* measure --against. */
#ifndef NOCHARGE_AGAINST_RUN_H
#define NOCHARGE_AGAINST_RUN_H

#include "../output/prove.h"
#include "options.h"

/*
 * Hold the findings of @options against @prove's measure.json; with a tree
 * (tree_arg, else NULL) it is analysed, to know who is inlined where. The
 * status to end with.
 */
int against_run(struct prove *prove, struct options *options);

#endif
