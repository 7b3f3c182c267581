// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>

#include "operations.h"

const char *op_unmap(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		char *at = map_private(AREA);

		if (!at)
			return because("mmap");
		write_pages(at, AREA, 1);
		begin();
		munmap(at, AREA);
		end();
		done(PAGES);
	}
	return NULL;
}
