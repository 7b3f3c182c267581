/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whom a series is for, as the tree's own script says: a command for the user
 * to read and to run. Nothing is ever sent. It runs the tree's code, so only
 * when the user trusts it.
 */
#ifndef NOCHARGE_SEND_H
#define NOCHARGE_SEND_H

#include "../analyzer/base/strbuf.h"
#include "../analyzer/tree/tree.h"

/*
 * Append the text of send.cmd for the @n patches named @name in @dir, the
 * first of which is the cover letter. @home is a directory that stands for
 * the user's, so that it does not depend on who runs it. Returns NULL, or
 * why there is none; -1 in *@ret with @err set if it was interrupted.
 */
const char *send_command(const struct tree *tree, const char *dir,
			 const char *const *name, size_t n, const char *home,
			 struct strbuf *out, int *ret, struct arena *arena,
			 struct err *err);

#endif
