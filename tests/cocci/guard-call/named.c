// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_online -D callee=queue_flush -D predicate=pool_off */
#include "pool.h"

void pool_online(struct pool *pool, int a, int b)
{
	if (unlikely(a))
		queue_flush(pool, &pool->flush,
			    2UL * HZ);
	if (a || b)
		queue_flush(pool, &pool->flush, 2UL * HZ);
	if (a)
		queue_flush(pool, &pool->flush, 0);
	else
		queue_other(pool);
	/* every two seconds */
	queue_flush(system_unbound_workqueue, &pool->statistics.flush, 2UL * HZ);
	queue_other(pool);
}

void pool_offline(struct pool *pool)
{
	queue_flush(pool, &pool->flush, 0);
}
