// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=some_clean -D flag=test_clear_dirty -D helper=pool_clean */
#include "pool.h"

int some_clean(struct item *item, bool all)
{
	int ret;

	spin_lock(&item->lock);
	ret = drop_parts(item);
	/*
	 * Nobody else finds out that it is clean.
	 */
	if (ret && test_clear_dirty(item))
		account_clean(item, item->pool);
	spin_unlock(&item->lock);
	if (test_clear_busy(item))
		account_idle(item);
	return ret;
}
