// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who has tested calls what is wrapped: but not one that is compiled without
 * the feature too, where there is no such function. What a table has for
 * another number is not known, so that one is left.
 *
 * kind: mem_cgroup_from_id wrap
 * says: mem_cgroup_from_id In the off state the wrapper does "return NULL", as the function does today.
 * left: mem_cgroup_from_number it does call 'case_warn' (include/linux/case.h:25) now
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void case_warn(unsigned short id);

#ifdef CONFIG_MEMCG
struct mem_cgroup *mem_cgroup_from_id(unsigned short id);
struct mem_cgroup *mem_cgroup_from_number(unsigned short number);
void memcg_uncharge(unsigned short id);
#else
static inline struct mem_cgroup *mem_cgroup_from_id(unsigned short id)
{
	if (id)
		case_warn(id);
	return NULL;
}

static inline struct mem_cgroup *mem_cgroup_from_number(unsigned short number)
{
	if (number)
		case_warn(number);
	return NULL;
}

static inline void memcg_uncharge(unsigned short id)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void *table_find(const void *table, unsigned long number);

static unsigned long groups[8];

struct mem_cgroup *mem_cgroup_from_id(unsigned short id)
{
	return table_find(groups, id);
}

struct mem_cgroup *mem_cgroup_from_number(unsigned short number)
{
	return table_find(groups, number);
}

void memcg_uncharge(unsigned short id)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	memcg = mem_cgroup_from_id(id);
	if (memcg)
		mem_cgroup_consume(memcg, 1);
}
/* file: mm/workingset.c */
#include <linux/case.h>

void workingset_refault(struct folio *folio, unsigned long shadow)
{
	if (mem_cgroup_from_id((unsigned short)shadow))
		folio->flags |= 4;
	if (mem_cgroup_from_number((unsigned short)(shadow >> 16)))
		folio->flags |= 8;
}

/* Now and then. */
int case_run(unsigned short id)
{
	struct mem_cgroup *memcg = NULL;

	if (!mem_cgroup_disabled()) {
		memcg = mem_cgroup_from_id(id);
		if (!memcg)
			return -22;
	}
	memcg_uncharge(id);
	return memcg ? 1 : 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

void case_warn(unsigned short id);

#ifdef CONFIG_MEMCG
struct mem_cgroup *__mem_cgroup_from_id(unsigned short id);

static inline struct mem_cgroup *mem_cgroup_from_id(unsigned short id)
{
	if (mem_cgroup_disabled())
		return NULL;

	return __mem_cgroup_from_id(id);
}

struct mem_cgroup *mem_cgroup_from_number(unsigned short number);
void memcg_uncharge(unsigned short id);
#else
static inline struct mem_cgroup *mem_cgroup_from_id(unsigned short id)
{
	if (id)
		case_warn(id);
	return NULL;
}

static inline struct mem_cgroup *mem_cgroup_from_number(unsigned short number)
{
	if (number)
		case_warn(number);
	return NULL;
}

static inline void memcg_uncharge(unsigned short id)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

void *table_find(const void *table, unsigned long number);

static unsigned long groups[8];

struct mem_cgroup *__mem_cgroup_from_id(unsigned short id)
{
	return table_find(groups, id);
}

struct mem_cgroup *mem_cgroup_from_number(unsigned short number)
{
	return table_find(groups, number);
}

void memcg_uncharge(unsigned short id)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled())
		return;

	memcg = __mem_cgroup_from_id(id);
	if (memcg)
		mem_cgroup_consume(memcg, 1);
}
