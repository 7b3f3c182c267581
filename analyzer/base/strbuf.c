// SPDX-License-Identifier: GPL-2.0-only
#include "strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

static void strbuf_grow(struct strbuf *sb, size_t extra)
{
	if (sb->len + extra + 1 <= sb->cap)
		return;
	sb->cap = (sb->len + extra + 1) * 3 / 2 + 16;
	sb->buf = xrealloc(sb->buf, sb->cap);
}

void strbuf_release(struct strbuf *sb)
{
	free(sb->buf);
	memset(sb, 0, sizeof(*sb));
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	strbuf_grow(sb, len);
	memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addch(struct strbuf *sb, int c)
{
	char ch = (char)c;

	strbuf_add(sb, &ch, 1);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		BUG("bad format '%s'", fmt);
	strbuf_grow(sb, (size_t)len);
	vsnprintf(sb->buf + sb->len, (size_t)len + 1, fmt, again);
	va_end(again);
	sb->len += (size_t)len;
}

int strbuf_read_file(struct strbuf *sb, const char *path, struct err *err)
{
	struct err ignored = { 0 };
	size_t len = sb->len, size;
	struct stat st;
	ssize_t got;
	int fd;

	if (!err)
		err = &ignored;
	/* O_NONBLOCK: opening a FIFO must not wait for a writer */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		err_set(err, STATUS_USAGE, "cannot open '%s': %s", path,
			strerror(errno));
		goto fail;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		err_set(err, STATUS_USAGE, "'%s' is not a regular file", path);
		goto fail;
	}
	if (st.st_size > READ_LIMIT) {
		err_set(err, STATUS_USAGE, "'%s' is larger than %u MiB", path,
			READ_LIMIT >> 20);
		goto fail;
	}
	size = (size_t)st.st_size;
	strbuf_grow(sb, size);
	while (sb->len - len < size) {
		got = read(fd, sb->buf + sb->len, size - (sb->len - len));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			err_set(err, STATUS_USAGE, "cannot read '%s': %s", path,
				strerror(errno));
			goto fail;
		}
		if (!got)
			break;
		sb->len += (size_t)got;
	}
	sb->buf[sb->len] = '\0';
	close(fd);
	return 0;
fail:
	if (fd >= 0)
		close(fd);
	sb->len = len;
	if (sb->buf)
		sb->buf[len] = '\0';
	if (err == &ignored)
		err_clear(err);
	return -1;
}
