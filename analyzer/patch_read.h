/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A patch, a mail with one or a mailbox with several, taken apart. What could
 * reach out of a tree, or is no text, is refused by name.
 */
#ifndef NOCHARGE_PATCH_READ_H
#define NOCHARGE_PATCH_READ_H

#include <stddef.h>

#include "../output/git.h"
#include "base/strbuf.h"

struct patch_text {
	const char *name;  /* the file, with the number of several */
	const char *text;  /* the diff, decoded */
	const char **path; /* files that it reads, makes or removes */
	size_t npath, cap;
};

struct patch_list {
	struct patch_text *patch;
	size_t n, cap;
};

/*
 * The patches of @text, which @name calls. Mails without a diff, cover
 * letters, are left out; one of them must have a diff. Works in @git's
 * directory and lives in its arena. Returns 0, or -1 with @err set.
 */
int patch_read(struct patch_list *list, struct git *git, const char *name,
	       const struct strbuf *text, struct err *err);

#endif
