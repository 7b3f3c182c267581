// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D old -D predicate=pool_off -D record=pool_subsys -D member=disabled -D key=pool_off_key -D init=pool_off_init */
#ifndef POOL_H
#define POOL_H
#include <linux/cgroup.h>
#include <linux/list.h>

#ifdef CONFIG_POOL
static inline bool pool_off(void)
{
	if (pool_subsys.disabled)
		return true;
	return false;
}

static inline bool task_off(void)
{
	if (task_subsys.disabled)
		return true;
	return false;
}
#else
static inline bool pool_off(void)
{
	return true;
}
#endif

#endif
