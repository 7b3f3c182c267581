// SPDX-License-Identifier: GPL-2.0-only
/* Sent to swap on purpose, one half read and one half written on return. */
#include <sys/mman.h>

#include "guest.h"

const char *step_swap(size_t bytes, unsigned passes)
{
	char *at = map_private(bytes);

	if (!at)
		return because("mmap");
	for (unsigned i = 0; i < passes; i++) {
		write_pages(at, bytes, i + 1);
		if (madvise(at, bytes, MADV_PAGEOUT))
			return because("madvise");
		read_pages(at, bytes / 2);
		write_pages(at + bytes / 2, bytes / 2, 0x55);
	}
	return NULL;
}
