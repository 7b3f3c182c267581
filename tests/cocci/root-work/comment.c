// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_note -D group=pool -D test=pool_is_root */
#include "pool.h"

static void pool_note(struct pool *pool)
{
	unsigned long over;
	/* all that are above it */
	for (; pool; pool = pool_parent(pool)) {
		over = pool_excess(pool);
		if (over)
			pool_insert(pool, over);
	}
}
