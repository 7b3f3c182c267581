// SPDX-License-Identifier: GPL-2.0-only
/* C as text, as the choice of units reads it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "ctext.h"

static bool is_option(void *data, const struct cword *word)
{
	(void)data;
	return word->len == 8 && !memcmp(word->text, "CONFIG_X", 8);
}

static void take(void *data, const struct cword *word)
{
	volatile char sum = 0;

	(void)data;
	if (cword_hash(word->text, word->len) != word->hash)
		abort();
	for (uint32_t i = 0; i < word->len; i++)
		sum ^= word->text[i];
}

static void declared(void *data, enum ctext_kind kind,
		     const struct cword *name, bool region)
{
	(void)kind;
	(void)region;
	take(data, name);
}

static void word(void *data, const struct cword *name, bool inside)
{
	(void)inside;
	take(data, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ctext_sink sink = {
		.is_option = is_option,
		.declared = declared,
		.word = word,
	};
	/* no byte behind the end: a step too far is seen */
	char *text = xmalloc(size ? size : 1);

	if (size)
		memcpy(text, data, size);
	ctext_scan(text, size, &sink);
	free(text);
	return 0;
}
