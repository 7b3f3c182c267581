// SPDX-License-Identifier: GPL-2.0-only
/* Results that are set side by side; a NUL parts two of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "output/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t first = nul ? (size_t)(nul - data) : size;
	struct arena *arena = arena_new();
	struct compare *compare = NULL;
	struct json *file[2] = { 0 };
	struct err err = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (!null)
		null = fopen("/dev/null", "w");
	if (!null)
		abort();
	strbuf_add(&text, data, size);
	strbuf_addch(&text, '\0');
	file[0] = json_parse("one", text.buf, first, &err);
	file[1] = json_parse("two", nul ? text.buf + first + 1 : text.buf,
			     nul ? size - first - 1 : first, &err);
	if (file[0] && file[1])
		compare = compare_make(file, 2, arena, &err);
	if (!compare && !err.text)
		abort();
	if (compare) {
		struct out out = { .stream = null };

		compare_table(compare, &out);
		compare_json(compare, &out);
	}
	json_free(file[0]);
	json_free(file[1]);
	err_clear(&err);
	strbuf_release(&text);
	arena_free(arena);
	return 0;
}
