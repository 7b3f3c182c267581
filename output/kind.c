// SPDX-License-Identifier: GPL-2.0-only
#include "kind.h"

#include <stddef.h>
#include <string.h>

#define BY_BOOT "it changes how the off state is tested: a boot on and off " \
	"is its proof"

#define FOUND_DEFAULT "which reads what boot parameters and options there are"
#define BY_BOOTS "it changes which of both states a kernel boots into, not " \
	"what that does: see defaults"

static const struct kind kinds[] = {
	{ .name = "guard",
	  .subject = { "skip FUNCTION when FEATURE is disabled",
		       "skip FUNCTION without FEATURE" } },
	{ .name = "work", /* a guard that does something */
	  .subject = { "skip FEATURE in FUNCTION when disabled",
		       "no FEATURE in FUNCTION when off" } },
	{ .name = "move-guard",
	  .subject = { "check for disabled FEATURE first in FUNCTION",
		       "check FEATURE first in FUNCTION" } },
	{ .name = "wrap",
	  .subject = { "check for FEATURE inline in FUNCTION",
		       "inline wrapper for FUNCTION" } },
	{ .name = "unguard",
	  .subject = { "check for disabled FEATURE only once in FUNCTION",
		       "check for FEATURE once in FUNCTION" },
	  .same_on = BY_BOOT },
	{ .name = "guard-call",
	  .subject = { "do not call FUNCTION when FEATURE is disabled",
		       "no FUNCTION without FEATURE" } },
	{ .name = "guard-compare",
	  .subject = { "compare less in FUNCTION when FEATURE is disabled",
		       "compare less in FUNCTION without FEATURE" } },
	{ .name = "static-key",
	  .subject = { "turn FUNCTION into a static key",
		       "static key for FUNCTION" },
	  .same_on = BY_BOOT },
	{ .name = "batch-break",
	  .subject = { "do not take the batch apart in FUNCTION",
		       "keep the batch whole in FUNCTION" },
	  .found = "which looks for callers that come with a few elements at "
		   "a time to what takes all of them",
	  .same_on = "it is meant for when the feature is on: there is one "
		     "call where there were many",
	  .same_off = "off or on, there is one call where there were many: "
		      "that all of it is done is for a boot to show" },
	{ .name = "charge-order",
	  .subject = { "charge before the flag is written in FUNCTION",
		       "charge before the flag in FUNCTION",
		       "charge first in FUNCTION" },
	  .found = "which looks for pages that are charged after a flag "
		   "write with a barrier",
	  .same_on = "the same is done in another order: see order",
	  .same_off = "the same is done in another order: see order" },
	{ .name = "root-work",
	  .subject = { "do nothing for the root group in FUNCTION",
		       "leave root out of FUNCTION" },
	  .found = "which evaluates each function as for the root group "
		   "with no other made, and looks for what nobody has a use "
		   "for then",
	  .same_on = "it is meant for when the feature is on: what is done "
		     "for root there is no more" },
	{ .name = "boot-parameter",
	  .subject = { "add the boot parameter FUNCTION",
		       "add parameter FUNCTION", "add FUNCTION" },
	  .found = FOUND_DEFAULT, .same_on = BY_BOOTS, .same_off = BY_BOOTS },
	{ .name = "default-off",
	  .subject = { "add an option to have FEATURE off by default",
		       "let FEATURE be off by default" },
	  .found = FOUND_DEFAULT, .same_on = BY_BOOTS, .same_off = BY_BOOTS },
	{ .name = "split-accounting",
	  .subject = { "leave flag and statistics to the helper in FUNCTION",
		       "use the helper in FUNCTION" },
	  .found = "which looks for flags whose statistics are kept elsewhere",
	  .same_on = "it is the same in every state: the helper has the same "
		     "statements, out of line",
	  .same_off = "it is the same in every state: the helper has the "
		      "same statements, out of line" },
};

const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}
