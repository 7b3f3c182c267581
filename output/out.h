/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where results go: standard output, or a file that appears under its name
 * only when it is whole.
 */
#ifndef NOCHARGE_OUT_H
#define NOCHARGE_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "../analyzer/base/err.h"

/*
 * A file while it is written is called "NAME.nocharge-XXXXXX", beside what it
 * becomes: one that was left by a kill says by its name whose it is.
 */
#define OUT_PARTIAL ".nocharge-"

struct out {
	FILE *stream;
	char *path, *temporary; /* NULL for standard output */
	bool colour;
};

/* @path NULL: standard output. Returns 0, or -1 with @err set. */
int out_open(struct out *out, const char *path, struct err *err);

/*
 * Flush, and give the file its name. Returns 0, or -1 with @err set: what
 * could not be written is never taken for written. @out is closed either way.
 */
int out_close(struct out *out, struct err *err);
/* Close, and leave no file. */
void out_discard(struct out *out);

/* Should this terminal get colours? */
bool out_wants_colour(FILE *stream);

enum tint { TINT_PLAIN, TINT_BOLD, TINT_DIM, TINT_RED, TINT_GREEN,
	    TINT_MAGENTA, TINT_CYAN };

/* @text with control characters replaced, in colour if there is any. */
void out_text(struct out *out, enum tint tint, const char *text);
void out_printf(struct out *out, enum tint tint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
