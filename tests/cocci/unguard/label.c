// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_vector -D predicate=pool_off */
#include "pool.h"

struct vector *pool_vector(struct item *item)
{
	struct vector *vector;

	if (pool_off()) {
		vector = &item->vector;
		goto out;
	}

	if (!item->pool)
		goto none;
	vector = &item->pool->vector;
out:
	vector_check(vector);
	return vector;
none:
	return NULL;
}

struct vector *item_vector(struct item *item)
{
	struct vector *vector;

	vector = &item->vector;
	if (pool_off())
		goto out;
	vector_check(vector);
out:
	return vector;
}
