// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_charge_items -D inner=__pool_charge_items -D predicate=pool_off -D "leave=return 0" -D "call=return __pool_charge_items(item, nr)" */
#ifndef POOL_H
#define POOL_H

int pool_charge(struct item *item) __must_check;
int pool_charge_items(struct item *item, unsigned int nr) __must_check;

#endif
