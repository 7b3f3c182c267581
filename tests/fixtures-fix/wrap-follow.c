// SPDX-License-Identifier: GPL-2.0-only
/*
 * One that is wrapped calls another: behind its own test it calls that one
 * directly, whichever patch comes last.
 *
 * kind: memcg_note_fault wrap
 * kind: memcg_count_fault wrap
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void memcg_note_fault(struct mm_struct *mm);
void memcg_count_fault(struct mm_struct *mm, int nr);
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void memcg_count_fault(struct mm_struct *mm, int nr)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void memcg_count_fault(struct mm_struct *mm, int nr)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1] += nr;
	rcu_read_unlock();
}

void memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
	memcg_count_fault(mm, 1);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_note_fault(vmf->vma->vm_mm);
	return 0;
}

vm_fault_t handle_mm_fault(struct vm_area_struct *vma, unsigned long address,
			   unsigned int flags)
{
	memcg_count_fault(vma->vm_mm, 2);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void __memcg_note_fault(struct mm_struct *mm);

static inline void memcg_note_fault(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_note_fault(mm);
}

void __memcg_count_fault(struct mm_struct *mm, int nr);

static inline void memcg_count_fault(struct mm_struct *mm, int nr)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_count_fault(mm, nr);
}
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void memcg_count_fault(struct mm_struct *mm, int nr)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

void __memcg_count_fault(struct mm_struct *mm, int nr)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1] += nr;
	rcu_read_unlock();
}

void __memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
	__memcg_count_fault(mm, 1);
}
