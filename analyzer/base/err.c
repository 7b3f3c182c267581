// SPDX-License-Identifier: GPL-2.0-only
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
	fputs("nocharge: out of memory\n", stderr);
	exit(STATUS_USAGE);
}

void *xmalloc(size_t size)
{
	void *mem = malloc(size ? size : 1);

	if (!mem)
		out_of_memory();
	return mem;
}

void *xcalloc(size_t n, size_t size)
{
	void *mem = calloc(n ? n : 1, size ? size : 1);

	if (!mem)
		out_of_memory();
	return mem;
}

void *xrealloc(void *mem, size_t size)
{
	mem = realloc(mem, size ? size : 1);
	if (!mem)
		out_of_memory();
	return mem;
}

char *xstrdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(xmalloc(size), text, size);
}

int err_set(struct err *err, enum status status, const char *fmt, ...)
{
	va_list ap;

	if (err->text)
		return -1;
	va_start(ap, fmt);
	if (vasprintf(&err->text, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	err->status = status;
	return -1;
}

void err_clear(struct err *err)
{
	free(err->text);
	memset(err, 0, sizeof(*err));
}

static void say(const char *kind, const char *fmt, va_list ap)
{
	fprintf(stderr, "nocharge: %s", kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
	exit(STATUS_USAGE);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "nocharge: BUG at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(STATUS_BUG);
}
