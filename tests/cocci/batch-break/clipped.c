// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_forget_all -D whole=pool_release -D part=todo -D cursor=items -D left=nr */
#include "pool.h"

void pool_forget_all(struct item **items, int nr)
{
	int todo;

	while (nr) {
		todo = nr > 16 ? 16 : nr;
		pool_release(items, todo);
		items += todo;
		nr -= todo;
	}
	while (nr) {
		int todo = nr;

		if (todo > 16)
			todo = 16;
		pool_release(items, todo);
		items += todo;
		nr -= todo;
	}
}
