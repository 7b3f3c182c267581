// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_of_item_locked -D inner=__pool_of_item_locked -D predicate=pool_off -D "leave=return NULL" -D "call=return __pool_of_item_locked(item, flags, pool_of_the_parent(item), item->slot)" */
#ifndef POOL_H
#define POOL_H

struct pool *pool_of_item(struct item *item);
struct pool *pool_of_item_locked(struct item *item,
						unsigned long *flags);

#endif
