/* SPDX-License-Identifier: GPL-2.0-only */
/* Text for people in lines that are not too long. */
#ifndef NOCHARGE_PROSE_H
#define NOCHARGE_PROSE_H

#include <stdbool.h>
#include <stddef.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/strbuf.h"

/* Lines of a message are no longer, as git and checkpatch ask. */
#define PROSE_COLUMNS 75

/*
 * Add @text broken between words, with @first before its first line and as
 * many blanks before the others, and a newline. A word that is longer than a
 * line has one of its own.
 */
void prose_item(struct strbuf *out, const char *first, const char *text);
/* The same as a paragraph: an empty line follows. */
void prose_paragraph(struct strbuf *out, const char *text);

/* "a", "a and b", "a, b and c"; "a, b and 3 more" beyond @most. */
char *prose_list(struct arena *arena, const char *const *word, size_t n,
		 size_t most);

/* Append @word as one word of a shell, in quotes only where that is needed. */
void prose_word(struct strbuf *out, const char *word);

#endif
