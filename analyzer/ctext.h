/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * C as text: enough of its shape to see, without parsing, which names a file
 * declares, under which #if, and which names stand in each definition. It is
 * used to choose what libclang reads, never to find anything: a shape that is
 * not understood gives fewer names, not wrong findings.
 */
#ifndef NOCHARGE_CTEXT_H
#define NOCHARGE_CTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name in the text, not terminated. */
struct cword {
	const char *text;
	uint32_t len;
	uint32_t hash;
};

uint32_t cword_hash(const char *text, size_t len);

enum ctext_kind {
	CTEXT_MACRO,    /* #define NAME: the words behind it follow */
	CTEXT_FUNCTION, /* a definition: the words of its body follow */
	CTEXT_DECLARED, /* a prototype or a global */
	CTEXT_RECORD,   /* struct NAME { */
	CTEXT_FIELD,    /* of a record that did not begin in a region */
	CTEXT_CONSTANT, /* an enumerator */
};

struct ctext_sink {
	void *data;
	/* does this word of an #if make a region that is asked for? */
	bool (*is_option)(void *data, const struct cword *word);
	/*
	 * @name is declared; @region: under such an #if. CTEXT_MACRO and
	 * CTEXT_FUNCTION are followed by their words.
	 */
	void (*declared)(void *data, enum ctext_kind kind,
			 const struct cword *name, bool region);
	/*
	 * Any other word; @inside: in the definition told last. May be NULL.
	 */
	void (*word)(void *data, const struct cword *word, bool inside);
	/* #include "NAME"; may be NULL */
	void (*include)(void *data, const char *name, size_t len);
};

/* Walk @len bytes of @text. Never fails, never recurses. */
void ctext_scan(const char *text, size_t len, const struct ctext_sink *sink);

#endif
