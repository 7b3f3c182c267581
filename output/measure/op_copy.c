// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "operations.h"

const char *op_copy(void)
{
	char *at = map_private(AREA);

	if (!at)
		return because("mmap");
	write_pages(at, AREA, 1);
	for (unsigned i = 0; i < REPEAT; i++) {
		int pid = fork();

		if (!pid) {
			begin();
			write_pages(at, AREA, 2);
			end();
			done(PAGES);
			_exit(0);
		}
		if (!wait_for(pid))
			return because("fork");
	}
	return NULL;
}
