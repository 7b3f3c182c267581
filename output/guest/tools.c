// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

#include "arch.h"
#include "tools.h"

bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = (ssize_t)strlen(text), n = -1;

	if (fd >= 0) {
		n = write(fd, text, (size_t)len);
		close(fd);
	}
	return n == len;
}

void mark(const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put("/dev/kmsg", text);
}

const char *because(const char *what)
{
	static char text[256];

	snprintf(text, sizeof(text), "%s: %s", what, strerror(errno));
	return text;
}

char *map_private(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

__attribute__((noinline))
void write_pages(char *at, size_t bytes, unsigned value)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		((volatile char *)at)[i] = (char)value;
}

__attribute__((noinline))
unsigned read_pages(const char *at, size_t bytes)
{
	unsigned sum = 0;

	for (size_t i = 0; i < bytes; i += PAGE)
		sum += (unsigned char)((const volatile char *)at)[i];
	return sum;
}

void power_off(void)
{
	fflush(stdout);
	sync();
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

int start_watch(const char *(*name)(unsigned number), unsigned seconds)
{
	struct pollfd poll_fd = { .events = POLLIN };
	signed char number = -1;
	int end[2];

	if (pipe2(end, O_CLOEXEC))
		return -1;
	if (fork()) {
		close(end[0]);
		return end[1];
	}
	close(end[1]);
	poll_fd.fd = end[0];
	while (poll(&poll_fd, 1, (int)seconds * 1000) == 1)
		if (read(end[0], &number, 1) != 1)
			_exit(0);
	printf("%s failed no end after %u s of the guest's time\n",
	       number < 0 ? "boot" : name((unsigned)number), seconds);
	fflush(stdout);
	put("/proc/sysrq-trigger", "w");
	reboot(RB_AUTOBOOT);
	_exit(1);
}

bool make_swap(void)
{
	static union {
		char page[PAGE];
		struct {
			char boot[1024];
			uint32_t version, last, bad;
		} head;
	} first;
	int fd = open(SWAP, O_RDWR | O_CLOEXEC);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	bool good;

	if (size < (off_t)(2 * PAGE))
		return false;
	memcpy(first.page + PAGE - 10, "SWAPSPACE2", 10);
	first.head.version = 1;
	first.head.last = (uint32_t)((size_t)size / PAGE - 1);
	good = pwrite(fd, first.page, PAGE, 0) == (ssize_t)PAGE;
	close(fd);
	return good && !swapon(SWAP, 0) && put("/proc/sys/vm/page-cluster",
					       "0");
}

void mount_all(void)
{
	static const char *const dirs[] = { "/dev", "/proc", "/sys" };
	int fd;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		mkdir(dirs[i], 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	fd = open(NUMBERS, O_WRONLY | O_NOCTTY);
	if (fd >= 0)
		dup2(fd, 1);
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}
