// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops over parts of an array become one call, and what they call lets go of
 * its lock by itself then. What does more than that is left alone.
 *
 * kind: free_pages_and_swap_cache batch-break
 * kind: free_pages_up batch-break
 * kind: free_pages_each batch-break
 * says: free_pages_and_swap_cache let go of it there after SWAP_CLUSTER_MAX
 * says: free_pages_and_swap_cache calls release_pages() for 14 elements at a time
 * left: free_pages_do it is a do loop
 * left: free_pages_told the comments in the loop would go with it
 * left: free_pages_left 'nr' is used behind the loop
 * left: free_pages_by_part how many are in a part
 * left: free_list_each before all of them are given up at once
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#define list_first(head, type, member) container_of((head)->next, type, member)
#define list_next(pos, type, member) container_of((pos)->member.next, type, member)
#define list_for_each(pos, head, type, member)			\
	for (pos = list_first(head, type, member);			\
	     &pos->member != (head);					\
	     pos = list_next(pos, type, member))
#define min(a, b) ({							\
	typeof(a) _a = (a);						\
	typeof(b) _b = (b);						\
	(void)(&_a == &_b);						\
	_a < _b ? _a : _b; })

#ifdef CONFIG_MEMCG
void __mem_cgroup_uncharge(struct page *page);
void __mem_cgroup_uncharge_list(struct list_head *list);

static inline void mem_cgroup_uncharge(struct page *page)
{
	if (mem_cgroup_disabled())
		return;
	__mem_cgroup_uncharge(page);
}

static inline void mem_cgroup_uncharge_list(struct list_head *list)
{
	if (mem_cgroup_disabled())
		return;
	__mem_cgroup_uncharge_list(list);
}
#else
static inline void mem_cgroup_uncharge(struct page *page)
{
}

static inline void mem_cgroup_uncharge_list(struct list_head *list)
{
}
#endif

#define SWAP_CLUSTER_MAX 32

void list_add(struct list_head *entry, struct list_head *head);
void list_del(struct list_head *entry);
bool put_page_testzero(struct page *page);
void drop_swap_slot(struct page *page);
void free_list(struct list_head *list);
void release_pages(struct page **pages, int nr);
void free_large(struct page *page);

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

static void uncharge_batch(struct mem_cgroup *memcg, unsigned int nr)
{
	atomic_long_add(-(long)nr, &memcg->memory.usage);
}

void __mem_cgroup_uncharge(struct page *page)
{
	uncharge_batch(folio_memcg(page_folio(page)), 1);
}

void __mem_cgroup_uncharge_list(struct list_head *list)
{
	struct page *page;
	unsigned int nr = 0;

	list_for_each(page, list, struct page, lru)
		nr++;
	uncharge_batch(root_mem_cgroup, nr);
}
/* file: mm/swap.c */
#include <linux/case.h>

struct zone {
	spinlock_t lru_lock;
};

struct zone *page_zone(struct page *page);

void release_pages(struct page **pages, int nr)
{
	struct list_head gone = { &gone, &gone };
	struct zone *zone = NULL;
	unsigned long flags;
	int i;

	for (i = 0; i < nr; i++) {
		struct page *page = pages[i];

		if (page->private) {
			if (zone) {
				spin_unlock_irqrestore(&zone->lru_lock, flags);
				zone = NULL;
			}
			free_large(page);
			continue;
		}

		if (!put_page_testzero(page))
			continue;

		if (page->index) {
			struct zone *pagezone = page_zone(page);

			if (pagezone != zone) {
				if (zone)
					spin_unlock_irqrestore(&zone->lru_lock,
							       flags);
				zone = pagezone;
				spin_lock_irqsave(&zone->lru_lock, flags);
			}
			list_del(&page->lru);
		}
		list_add(&page->lru, &gone);
	}
	if (zone)
		spin_unlock_irqrestore(&zone->lru_lock, flags);

	mem_cgroup_uncharge_list(&gone);
	free_list(&gone);
}
/* file: mm/swap_state.c */
#include <linux/case.h>

#define PAGEVEC_SIZE 14

void free_pages_and_swap_cache(struct page **pages, int nr)
{
	struct page **pagep = pages;

	free_list(NULL);
	while (nr) {
		int todo = min(nr, PAGEVEC_SIZE);
		int i;

		for (i = 0; i < todo; i++)
			drop_swap_slot(pagep[i]);
		release_pages(pagep, todo);
		pagep += todo;
		nr -= todo;
	}
}

