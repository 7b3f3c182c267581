/* SPDX-License-Identifier: GPL-2.0-only */
/* What a patch says of itself, and the letter before the series. */
#ifndef NOCHARGE_MESSAGE_H
#define NOCHARGE_MESSAGE_H

#include "plan.h"
#include "prose.h"

struct message {
	const struct rules *rules;
	const struct kernel_rules *kernel;
	struct tree *tree;
	const struct config *config; /* with the feature in */
	bool by_key;          /* the predicate is one, no load and test */
	struct history *history; /* of the tree */
	struct arena *arena;
};

/* What is returned here lives in @message's arena. */

/* Subjects are no longer where names allow it. */
#define MESSAGE_SUBJECT 72

/* "mm/memcontrol: ..."; one line without a newline. */
char *message_subject(const struct message *message,
		      const struct patch *patch);
/* Subject, an empty line and the body. */
void message_patch(const struct message *message, const struct patch *patch,
		   struct strbuf *out);
/* What the patch is for: each name once, *@n of them. */
const char **message_names(const struct message *message,
			   const struct patch *patch, size_t *n);
/* "NAME()" */
char *message_call(const struct message *message, const char *name);
/* All of the names; a variable's is no call. */
char *message_all(const struct message *message, const struct patch *patch);
/* Does @call make the test of a wrapper of @patch, which it did not before? */
bool message_pays(const struct patch *patch, const struct remedy_call *call);
/* Whose call is guarded, or NULL. */
const char *message_callee(const struct patch *patch);
/* "a() and b()", "mem_cgroup_{fork,exit}()", "3 functions": what is short. */
char *message_functions(const struct message *message,
			const struct patch *patch, size_t columns);

/* A finding's text as people write: 'f' is f(), other names are bare. */
char *message_plain(const struct message *message, const char *text,
		    const char *function);

/*
 * The cover letter: its subject without "[PATCH 0/N]", and the body, what it
 * is about, a table of the patches, how they are proven and what was left
 * alone.
 */
char *message_cover_subject(const struct message *message,
			    const struct plan *plan);
void message_cover(const struct message *message, const struct plan *plan,
		   struct strbuf *out);

#endif
