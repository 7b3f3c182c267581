// SPDX-License-Identifier: GPL-2.0-only
/* Facts, as they come from a cache or a worker. */
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "parse/facts.h"
#include "parse/facts_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The head is made to fit, so that every byte of the input is looked at. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bytes = STRBUF_INIT, again = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct strtab *strings = strtab_new(arena);
	struct facts_head head;
	struct err err = { 0 };
	struct facts *facts;
	bool whole = true;

	memset(&head, 0, sizeof(head));
	facts_head_make(&head, data, size);
	strbuf_add(&bytes, &head, sizeof(head));
	strbuf_add(&bytes, data, size);
	facts = facts_decode(bytes.buf, bytes.len, arena, strings, &err);
	if (!facts != !!err.text)
		abort();
	for (uint32_t i = 0; facts && i < facts->nfunc; i++)
		whole &= facts_body(&facts->func[i]) != NULL;
	if (facts && whole) {
		/* what can be read can be written and read again */
		facts_encode(facts, &again);
		facts_dump(facts, &bytes);
		if (!facts_decode(again.buf, again.len, arena, strings, &err))
			abort();
	}
	strbuf_release(&bytes);
	strbuf_release(&again);
	err_clear(&err);
	arena_free(arena);
	return 0;
}
