/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of tree/ keep in a struct tree and a struct config. */
#ifndef NOCHARGE_TREE_PRIVATE_H
#define NOCHARGE_TREE_PRIVATE_H

#include "tree.h"

struct kconfig;
struct kbuild;
struct makefiles;
struct tree_files;

struct tree_private {
	struct tree_files *files;
	struct kconfig *kconfig;     /* parsed at the first configuration */
	struct makefiles *makefiles; /* read when needed, kept */
	struct config *configs;      /* all that were made */
};

struct config_private {
	struct config *next;
	struct kbuild *kbuild;
	const char **common;   /* flags that all units share */
	size_t ncommon;
};

/* Add to what the configuration could not read; @text lives as long as it. */
void config_skip(struct config *config, const char *text);

#endif
