// SPDX-License-Identifier: GPL-2.0-only
/*
 * Soft limits are tested up to root: for a page that is root's there is
 * nothing to do. A group below goes up to root by itself.
 *
 * kind: memcg_update_order root-work
 * says: memcg_update_order goes up to root from there
 * says: memcg_update_order with no other made
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void __memcg_charged(struct folio *folio);

static inline void memcg_charged(struct folio *folio)
{
	if (!mem_cgroup_disabled())
		__memcg_charged(folio);
}
#else
static inline void memcg_charged(struct folio *folio)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

static inline unsigned long res_excess(struct res_counter *counter)
{
	if (counter->usage <= counter->soft_limit)
		return 0;
	return counter->usage - counter->soft_limit;
}

static void memcg_update_order(struct mem_cgroup *memcg)
{
	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		unsigned long excess = res_excess(&memcg->res);

		if (excess)
			memcg->events[1] = excess;
	}
}

void __memcg_charged(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	if (unlikely(memcg && !(++memcg->events[0] & 1023)))
		memcg_update_order(memcg);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_charged(page_folio(vmf->page));
	return 0;
}
/* after: mm/case.c */
#include <linux/case.h>

static inline unsigned long res_excess(struct res_counter *counter)
{
	if (counter->usage <= counter->soft_limit)
		return 0;
	return counter->usage - counter->soft_limit;
}

static void memcg_update_order(struct mem_cgroup *memcg)
{
	if (mem_cgroup_is_root(memcg))
		return;

	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		unsigned long excess = res_excess(&memcg->res);

		if (excess)
			memcg->events[1] = excess;
	}
}

void __memcg_charged(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	if (unlikely(memcg && !(++memcg->events[0] & 1023)))
		memcg_update_order(memcg);
}
