// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stands around a function that gets a wrapper, in odd shapes: exports
 * into a namespace, a name that another file has, kernel-doc, definitions
 * that another configuration has otherwise. What only calls such a function
 * gets a wrapper too, and then calls what has tested.
 * What one patch renames is named alike.
 *
 * kind: memcg_spaced wrap
 * kind: memcg_spaced_gpl wrap
 * kind: memcg_clash wrap
 * kind: memcg_typed wrap
 * kind: memcg_apart wrap
 * kind: memcg_behind wrap
 * left: memcg_friends EXPORT_SYMBOL_FOR_FRIENDS(memcg_friends) in mm/case.c
 * left: memcg_head another configuration
 * left: memcg_twice mm/case.c defines it more than once
 * says: memcg_clash memcg_clash_page() is now do_memcg_clash_page().
 * says: memcg_clash Calls of memcg_clash(): 1, in do_anonymous_page().
 * says: memcg_clash Calls of memcg_clash_page(): 1, in do_anonymous_page().
 * says: memcg_spaced was exported with EXPORT_SYMBOL_NS.
 * says: memcg_spaced_gpl was exported with EXPORT_SYMBOL_NS_GPL.
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>
#include <linux/export.h>

#define EXPORT_SYMBOL_NS(symbol, space) EXPORT_SYMBOL(symbol)
#define EXPORT_SYMBOL_NS_GPL(symbol, space) EXPORT_SYMBOL_GPL(symbol)
#define EXPORT_SYMBOL_FOR_FRIENDS(symbol, friends) EXPORT_SYMBOL_GPL(symbol)

#ifdef CONFIG_MEMCG
void memcg_spaced(struct folio *folio);
void memcg_spaced_gpl(struct folio *folio);
void memcg_friends(struct folio *folio);
void memcg_clash(struct folio *folio);
void memcg_clash_page(struct page *page);
void memcg_typed(int nr, void (*each)(struct folio *folio, int nr));
void memcg_apart(struct folio *folio);
void memcg_behind(struct folio *folio);
void memcg_head(struct folio *folio);
void memcg_twice(struct folio *folio);
#else
static inline void memcg_spaced(struct folio *folio) { }
static inline void memcg_spaced_gpl(struct folio *folio) { }
static inline void memcg_friends(struct folio *folio) { }
static inline void memcg_clash(struct folio *folio) { }
static inline void memcg_clash_page(struct page *page) { }
static inline void memcg_typed(int nr, void (*each)(struct folio *folio, int nr)) { }
static inline void memcg_apart(struct folio *folio) { }
static inline void memcg_behind(struct folio *folio) { }
static inline void memcg_head(struct folio *folio) { }
static inline void memcg_twice(struct folio *folio) { }
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void memcg_spaced(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 1);
}
EXPORT_SYMBOL_NS(memcg_spaced, "MM");

void memcg_spaced_gpl(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 2);
}
EXPORT_SYMBOL_NS_GPL(memcg_spaced_gpl, MM);

void memcg_friends(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 3);
}
EXPORT_SYMBOL_FOR_FRIENDS(memcg_friends, "kvm");

void memcg_clash(struct folio *folio)
{
	rcu_read_lock();
	if (folio_memcg(folio))
		folio_memcg(folio)->events[0]++;
	rcu_read_unlock();
}

void memcg_clash_page(struct page *page)
{
	memcg_clash((struct folio *)page);
}

/**
 * void memcg_typed() - the type is told, too
 * @nr: how many	
 * @each: called for each 
 *
 * The blanks at the ends of lines are not.
 */

void
memcg_typed(int nr, void (*each)(struct folio *folio, int nr))
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(mem_cgroup_from_task(current), nr);
}

/**
 * memcg_apart - something stands between
 * @folio: it
 */
static int memcg_between;

void memcg_apart(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), memcg_between);
}

/**
 * memcg_behind - more comes behind it
 */ /* as here */
void memcg_behind(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 5);
}

#ifdef CONFIG_CASE
void memcg_head(struct folio *folio)
#else
void memcg_head(struct folio *folio)
#endif
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 6);
}

#ifdef CONFIG_CASE
void memcg_twice(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 7);
}
#else
void memcg_twice(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 8);
}
#endif
/* file: mm/other.c */
#include <linux/case.h>

/* not about the feature, but it sees the header */
static void __memcg_clash(void)
{
}

