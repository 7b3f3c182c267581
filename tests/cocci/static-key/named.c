// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D flag=pool_noswap -D key=pool_noswap_key */
#include "pool.h"

static bool pool_nosocket __ro_after_init;

#ifdef CONFIG_POOL_SWAP
bool pool_noswap __ro_after_init;
#else
#define pool_noswap	1
#endif

static bool pool_account(void)
{
	return !pool_hierarchy_is_the_default_one(pool_subsys) && !pool_noswap;
}

int pool_swap(struct item *item, struct pool *old)
{
	if (!pool_noswap && item->pool != old && !pool_is_the_root_group(old))
		pool_uncharge(old);
	if (pool_noswap)
		return 0;
	return pool_nosocket;
}

static int __init setup_pool(char *s)
{
	if (!strcmp(s, "1"))
		pool_noswap = false;
	else if (!strcmp(s, "0"))
		pool_noswap = true;
	if (!strcmp(s, "nosocket"))
		pool_nosocket = true;
	return 1;
}
__setup("poolswap=", setup_pool);
