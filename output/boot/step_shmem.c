// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

const char *step_shmem(size_t bytes, unsigned passes)
{
	static char page[PAGE];
	int fd = memfd_create("shmem", 0);
	size_t half = bytes / 2;
	char *at;

	if (fd < 0)
		return because("memfd_create");
	if (ftruncate(fd, (off_t)bytes))
		return because("ftruncate");
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return because("mmap");
	for (unsigned i = 0; i < passes; i++) {
		memset(page, (int)i + 1, sizeof(page));
		for (size_t done = 0; done < half; done += PAGE)
			if (pwrite(fd, page, PAGE, (off_t)done) !=
			    (ssize_t)PAGE)
				return because("pwrite");
		write_pages(at + half, half, i + 1);
	}
	return NULL;
}
