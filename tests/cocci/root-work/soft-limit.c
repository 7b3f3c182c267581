// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

/* leaves root out already */
static void memcg_note_below(struct mem_cgroup *memcg)
{
	unsigned long excess;

	if (mem_cgroup_is_root(memcg))
		return;

	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		excess = soft_limit_excess(memcg);
		if (excess)
			memcg_insert(memcg, excess);
	}
}

/* asks before it goes up: root would not be asked again */
static void memcg_note_twice(struct mem_cgroup *memcg)
{
	unsigned long excess;

	if (lru_gen_enabled()) {
		if (soft_limit_excess(memcg))
			memcg_age(memcg);
		return;
	}

	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		excess = soft_limit_excess(memcg);
		if (excess)
			memcg_insert(memcg, excess);
	}
}

/* no limit */
static void memcg_count(struct mem_cgroup *memcg, int nr)
{
	long sum;

	sum = nr;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		memcg_add(memcg, sum);
}

static void memcg_note(struct mem_cgroup *memcg, int nid)
{
	struct memcg_tree *tree;
	unsigned long excess;

	tree = memcg_tree(nid);
	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		excess = res_counter_soft_limit_excess(&memcg->res);
		if (excess)
			memcg_insert_in(tree, memcg, excess);
	}
}
