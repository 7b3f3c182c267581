// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

const char *op_file_fault(void)
{
	int fd = make_file();
	char *at = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return because("mmap");
	write_pages(at, AREA, 1);
	munmap(at, AREA);
	for (unsigned i = 0; i < REPEAT; i++) {
		at = mmap(NULL, AREA, PROT_READ, MAP_SHARED, fd, 0);
		/* a fault for each page, and not one for several */
		if (at == MAP_FAILED || madvise(at, AREA, MADV_RANDOM))
			return because("mmap");
		begin();
		read_pages(at, AREA);
		end();
		done(PAGES);
		munmap(at, AREA);
	}
	close(fd);
	return NULL;
}
