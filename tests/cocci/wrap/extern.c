// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_count -D inner=__pool_count -D predicate=pool_off -D leave=return -D "work=node_count(pool_node(pool), nr)" -D "call=__pool_count(pool, nr)" */
#ifndef POOL_H
#define POOL_H

extern void pool_count(struct pool *pool, int nr);

extern void pool_count_all(struct pool *pool, int nr);

#endif
