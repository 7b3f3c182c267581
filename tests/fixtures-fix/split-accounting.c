// SPDX-License-Identifier: GPL-2.0-only
/*
 * A helper that has the same statements is called instead; what does more or
 * less, or has comments there, is left alone.
 *
 * kind: someone_clean_page split-accounting
 * kind: someone_drop_page split-accounting
 * kind: someone_set_page_dirty split-accounting
 * says: someone_clean_page Call cancel_dirty_page(), which has the same statements
 * left: set_dirty_at_once 'set_page_dirty_nobuffers' also calls 'mark_inode_dirty'
 * left: someone_set_more_dirty 'someone_set_more_dirty' also calls 'count_vm_event'
 * left: someone_tells the comments in what would be called instead
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>
#include <linux/vmstat.h>

static __always_inline bool test_and_set_bit(int nr, unsigned long *addr)
{
	bool old;

	asm volatile("lock; btsq %2,%1; setc %0"
		     : "=qm" (old), "+m" (*addr) : "Ir" ((long)nr) : "memory");
	return old;
}

static __always_inline bool test_and_clear_bit(int nr, unsigned long *addr)
{
	bool old;

	asm volatile("lock; btrq %2,%1; setc %0"
		     : "=qm" (old), "+m" (*addr) : "Ir" ((long)nr) : "memory");
	return old;
}

#define FLAG_FUNCTIONS(name, bit)					\
static inline int Page##name(struct page *page)				\
{									\
	return test_bit(bit, &page->flags);				\
}									\
static inline int TestSetPage##name(struct page *page)			\
{									\
	return test_and_set_bit(bit, &page->flags);			\
}									\
static inline int TestClearPage##name(struct page *page)		\
{									\
	return test_and_clear_bit(bit, &page->flags);			\
}

FLAG_FUNCTIONS(Dirty, PG_dirty)
FLAG_FUNCTIONS(Locked, PG_locked)

struct inode {
	unsigned long state;
};

struct address_space {
	struct inode *host;
	spinlock_t tree_lock;
	unsigned long tags;
};

struct address_space *page_mapping(struct page *page);
void tag_set(struct address_space *mapping, unsigned long index);
void mark_inode_dirty(struct inode *inode);
int pages_are_counted(struct address_space *mapping);

void account_page_dirtied(struct page *page, struct address_space *mapping);
void account_page_cleaned(struct page *page, struct address_space *mapping);
int set_page_dirty_nobuffers(struct page *page);
void cancel_dirty_page(struct page *page);
#endif
/* file: mm/page-writeback.c */
#include <linux/case.h>
#include <linux/export.h>

void account_page_dirtied(struct page *page, struct address_space *mapping)
{
	if (pages_are_counted(mapping))
		mod_node_page_state(page_pgdat(page), 1, 1);
}

void account_page_cleaned(struct page *page, struct address_space *mapping)
{
	if (pages_are_counted(mapping))
		mod_node_page_state(page_pgdat(page), 1, -1);
}

int set_page_dirty_nobuffers(struct page *page)
{
	if (!TestSetPageDirty(page)) {
		struct address_space *mapping = page_mapping(page);
		unsigned long flags;

		if (!mapping)
			return 1;

		spin_lock_irqsave(&mapping->tree_lock, flags);
		account_page_dirtied(page, mapping);
		tag_set(mapping, page->index);
		spin_unlock_irqrestore(&mapping->tree_lock, flags);
		mark_inode_dirty(mapping->host);
		return 1;
	}
	return 0;
}
EXPORT_SYMBOL(set_page_dirty_nobuffers);

void cancel_dirty_page(struct page *page)
{
	if (TestClearPageDirty(page))
		account_page_cleaned(page, page->mapping);
}
EXPORT_SYMBOL(cancel_dirty_page);
/* file: fs/buffer.c */
#include <linux/case.h>

static void tag_page_dirty(struct page *page, struct address_space *mapping)
{
	spin_lock(&mapping->tree_lock);
	account_page_dirtied(page, mapping);
	tag_set(mapping, page->index);
	spin_unlock(&mapping->tree_lock);
}

void set_dirty_at_once(struct page *page)
{
	if (!TestSetPageDirty(page))
		tag_page_dirty(page, page->mapping);
}
/* file: fs/someone.c */
#include <linux/case.h>

void someone_clean_page(struct page *page)
{
	page->private = 0;
	if (TestClearPageDirty(page))
		account_page_cleaned(page, page->mapping);
	page->index = 0;
}

int someone_drop_page(struct page *p, int ret)
{
	/*
	 * Nobody else finds out that it is clean.
	 */
	if (ret && TestClearPageDirty(p))
		account_page_cleaned(p, p->mapping);
	return ret;
}

int someone_set_page_dirty(struct page *page)
{
	struct address_space *own = page->mapping;

	own->tags++;
	if (!TestSetPageDirty(page)) {
		struct address_space *mapping = page_mapping(page);
		unsigned long irq;

		if (!mapping)
			return 1;

		spin_lock_irqsave(&mapping->tree_lock, irq);
		account_page_dirtied(page, mapping);
		tag_set(mapping, page->index);
		spin_unlock_irqrestore(&mapping->tree_lock, irq);
		mark_inode_dirty(mapping->host);
		return 1;
	}
	return 0;
}

int someone_set_more_dirty(struct page *page)
{
	if (!TestSetPageDirty(page)) {
		struct address_space *mapping = page_mapping(page);
		unsigned long irq;

		if (!mapping)
			return 1;

		spin_lock_irqsave(&mapping->tree_lock, irq);
		account_page_dirtied(page, mapping);
		count_vm_event(PGACTIVATE);
		tag_set(mapping, page->index);
		spin_unlock_irqrestore(&mapping->tree_lock, irq);
		mark_inode_dirty(mapping->host);
		return 1;
	}
	return 0;
}

void someone_tells(struct page *page)
{
	/* nothing is lost of what stands before it */
	if (TestClearPageDirty(page))
		/* as in truncation */
		account_page_cleaned(page, page->mapping);
}
/* after: fs/someone.c */
#include <linux/case.h>

void someone_clean_page(struct page *page)
{
	page->private = 0;
	cancel_dirty_page(page);
	page->index = 0;
}

int someone_drop_page(struct page *p, int ret)
{
	/*
	 * Nobody else finds out that it is clean.
	 */
	if (ret)
		cancel_dirty_page(p);
	return ret;
}

int someone_set_page_dirty(struct page *page)
{
	struct address_space *own = page->mapping;

	own->tags++;
	return set_page_dirty_nobuffers(page);
}

int someone_set_more_dirty(struct page *page)
{
	if (!TestSetPageDirty(page)) {
		struct address_space *mapping = page_mapping(page);
		unsigned long irq;

		if (!mapping)
			return 1;

		spin_lock_irqsave(&mapping->tree_lock, irq);
		account_page_dirtied(page, mapping);
		count_vm_event(PGACTIVATE);
		tag_set(mapping, page->index);
		spin_unlock_irqrestore(&mapping->tree_lock, irq);
		mark_inode_dirty(mapping->host);
		return 1;
	}
	return 0;
}

void someone_tells(struct page *page)
{
	/* nothing is lost of what stands before it */
	if (TestClearPageDirty(page))
		/* as in truncation */
		account_page_cleaned(page, page->mapping);
}
