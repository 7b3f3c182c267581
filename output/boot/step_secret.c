// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

const char *step_secret(size_t bytes, unsigned passes)
{
	int fd;
	char *at;

	/* it cannot go to swap */
	if (bytes > LIMIT)
		return STEP_ENOUGH;
	fd = (int)syscall(SYS_memfd_secret, 0);
	if (fd < 0)
		return because("memfd_secret");
	if (ftruncate(fd, (off_t)bytes))
		return because("ftruncate");
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return because("mmap");
	for (unsigned i = 0; i < passes; i++)
		write_pages(at, bytes, i + 1);
	return NULL;
}
