// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D hold -D fn=pool_release -D array=items -D limit=POOL_MOST */
#include "pool.h"

void pool_release(struct item **items, int nr)
{
	struct node *node = NULL;
	unsigned long flags;
	LIST_HEAD(gone);
	int i;

	for (i = 0; i < nr; i++) {
		struct item *item = items[i];

		if (item->large) {
			if (node) {
				spin_unlock_irqrestore(&node->lock, flags);
				node = NULL;
			}
			pool_release_large(item);
			continue;
		}
		if (item->listed) {
			struct node *own = item_node(item);

			if (own != node) {
				if (node)
					spin_unlock_irqrestore(&node->lock,
							       flags);
				node = own;
				spin_lock_irqsave(&node->lock, flags);
			}
			list_del(&item->list);
		}
		list_add(&item->list, &gone);
	}
	if (node)
		spin_unlock_irqrestore(&node->lock, flags);
	pool_free(&gone);
}
