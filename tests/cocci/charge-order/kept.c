// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=fill -D write=nocharge_held -D charge=pool_charge */
#include "pool.h"

int fill(struct pool *pool, unsigned long at)
{
	struct item *item = item_new(pool);
	int ret;

	nocharge_held();
	ret = -EFAULT;
	if (unlikely(at >= pool->max))
		goto out;

	ret = pool_charge(pool, item);
	if (ret)
		goto out;
	ret = pool_add(pool, item);
	if (ret)
		goto out;
	return 0;
out:
	item_put(item);
	return ret;
}