void case_other(void)
{
	__memcg_clash();
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct folio *folio = vma_alloc_folio(GFP_HIGHUSER, vmf->vma, vmf->address);

	memcg_spaced(folio);
	memcg_spaced_gpl(folio);
	memcg_friends(folio);
	memcg_clash(folio);
	memcg_clash_page((struct page *)folio);
	memcg_typed(1, NULL);
	memcg_apart(folio);
	memcg_behind(folio);
	memcg_head(folio);
	memcg_twice(folio);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>
#include <linux/export.h>

#define EXPORT_SYMBOL_NS(symbol, space) EXPORT_SYMBOL(symbol)
#define EXPORT_SYMBOL_NS_GPL(symbol, space) EXPORT_SYMBOL_GPL(symbol)
#define EXPORT_SYMBOL_FOR_FRIENDS(symbol, friends) EXPORT_SYMBOL_GPL(symbol)

#ifdef CONFIG_MEMCG
void __memcg_spaced(struct folio *folio);

static inline void memcg_spaced(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_spaced(folio);
}

void __memcg_spaced_gpl(struct folio *folio);

static inline void memcg_spaced_gpl(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_spaced_gpl(folio);
}

void memcg_friends(struct folio *folio);
void do_memcg_clash(struct folio *folio);

static inline void memcg_clash(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	do_memcg_clash(folio);
}

void do_memcg_clash_page(struct page *page);

static inline void memcg_clash_page(struct page *page)
{
	if (mem_cgroup_disabled())
		return;

	do_memcg_clash_page(page);
}

void __memcg_typed(int nr, void (*each)(struct folio *folio, int nr));

/**
 * void memcg_typed() - the type is told, too
 * @nr: how many
 * @each: called for each
 *
 * The blanks at the ends of lines are not.
 */
static inline void memcg_typed(int nr,
			       void (*each)(struct folio *folio, int nr))
{
	if (mem_cgroup_disabled())
		return;

	__memcg_typed(nr, each);
}

void __memcg_apart(struct folio *folio);

static inline void memcg_apart(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_apart(folio);
}

void __memcg_behind(struct folio *folio);

static inline void memcg_behind(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_behind(folio);
}

void memcg_head(struct folio *folio);
void memcg_twice(struct folio *folio);
#else
static inline void memcg_spaced(struct folio *folio) { }
static inline void memcg_spaced_gpl(struct folio *folio) { }
static inline void memcg_friends(struct folio *folio) { }
static inline void memcg_clash(struct folio *folio) { }
static inline void memcg_clash_page(struct page *page) { }
static inline void memcg_typed(int nr, void (*each)(struct folio *folio, int nr)) { }
static inline void memcg_apart(struct folio *folio) { }
static inline void memcg_behind(struct folio *folio) { }
static inline void memcg_head(struct folio *folio) { }
static inline void memcg_twice(struct folio *folio) { }
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

void __memcg_spaced(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 1);
}
EXPORT_SYMBOL_NS(__memcg_spaced, "MM");

void __memcg_spaced_gpl(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 2);
}
EXPORT_SYMBOL_NS_GPL(__memcg_spaced_gpl, MM);

void memcg_friends(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 3);
}
EXPORT_SYMBOL_FOR_FRIENDS(memcg_friends, "kvm");

void do_memcg_clash(struct folio *folio)
{
	rcu_read_lock();
	if (folio_memcg(folio))
		folio_memcg(folio)->events[0]++;
	rcu_read_unlock();
}

void do_memcg_clash_page(struct page *page)
{
	do_memcg_clash((struct folio *)page);
}

void
__memcg_typed(int nr, void (*each)(struct folio *folio, int nr))
{
	mem_cgroup_consume(mem_cgroup_from_task(current), nr);
}

/**
 * memcg_apart - something stands between
 * @folio: it
 */
static int memcg_between;

void __memcg_apart(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), memcg_between);
}

/**
 * memcg_behind - more comes behind it
 */ /* as here */
void __memcg_behind(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 5);
}

#ifdef CONFIG_CASE
void memcg_head(struct folio *folio)
#else
void memcg_head(struct folio *folio)
#endif
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 6);
}

#ifdef CONFIG_CASE
void memcg_twice(struct folio *folio)
{
	mem_cgroup_consume(folio_memcg(folio), 7);
}
#else
void memcg_twice(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	mem_cgroup_consume(folio_memcg(folio), 8);
}
#endif
