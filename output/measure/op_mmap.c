// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

#define PART (16 * PAGE)

const char *op_mmap(void)
{
	int fd = make_file();

	for (unsigned i = 0; i < REPEAT; i++) {
		begin();
		for (unsigned k = 0; k < CALLS; k++) {
			void *at = mmap(NULL, PART, PROT_READ, MAP_SHARED, fd,
					0);

			if (at == MAP_FAILED)
				return because("mmap");
			munmap(at, PART);
		}
		end();
		done(CALLS);
	}
	close(fd);
	return NULL;
}
