// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include "pool.h"

void pool_free_pages(struct page **pages, int nr)
{
	struct page **from = pages;

	while (nr) {
		int part = min(nr, PAGEVEC_SIZE);
		int i;

		for (i = 0; i < part; i++)
			pool_forget(from[i]);
		release_pages(from, part, false);
		from += part;
		nr -= part;
	}
}

void pool_free_unmapped(struct page **pages, int nr)
{
	while (nr) {
		int part = min_t(int, nr, PAGEVEC_SIZE);

		free_pages_and_swap_cache(pages, part);
		pages += part;
		nr -= part;
	}
}

/* others may run in between */
void pool_free_slowly(struct page **pages, int nr)
{
	while (nr) {
		int part = min(nr, 512);

		cond_resched();
		release_pages(pages, part, false);
		pages += part;
		nr -= part;
	}
}

/* something else is released */
void pool_free_items(struct item **items, int nr)
{
	while (nr) {
		int part = min(nr, 16);

		pool_release(items, part);
		items += part;
		nr -= part;
	}
}
