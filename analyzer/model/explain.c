// SPDX-License-Identifier: GPL-2.0-only
#include "entry.h"

struct explanation *model_explain(struct model *model, const char *function,
				  struct err *err)
{
	(void)model;
	err_set(err, STATUS_USAGE, "'%s' cannot be explained yet", function);
	return NULL;
}
