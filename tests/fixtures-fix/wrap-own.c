// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the function has work of its own, the wrapper does what is left of
 * it, in as few words as it takes. What is said of the function goes with its
 * name, kernel-doc or not.
 *
 * kind: memcg_case_alloc wrap
 * kind: memcg_case_count wrap
 * kind: memcg_case_full wrap
 * says: memcg_case_full only to find that the memory controller is off.
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void *case_alloc(int size);
bool case_full(void);
long case_count(void);

#ifdef CONFIG_MEMCG
void *memcg_case_alloc(struct mem_cgroup *memcg, int size);
int memcg_case_count(struct mem_cgroup *memcg);
bool memcg_case_full(struct folio *folio);
#else
static inline void *memcg_case_alloc(struct mem_cgroup *memcg, int size)
{
	return case_alloc(size);
}

static inline int memcg_case_count(struct mem_cgroup *memcg)
{
	return case_count();
}

static inline bool memcg_case_full(struct folio *folio)
{
	return case_full();
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

/* nothing of this is said of the one below */

/*
 * memcg_case_alloc - memory for a group
 * @memcg: whose
 * @size: how much
 */
void *memcg_case_alloc(struct mem_cgroup *memcg, int size)
{
	void *ptr;

	rcu_read_lock();
	ptr = case_alloc(size);
	if (!mem_cgroup_disabled())
		memcg->events[0] += size;
	rcu_read_unlock();
	return ptr;
}

/* The number is not narrowed twice. */
int memcg_case_count(struct mem_cgroup *memcg)
{
	short nr;

	nr = case_count();
	if (!mem_cgroup_disabled())
		nr += memcg->events[1];
	return nr;
}

bool memcg_case_full(struct folio *folio)
{
	if (case_full())
		return true;
	if (mem_cgroup_disabled())
		return false;
	return folio_memcg(folio)->swap.usage.counter > 9;
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	if (memcg_case_full(folio))
		return VM_FAULT_RETRY;
	if (memcg_case_count(folio_memcg(folio)) > 5)
		return VM_FAULT_OOM;
	return memcg_case_alloc(folio_memcg(folio), 8) ? 0 : VM_FAULT_OOM;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void *case_alloc(int size);
bool case_full(void);
long case_count(void);

#ifdef CONFIG_MEMCG
void *__memcg_case_alloc(struct mem_cgroup *memcg, int size);

/*
 * memcg_case_alloc - memory for a group
 * @memcg: whose
 * @size: how much
 */
static inline void *memcg_case_alloc(struct mem_cgroup *memcg, int size)
{
	if (mem_cgroup_disabled())
		return case_alloc(size);

	return __memcg_case_alloc(memcg, size);
}

int __memcg_case_count(struct mem_cgroup *memcg);

static inline int memcg_case_count(struct mem_cgroup *memcg)
{
	if (mem_cgroup_disabled()) {
		short nr;

		nr = case_count();
		return nr;
	}

	return __memcg_case_count(memcg);
}

bool __memcg_case_full(struct folio *folio);

static inline bool memcg_case_full(struct folio *folio)
{
	if (mem_cgroup_disabled()) {
		if (case_full())
			return true;
		return false;
	}

	return __memcg_case_full(folio);
}
#else
static inline void *memcg_case_alloc(struct mem_cgroup *memcg, int size)
{
	return case_alloc(size);
}

static inline int memcg_case_count(struct mem_cgroup *memcg)
{
	return case_count();
}

static inline bool memcg_case_full(struct folio *folio)
{
	return case_full();
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

/* nothing of this is said of the one below */

void *__memcg_case_alloc(struct mem_cgroup *memcg, int size)
{
	void *ptr;

	rcu_read_lock();
	ptr = case_alloc(size);
	memcg->events[0] += size;
	rcu_read_unlock();
	return ptr;
}

/* The number is not narrowed twice. */
int __memcg_case_count(struct mem_cgroup *memcg)
{
	short nr;

	nr = case_count();
	nr += memcg->events[1];
	return nr;
}

bool __memcg_case_full(struct folio *folio)
{
	if (case_full())
		return true;
	return folio_memcg(folio)->swap.usage.counter > 9;
}
