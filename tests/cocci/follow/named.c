// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D caller=pool_fill -D fn=charge_item -D inner=__charge_item */
#include "pool.h"

int pool_fill(struct pool *pool, struct item *item)
{
	const int ret = charge_item(item, pool_group_of_this(pool, 0), GFP_KERNEL);

	if (ret && charge_item(item, NULL, 0) < 0)
		return charge_item(item,
				   pool->group, 0);
	charge_item_again(item);
	return ret;
}

int pool_empty(struct pool *pool, struct item *item)
{
	return charge_item(item, pool->group, 0);
}
