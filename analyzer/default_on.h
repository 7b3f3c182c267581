/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tree has of the boot parameters by which a feature is switched off
 * and, if it has that already, on; and of an option that says what it is
 * without them. Read as text, whatever is configured.
 */
#ifndef NOCHARGE_DEFAULT_ON_H
#define NOCHARGE_DEFAULT_ON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/rules.h"

struct tree;
struct config;

struct default_on {
	const char *off, *on;  /* the parameters: "cgroup_disable" and its mirror */
	const char *name;      /* what they are given: "memory" */
	const char *option;    /* the symbol that is missing */
	const char *handler;   /* the function of @off */
	const char *file;      /* where that is, and the line that says so */
	uint32_t line;
	bool by_key;           /* it lowers a static key */
	bool by_field;         /* or sets a field; else it sets a bit */
	const char *symbol, *kconfig; /* the feature's option, and where it is */
	uint32_t kconfig_line;
	const char *document;  /* the file that describes @off */
	uint32_t document_line;
	bool has_on;           /* @on is there */
	const char *other;     /* an option that is there, or NULL: */
	const char *has;       /* what is there, for people, or NULL */
	const char *lacks;     /* why nothing can be written, or NULL */
};

/*
 * Look in @tree, with what @config has in memory. NULL if the rules do not
 * say what to look for. In @arena.
 */
struct default_on *default_on_find(struct tree *tree,
				   const struct config *config,
				   const struct rules *rules,
				   const struct kernel_rules *kernel,
				   struct arena *arena);

/* Behind the end of the line at @s, or the end of the text. */
static inline const char *next_line(const char *s)
{
	s += strcspn(s, "\n");
	return s + (*s == '\n');
}

/* The line of "config @symbol" in the text of a Kconfig file; 0: none. */
uint32_t default_on_entry(const char *text, const char *symbol);

#endif
