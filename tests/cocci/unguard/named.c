// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_many -D predicate=pool_off */
#include "pool.h"

int pool_many(struct item *item, int a, int b)
{
	int ret;

	if (pool_off())
		return 0;

	ret = item_get(item);
	if (unlikely(pool_off())) {
		item_put(item);
		return ret;
	}
	item_use(item);

	if (!pool_off()) {
		b = 2;
		if (b)
			item_set(item,
				 b);
	}

	if (likely(!pool_off()))
		b = 3;

	/* for both */
	if (pool_off()) {
		a = 1;
	} else {
		a = 2;
		b = 4;
	}

	if (pool_off())
		a = 1;
	else
		a = 2;

	if (a == 1)
		item_use(item);
	else if (pool_off())
		item_put(item);
	if (a == 2)
		item_use(item);
	else if (!pool_off())
		item_put(item);

	if (pool_off() || a)
		item_use(item);
	if (a || unlikely(pool_off()))
		item_use(item);
	if (a || pool_off() || b)
		item_use(item);
	if (unlikely(pool_off() || a))
		item_use(item);
	if (!pool_off() && a == 2)
		item_use(item);
	if (a && !pool_off() && b)
		item_use(item);
	if ((pool_off()) || (a && b))
		item_use(item);
	if (a && pool_off())
		item_use(item);
	a = pool_off() ? 0 : item_get(item);
	a = !pool_off() ? 5 : 6;
	VM_BUG_ON(pool_off());
	VM_BUG_ON_PAGE(pool_off() || a, item);
	if (item_get(item) && pool_off())
		return 1;
	if (!pool_off()) {
		int c = a;

		item_set(item, c);
	}
	return pool_off();
}

int pool_one(struct item *item)
{
	if (pool_off())
		return 0;
	return item_get(item);
}
