// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is done when off would stand twice in a function that several others
 * have inline, which it would then be too large for: the test stays inside.
 * One that calls once, or is called once, takes the wrapper.
 *
 * kind: memcg_case_count guard
 * says: memcg_case_count would be 2 times in case_both(), which might no longer be inlined in its callers then
 * kind: memcg_case_alloc wrap
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void case_count(int nr);
void case_alloc(int size);

#ifdef CONFIG_MEMCG
void memcg_case_count(struct folio *folio, int nr);
void memcg_case_alloc(struct folio *folio, int size);
#else
static inline void memcg_case_count(struct folio *folio, int nr)
{
	case_count(nr);
}

static inline void memcg_case_alloc(struct folio *folio, int size)
{
	case_alloc(size);
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void memcg_case_count(struct folio *folio, int nr)
{
	struct mem_cgroup *memcg;

	case_count(nr);
	rcu_read_lock();
	memcg = folio_memcg(folio);
	if (memcg)
		memcg->events[0] += nr;
	rcu_read_unlock();
}

void memcg_case_alloc(struct folio *folio, int size)
{
	struct mem_cgroup *memcg;

	case_alloc(size);
	rcu_read_lock();
	memcg = folio_memcg(folio);
	if (memcg)
		memcg->events[1] += size;
	rcu_read_unlock();
}
/* file: mm/memory.c */
#include <linux/case.h>

static void case_both(struct folio *folio, int nr)
{
	if (nr)
		memcg_case_count(folio, nr);
	memcg_case_count(folio, 1);
	memcg_case_alloc(folio, nr);
}

static void case_alone(struct folio *folio, int nr)
{
	memcg_case_alloc(folio, nr);
	memcg_case_alloc(folio, 1);
}

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	case_both(folio, 2);
	case_alone(folio, 2);
	return 0;
}

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	case_both(folio, 3);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void case_count(int nr);
void case_alloc(int size);

#ifdef CONFIG_MEMCG
void memcg_case_count(struct folio *folio, int nr);
void __memcg_case_alloc(struct folio *folio, int size);

static inline void memcg_case_alloc(struct folio *folio, int size)
{
	if (mem_cgroup_disabled()) {
		case_alloc(size);
		return;
	}

	__memcg_case_alloc(folio, size);
}
#else
static inline void memcg_case_count(struct folio *folio, int nr)
{
	case_count(nr);
}

static inline void memcg_case_alloc(struct folio *folio, int size)
{
	case_alloc(size);
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

void memcg_case_count(struct folio *folio, int nr)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled()) {
		case_count(nr);
		return;
	}

	case_count(nr);
	rcu_read_lock();
	memcg = folio_memcg(folio);
	if (memcg)
		memcg->events[0] += nr;
	rcu_read_unlock();
}

void __memcg_case_alloc(struct folio *folio, int size)
{
	struct mem_cgroup *memcg;

	case_alloc(size);
	rcu_read_lock();
	memcg = folio_memcg(folio);
	if (memcg)
		memcg->events[1] += size;
	rcu_read_unlock();
}
