// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D in_record -D option=CONFIG_POOL_OFF -D both=pool_set_enabled -D record=pool_ops -D member=disabled */
#include "pool.h"

struct pool_ops other_ops = {
	.name = "other",
};

struct pool_ops pool_ops = {
	.name = "pool",
	.open = pool_open,
};
