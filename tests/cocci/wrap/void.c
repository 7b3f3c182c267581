// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_flush -D inner=__pool_flush -D predicate=pool_off -D leave=return -D "call=__pool_flush()" */
#ifndef POOL_H
#define POOL_H

#ifdef CONFIG_POOL
void pool_flush_delayed(void);
void pool_flush(void);
#else
static inline void pool_flush(void)
{
}
#endif

#endif
