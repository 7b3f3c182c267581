// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

int item_charge(struct page *page, gfp_t gfp);
int item_find(struct list_head *list);

int item_charge(struct page *page, gfp_t gfp)
{
	if (mem_cgroup_disabled())
		return 0;

	return pool_charge(page, gfp);
}
EXPORT_SYMBOL_GPL(item_charge);

/* not for each page */
int item_find(struct list_head *list)
{
	if (mem_cgroup_disabled())
		return 0;

	return pool_find(list);
}

/* "__item_taken" is somebody else already */
void item_taken(struct folio *folio)
{
	if (mem_cgroup_disabled())
		return;

	__item_taken(folio);
}

void __item_taken(struct folio *folio)
{
	pool_take(folio);
}
