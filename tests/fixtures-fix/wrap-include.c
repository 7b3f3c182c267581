// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header does not see the predicate: it includes what has it. The other
 * is included by that itself, so it asks the key.
 *
 * kind: memcg_note_fault wrap
 * says: memcg_note_fault Test mem_cgroup_disabled() in an inline wrapper in include/linux/case.h
 * kind: memcg_note_page wrap
 * says: memcg_note_page mem_cgroup_disabled() cannot be asked there
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/mm.h>

#ifdef CONFIG_MEMCG
void memcg_note_fault(struct mm_struct *mm);
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}
#endif

#endif
/* file: include/linux/mmcase.h */
#ifndef _LINUX_MMCASE_H
#define _LINUX_MMCASE_H

#include <linux/jump_label.h>
#include <linux/mm_types.h>

#include <asm/irqflags.h>

#ifdef CONFIG_MEMCG
void memcg_note_page(struct mm_struct *mm);
#else
static inline void memcg_note_page(struct mm_struct *mm)
{
}
#endif

#endif
/* file: include/linux/mm.h */
/* SPDX-License-Identifier: GPL-2.0 */
#ifndef __LINUX_MM_H
#define __LINUX_MM_H

#include <linux/mmcase.h>
#include <linux/bug.h>
#include <linux/gfp.h>
#include <linux/mm_types.h>
#include <linux/mmdebug.h>
#include <linux/mmzone.h>
#include <linux/page-flags.h>
#include <linux/percpu.h>
#include <linux/sched.h>

static inline long folio_nr_pages(struct folio *folio)
{
	return 1L << (folio->private & 0xf);
}

static inline pg_data_t *folio_pgdat(struct folio *folio)
{
	return NODE_DATA(0);
}

static inline pg_data_t *page_pgdat(const struct page *page)
{
	return NODE_DATA(0);
}

static inline void folio_put(struct folio *folio)
{
	free_page_of(&folio->page);
}

struct folio *vma_alloc_folio(gfp_t gfp, struct vm_area_struct *vma,
			      unsigned long address);

vm_fault_t do_anonymous_page(struct vm_fault *vmf);
vm_fault_t do_wp_page(struct vm_fault *vmf);
vm_fault_t do_swap_page(struct vm_fault *vmf);
vm_fault_t handle_mm_fault(struct vm_area_struct *vma, unsigned long address,
			   unsigned int flags);
vm_fault_t filemap_fault(struct vm_fault *vmf);
int filemap_add_folio(struct address_space *mapping, struct folio *folio,
		      pgoff_t index, gfp_t gfp);

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
#include <linux/memcontrol.h>

void memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

void memcg_note_page(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->swappiness++;
	rcu_read_unlock();
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_note_fault(vmf->vma->vm_mm);
	memcg_note_page(vmf->vma->vm_mm);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/mm.h>
#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void __memcg_note_fault(struct mm_struct *mm);

static inline void memcg_note_fault(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_note_fault(mm);
}
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}
#endif

#endif
/* after: include/linux/mmcase.h */
#ifndef _LINUX_MMCASE_H
#define _LINUX_MMCASE_H

#include <linux/jump_label.h>
#include <linux/mm_types.h>

#include <asm/irqflags.h>

DECLARE_STATIC_KEY_TRUE(memory_cgrp_subsys_enabled_key);

#ifdef CONFIG_MEMCG
void __memcg_note_page(struct mm_struct *mm);

static inline void memcg_note_page(struct mm_struct *mm)
{
	if (!static_branch_likely(&memory_cgrp_subsys_enabled_key))
		return;

	__memcg_note_page(mm);
}
#else
static inline void memcg_note_page(struct mm_struct *mm)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>
#include <linux/memcontrol.h>

void __memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

void __memcg_note_page(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->swappiness++;
	rcu_read_unlock();
}
