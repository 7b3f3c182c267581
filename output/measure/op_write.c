// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "operations.h"

const char *op_write(void)
{
	static char page[PAGE];

	for (unsigned i = 0; i < REPEAT; i++) {
		int fd = make_file();

		if (fd < 0)
			return because("a file");
		begin();
		for (unsigned k = 0; k < PAGES; k++)
			if (write(fd, page, PAGE) != (ssize_t)PAGE)
				return because("write");
		end();
		done(PAGES);
		close(fd);
	}
	return NULL;
}
