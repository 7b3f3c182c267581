// SPDX-License-Identifier: GPL-2.0-only
/*
 * The disk itself is the file: it has a page cache, with dirty pages that are
 * written back for a group, and needs no file system.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

const char *step_file(size_t bytes, unsigned passes)
{
	static char page[PAGE];
	int fd = open(DISK, O_RDWR);
	char *at;

	if (fd < 0)
		return because(DISK);
	for (unsigned i = 0; i < passes; i++) {
		memset(page, (int)i + 1, sizeof(page));
		if (lseek(fd, 0, SEEK_SET))
			return because("lseek");
		for (size_t done = 0; done < bytes; done += PAGE)
			if (write(fd, page, PAGE) != (ssize_t)PAGE)
				return because("write");
	}
	/* half of it dirty by its mapping, the other half mapped and clean */
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return because("mmap");
	if (fsync(fd))
		return because("fsync");
	write_pages(at, bytes / 2, 0x55);
	read_pages(at + bytes / 2, bytes / 2);
	return NULL;
}
