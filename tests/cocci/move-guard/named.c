// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_lock -D predicate=pool_off -D leave=return */
#include "pool.h"

void pool_lock(struct item *item)
{
	struct pool *pool = item_pool(item);
	unsigned long flags;

	/*
	 * Held throughout.
	 */
	rcu_read_lock();

	if (pool_off())
		return;
again:
	if (!pool_off() && pool_moves(pool)) {
		spin_lock_irqsave(&pool->lock, flags);
		if (unlikely(pool_off()))
			goto again;
	}
	VM_BUG_ON(pool_off());
}

void pool_unlock(struct item *item)
{
	struct pool *pool = item_pool(item);

	rcu_read_lock();
	if (pool_off())
		return;
	pool_moves(pool);
}
