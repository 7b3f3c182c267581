// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_of -D inner=__pool_of -D predicate=pool_off -D "leave=return NULL" -D "call=return __pool_of(item)" */
#include "pool.h"

struct pool *pool_of(struct item *item)
{
	if (likely(!pool_off()) && item->pool)
		return item->pool;
	return NULL;
}
EXPORT_SYMBOL(pool_of);
EXPORT_SYMBOL_GPL(pool_of_all);
