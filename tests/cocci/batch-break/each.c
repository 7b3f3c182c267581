// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_forget_all -D whole=pool_release -D cursor=i */
#include "pool.h"

void pool_forget_all(struct pool *pool)
{
	unsigned int i;

	pool_drain();
	for (i = 0; i < pool->nr; i++)
		pool_release(pool->items + i, 1);
}
