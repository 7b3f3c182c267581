// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=matches -D side=list_group -D predicate=pool_off */
#include "pool.h"

bool matches(struct page *page, struct list *list, int a)
{
	if (list_group(list) == page_group(page))
		a++;
	if (a && page_group(page) != list_group(list))
		return list_group(list) == page_group(page);
	if (pool_off() || page_group(page))
		return false;
	return a == page->node && list_group(list) == page_group(page);
}

bool other(struct page *page, struct list *list)
{
	return list_group(list) == page_group(page);
}
