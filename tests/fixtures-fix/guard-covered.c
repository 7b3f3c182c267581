// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is inline gets the test, and then nothing is left of who calls it out
 * of line but the call: that one gets a wrapper, in the same patch.
 *
 * kind: memcg_enter_fault guard
 * together: memcg_enter_fault memcg_exit_fault
 * says: memcg_enter_fault What was memcg_fault_busy() is now
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

int device_busy(struct mm_struct *mm, int bits);

#ifdef CONFIG_MEMCG
int memcg_fault_busy(struct mm_struct *mm, int bits);

static inline void memcg_enter_fault(void)
{
	current->in_user_fault = 1;
}

static inline void memcg_exit_fault(void)
{
	current->in_user_fault = 0;
}
#else
static inline int memcg_fault_busy(struct mm_struct *mm, int bits)
{
	return device_busy(mm, bits);
}

static inline void memcg_enter_fault(void)
{
}

static inline void memcg_exit_fault(void)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

int memcg_fault_busy(struct mm_struct *mm, int bits)
{
	int busy;

	memcg_enter_fault();
	busy = device_busy(mm, bits);
	memcg_exit_fault();
	return busy;
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t handle_mm_fault(struct vm_area_struct *vma, unsigned long address,
			   unsigned int flags)
{
	if (memcg_fault_busy(vma->vm_mm, 1))
		return VM_FAULT_RETRY;
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

int device_busy(struct mm_struct *mm, int bits);

#ifdef CONFIG_MEMCG
int __memcg_fault_busy(struct mm_struct *mm, int bits);

static inline int memcg_fault_busy(struct mm_struct *mm, int bits)
{
	if (mem_cgroup_disabled())
		return device_busy(mm, bits);

	return __memcg_fault_busy(mm, bits);
}

static inline void memcg_enter_fault(void)
{
	if (mem_cgroup_disabled())
		return;

	current->in_user_fault = 1;
}

static inline void memcg_exit_fault(void)
{
	if (mem_cgroup_disabled())
		return;

	current->in_user_fault = 0;
}
#else
static inline int memcg_fault_busy(struct mm_struct *mm, int bits)
{
	return device_busy(mm, bits);
}

static inline void memcg_enter_fault(void)
{
}

static inline void memcg_exit_fault(void)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

int __memcg_fault_busy(struct mm_struct *mm, int bits)
{
	int busy;

	memcg_enter_fault();
	busy = device_busy(mm, bits);
	memcg_exit_fault();
	return busy;
}
