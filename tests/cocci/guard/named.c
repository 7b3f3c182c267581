// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_drain -D predicate=pool_off -D leave=return */
#include "pool.h"

/* A comment stays with the statement that it is about. */
void pool_drain(struct item *item, unsigned long *flags)
{
	struct pool *pool = item_pool(item), *none = NULL;
	const int nr = item_pages(item);
	unsigned long id = pool_number(item, sizeof(struct item), flags,
				       POOL_DRAIN | POOL_WAIT, GFP_KERNEL);
	unsigned long *slot = &item->slot[0];
	unsigned long *where = slot;
	int size = pool ? id : 0;	/* as it was */
	int left = 3;

	/* The lock is held throughout. */
	spin_lock_irqsave(&pool->lock, *flags);
	if (left) {
		int again = item_pages(item);

		pool->size -= again;
	}
}

/* the same text, another function */
void pool_fill(struct item *item, unsigned long *flags)
{
	struct pool *pool = item_pool(item);

	spin_lock_irqsave(&pool->lock, *flags);
}
