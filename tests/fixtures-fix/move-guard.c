// SPDX-License-Identifier: GPL-2.0-only
/*
 * The test is there, but late: it goes to the top, and what ran before comes
 * after it. Where it stands first it stays.
 *
 * kind: memcg_note_cow move-guard
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
static inline void memcg_note_cow(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;
	unsigned long flags;

	local_irq_save(flags);
	if (mem_cgroup_disabled())
		goto out;
	memcg = mem_cgroup_from_task(mm->owner);
	memcg->events[0]++;
	mem_cgroup_consume(memcg, 1);
out:
	local_irq_restore(flags);
}

static inline void memcg_note_map(struct mm_struct *mm)
{
	unsigned long flags;

	if (mem_cgroup_disabled())
		return;
	local_irq_save(flags);
	mem_cgroup_consume(mem_cgroup_from_task(mm->owner), 1);
	local_irq_restore(flags);
}
#else
static inline void memcg_note_cow(struct mm_struct *mm)
{
}

static inline void memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	memcg_note_cow(vmf->vma->vm_mm);
	memcg_note_map(vmf->vma->vm_mm);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
static inline void memcg_note_cow(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;
	unsigned long flags;

	if (mem_cgroup_disabled())
		return;

	local_irq_save(flags);
	memcg = mem_cgroup_from_task(mm->owner);
	memcg->events[0]++;
	mem_cgroup_consume(memcg, 1);
	local_irq_restore(flags);
}

static inline void memcg_note_map(struct mm_struct *mm)
{
	unsigned long flags;

	if (mem_cgroup_disabled())
		return;
	local_irq_save(flags);
	mem_cgroup_consume(mem_cgroup_from_task(mm->owner), 1);
	local_irq_restore(flags);
}
#else
static inline void memcg_note_cow(struct mm_struct *mm)
{
}

static inline void memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
