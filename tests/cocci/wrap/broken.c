// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge -D inner=__pool_charge -D predicate=pool_off -D "leave=return -ENOSYS" -D "call=return __pool_charge(item)" */
#include "pool.h"

int pool_charge(struct item *item)
{
	if (pool_off() || !item->pool ||
		!pool_is_on_default_hierarchy(item->pool) ||
		!(item->pool->flags & POOL_CHARGES_ITEMS_OF_OTHERS))
		return -ENOSYS;
	if (item->old &&
		item->young)
		return 0;
	return pool_try_charge(item->pool);
}
