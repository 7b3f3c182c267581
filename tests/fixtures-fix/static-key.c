// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flag that is final after boot becomes a static key, wherever it stands;
 * one that changes while the kernel runs does not, nor one that is
 * set in a way that a key cannot be.
 *
 * kind: cgroup_memory_noswap static-key
 * kind: mem_cgroup_swapout wrap
 * left: cgroup_memory_nocount a static key has no form for
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/swap.h>

#ifdef CONFIG_MEMCG
void mem_cgroup_swapout(struct folio *folio, swp_entry_t entry);
long mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg);
#else
static inline void mem_cgroup_swapout(struct folio *folio, swp_entry_t entry)
{
}

static inline long mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg)
{
	return get_nr_swap_pages();
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
#include <linux/init.h>

static bool cgroup_memory_noswap __read_mostly;
static bool cgroup_memory_noswap_seen;
static bool cgroup_memory_nocount __read_mostly;

void mem_cgroup_swapout(struct folio *folio, swp_entry_t entry)
{
	struct mem_cgroup *memcg;

	if (cgroup_memory_noswap || mem_cgroup_disabled())
		return;
	memcg = folio_memcg(folio);
	if (!memcg)
		return;
	if (cgroup_memory_nocount)
		return;
	cgroup_memory_noswap_seen = !cgroup_memory_noswap_seen;
	mem_cgroup_consume(memcg, -1);
}

long mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg)
{
	long nr_swap_pages = get_nr_swap_pages();

	if (cgroup_memory_noswap)
		return nr_swap_pages;
	for (; memcg != root_mem_cgroup; memcg = parent_mem_cgroup(memcg))
		if (nr_swap_pages > (long)memcg->swap.max)
			nr_swap_pages = memcg->swap.max;
	return nr_swap_pages;
}

static int __init setup_swap_account(char *s)
{
	if (*s == '0')
		cgroup_memory_noswap = true;
	return 1;
}
__setup("swapaccount=", setup_swap_account);

static int __init setup_nocount(char *s)
{
	cgroup_memory_nocount = *s == '0';
	return 1;
}
__setup("nocount=", setup_nocount);

static int __init mem_cgroup_swap_init(void)
{
	if (mem_cgroup_disabled())
		cgroup_memory_noswap = true;
	return 0;
}
core_initcall(mem_cgroup_swap_init);
/* file: mm/vmscan.c */
#include <linux/case.h>

int __remove_mapping(struct folio *folio)
{
	swp_entry_t entry = { .val = folio->private };

	mem_cgroup_swapout(folio, entry);
	return 1;
}
/* file: mm/workingset.c */
#include <linux/case.h>

void workingset_refault(struct folio *folio, void *shadow)
{
	if (mem_cgroup_get_nr_swap_pages(folio_memcg(folio)) > 0)
		set_bit(PG_dirty, &folio->flags);
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/swap.h>

#ifdef CONFIG_MEMCG
void __mem_cgroup_swapout(struct folio *folio, swp_entry_t entry);

static inline void mem_cgroup_swapout(struct folio *folio, swp_entry_t entry)
{
	if (mem_cgroup_disabled())
		return;

	__mem_cgroup_swapout(folio, entry);
}

long __mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg);

static inline long mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg)
{
	if (mem_cgroup_disabled())
		return get_nr_swap_pages();

	return __mem_cgroup_get_nr_swap_pages(memcg);
}
#else
static inline void mem_cgroup_swapout(struct folio *folio, swp_entry_t entry)
{
}

static inline long mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg)
{
	return get_nr_swap_pages();
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>
#include <linux/init.h>

static DEFINE_STATIC_KEY_FALSE(cgroup_memory_noswap_key);
static bool cgroup_memory_noswap_seen;
static bool cgroup_memory_nocount __read_mostly;

void __mem_cgroup_swapout(struct folio *folio, swp_entry_t entry)
{
	struct mem_cgroup *memcg;

	if (static_branch_unlikely(&cgroup_memory_noswap_key))
		return;
	memcg = folio_memcg(folio);
	if (!memcg)
		return;
	if (cgroup_memory_nocount)
		return;
	cgroup_memory_noswap_seen = !cgroup_memory_noswap_seen;
	mem_cgroup_consume(memcg, -1);
}

long __mem_cgroup_get_nr_swap_pages(struct mem_cgroup *memcg)
{
	long nr_swap_pages = get_nr_swap_pages();

	if (static_branch_unlikely(&cgroup_memory_noswap_key))
		return nr_swap_pages;
	for (; memcg != root_mem_cgroup; memcg = parent_mem_cgroup(memcg))
		if (nr_swap_pages > (long)memcg->swap.max)
			nr_swap_pages = memcg->swap.max;
	return nr_swap_pages;
}

static int __init setup_swap_account(char *s)
{
	if (*s == '0')
		static_branch_enable(&cgroup_memory_noswap_key);
	return 1;
}
__setup("swapaccount=", setup_swap_account);

static int __init setup_nocount(char *s)
{
	cgroup_memory_nocount = *s == '0';
	return 1;
}
__setup("nocount=", setup_nocount);

static int __init mem_cgroup_swap_init(void)
{
	if (mem_cgroup_disabled())
		static_branch_enable(&cgroup_memory_noswap_key);
	return 0;
}
core_initcall(mem_cgroup_swap_init);
