// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge -D inner=__pool_charge -D predicate=pool_off -D "leave=return 0" -D "call=return __pool_charge(item, nr, gfp, where_this_item_is)" */
#ifndef POOL_H
#define POOL_H

int pool_uncharge(struct item *, int);
extern int pool_charge(struct item *, enum kind, gfp_t flags, unsigned long);
int pool_move(struct item *, int);

#endif
