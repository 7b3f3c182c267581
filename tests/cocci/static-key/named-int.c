// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D flag=pool_swap_on -D key=pool_swap_on_key */
#include "pool.h"

static int pool_swap_only __read_mostly;

#ifdef CONFIG_POOL_SWAP
int pool_swap_on __read_mostly;
#else
#define pool_swap_on		0
#endif

/* a number, and not for this to say */
static int pool_swap_ons __read_mostly;

int pool_swap(struct item *item, struct pool *old)
{
	if (pool_swap_on && item->pool != old)
		pool_uncharge(old);
	pool_swap_ons = 1;
	return !pool_swap_on ? 0 : pool_swap_only;
}

static int __init setup_pool(char *s)
{
	pool_swap_only = 1;
	pool_swap_on = 1;
	if (!strcmp(s, "0"))
		pool_swap_on = 0;
	return 0;
}
__setup("pool=", setup_pool);
