// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D in_key -D option=CONFIG_POOL_OFF -D both=pool_set_enabled -D init=pool_init_default -D controller=pool -D parse=parse_words */
#include "pool.h"

static int __init pool_disable(char *str)
{
	return pool_set_enabled(str, false);
}
__setup("pool_disable=", pool_disable);

static int __init pool_enable(char *str)
{
	return pool_set_enabled(str, true);
}
__setup("pool_enable=", pool_enable);

void start_kernel(void)
{
	keys_init();
	parse_words();
	pool_init();
}
