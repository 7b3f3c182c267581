// SPDX-License-Identifier: GPL-2.0-only
/* A process that has memory of some size, from its end to who waits for it. */
#include <unistd.h>

#include "operations.h"

#define EXITS 8
#define PART  (AREA / 16)

const char *op_exit(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		for (unsigned k = 0; k < EXITS; k++) {
			int pid = fork();

			if (!pid) {
				char *at = map_private(PART);

				if (!at)
					_exit(1);
				write_pages(at, PART, 1);
				begin();
				_exit(0);
			}
			if (!wait_for(pid))
				return because("fork");
			end();
		}
		done(EXITS);
	}
	return NULL;
}
