// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of all kinds. */
#include <stdint.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "output/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *covers[] = { "b", "c@mm/c.c" };
	struct finding finding = {
		.function = "a", .file = "", .id = "", .covers = covers,
		.ncovers = 2,
	};
	struct strbuf text = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct profile *profile;
	struct err err = { 0 };
	double lost;

	strbuf_add(&text, data, size);
	profile = profile_parse("fuzz", &text, arena, &err);
	if (!profile && !err.text)
		abort();
	if (profile) {
		profile_share(profile, &finding, 1);
		profile_lost(profile, &lost);
		/* what is rounded may be a little more than all */
		if (finding.share + lost > 100.6 ||
		    finding.share + lost < profile->total - 0.1)
			abort();
	}
	err_clear(&err);
	strbuf_release(&text);
	arena_free(arena);
	return 0;
}
