// SPDX-License-Identifier: GPL-2.0-only
/* Where kbuild begins: the top Makefile, Kbuild and the architecture's. */
#include <string.h>

#include "../base/arena.h"
#include "../base/strbuf.h"
#include "files.h"
#include "kbuild.h"
#include "make.h"
#include "tree_private.h"

struct top {
	struct tree *tree;
	const struct config *config;
	void (*each)(void *data, const char *path, const char *option);
	void *data;
};

static const char *const prefix[] = {
	"init", "core", "drivers", "net", "libs", "virt", "obj"
};

/* The CONFIG_ name in @text, without CONFIG_, or NULL. */
static const char *option_in(struct tree *tree, const char *text)
{
	const char *at = strstr(text, "CONFIG_");

	if (!at)
		return NULL;
	at += 7;
	return intern_n(tree->strings, at,
			strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			       "abcdefghijklmnopqrstuvwxyz0123456789_"));
}

static void each_word(struct top *top, struct make *make, const char *text,
		      const char *option, bool objects)
{
	struct strbuf value = STRBUF_INIT;
	const char *at, *word, *path;
	size_t len;

	strbuf_addstr(&value, "");
	make_expand(make, text, strlen(text), &value);
	at = value.buf;
	while ((word = next_word(&at, &len))) {
		path = intern_n(top->tree->strings, word, len);
		if (kbuild_subdir(top->tree, "", word, len) ||
		    (objects && len > 2 && !memcmp(word + len - 2, ".o", 2)))
			top->each(top->data, path, option);
	}
	strbuf_release(&value);
}

/*
 * Lines of the top Makefile and Kbuild that add to a list, whatever they
 * stand in: its conditions are about how make was called. What works on a
 * list that is there already is passed over.
 */
static void top_lines(struct top *top, const char *path, struct make *make)
{
	const struct makefile *file = makefile_get(top->tree, path);
	const struct mk_line *line;
	const char *option;
	size_t i, j, len;

	if (file->result != READ_OK)
		return;
	for (i = 0; i < file->n; i++) {
		line = &file->line[i];
		if (line->kind != MK_ASSIGN || strstr(line->text, "-y)"))
			continue;
		len = strcspn(line->word, "-");
		for (j = 0; j < sizeof(prefix) / sizeof(prefix[0]); j++)
			if (strlen(prefix[j]) == len &&
			    !memcmp(prefix[j], line->word, len))
				break;
		if (j == sizeof(prefix) / sizeof(prefix[0]))
			continue;
		option = option_in(top->tree, line->word + len);
		if (!option && strcmp(line->word + len, "-y") &&
		    strcmp(line->word + len, "-m"))
			continue;
		if (option && top->config && !config_get(top->config, option))
			continue;
		each_word(top, make, line->text, option, false);
	}
}

/* The options that gate words of the architecture's lists. */
struct arch_lists {
	struct top *top;
};

static void arch_line(void *data, struct make *make,
		      const struct mk_line *line)
{
	struct arch_lists *lists = data;
	const char *option = option_in(lists->top->tree, line->word);
	size_t j, len = strcspn(line->word, "-");

	for (j = 0; j < sizeof(prefix) / sizeof(prefix[0]); j++)
		if (strlen(prefix[j]) == len &&
		    !memcmp(prefix[j], line->word, len))
			break;
	if (j == sizeof(prefix) / sizeof(prefix[0]) &&
	    strncmp(line->word, "head-", 5))
		return;
	if (option && make->config && !config_get(make->config, option))
		return;
	make->literal = true;
	each_word(lists->top, make, line->text, option, true);
	make->literal = false;
}

void kbuild_top(struct tree *tree, const struct config *config,
		void (*each)(void *data, const char *path, const char *option),
		void *data)
{
	struct top top = { tree, config, each, data };
	struct arch_lists lists = { &top };
	struct make make;

	make_init(&make, tree, config, "");
	top_lines(&top, "Makefile", &make);
	top_lines(&top, "Kbuild", &make);
	make_release(&make);
	make_init(&make, tree, config, "");
	make.assigned = arch_line;
	make.data = &lists;
	make_run(&make, arena_printf(tree->arena, "arch/%s/Makefile",
				     tree->arch));
	make_release(&make);
}
