// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_note -D group=pool -D test=pool_is_root */
#include "pool.h"

static void pool_note(struct pool *pool)
{
	for (; pool; pool = pool_parent(pool))
		if (pool_excess(pool))
			pool_insert(pool);
}
