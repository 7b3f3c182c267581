// SPDX-License-Identifier: GPL-2.0-only
/*
 * Someone keeps the address: a wrapper would not be what is called then, so
 * the test goes inside. The other has no name left that it could get.
 *
 * kind: memcg_note_fault guard
 * kind: __memcg_note_map guard
 * says: memcg_note_fault its address is taken
 * says: __memcg_note_map the names that it could get are taken
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

struct case_operations {
	void (*note)(struct mm_struct *mm);
};

const struct case_operations case_operations = {
#ifdef CONFIG_MEMCG
	.note = memcg_note_fault,
#endif
};

int do_memcg_note_map(void)
{
	return case_operations.note != NULL;
}

void memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

void __memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->swappiness++;
	rcu_read_unlock();
}

void case_note(struct mm_struct *mm)
{
	case_operations.note(mm);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_note_fault(vmf->vma->vm_mm);
	__memcg_note_map(vmf->vma->vm_mm);
	return 0;
}
/* after: mm/case.c */
#include <linux/case.h>

struct case_operations {
	void (*note)(struct mm_struct *mm);
};

const struct case_operations case_operations = {
#ifdef CONFIG_MEMCG
	.note = memcg_note_fault,
#endif
};

int do_memcg_note_map(void)
{
	return case_operations.note != NULL;
}

void memcg_note_fault(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0]++;
	rcu_read_unlock();
}

void __memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->swappiness++;
	rcu_read_unlock();
}

void case_note(struct mm_struct *mm)
{
	case_operations.note(mm);
}