void free_pages_up(struct page **pages, int nr)
{
	int i, part;

	for (i = 0; i < nr; i += part) {
		part = min(nr - i, PAGEVEC_SIZE);
		release_pages(&pages[i], part);
	}
}

void free_pages_each(struct page **pages, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		release_pages(pages + i, 1);
}

void free_pages_do(struct page **pages, int nr)
{
	do {
		int part = min(nr, PAGEVEC_SIZE);

		release_pages(pages, part);
		pages += part;
		nr -= part;
	} while (nr);
}

void free_pages_told(struct page **pages, int nr)
{
	while (nr) {
		int part = min(nr, PAGEVEC_SIZE);

		/* as many as fit a vector */
		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
}

int free_pages_left(struct page **pages, int nr)
{
	while (nr > 0) {
		int part = min(nr, PAGEVEC_SIZE);

		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
	return nr;
}

void free_pages_by_part(struct page **pages, int nr)
{
	while (nr) {
		int part = min(nr, PAGEVEC_SIZE);
		int i;

		for (i = 0; i < part; i++)
			if (i + 1 < part)
				drop_swap_slot(pages[i]);
		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
}

void free_list_each(struct list_head *list)
{
	struct page *page;

	list_for_each(page, list, struct page, lru)
		mem_cgroup_uncharge(page);
	free_list(list);
}
/* after: mm/swap.c */
#include <linux/case.h>

struct zone {
	spinlock_t lru_lock;
};

struct zone *page_zone(struct page *page);

void release_pages(struct page **pages, int nr)
{
	struct list_head gone = { &gone, &gone };
	struct zone *zone = NULL;
	unsigned int lock_batch = 0;
	unsigned long flags;
	int i;

	for (i = 0; i < nr; i++) {
		struct page *page = pages[i];

		/* whoever waits for the lock shall not wait for all of them */
		if (zone && ++lock_batch == SWAP_CLUSTER_MAX) {
			spin_unlock_irqrestore(&zone->lru_lock, flags);
			zone = NULL;
		}

		if (page->private) {
			if (zone) {
				spin_unlock_irqrestore(&zone->lru_lock, flags);
				zone = NULL;
			}
			free_large(page);
			continue;
		}

		if (!put_page_testzero(page))
			continue;

		if (page->index) {
			struct zone *pagezone = page_zone(page);

			if (pagezone != zone) {
				if (zone)
					spin_unlock_irqrestore(&zone->lru_lock,
							       flags);
				lock_batch = 0;
				zone = pagezone;
				spin_lock_irqsave(&zone->lru_lock, flags);
			}
			list_del(&page->lru);
		}
		list_add(&page->lru, &gone);
	}
	if (zone)
		spin_unlock_irqrestore(&zone->lru_lock, flags);

	mem_cgroup_uncharge_list(&gone);
	free_list(&gone);
}
/* after: mm/swap_state.c */
#include <linux/case.h>

#define PAGEVEC_SIZE 14

void free_pages_and_swap_cache(struct page **pages, int nr)
{
	struct page **pagep = pages;
	int i;

	free_list(NULL);
	for (i = 0; i < nr; i++)
		drop_swap_slot(pagep[i]);
	release_pages(pagep, nr);
}

void free_pages_up(struct page **pages, int nr)
{
	release_pages(pages, nr);
}

void free_pages_each(struct page **pages, int nr)
{
	release_pages(pages, nr);
}

void free_pages_do(struct page **pages, int nr)
{
	do {
		int part = min(nr, PAGEVEC_SIZE);

		release_pages(pages, part);
		pages += part;
		nr -= part;
	} while (nr);
}

void free_pages_told(struct page **pages, int nr)
{
	while (nr) {
		int part = min(nr, PAGEVEC_SIZE);

		/* as many as fit a vector */
		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
}

int free_pages_left(struct page **pages, int nr)
{
	while (nr > 0) {
		int part = min(nr, PAGEVEC_SIZE);

		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
	return nr;
}

void free_pages_by_part(struct page **pages, int nr)
{
	while (nr) {
		int part = min(nr, PAGEVEC_SIZE);
		int i;

		for (i = 0; i < part; i++)
			if (i + 1 < part)
				drop_swap_slot(pages[i]);
		release_pages(pages, part);
		pages += part;
		nr -= part;
	}
}

void free_list_each(struct list_head *list)
{
	struct page *page;

	list_for_each(page, list, struct page, lru)
		mem_cgroup_uncharge(page);
	free_list(list);
}
