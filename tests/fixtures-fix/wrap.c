// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work or only a test behind a call out of line on a hot path: an inline
 * wrapper. The kernel-doc goes with the name, and so does each export. What
 * is called rarely stays where it is, and what is tested inline already.
 *
 * kind: memcg_note_fault wrap
 * kind: memcg_try_charge wrap
 * kind: memcg_count wrap
 * kind: memcg_unnamed wrap
 * says: memcg_note_fault Calls of memcg_note_fault(): 1, in do_anonymous_page().
 * says: memcg_try_charge memcg_try_charge() was exported with EXPORT_SYMBOL.
 * says: memcg_count memcg_count() was exported with EXPORT_SYMBOL_GPL.
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct case_event;

#ifdef CONFIG_MEMCG
void memcg_note_fault(struct mm_struct *mm);
void memcg_note_fault_late(struct mm_struct *mm);
int memcg_try_charge(struct folio *folio, gfp_t gfp);
unsigned long memcg_count(struct folio *what,
			  int count);
long memcg_unnamed(struct folio *, int);
void __memcg_tested(struct folio *folio);

static inline void memcg_tested(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_tested(folio);
}
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void memcg_note_fault_late(struct mm_struct *mm)
{
}

static inline int memcg_try_charge(struct folio *folio, gfp_t gfp)
{
	return 0;
}

static inline unsigned long memcg_count(struct folio *folio, int nr)
{
	return 0;
}

static inline long memcg_unnamed(struct folio *folio, int nr)
{
	return 0;
}

static inline void memcg_tested(struct folio *folio)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
#include <linux/export.h>

/**
 * memcg_note_fault - count a fault
 * @mm: whose
 *
 * Called for each fault.
 */
void memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

/* Only on the way out of memory. */
void memcg_note_fault_late(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(mem_cgroup_from_task(rcu_dereference(mm->owner)), 1);
}

int memcg_try_charge(struct folio *folio, gfp_t gfp)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return 0;

	memcg = mem_cgroup_from_task(current);
	css_get(&memcg->css);
	mem_cgroup_consume(memcg, folio_nr_pages(folio));
	folio->memcg_data = (unsigned long)memcg;
	return 0;
}
EXPORT_SYMBOL(memcg_try_charge);

unsigned long memcg_count(struct folio *folio, int nr)
{
	if (mem_cgroup_disabled())
		return 0;

	mem_cgroup_consume(folio_memcg(folio), nr);
	return folio_memcg(folio)->events[1];
}
EXPORT_SYMBOL_GPL(memcg_count);

long memcg_unnamed(struct folio *folio, int nr)
{
	struct mem_cgroup *memcg = mem_cgroup_from_task(current);

	if (mem_cgroup_disabled())
		return 0;

	memcg->swappiness = nr;
	mem_cgroup_consume(memcg, nr);
	return 1;
}

void __memcg_tested(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 1);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	memcg_note_fault(vmf->vma->vm_mm);
	if (memcg_try_charge(folio, GFP_KERNEL))
		return VM_FAULT_OOM;
	memcg_tested(folio);
	if (memcg_unnamed(folio, 2))
		return VM_FAULT_RETRY;
	return memcg_count(folio, 1) ? VM_FAULT_OOM : 0;
}

void case_out_of_memory(struct mm_struct *mm)
{
	memcg_note_fault_late(mm);
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct case_event;

#ifdef CONFIG_MEMCG
void __memcg_note_fault(struct mm_struct *mm);

/**
 * memcg_note_fault - count a fault
 * @mm: whose
 *
 * Called for each fault.
 */
static inline void memcg_note_fault(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_note_fault(mm);
}

void memcg_note_fault_late(struct mm_struct *mm);
int __memcg_try_charge(struct folio *folio, gfp_t gfp);

static inline int memcg_try_charge(struct folio *folio, gfp_t gfp)
{
	if (mem_cgroup_disabled())
		return 0;

	return __memcg_try_charge(folio, gfp);
}

unsigned long __memcg_count(struct folio *what, int count);

static inline unsigned long memcg_count(struct folio *what, int count)
{
	if (mem_cgroup_disabled())
		return 0;

	return __memcg_count(what, count);
}

long __memcg_unnamed(struct folio *folio, int nr);

static inline long memcg_unnamed(struct folio *folio, int nr)
{
	if (mem_cgroup_disabled())
		return 0;

	return __memcg_unnamed(folio, nr);
}

void __memcg_tested(struct folio *folio);

static inline void memcg_tested(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_tested(folio);
}
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void memcg_note_fault_late(struct mm_struct *mm)
{
}

static inline int memcg_try_charge(struct folio *folio, gfp_t gfp)
{
	return 0;
}

static inline unsigned long memcg_count(struct folio *folio, int nr)
{
	return 0;
}

static inline long memcg_unnamed(struct folio *folio, int nr)
{
	return 0;
}

static inline void memcg_tested(struct folio *folio)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>
#include <linux/export.h>

void __memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

/* Only on the way out of memory. */
void memcg_note_fault_late(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(mem_cgroup_from_task(rcu_dereference(mm->owner)), 1);
}

int __memcg_try_charge(struct folio *folio, gfp_t gfp)
{
	struct mem_cgroup *memcg;

	memcg = mem_cgroup_from_task(current);
	css_get(&memcg->css);
	mem_cgroup_consume(memcg, folio_nr_pages(folio));
	folio->memcg_data = (unsigned long)memcg;
	return 0;
}
EXPORT_SYMBOL(__memcg_try_charge);

unsigned long __memcg_count(struct folio *folio, int nr)
{
	mem_cgroup_consume(folio_memcg(folio), nr);
	return folio_memcg(folio)->events[1];
}
EXPORT_SYMBOL_GPL(__memcg_count);

long __memcg_unnamed(struct folio *folio, int nr)
{
	struct mem_cgroup *memcg = mem_cgroup_from_task(current);

	memcg->swappiness = nr;
	mem_cgroup_consume(memcg, nr);
	return 1;
}

void __memcg_tested(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 1);
}
