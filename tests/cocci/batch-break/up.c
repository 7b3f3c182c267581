// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_forget_all -D whole=pool_release -D part=todo -D cursor=i */
#include "pool.h"

void pool_forget_all(struct pool *pool, int nr)
{
	int i, todo;

	for (i = 0; i < nr; i += todo) {
		todo = min(nr - i, POOL_BATCH);
		pool_release(&pool->items[i], todo, true);
	}
}
