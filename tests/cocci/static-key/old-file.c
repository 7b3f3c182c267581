// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D old -D predicate=pool_off -D record=pool_subsys -D member=disabled -D key=pool_off_key -D init=pool_off_init */
#include "pool.h"

struct cgroup_subsys pool_subsys __read_mostly;
EXPORT_SYMBOL_GPL(pool_subsys);

void pool_add(struct item *item)
{
	if (pool_off())
		return;
	item->pool->size++;
}

/* runs before the key is raised */
void __init pool_early_init(void)
{
	if (pool_off())
		return;
	pool_allocate();
}

static int __init pool_late_init(void)
{
	if (pool_off())
		return 0;
	return pool_allocate();
}
subsys_initcall(pool_late_init);

struct cgroup_subsys task_subsys = {
	.name = "task",
};

struct cgroup_subsys pool_subsys = {
	.name = "pool",
};
