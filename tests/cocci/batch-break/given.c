// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_forget_all -D whole=pool_release -D part=todo -D cursor=items -D left=nr */
#include "pool.h"

void pool_forget_all(struct item **items, int nr)
{
	while (nr > 0) {
		int todo = min(nr, POOL_BATCH);
		int k;

		for (k = 0; k < todo; k++) {
			pool_forget(items[k]);
			pool_count(items[k]);
		}
		pool_release(items, todo);
		nr -= todo;
		items += todo;
	}
}
