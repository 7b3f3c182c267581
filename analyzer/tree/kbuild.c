// SPDX-License-Identifier: GPL-2.0-only
#include "kbuild.h"

#include "tree_private.h"

void makefiles_free(struct makefiles *makefiles)
{
	(void)makefiles;
}
const char *const *tree_flags(const struct config *config, const char *unit,
			      size_t *n, size_t *ncommon)
{
	(void)unit;
	*n = *ncommon = config->priv->ncommon;
	return config->priv->common;
}
