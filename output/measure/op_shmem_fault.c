// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

const char *op_shmem_fault(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		int fd = make_file();
		char *at = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_SHARED,
				fd, 0);

		if (at == MAP_FAILED)
			return because("mmap");
		begin();
		write_pages(at, AREA, 1);
		end();
		done(PAGES);
		munmap(at, AREA);
		close(fd);
	}
	return NULL;
}
