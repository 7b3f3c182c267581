// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who has tested calls what is wrapped: but not one that is compiled without
 * the feature too, where there is no such function.
 *
 * kind: memcg_of_folio wrap
 * says: memcg_of_folio In the off state the wrapper does "return NULL", as the function does today.
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
struct mem_cgroup *memcg_of_folio(struct folio *folio);
void memcg_uncharge(struct folio *folio);
#else
static inline struct mem_cgroup *memcg_of_folio(struct folio *folio)
{
	return NULL;
}

static inline void memcg_uncharge(struct folio *folio)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
#include <linux/rcupdate.h>

struct mem_cgroup *memcg_of_folio(struct folio *folio)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = folio_memcg(folio);
	rcu_read_unlock();
	return memcg;
}

void memcg_uncharge(struct folio *folio)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	memcg = memcg_of_folio(folio);
	if (memcg)
		mem_cgroup_consume(memcg, 1);
}
/* file: mm/workingset.c */
#include <linux/case.h>

void workingset_refault(struct folio *folio)
{
	if (memcg_of_folio(folio))
		folio->flags |= 4;
}

/* Now and then. */
int case_run(struct folio *folio)
{
	struct mem_cgroup *memcg = NULL;

	if (!mem_cgroup_disabled()) {
		memcg = memcg_of_folio(folio);
		if (!memcg)
			return -22;
	}
	memcg_uncharge(folio);
	return memcg ? 1 : 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
struct mem_cgroup *__memcg_of_folio(struct folio *folio);

static inline struct mem_cgroup *memcg_of_folio(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return NULL;

	return __memcg_of_folio(folio);
}

void memcg_uncharge(struct folio *folio);
#else
static inline struct mem_cgroup *memcg_of_folio(struct folio *folio)
{
	return NULL;
}

static inline void memcg_uncharge(struct folio *folio)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>
#include <linux/rcupdate.h>

struct mem_cgroup *__memcg_of_folio(struct folio *folio)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = folio_memcg(folio);
	rcu_read_unlock();
	return memcg;
}

void memcg_uncharge(struct folio *folio)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	memcg = __memcg_of_folio(folio);
	if (memcg)
		mem_cgroup_consume(memcg, 1);
}
