// SPDX-License-Identifier: GPL-2.0-only
/*
 * "__memcg_note_fault" is something else already, and "__memcg_note_map" has
 * its underscores: both get another name behind the wrapper.
 *
 * kind: memcg_note_fault wrap
 * kind: __memcg_note_map wrap
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void memcg_note_fault(struct mm_struct *mm);
void __memcg_note_map(struct mm_struct *mm);
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void __memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

static unsigned long __memcg_note_fault;

void memcg_note_fault(struct mm_struct *mm)
{
	__memcg_note_fault++;
	mem_cgroup_consume(mem_cgroup_from_task(current), 1);
}

void __memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1]++;
	rcu_read_unlock();
}

unsigned long case_faults(void)
{
	return __memcg_note_fault;
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_note_fault(vmf->vma->vm_mm);
	__memcg_note_map(vmf->vma->vm_mm);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void do_memcg_note_fault(struct mm_struct *mm);

static inline void memcg_note_fault(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	do_memcg_note_fault(mm);
}

void do_memcg_note_map(struct mm_struct *mm);

static inline void __memcg_note_map(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	do_memcg_note_map(mm);
}
#else
static inline void memcg_note_fault(struct mm_struct *mm)
{
}

static inline void __memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

static unsigned long __memcg_note_fault;

void do_memcg_note_fault(struct mm_struct *mm)
{
	__memcg_note_fault++;
	mem_cgroup_consume(mem_cgroup_from_task(current), 1);
}

void do_memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1]++;
	rcu_read_unlock();
}

unsigned long case_faults(void)
{
	return __memcg_note_fault;
}
