/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errors and the exit status.
 *
 * The library reports through a struct err, whose text is complete enough to
 * print as it is; only the command line calls die() and usage(). BUG() is for
 * our own defects.
 */
#ifndef NOCHARGE_ERR_H
#define NOCHARGE_ERR_H

#include <stddef.h>

enum status {
	STATUS_CLEAN = 0,
	STATUS_FINDINGS = 1,
	STATUS_USAGE = 2,      /* or something needed is missing */
	STATUS_INCOMPLETE = 3, /* something was not analysed */
	STATUS_PROOF = 4,      /* a proof failed */
	STATUS_BUG = 125,
};

struct err {
	char *text;  /* malloc'd, without "nocharge: " and newline; NULL: none */
	enum status status;
};

/*
 * Keep the first error: a later one never replaces it. Returns -1, so that
 * "return err_set(...)" reads well.
 */
int err_set(struct err *err, enum status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void err_clear(struct err *err);

void die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void bug(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));
#define BUG(...) bug(__FILE__, __LINE__, __VA_ARGS__)

/* Never NULL: running out of memory ends the process with status 2. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *mem, size_t size);
char *xstrdup(const char *text);

#endif
