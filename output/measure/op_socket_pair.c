// SPDX-License-Identifier: GPL-2.0-only
#include <sys/socket.h>
#include <unistd.h>

#include "operations.h"

const char *op_socket_pair(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		begin();
		for (unsigned k = 0; k < CALLS; k++) {
			int fd[2];

			if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
				return because("socketpair");
			close(fd[0]);
			close(fd[1]);
		}
		end();
		done(CALLS);
	}
	return NULL;
}
