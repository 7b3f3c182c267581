// SPDX-License-Identifier: GPL-2.0-only
/* A findings file, as --baseline and diff read it. */
#include <stdint.h>
#include <stdlib.h>

#include "output/diff.h"
#include "output/findings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	struct arena *arena = arena_new();
	struct finding_set *set;
	struct err err = { 0 };
	char *text = xmalloc(size + 1);
	struct out out = { 0 };

	if (!null)
		null = fopen("/dev/null", "w");
	if (!null)
		abort();
	for (size_t i = 0; i < size; i++)
		text[i] = (char)data[i];
	text[size] = 0;
	set = findings_parse("fuzz.json", text, size, arena, &err);
	if (!set && !err.text)
		abort();
	if (set) {
		struct finding_set none = { .from = "none" };

		out.stream = null;
		if (diff_json(&out, set, set, arena))
			abort();
		if (diff_json(&out, &none, set, arena) != set->nfinding)
			abort();
	}
	err_clear(&err);
	free(text);
	arena_free(arena);
	return 0;
}
