// SPDX-License-Identifier: GPL-2.0-only
/* What a measured kernel says, and measure.json. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "output/measure.h"

static struct operation op[] = {
	{ .name = "a", .title = "a" }, { .name = "b", .title = "b" },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A NUL parts what the guest says from what the plugin does. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct operations operations = { op, 2 };
	struct strbuf all = STRBUF_INIT, numbers = STRBUF_INIT,
		counts = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct measure_state state = {
		.name = "off", .cell = ARENA_ARRAY(arena, struct cell, 2),
	};
	struct names problems = { 0 };
	struct err err = { 0 };

	strbuf_add(&all, data, size);
	if (size) {
		strbuf_addstr(&numbers, all.buf);
		if (numbers.len < size)
			strbuf_addstr(&counts, all.buf + numbers.len + 1);
		measure_log(&state, &operations, &numbers, &counts, &problems,
			    arena);
		measure_parse("fuzz", all.buf, size, arena, &err);
		err_clear(&err);
	}
	strbuf_release(&all);
	strbuf_release(&numbers);
	strbuf_release(&counts);
	arena_free(arena);
	return 0;
}
