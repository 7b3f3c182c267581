// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_note -D group=pool -D test=pool_is_root */
#include "pool.h"

static void pool_note_all(struct pool *pool)
{
	for (; pool; pool = pool_parent(pool))
		pool_put(pool);
}

static void pool_note(struct pool *pool, int node)
{
	struct tree *tree;
	unsigned long over;

	tree = pool_tree[node];
	for (; pool; pool = pool_parent(pool)) {
		over = pool_excess(pool);
		if (over)
			tree_insert(tree, pool, over);
	}
}
