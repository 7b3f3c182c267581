// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison that one side decides when off: the test comes before it.
 *
 * kind: folio_matches guard-compare
 * says: folio_matches that list_memcg() alone decides
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct grouped_list {
	struct mem_cgroup *memcg;
	struct pglist_data *pgdat;
};

#ifdef CONFIG_MEMCG
static inline struct mem_cgroup *list_memcg(struct grouped_list *list)
{
	if (mem_cgroup_disabled())
		return NULL;
	return list->memcg;
}
#else
static inline struct mem_cgroup *list_memcg(struct grouped_list *list)
{
	return NULL;
}
#endif

static inline bool folio_matches(struct folio *folio, struct grouped_list *list,
				 struct pglist_data *pgdat)
{
	return list->pgdat == pgdat && list_memcg(list) == folio_memcg(folio);
}

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
/* file: mm/memory.c */
#include <linux/case.h>

extern struct grouped_list *this_list;
extern struct pglist_data *this_node;

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	struct grouped_list *list = this_list;
	struct folio *folio = page_folio(vmf->page);

	if (folio_matches(folio, list, this_node))
		return 1;
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct grouped_list {
	struct mem_cgroup *memcg;
	struct pglist_data *pgdat;
};

#ifdef CONFIG_MEMCG
static inline struct mem_cgroup *list_memcg(struct grouped_list *list)
{
	if (mem_cgroup_disabled())
		return NULL;
	return list->memcg;
}
#else
static inline struct mem_cgroup *list_memcg(struct grouped_list *list)
{
	return NULL;
}
#endif

static inline bool folio_matches(struct folio *folio, struct grouped_list *list,
				 struct pglist_data *pgdat)
{
	return list->pgdat == pgdat && (mem_cgroup_disabled() ||
					list_memcg(list) == folio_memcg(folio));
}

#endif
