// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

static bool old_account(void)
{
	return !cgroup_subsys_on_dfl(item_cgrp_subsys) && !item_noswap;
}

static bool may_account(void)
{
	return item_old || !cgroup_subsys_on_dfl(item_cgrp_subsys);
}

void item_swap(struct item *item)
{
	if (!mem_cgroup_disabled() && old_account())
		item_uncharge(item);
	if (!mem_cgroup_disabled() && may_account())
		item_charge(item);
	if (mem_cgroup_disabled() || old_account())
		item_leave(item);
}
