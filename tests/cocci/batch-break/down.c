// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_forget_all -D whole=pool_release -D part=todo -D cursor=at -D left=nr */
#include "pool.h"

void pool_forget_all(struct item **items, int nr)
{
	struct item **at = items;

	pool_drain();
	while (nr) {
		int todo = min(nr, POOL_BATCH);
		int k;

		for (k = 0; k < todo; k++)
			pool_forget(at[k]);
		pool_release(at, todo, false);
		at += todo;
		nr -= todo;
	}
}

/* the same in another function stays */
void pool_forget_some(struct item **items, int nr)
{
	struct item **at = items;

	while (nr) {
		int todo = min(nr, POOL_BATCH);

		pool_release(at, todo, false);
		at += todo;
		nr -= todo;
	}
}
