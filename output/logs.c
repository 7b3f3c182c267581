// SPDX-License-Identifier: GPL-2.0-only
#include "logs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

int logs_write(const char *dir, const char *folder, const char *name,
	       const struct strbuf *text)
{
	int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), logs, fd;
	bool bad = true;
	int number;

	/* a link that somebody put there is not followed */
	if (top >= 0 && text->len)
		mkdirat(top, folder, 0777);
	logs = openat(top, folder, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (logs >= 0)
		unlinkat(logs, name, 0);
	if (logs >= 0 && text->len) {
		fd = openat(logs, name, O_WRONLY | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, 0666);
		bad = fd < 0 || write(fd, text->buf, text->len) !=
			(ssize_t)text->len;
		if (fd >= 0)
			close(fd);
	}
	number = errno;
	if (logs >= 0)
		close(logs);
	if (top >= 0)
		close(top);
	errno = number;
	return text->len && bad ? -1 : 0;
}
