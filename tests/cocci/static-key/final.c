// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/init.h>

static bool item_nosocket __ro_after_init;
static bool item_verbose;
static bool item_by_address __ro_after_init;
static bool item_unread __ro_after_init;

void item_open(struct item *item)
{
	if (item_nosocket)
		return;
	if (item_verbose || item_by_address)
		pr_info("opened\n");
}

static int __init item_setup(char *s)
{
	if (!strcmp(s, "nosocket"))
		item_nosocket = true;
	if (item_nosocket && item_unread)
		item_unread = true;
	return kstrtobool(s, &item_by_address) == 0;
}
__setup("item=", item_setup);
