// SPDX-License-Identifier: GPL-2.0-only
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

const char *step_copy(size_t bytes, unsigned passes)
{
	/* shared by two, so half of it each */
	size_t half = bytes / 2;
	char *at = map_private(half);

	if (!at)
		return because("mmap");
	write_pages(at, half, 1);
	for (unsigned i = 0; i < passes; i++) {
		pid_t pid = fork();
		int status;

		if (pid < 0)
			return because("fork");
		if (!pid) {
			write_pages(at, half, i + 2);
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			return "the child that copies did not end well";
		write_pages(at, half, i + 3);
	}
	return NULL;
}
