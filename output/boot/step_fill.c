// SPDX-License-Identifier: GPL-2.0-only
/* Pages that appear by userfaultfd(2): anonymous and shared memory. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

static const char *fill(int fd, char *at, char *from, size_t bytes)
{
	struct uffdio_register area = {
		.range = { (unsigned long)at, bytes },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	if (ioctl(fd, UFFDIO_REGISTER, &area))
		return because("UFFDIO_REGISTER");
	for (size_t done = 0; done < bytes; done += PAGE) {
		struct uffdio_copy copy = {
			.dst = (unsigned long)at + done,
			.src = (unsigned long)from, .len = PAGE,
		};

		if (ioctl(fd, UFFDIO_COPY, &copy))
			return because("UFFDIO_COPY");
	}
	return NULL;
}

const char *step_fill(size_t bytes, unsigned passes)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	int mem = memfd_create("fill", 0);
	size_t half = bytes / 2;
	char *anon = map_private(half), *from = map_private(PAGE), *shared;
	const char *why;

	(void)passes;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		return because("userfaultfd");
	if (mem < 0 || ftruncate(mem, (off_t)half))
		return because("memfd_create");
	shared = mmap(NULL, half, PROT_READ | PROT_WRITE, MAP_SHARED, mem, 0);
	if (!anon || !from || shared == MAP_FAILED)
		return because("mmap");
	write_pages(from, PAGE, 1);
	why = fill(fd, anon, from, half);
	if (!why)
		why = fill(fd, shared, from, half);
	return why;
}
