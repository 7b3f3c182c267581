// SPDX-License-Identifier: GPL-2.0-only
/* A feature's rules and the kernel's. */
#include <stdint.h>
#include <stdlib.h>

#include "base/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct strtab *strings = strtab_new(arena);
	struct err err = { 0 };
	char *text = xmalloc(size + 1);

	for (size_t i = 0; i < size; i++)
		text[i] = (char)data[i];
	text[size] = 0;
	if (!rules_parse("fuzz.json", text, size, arena, strings, &err) &&
	    !err.text)
		abort();
	err_clear(&err);
	if (!kernel_rules_parse("fuzz.json", text, size, arena, strings,
				&err) && !err.text)
		abort();
	err_clear(&err);
	free(text);
	arena_free(arena);
	return 0;
}
