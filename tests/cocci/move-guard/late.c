// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

int item_count(struct item *item)
{
	int nr = 1;

	item_statistics(item);
	if (mem_cgroup_disabled())
		return 0;

	return pool_count(item, nr);
}

/* Given back by another function. */
void item_lock(struct item *item)
{
	item_read_lock(item);
	if (mem_cgroup_disabled())
		return;
	pool_lock(item);
}

/* What is done without the feature too is not late. */
#ifdef CONFIG_MEMCG
void item_touch(struct item *item)
{
	item_mark(item);
	if (mem_cgroup_disabled())
		return;
	pool_mark(item);
}
#else
void item_touch(struct item *item)
{
	item_mark(item);
}
#endif

void item_check(struct item *item)
{
	VM_BUG_ON_PAGE(item->bad, item);
	if (mem_cgroup_disabled())
		return;
	pool_mark(item);
}
