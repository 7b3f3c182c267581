// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D tail -D fn=some_set_dirty -D flag=test_set_dirty -D helper=pool_set_dirty */
#include "pool.h"

int some_set_dirty(struct item *item)
{
	struct pool *pool = item->pool;
	struct some *some = item->some;
	unsigned long flags;

	some->dirty++;
	if (!test_set_dirty(item)) {
		if (!pool)
			return 1;

		spin_lock_irqsave(&pool->lock, flags);
		account_dirty(item, pool);
		spin_unlock_irqrestore(&pool->lock, flags);
		return 1;
	}
	return 0;
}

int pool_set_dirty(struct item *item)
{
	return !test_set_dirty(item);
}
