// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>

#include "operations.h"

const char *op_anon_fault(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		char *at = map_private(AREA);

		if (!at)
			return because("mmap");
		begin();
		write_pages(at, AREA, 1);
		end();
		done(PAGES);
		munmap(at, AREA);
	}
	return NULL;
}
