// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=fill -D write=mark_ready -D charge=pool_charge */
#include "pool.h"

int fill(struct pool *pool)
{
	struct item *item = item_new(pool);

	if (!item)
		return -ENOMEM;

	mark_ready(item);

	if (pool_charge(pool, item))
		goto out;
	pool_add(pool, item);
	return 0;
out:
	item_put(item);
	return -ENOMEM;
}

int fill_other(struct pool *pool)
{
	struct item *item = item_new(pool);

	mark_ready(item);
	if (pool_charge(pool, item))
		return -ENOMEM;
	return 0;
}
