/* SPDX-License-Identifier: GPL-2.0-only */
/* Paragraphs that are put into the messages of a series afterwards. */
#ifndef NOCHARGE_TOLD_H
#define NOCHARGE_TOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/strbuf.h"

/*
 * Append @text, a message and what follows, with @paragraph in place of the
 * one that begins with the same @start, or else in front of the line that
 * begins with @before. False if there is no such line, or nothing changes.
 * Whatever stands behind the message stays as it is.
 */
bool told_put(const char *text, size_t len, const char *start,
	      const char *paragraph, const char *before, struct strbuf *out);

#endif
