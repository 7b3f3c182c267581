// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge -D inner=__pool_charge -D predicate=pool_off -D "leave=return 0" -D "call=return __pool_charge(item, mm, gfp, entry)" */
#ifndef POOL_H
#define POOL_H

#ifdef CONFIG_POOL
int pool_charge_all(struct list_head *list);
int __must_check pool_charge(struct item *item, struct mm_struct *mm, gfp_t gfp,
			     swp_entry_t entry);
void pool_uncharge(struct item *item);
#else
static inline int pool_charge(struct item *item, struct mm_struct *mm,
			      gfp_t gfp, swp_entry_t entry)
{
	return 0;
}
#endif

#endif
