// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "operations.h"

const char *op_pipe(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		begin();
		for (unsigned k = 0; k < CALLS; k++) {
			int fd[2];

			if (pipe(fd))
				return because("pipe");
			close(fd[0]);
			close(fd[1]);
		}
		end();
		done(CALLS);
	}
	return NULL;
}
