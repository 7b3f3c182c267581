// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D flag=pool_noswap -D key=pool_noswap_key */
#ifndef POOL_H
#define POOL_H

extern bool pool_nosocket;
#ifdef CONFIG_POOL_SWAP
extern bool pool_noswap;
#endif

#endif
