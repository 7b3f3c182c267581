// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge -D inner=__pool_charge -D predicate=pool_off -D "leave=return -EOPNOTSUPP" -D "call=return __pool_charge(pool, gfp, nr)" */
int pool_charge(struct pool *pool, gfp_t gfp, long nr_is_a_longer_name,
		int and_more)
{
	if (pool_off() || !pool ||
		!pool_is_of_the_kind_that_is_charged(pool) ||
		!(pool_root.flags & POOL_ROOT_ACCOUNTS))
		return -EOPNOTSUPP;

	if (early(1) || pool_off() ||
	    (late(1) && later(1))) {
		done(1);
	}
	if (unlikely(pool_off()) ||
	    early(2) && late(2))
		done(2);
	if (early(3) && !pool_off() ||
	    late(3))
		done(3);
	if (early(4) || pool_off() || late(4))
		done(4);
	return charge(pool, gfp, nr);
}

int untouched(struct pool *pool)
{
	if (pool_off() ||
		!pool)
		return 0;
	return 1;
}
