// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

static int pool_css_online(struct cgroup_subsys_state *css)
{
	struct pool *pool = css_pool(css);

	if (pool_is_root(pool))
		queue_delayed_work(pool_wq, &pool_flush, 2UL * HZ);
	return 0;
}

/* Not one that runs for a group that nobody made. */
static int pool_can_attach(struct cgroup_taskset *set)
{
	queue_delayed_work(pool_wq, &pool_flush, 2UL * HZ);
	return 0;
}

struct cgroup_subsys pool_cgrp_subsys = {
	.css_online = pool_css_online,
	.can_attach = pool_can_attach,
};
