// SPDX-License-Identifier: GPL-2.0-only
/* A probe on a function of ours: its page of code becomes one of our own. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#define TYPE "/sys/bus/event_source/devices/uprobe/type"

extern const char __executable_start[];

__attribute__((noinline, aligned(4096)))
static void probed(void)
{
	__asm__ volatile("nop" ::: "memory");
}

const char *step_probe(size_t bytes, unsigned passes)
{
	struct perf_event_attr attr;
	char text[32] = "";
	int fd;

	if (bytes > LIMIT)
		return STEP_ENOUGH;
	fd = open(TYPE, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return because(TYPE);
	close(fd);
	memset(&attr, 0, sizeof(attr));
	attr.type = (unsigned)atoi(text);
	attr.size = sizeof(attr);
	attr.config1 = (uintptr_t)"/init";
	/* as the linker lays it out, the text is one piece of the file */
	attr.config2 = (uintptr_t)probed - (uintptr_t)__executable_start;
	for (unsigned i = 0; i < passes; i++) {
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fd < 0)
			return because("perf_event_open");
		probed();
		/* the last one stays */
		if (i + 1 < passes)
			close(fd);
	}
	return NULL;
}
