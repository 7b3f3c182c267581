// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=__mod_pool_state -D inner=do_mod_pool_state -D predicate=pool_off -D leave=return -D "work=node_add(pool, nr)" -D "call=do_mod_pool_state(pool, nr)" */
#include "pool.h"

void __mod_pool_state(struct pool *pool_of_item, enum pool_statistic index,
		      int nr)
{
	/* the node's */
	node_add(pool_of_item, nr);

	/* the pool's */
	if (!pool_off())
		pool_add(pool_of_item, nr);
}
