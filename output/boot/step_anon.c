// SPDX-License-Identifier: GPL-2.0-only
#include "guest.h"

const char *step_anon(size_t bytes, unsigned passes)
{
	char *at = map_private(bytes);

	if (!at)
		return because("mmap");
	for (unsigned i = 0; i < passes; i++)
		write_pages(at, bytes, i + 1);
	return NULL;
}
