// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D differ -D fn=matches -D side=list_group -D predicate=pool_off */
#include "pool.h"

bool matches(struct page *page, struct list *list, int a)
{
	if (list_group(list) == page_group(page))
		a++;
	return a && list_group(list) != page_group(page);
}
