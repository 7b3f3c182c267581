// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stub returns 0, the function something else when off: what it returns
 * today stays. Where the stub has work to do, the wrapper does it.
 *
 * kind: memcg_try_huge wrap
 * kind: memcg_add_state wrap
 * says: memcg_try_huge "return -EOPNOTSUPP", as the function does today, and not "return 0" as its stub
 * says: memcg_add_state In the off state the wrapper does what the stub does.
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#define EOPNOTSUPP 95

void case_node_state(struct folio *folio, int nr);

#ifdef CONFIG_MEMCG
int memcg_try_huge(struct mem_cgroup *memcg, long nr);
void memcg_add_state(struct folio *what, int by);
#else
static inline int memcg_try_huge(struct mem_cgroup *memcg, long nr)
{
	return 0;
}

static inline void memcg_add_state(struct folio *folio, int count)
{
	case_node_state(folio, count);
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

int memcg_try_huge(struct mem_cgroup *memcg, long nr)
{
	/* not counted at all, so there is nothing to give back either */
	if (mem_cgroup_disabled() || !memcg)
		return -EOPNOTSUPP;
	mem_cgroup_consume(memcg, nr);
	return 0;
}

void memcg_add_state(struct folio *page, int nr)
{
	struct mem_cgroup *memcg;

	case_node_state(page, nr);
	rcu_read_lock();
	memcg = mem_cgroup_from_task(current);
	if (memcg)
		memcg->swappiness += nr;
	rcu_read_unlock();
}
/* file: mm/memory.c */
#include <linux/case.h>

static int node_state[4];

void case_node_state(struct folio *folio, int nr)
{
	node_state[folio->flags & 3] += nr;
}

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	int ret;

	memcg_add_state(folio, 1);
	ret = memcg_try_huge(folio_memcg(folio), 1);
	if (ret == -EOPNOTSUPP)
		return 0;
	if (mem_cgroup_is_root(folio_memcg(folio)))
		return VM_FAULT_RETRY;
	return ret ? VM_FAULT_OOM : 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#define EOPNOTSUPP 95

void case_node_state(struct folio *folio, int nr);

#ifdef CONFIG_MEMCG
int __memcg_try_huge(struct mem_cgroup *memcg, long nr);

static inline int memcg_try_huge(struct mem_cgroup *memcg, long nr)
{
	if (mem_cgroup_disabled())
		return -EOPNOTSUPP;

	return __memcg_try_huge(memcg, nr);
}

void __memcg_add_state(struct folio *what, int by);

static inline void memcg_add_state(struct folio *what, int by)
{
	if (mem_cgroup_disabled()) {
		case_node_state(what, by);
		return;
	}

	__memcg_add_state(what, by);
}
#else
static inline int memcg_try_huge(struct mem_cgroup *memcg, long nr)
{
	return 0;
}

static inline void memcg_add_state(struct folio *folio, int count)
{
	case_node_state(folio, count);
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

int __memcg_try_huge(struct mem_cgroup *memcg, long nr)
{
	/* not counted at all, so there is nothing to give back either */
	if (!memcg)
		return -EOPNOTSUPP;
	mem_cgroup_consume(memcg, nr);
	return 0;
}

void __memcg_add_state(struct folio *page, int nr)
{
	struct mem_cgroup *memcg;

	case_node_state(page, nr);
	rcu_read_lock();
	memcg = mem_cgroup_from_task(current);
	if (memcg)
		memcg->swappiness += nr;
	rcu_read_unlock();
}
