// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D named -D fn=pool_disable -D both=pool_set_enabled -D other=pool_enable -D on=enable */
#include "pool.h"

static unsigned int pool_features_off;
static unsigned int pool_other;

/* Another function that lowers a key is left as it is. */
void pool_close(int i)
{
	static_branch_disable(pool_key[i]);
	pool_other |= 1 << i;
}

static int __init pool_disable(char *str)
{
	char *token;
	int i;

	while ((token = strsep(&str, ",")) != NULL) {
		if (!*token)
			continue;
		for (i = 0; i < POOLS; i++) {
			if (strcmp(token, pool_name[i]))
				continue;
			static_branch_disable(pool_key[i]);
			pr_info("Disabling %s pool\n", pool_name[i]);
		}
		for (i = 0; i < FEATURES; i++) {
			if (strcmp(token, feature_name[i]))
				continue;
			pool_features_off |= 1 << i;
			break;
		}
	}
	return 1;
}
__setup("pool_disable=", pool_disable);
