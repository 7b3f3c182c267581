// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_add -D predicate=pool_off -D leave=return -D "work=item_count(item)" */
#include "pool.h"

void pool_add(struct item *item)
{
	item->pool->size++;
	pool_charge(item->pool, item);
}

void pool_add_all(struct item *item)
{
	item->pool->size++;
	pool_charge(item->pool, item);
}
