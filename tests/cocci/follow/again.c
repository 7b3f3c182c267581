// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

static inline void item_uncharge(struct item *item, int nr)
{
	if (mem_cgroup_disabled())
		return;
	__item_uncharge(item, nr);
}

static inline int item_charge(struct item *item)
{
	rcu_read_lock();
	if (mem_cgroup_disabled())
		return 0;
	return __item_charge(item);
}

void item_swap(struct item *item)
{
	if (!mem_cgroup_disabled() && item->swapped) {
		item_charge(item);
		item_uncharge(item, 1);
	}
	item_uncharge(item, 2);
}
