// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include "pool.h"

void pool_cancel_dirty(struct page *page)
{
	if (TestClearPageDirty(page))
		account_page_cleaned(page, page->mapping);
}

int pool_drop(struct page *page)
{
	if (pool_empty(page) && TestClearPageDirty(page))
		account_page_cleaned(page, page->mapping);
	if (TestClearPageDirty(page))
		account_page_cleaned(page, page->mapping);
	/* of another mapping */
	if (TestClearPageDirty(page))
		account_page_cleaned(page, pool_mapping(page));
	/* and the other way round */
	if (!TestSetPageDirty(page))
		account_page_dirtied(page, page->mapping);
	return 0;
}
