// SPDX-License-Identifier: GPL-2.0-only
/* An annotated disassembly, and what is made of its instructions. */
#include <stdint.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "output/annotate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct annotated *annotated;
	struct err err = { 0 };

	strbuf_add(&text, data, size);
	annotated = annotated_parse("fuzz", &text, arena, &err);
	if (!annotated && !err.text)
		abort();
	for (size_t i = 0; annotated && i < annotated->n; i++) {
		const struct listing *list = &annotated->listing[i];

		for (size_t k = 0; k < list->n && k < 16; k++) {
			struct dear dear = dear_of(list, k, arena);

			if (!dear.why || dear.dear < list->instruction ||
			    dear.dear >= list->instruction + list->n)
				abort();
		}
	}
	err_clear(&err);
	strbuf_release(&text);
	arena_free(arena);
	return 0;
}
