// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

/* A RAM disk takes memory when it is first written to, and keeps it. */
static bool fill_swap(void)
{
	static char page[PAGE];
	int fd = open(SWAP, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0;

	while (good && write(fd, page, PAGE) == (ssize_t)PAGE)
		;
	good = good && !fsync(fd) &&
		!posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return good;
}

const char *op_swap_out(void)
{
	char *at = map_private(AREA);

	/* it stays on: nothing else is short of memory */
	if (!at || !fill_swap() || !make_swap())
		return because("swap on " SWAP);
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
