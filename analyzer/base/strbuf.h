/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing byte string. buf is always NUL-terminated once something was
 * added, and may hold NULs before len.
 */
#ifndef NOCHARGE_STRBUF_H
#define NOCHARGE_STRBUF_H

#include <stddef.h>

struct err;

struct strbuf {
	char *buf;
	size_t len, cap;
};
#define STRBUF_INIT { NULL, 0, 0 }

void strbuf_release(struct strbuf *sb);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addstr(struct strbuf *sb, const char *text);
void strbuf_addch(struct strbuf *sb, int c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The largest source, Makefile or Kconfig that is read, in bytes. */
#define READ_LIMIT (64u << 20)

/*
 * Append the whole of a regular file. A FIFO, device, directory or a file
 * larger than READ_LIMIT is an error, found before anything is read from it.
 * Returns 0, or -1 with @err set (which may be NULL) and @sb as it was.
 */
int strbuf_read_file(struct strbuf *sb, const char *path, struct err *err);

#endif
