// SPDX-License-Identifier: GPL-2.0-only
/* Memory of some size is shared with each child, which ends at once. */
#include <unistd.h>

#include "operations.h"

#define FORKS 8
#define PART  (AREA / 16)

const char *op_fork(void)
{
	char *at = map_private(PART);

	if (!at)
		return because("mmap");
	write_pages(at, PART, 1);
	for (unsigned i = 0; i < REPEAT; i++) {
		for (unsigned k = 0; k < FORKS; k++) {
			int pid;

			begin();
			pid = fork();
			if (!pid)
				_exit(0);
			end();
			if (!wait_for(pid))
				return because("fork");
		}
		done(FORKS);
	}
	return NULL;
}
