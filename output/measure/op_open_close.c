// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <unistd.h>

#include "operations.h"

const char *op_open_close(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		begin();
		for (unsigned k = 0; k < CALLS; k++) {
			int fd = open("/proc/self", O_PATH | O_CLOEXEC);

			if (fd < 0)
				return because("/proc/self");
			close(fd);
		}
		end();
		done(CALLS);
	}
	return NULL;
}
