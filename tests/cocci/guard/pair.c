// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

int item_try_charge(struct item *item)
{
	struct pool *pool;

	if (mem_cgroup_disabled())
		return 0;

	pool = item_pool(item);
	return pool_add(pool);
}

void item_uncharge(struct item *item)
{
	struct pool *pool;

	pool = item_pool(item);
	pool_sub(pool);
}

void item_begin(struct item *item)
{
	if (mem_cgroup_disabled())
		return;
	pool_add(item->pool);
}

void item_end(struct item *item)
{
	/* no declarations */
	pool_sub(item->pool);
}

/* What was taken before the test is given back without one. */
void item_lock(struct item *item)
{
	rcu_read_lock();
	if (mem_cgroup_disabled())
		return;
	spin_lock(&item->pool->lock);
}

void item_unlock(struct item *item)
{
	spin_unlock(&item->pool->lock);
	rcu_read_unlock();
}

/* Both test. */
int item_get(struct item *item)
{
	if (mem_cgroup_disabled())
		return 0;
	return pool_get(item->pool);
}

void item_put(struct item *item)
{
	if (!mem_cgroup_disabled())
		pool_put(item->pool);
}

/* No half of anything that tests. */
void page_uncharge(struct page *page)
{
	pool_sub(page->pool);
}
