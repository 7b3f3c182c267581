// SPDX-License-Identifier: GPL-2.0-only
/*
 * It has tested, and calls a wrapper that tests: it calls what is wrapped.
 * It is called on a hot path itself, so it gets a wrapper of its own, too.
 * Who has not tested goes on calling the wrapper.
 *
 * kind: mem_cgroup_swapin_uncharge_swap wrap
 * says: mem_cgroup_swapin_uncharge_swap Call __mem_cgroup_uncharge_swap() there and not its wrapper
 * says: mem_cgroup_swapin_uncharge_swap Calls of mem_cgroup_swapin_uncharge_swap(): 1, in do_swap_page()
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/swap.h>

#ifdef CONFIG_MEMCG
void __mem_cgroup_uncharge_swap(swp_entry_t entry, unsigned int nr_pages);

static inline void mem_cgroup_uncharge_swap(swp_entry_t entry,
					    unsigned int nr_pages)
{
	if (mem_cgroup_disabled())
		return;
	__mem_cgroup_uncharge_swap(entry, nr_pages);
}

void mem_cgroup_swapin_uncharge_swap(swp_entry_t entry);
#else
static inline void mem_cgroup_uncharge_swap(swp_entry_t entry,
					    unsigned int nr_pages)
{
}

static inline void mem_cgroup_swapin_uncharge_swap(swp_entry_t entry)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void __mem_cgroup_uncharge_swap(swp_entry_t entry, unsigned int nr_pages)
{
	mem_cgroup_consume(root_mem_cgroup, -nr_pages);
}

void mem_cgroup_swapin_uncharge_swap(swp_entry_t entry)
{
	/* The page is charged; with one counter for both its swap is not. */
	if (!mem_cgroup_disabled() && do_memsw_account())
		mem_cgroup_uncharge_swap(entry, 1);
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_swap_page(struct vm_fault *vmf)
{
	swp_entry_t entry = { .val = vmf->page->private };

	mem_cgroup_swapin_uncharge_swap(entry);
	return 0;
}

void swap_free(swp_entry_t entry)
{
	mem_cgroup_uncharge_swap(entry, 1);
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/swap.h>

#ifdef CONFIG_MEMCG
void __mem_cgroup_uncharge_swap(swp_entry_t entry, unsigned int nr_pages);

static inline void mem_cgroup_uncharge_swap(swp_entry_t entry,
					    unsigned int nr_pages)
{
	if (mem_cgroup_disabled())
		return;
	__mem_cgroup_uncharge_swap(entry, nr_pages);
}

void __mem_cgroup_swapin_uncharge_swap(swp_entry_t entry);

static inline void mem_cgroup_swapin_uncharge_swap(swp_entry_t entry)
{
	if (mem_cgroup_disabled())
		return;

	__mem_cgroup_swapin_uncharge_swap(entry);
}
#else
static inline void mem_cgroup_uncharge_swap(swp_entry_t entry,
					    unsigned int nr_pages)
{
}

static inline void mem_cgroup_swapin_uncharge_swap(swp_entry_t entry)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

void __mem_cgroup_uncharge_swap(swp_entry_t entry, unsigned int nr_pages)
{
	mem_cgroup_consume(root_mem_cgroup, -nr_pages);
}

void __mem_cgroup_swapin_uncharge_swap(swp_entry_t entry)
{
	/* The page is charged; with one counter for both its swap is not. */
	if (do_memsw_account())
		__mem_cgroup_uncharge_swap(entry, 1);
}
