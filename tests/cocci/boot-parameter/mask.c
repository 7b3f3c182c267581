// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_disable -D both=pool_set_enabled -D other=pool_enable -D on=enable */
#include "pool.h"

static int __init pool_disable(char *str)
{
	int i;

	for (i = 0; i < POOLS; i++) {
		if (!strcmp(str, pool_name[i])) {
			pool_off_mask |= 1 << i;
			break;
		}
	}
	return 1;
}
__setup("pool_disable=", pool_disable);
