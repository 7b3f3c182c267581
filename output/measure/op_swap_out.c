// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>

#include "operations.h"

const char *op_swap_out(void)
{
	const char *why = need_swap(AREA);
	char *at = map_private(AREA);

	if (why)
		return why;
	if (!at)
		return because("mmap");
	for (unsigned i = 0; i < REPEAT; i++) {
		write_pages(at, AREA, i + 1);
		begin();
		if (madvise(at, AREA, MADV_PAGEOUT))
			return because("madvise");
		end();
		done(PAGES);
	}
	return NULL;
}
