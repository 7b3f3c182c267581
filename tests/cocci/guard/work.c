// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_add -D predicate=pool_off -D "leave=return node_add(item_node(item), nr)" -D "work=int nr = 1;\n\n\t\titem_count(item, nr)" */
#include "pool.h"

int pool_add(struct item *item)
{
	struct pool *pool;
	int ret;
	/* nothing above */
	pool = item->pool;
	ret = pool_charge(pool, item);
	return ret;
}

int pool_del(struct item *item)
{
	struct pool *pool;
	int ret;

	pool = item->pool;
	ret = pool_charge(pool, item);
	return ret;
}
