// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inline already, and one undoes what the other does: both get the test, in
 * one patch. The third of the kind has it.
 *
 * kind: memcg_enter_fault guard
 * together: memcg_enter_fault memcg_exit_fault
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
static inline void memcg_enter_fault(void)
{
	current->in_user_fault = 1;
}

static inline void memcg_exit_fault(void)
{
	current->in_user_fault = 0;
}

static inline bool memcg_in_fault(void)
{
	if (mem_cgroup_disabled())
		return false;
	return current->in_user_fault;
}
#else
static inline void memcg_enter_fault(void)
{
}

static inline void memcg_exit_fault(void)
{
}

static inline bool memcg_in_fault(void)
{
	return false;
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

bool memcg_oom(void)
{
	return memcg_in_fault();
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t handle_mm_fault(struct vm_area_struct *vma, unsigned long address,
			   unsigned int flags)
{
	vm_fault_t ret = 0;

	memcg_enter_fault();
	if (vma->vm_flags & 1)
		ret = VM_FAULT_RETRY;
	memcg_exit_fault();
	return ret;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
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

static inline bool memcg_in_fault(void)
{
	if (mem_cgroup_disabled())
		return false;
	return current->in_user_fault;
}
#else
static inline void memcg_enter_fault(void)
{
}

static inline void memcg_exit_fault(void)
{
}

static inline bool memcg_in_fault(void)
{
	return false;
}
#endif

#endif
