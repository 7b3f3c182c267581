// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_online -D callee=queue_flush -D predicate=pool_off */
#include "pool.h"

void pool_online(struct pool *pool, int a)
{
	if (a && !pool_off())
		queue_flush(pool, 1);
	if (!pool_off())
		queue_flush(pool, 2);
	queue_flush(pool, 3);
}
