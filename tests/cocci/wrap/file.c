// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge -D inner=__pool_charge -D predicate=pool_off -D "leave=return 0" -D "call=return __pool_charge(item, mm, gfp, entry)" */
#include "pool.h"

/**
 * pool_charge - charge an item
 */
int pool_charge(struct item *item, struct mm_struct *mm, gfp_t gfp_mask,
		swp_entry_t entry)
{
	struct pool *pool;

	if (pool_off())
		return 0;

	pool = item_pool(item);
	return pool_try_charge(pool);
}
EXPORT_SYMBOL_GPL(pool_charge);

int pool_charge_again(struct item *item)
{
	if (pool_off())
		return 0;
	return pool_charge(item, NULL, 0, item->entry);
}
EXPORT_SYMBOL(pool_charge_again);
