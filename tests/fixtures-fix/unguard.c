// SPDX-License-Identifier: GPL-2.0-only
/*
 * The wrapper has tested: the function behind it need not. Where someone
 * else comes without having tested it stays.
 *
 * kind: __memcg_uncharge_entry unguard
 * untouched: __memcg_shared_entry
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void __memcg_uncharge_entry(struct folio *folio);
void __memcg_shared_entry(struct folio *folio);

static inline void memcg_shared_entry(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_shared_entry(folio);
}

static inline void memcg_uncharge_entry(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_uncharge_entry(folio);
}
#else
static inline void memcg_shared_entry(struct folio *folio)
{
}

static inline void __memcg_shared_entry(struct folio *folio)
{
}

static inline void memcg_uncharge_entry(struct folio *folio)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void __memcg_shared_entry(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), -2);
}

void __memcg_uncharge_entry(struct folio *folio)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	memcg = folio_memcg(folio);
	if (memcg)
		mem_cgroup_consume(memcg, -1);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_swap_page(struct vm_fault *vmf)
{
	memcg_uncharge_entry(page_folio(vmf->page));
	memcg_shared_entry(page_folio(vmf->page));
	return 0;
}

void case_drop_entry(struct folio *folio)
{
	__memcg_shared_entry(folio);
}
/* after: mm/case.c */
#include <linux/case.h>

void __memcg_shared_entry(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), -2);
}

void __memcg_uncharge_entry(struct folio *folio)
{
	struct mem_cgroup *memcg;

	memcg = folio_memcg(folio);
	if (memcg)
		mem_cgroup_consume(memcg, -1);
}
