/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of a feature, and which files have one; units.h says what they
 * are. The order of use:
 *	words_new()
 *	words_header()  every header
 *	words_seal()
 *	words_unit()    every .c file, under its number
 *	words_choose()  which of them have a word or a hot root
 *	words_list()    the words
 */
#ifndef NOCHARGE_WORDS_H
#define NOCHARGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rules.h"
#include "base/strbuf.h"
#include "parse/bytes.h"

struct words;

struct words *words_new(const struct rules *rules,
			const struct kernel_rules *kernel,
			const struct names *option, size_t nunit);
void words_free(struct words *words);

void words_header(struct words *words, const char *text, size_t len);
void words_seal(struct words *words);
/* @unit is below words_new()'s @nunit. */
void words_unit(struct words *words, uint32_t unit, const char *text,
		size_t len);

/*
 * What headers said, as bytes; words_recall() stands for words_header() and
 * words_seal(). False if the bytes are bad: @words is then only to be freed.
 */
void words_save(struct words *words, struct strbuf *out);
bool words_recall(struct words *words, struct reader *in);
/* The same for a .c file; saved before words_choose(), after words_save(). */
void words_save_unit(const struct words *words, uint32_t unit,
		     struct strbuf *out);
bool words_recall_unit(struct words *words, uint32_t unit, struct reader *in);

/*
 * By unit; lives in @words. A word, and what carries it, that is in more than
 * @most units does not count.
 */
const bool *words_choose(struct words *words, uint32_t most);

/* Sorted, interned in @strings, *@n of them. */
const char **words_list(const struct words *words, struct arena *arena,
			struct strtab *strings, size_t *n);

#endif
