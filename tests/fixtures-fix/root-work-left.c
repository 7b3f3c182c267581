// SPDX-License-Identifier: GPL-2.0-only
/*
 * What counts for the whole system has every group in it, so that who reads
 * root's number would have to take those off. And a limit that is tested for
 * the group alone would not be looked at any more if root had one.
 *
 * kind: memcg_update_order root-work
 * left: __memcg_count 'memcg_read' would have to take what 'mod_node_page_state' counts
 * left: memcg_note_excess no group below root leads there
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>
#include <linux/percpu.h>
#include <linux/vmstat.h>

#ifdef CONFIG_MEMCG
void __memcg_count(struct page *page, int idx, int val);
void __memcg_charged(struct folio *folio);

static inline void memcg_count(struct page *page, int idx, int val)
{
	if (!mem_cgroup_disabled())
		__memcg_count(page, idx, val);
}
static inline void memcg_charged(struct folio *folio)
{
	if (!mem_cgroup_disabled())
		__memcg_charged(folio);
}
#else
static inline void memcg_count(struct page *page, int idx, int val)
{
}

static inline void memcg_charged(struct folio *folio)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void __memcg_count(struct page *page, int idx, int val)
{
	struct mem_cgroup *memcg = folio_memcg(page_folio(page));

	if (memcg)
		this_cpu_add(memcg->stat->count[idx], val);
}

static long memcg_read(struct mem_cgroup *memcg, int idx)
{
	return per_cpu(memcg->stat->count[idx], 0);
}

long memcg_show(struct mem_cgroup *memcg)
{
	return memcg_read(memcg, NR_FILE_MAPPED);
}

static unsigned long memcg_excess(struct mem_cgroup *memcg)
{
	unsigned long usage = atomic_long_read(&memcg->memory.usage);

	return usage > memcg->soft_limit ? usage - memcg->soft_limit : 0;
}

static void memcg_note_excess(struct mem_cgroup *memcg)
{
	unsigned long excess = memcg_excess(memcg);

	if (excess)
		memcg->events[0] = excess;
}

static void memcg_update_order(struct mem_cgroup *memcg)
{
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (memcg_excess(memcg))
			memcg->events[1]++;
}

void __memcg_charged(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	if (!memcg)
		return;
	memcg_note_excess(memcg);
	memcg_update_order(memcg);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_set_pte(struct vm_fault *vmf)
{
	mod_node_page_state(&contig_page_data, NR_FILE_MAPPED, 1);
	memcg_count(vmf->page, NR_FILE_MAPPED, 1);
	return 0;
}

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_charged(page_folio(vmf->page));
	return 0;
}
/* after: mm/case.c */
#include <linux/case.h>

void __memcg_count(struct page *page, int idx, int val)
{
	struct mem_cgroup *memcg = folio_memcg(page_folio(page));

	if (memcg)
		this_cpu_add(memcg->stat->count[idx], val);
}

static long memcg_read(struct mem_cgroup *memcg, int idx)
{
	return per_cpu(memcg->stat->count[idx], 0);
}

long memcg_show(struct mem_cgroup *memcg)
{
	return memcg_read(memcg, NR_FILE_MAPPED);
}

static unsigned long memcg_excess(struct mem_cgroup *memcg)
{
	unsigned long usage = atomic_long_read(&memcg->memory.usage);

	return usage > memcg->soft_limit ? usage - memcg->soft_limit : 0;
}

static void memcg_note_excess(struct mem_cgroup *memcg)
{
	unsigned long excess = memcg_excess(memcg);

	if (excess)
		memcg->events[0] = excess;
}

static void memcg_update_order(struct mem_cgroup *memcg)
{
	if (mem_cgroup_is_root(memcg))
		return;

	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (memcg_excess(memcg))
			memcg->events[1]++;
}

void __memcg_charged(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	if (!memcg)
		return;
	memcg_note_excess(memcg);
	memcg_update_order(memcg);
}
