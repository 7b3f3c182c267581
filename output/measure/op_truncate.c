// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

const char *op_truncate(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		int fd = make_file();
		char *at = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);

		if (at == MAP_FAILED)
			return because("mmap");
		write_pages(at, AREA, 1);
		munmap(at, AREA);
		begin();
		if (ftruncate(fd, 0))
			return because("ftruncate");
		end();
		done(PAGES);
		close(fd);
	}
	return NULL;
}
