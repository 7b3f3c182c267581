// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=mod_pool_state -D predicate=pool_off -D leave=return -D "work=node_add(pool, nr)" */
#ifdef CONFIG_POOL
static inline void mod_pool_state(struct pool *pool, int nr)
{
	unsigned long flags;

	local_irq_save(flags);
	__mod_pool_state(pool, nr);
	local_irq_restore(flags);
}
#else
static inline void mod_pool_state(struct pool *pool, int nr)
{
	node_add(pool, nr);
}
#endif
