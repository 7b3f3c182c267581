/* SPDX-License-Identifier: GPL-2.0-only */
/* What a patch says of itself. */
#ifndef NOCHARGE_MESSAGE_H
#define NOCHARGE_MESSAGE_H

#include "plan.h"
#include "../analyzer/base/strbuf.h"

/* Lines of a message are no longer, as git and checkpatch ask. */
#define MESSAGE_COLUMNS 75

struct message {
	const struct rules *rules;
	const struct kernel_rules *kernel;
	const char *release;      /* the tree's */
	struct arena *arena;
};

/* "mm/memcontrol: ..."; one line without a newline. */
char *message_subject(const struct message *message,
		      const struct patch *patch);
/* Subject, an empty line and the body. */
void message_patch(const struct message *message, const struct patch *patch,
		   struct strbuf *out);
/*
 * The body of the cover letter: what it is about, a table of the patches,
 * and what was left alone.
 */
void message_cover(const struct message *message, const struct plan *plan,
		   struct strbuf *out);

#endif
