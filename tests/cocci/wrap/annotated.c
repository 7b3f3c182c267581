// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_leave_and_unlock -D inner=__pool_leave_and_unlock -D predicate=pool_off -D leave=return -D "work=spin_unlock(&item->lock)" -D "call=__pool_leave_and_unlock(control, item)" */
#ifndef POOL_H
#define POOL_H

void pool_enter_and_lock(struct item *item) __acquires(&item->lock);
void pool_leave_and_unlock(struct pool_control *control,
			   struct item *item)
	__releases(&item->lock);
void pool_leave(struct item *item);

#endif
