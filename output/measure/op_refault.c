// SPDX-License-Identifier: GPL-2.0-only
/* The disk is the file: it has a page cache, and needs no file system. */
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

#define PART (AREA / 4)

const char *op_refault(void)
{
	int fd = open_disk(PART);

	if (fd < 0)
		return because("a disk");
	for (unsigned i = 0; i <= REPEAT; i++) {
		char *at = mmap(NULL, PART, PROT_READ, MAP_SHARED, fd, 0);

		if (at == MAP_FAILED || madvise(at, PART, MADV_RANDOM))
			return because("mmap");
		/* the first time they are not in memory at all */
		if (i)
			begin();
		read_pages(at, PART);
		if (i) {
			end();
			done(PART / PAGE);
		}
		if (madvise(at, PART, MADV_PAGEOUT))
			return because("madvise");
		munmap(at, PART);
	}
	close(fd);
	return NULL;
}
