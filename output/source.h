/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pieces of C as a person would copy them: the text between two lines, a
 * body, the names of parameters. Used to say in a patch what the source
 * already says; what cannot be made out gives NULL, and no patch. Text that is
 * returned lives in @arena.
 */
#ifndef NOCHARGE_SOURCE_H
#define NOCHARGE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analyzer/base/arena.h"

struct tree;
struct config;

/*
 * Lines @from to @to, the first being 1, without the last newline; to the end
 * where there are fewer. NULL if there is no line @from.
 */
char *source_lines(const char *text, uint32_t from, uint32_t to,
		   struct arena *arena);

/* What stands in the outermost braces of a function's text. */
char *source_body(const char *function, struct arena *arena);

/*
 * Names of the parameters of @name in a prototype or definition that starts
 * @text. *@n is set; NULL if one has no name, or @name is not there, or it
 * takes a variable number. "(void)" has none and gives an empty list.
 */
const char **source_parameters(const char *text, const char *name, size_t *n,
			       struct arena *arena);

/*
 * A body as the arm of an if: the statements before a last "return" in
 * *@work (NULL: none) and "return" or "return EXPRESSION" in *@leave, each
 * without its last semicolon. False if it has another shape.
 */
bool source_arm(const char *body, char **work, char **leave,
		struct arena *arena);

/*
 * The statement that begins line @line, without its last semicolon: up to
 * that of its arm if it is an "if" without an else. Lines after the first
 * are indented by one tab more. NULL for another shape.
 */
char *source_statement(const char *text, uint32_t line, struct arena *arena);

/* The first "return EXPRESSION" in line @line, without the semicolon. */
char *source_return(const char *text, uint32_t line, struct arena *arena);

/* What is assigned to @name in line @line, up to the semicolon. */
char *source_assigned(const char *text, uint32_t line, const char *name,
		      struct arena *arena);

/* @text with the identifiers @from replaced by those in @to, @n of them. */
char *source_rename(const char *text, const char *const *from,
		    const char *const *to, size_t n, struct arena *arena);

/* Names that are called in @text, each once; *@n of them. */
const char **source_calls(const char *text, size_t *n, struct arena *arena);

/* Does the identifier @word stand in @text? */
bool source_names(const char *text, const char *word);

/*
 * Where the first definition of @name begins in @text: its line, or the one
 * above that has its type. NULL if there is none.
 */
const char *source_definition(const char *text, const char *name);

/*
 * The macro that @name is handed to outside of all functions, at the start of
 * a line, as in MACRO(name); or NULL.
 */
char *source_declarer(const char *text, const char *name,
		      struct arena *arena);

/*
 * @text with the name of every definition of @name but the @nth replaced by
 * @mask; a negative @nth is none of them.
 */
char *source_mask(const char *text, const char *name, int nth,
		  const char *mask, struct arena *arena);

/*
 * What the last #include <...> of @text names, below @folder ("linux/", or ""
 * for any), that stands under no #if; or NULL. An include guard is no such
 * #if.
 */
char *source_last_include(const char *text, const char *folder,
			  struct arena *arena);

/*
 * May @path include @header (below include/) without a circle?
 */
bool source_may_include(struct tree *tree, const struct config *config,
			const char *path, const char *header);

/*
 * Is line @line of header @path behind line @seen of @where, which is the
 * same file or one that it includes above, itself or through others?
 */
bool source_sees(struct tree *tree, const struct config *config,
		 const char *path, uint32_t line, const char *where,
		 uint32_t seen);

#endif
