/* SPDX-License-Identifier: GPL-2.0-only */
/* Logs that are kept in a directory of a series. */
#ifndef NOCHARGE_LOGS_H
#define NOCHARGE_LOGS_H

#include "../analyzer/base/strbuf.h"

/*
 * @text becomes DIR/FOLDER/NAME, in place of one that is there; without text
 * there is none after. A link is not followed. Returns 0, or -1 with errno.
 */
int logs_write(const char *dir, const char *folder, const char *name,
	       const struct strbuf *text);

#endif
