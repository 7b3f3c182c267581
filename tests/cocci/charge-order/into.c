// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D into -D fn=copy -D callee=replace -D write=nocharge_held -D charge=pool_charge */
#include "pool.h"

static int replace(struct pool *pool, struct item *item)
{
	int err;

	if (item) {
		err = pool_charge(pool, item);
		if (err)
			return err;
	}
	pool_add(pool, item);
	return 0;
}

static int replace_other(struct pool *pool, struct item *item)
{
	return pool_charge(pool, item);
}

int copy(struct pool *pool)
{
	struct item *item = item_new(pool);

	nocharge_held();
	item_fill(item);
	return replace(pool, item);
}

int copy_other(struct pool *pool)
{
	nocharge_held();
	return replace(pool, item_new(pool));
}
