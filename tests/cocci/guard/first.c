// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_put -D predicate=pool_off -D leave=return */
#include "pool.h"

static inline int pool_get(struct item *item)
{
	/* taken for good */
	return pool_take(item->pool);
}

static inline void pool_put(struct item *item)
{
	/* given back */
	pool_give(item->pool);
}
