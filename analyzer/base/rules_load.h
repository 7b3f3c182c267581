/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of rules files share; for those alone. */
#ifndef NOCHARGE_RULES_LOAD_H
#define NOCHARGE_RULES_LOAD_H

#include "json.h"
#include "rules.h"

/* What a string of a rules file may be made of. */
enum word {
	WORD_NAME,     /* a C identifier */
	WORD_DOTTED,   /* record.field, or a C identifier */
	WORD_PATTERN,  /* of fnmatch(3) over C identifiers */
	WORD_OPTION,   /* a Kconfig symbol */
	WORD_LABEL,    /* "anon-fault" */
	WORD_PATH,     /* a directory of the tree */
};

struct loader {
	const struct json *json;
	struct arena *arena;
	struct strtab *strings;
	struct strtab *kernel; /* the kernel identifiers seen */
	size_t nkernel;
	struct err *err;
};

/* Is @text made of what that may be made of? */
bool rules_word(const char *text, enum word word);
/* @item as an interned word; NULL with the error set. */
const char *load_word(struct loader *load, const cJSON *item,
		      const char *where, enum word word);
/* The words of the array @key, which may be missing: 0, or -1 with the error. */
int load_names(struct loader *load, const cJSON *object, const char *key,
	       enum word word, struct names *names);
/* NULL if there is none. */
const char *load_text(struct loader *load, const cJSON *object,
		      const char *key);
int check_schema(struct loader *load, const char *schema);

#endif
