// SPDX-License-Identifier: GPL-2.0-only
/* The functions of make that work on words, and what the policy answers. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "make.h"
#include "tree_private.h"

#define OUT_LIMIT (4u << 20)

static void put(struct make *make, struct strbuf *out, const char *text,
		size_t len)
{
	if (out->len + len > OUT_LIMIT) {
		make->cut = true;
		return;
	}
	make->work += len;
	strbuf_add(out, text, len);
}

/* Put a word of a list. */
static void put_word(struct make *make, struct strbuf *out, size_t start,
		     const char *word, size_t len)
{
	if (out->len > start)
		put(make, out, " ", 1);
	put(make, out, word, len);
}

/* Match a word against a pattern with at most one '%'. */
static bool match(const char *pattern, size_t plen, const char *word,
		  size_t len, const char **stem, size_t *stem_len)
{
	const char *percent = memchr(pattern, '%', plen);
	size_t before, after;

	*stem = word;
	*stem_len = 0;
	if (!percent)
		return plen == len && !memcmp(pattern, word, len);
	before = (size_t)(percent - pattern);
	after = plen - before - 1;
	if (len < before + after || memcmp(pattern, word, before) ||
	    memcmp(percent + 1, word + len - after, after))
		return false;
	*stem = word + before;
	*stem_len = len - before - after;
	return true;
}

static void patsubst(struct make *make, const char *from, const char *to,
		     const char *list, struct strbuf *out)
{
	const char *word, *stem, *percent = strchr(to, '%');
	size_t len, stem_len, start = out->len;

	while ((word = next_word(&list, &len)) && !make->cut) {
		if (!match(from, strlen(from), word, len, &stem, &stem_len)) {
			put_word(make, out, start, word, len);
			continue;
		}
		if (!percent) {
			put_word(make, out, start, to, strlen(to));
			continue;
		}
		put_word(make, out, start, to, (size_t)(percent - to));
		put(make, out, stem, stem_len);
		put(make, out, percent + 1, strlen(percent + 1));
	}
}

static void filter(struct make *make, const char *patterns, const char *list,
		   bool keep, struct strbuf *out)
{
	const char *word, *pattern, *at, *stem;
	size_t len, plen, stem_len, start = out->len;
	bool found;

	while ((word = next_word(&list, &len)) && !make->cut) {
		at = patterns;
		found = false;
		while (!found && (pattern = next_word(&at, &plen))) {
			found = match(pattern, plen, word, len, &stem,
				      &stem_len);
			make->work++;
		}
		if (found == keep)
			put_word(make, out, start, word, len);
	}
}

static void subst(struct make *make, const char *from, const char *to,
		  const char *text, struct strbuf *out)
{
	const char *hit;

	while (*from && (hit = strstr(text, from)) && !make->cut) {
		put(make, out, text, (size_t)(hit - text));
		put(make, out, to, strlen(to));
		text = hit + strlen(from);
	}
	put(make, out, text, strlen(text));
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(struct make *make, const char *list, struct strbuf *out)
{
	const char **sorted = NULL, *word;
	size_t n = 0, size = 0, len, i, start = out->len;

	while ((word = next_word(&list, &len))) {
		if (n == size) {
			size = size ? size * 2 : 64;
			sorted = xrealloc(sorted, size * sizeof(*sorted));
		}
		sorted[n++] = intern_n(make->tree->strings, word, len);
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare);
	for (i = 0; i < n; i++)
		if (!i || sorted[i] != sorted[i - 1])
			put_word(make, out, start, sorted[i],
				 strlen(sorted[i]));
	free(sorted);
}

enum each { EACH_DIR, EACH_NOTDIR, EACH_BASENAME, EACH_SUFFIX };

static void each_path(struct make *make, enum each what, const char *list,
		      struct strbuf *out)
{
	size_t len, start = out->len;
	const char *word, *slash, *dot;

	while ((word = next_word(&list, &len)) && !make->cut) {
		slash = memrchr(word, '/', len);
		dot = memrchr(word, '.', len);
		if (dot && slash && dot < slash)
			dot = NULL;
		if (what == EACH_DIR && slash)
			put_word(make, out, start, word,
				 (size_t)(slash + 1 - word));
		else if (what == EACH_DIR)
			put_word(make, out, start, "./", 2);
		else if (what == EACH_NOTDIR && slash)
			put_word(make, out, start, slash + 1,
				 (size_t)(word + len - slash - 1));
		else if (what == EACH_BASENAME && dot)
			put_word(make, out, start, word, (size_t)(dot - word));
		else if (what != EACH_SUFFIX)
			put_word(make, out, start, word, len);
		else if (dot)
			put_word(make, out, start, dot,
				 (size_t)(word + len - dot));
	}
}

static void affix(struct make *make, const char *before, const char *after,
		  const char *list, struct strbuf *out)
{
	size_t len, start = out->len;
	const char *word;

	while ((word = next_word(&list, &len)) && !make->cut) {
		put_word(make, out, start, before, strlen(before));
		put(make, out, word, len);
		put(make, out, after, strlen(after));
	}
}

static void pick(struct make *make, const char *list, size_t first,
		 size_t last, struct strbuf *out)
{
	size_t len, i = 0, start = out->len;
	const char *word;

	while ((word = next_word(&list, &len)) && ++i <= last)
		if (i >= first)
			put_word(make, out, start, word, len);
}

static size_t count(const char *list)
{
	size_t n = 0, len;

	while (next_word(&list, &len))
		n++;
	return n;
}

/* Files of the tree, with wildcards in the last part only. */
static void wildcard(struct make *make, const char *list, struct strbuf *out)
{
	struct tree *tree = make->tree;
	size_t len, root = strlen(tree->root), n, i, start = out->len;
	const char *word, *path, *dir, *const *name;

	while ((word = next_word(&list, &len)) && !make->cut) {
		path = intern_n(tree->strings, word, len);
		if (!strncmp(path, tree->root, root) && path[root] == '/')
			path += root + 1;
		path = path_resolve(tree->strings, "", path);
		if (!path)
			continue;
		dir = path_dir(tree->strings, path);
		name = tree_files_list(tree->priv->files, dir, &n);
		for (i = 0; i < n; i++) {
			if (fnmatch(path_base(path), name[i], FNM_PERIOD))
				continue;
			path = *dir ? arena_printf(tree->arena, "%s/%s", dir,
						   name[i]) : name[i];
			put_word(make, out, start, path, strlen(path));
		}
	}
}

/*
 * What kbuild's own helpers would find out by running the compiler. A digit
 * is the number of the argument to give.
 */
static const struct {
	const char *name, *answer;
} policy[] = {
	{ "cc-option", "1" },
	{ "cc-option-yn", "y" },
	{ "cc-disable-warning", "" },
	{ "cc-ifversion", "" },
	{ "cc-cross-prefix", "" },
	{ "cc-ldoption", "" },
	{ "gcc-min-version", "" },
	{ "clang-min-version", "y" },
	{ "rustc-min-version", "" },
	{ "as-option", "1" },
	{ "as-instr", "2" },
	{ "ld-option", "1" },
	{ "ld-ifversion", "" },
	{ "try-run", "2" },
	{ "hostcc-option", "" },
};

static bool answer_call(struct make *make, const char *const *arg, size_t narg,
			struct strbuf *out)
{
	const char *name, *answer;
	size_t i, len;

	name = arg[0];
	name = next_word(&name, &len);
	for (i = 0; name && i < sizeof(policy) / sizeof(policy[0]); i++) {
		if (strlen(policy[i].name) != len ||
		    memcmp(policy[i].name, name, len))
			continue;
		answer = policy[i].answer;
		if (*answer >= '0' && *answer <= '9')
			answer = (size_t)(*answer - '0') < narg ?
				 arg[*answer - '0'] : "";
		put(make, out, answer, strlen(answer));
		return true;
	}
	return false;
}

static bool two(struct make *make, const char *name, const char *const *arg,
		struct strbuf *out)
{
	long n;

	if (!strcmp(name, "filter")) {
		filter(make, arg[0], arg[1], true, out);
	} else if (!strcmp(name, "filter-out")) {
		filter(make, arg[0], arg[1], false, out);
	} else if (!strcmp(name, "findstring")) {
		if (strstr(arg[1], arg[0]))
			put(make, out, arg[0], strlen(arg[0]));
	} else if (!strcmp(name, "addprefix")) {
		affix(make, arg[0], "", arg[1], out);
	} else if (!strcmp(name, "addsuffix")) {
		affix(make, "", arg[0], arg[1], out);
	} else if (!strcmp(name, "word")) {
		n = strtol(arg[0], NULL, 10);
		if (n > 0)
			pick(make, arg[1], (size_t)n, (size_t)n, out);
	} else {
		return false;
	}
	return true;
}

static bool one(struct make *make, const char *name, const char *text,
		struct strbuf *out)
{
	size_t n;

	if (!strcmp(name, "strip")) {
		affix(make, "", "", text, out);
	} else if (!strcmp(name, "sort")) {
		sort(make, text, out);
	} else if (!strcmp(name, "words")) {
		strbuf_addf(out, "%zu", count(text));
	} else if (!strcmp(name, "firstword")) {
		pick(make, text, 1, 1, out);
	} else if (!strcmp(name, "lastword")) {
		n = count(text);
		pick(make, text, n, n, out);
	} else if (!strcmp(name, "dir")) {
		each_path(make, EACH_DIR, text, out);
	} else if (!strcmp(name, "notdir")) {
		each_path(make, EACH_NOTDIR, text, out);
	} else if (!strcmp(name, "basename")) {
		each_path(make, EACH_BASENAME, text, out);
	} else if (!strcmp(name, "suffix")) {
		each_path(make, EACH_SUFFIX, text, out);
	} else if (!strcmp(name, "wildcard")) {
		wildcard(make, text, out);
	} else if (!strcmp(name, "realpath") || !strcmp(name, "abspath")) {
		put(make, out, text, strlen(text));
	} else {
		return false;
	}
	return true;
}

bool make_function(struct make *make, const char *name, const char *const *arg,
		   size_t narg, struct strbuf *out)
{
	static const char *const nothing[] = {
		"shell", "error", "warning", "info", "origin",
		"flavor", "value", "file", "join", "wordlist"
	};
	size_t i;

	if (!strcmp(name, "call"))
		return answer_call(make, arg, narg, out);
	if (!strcmp(name, "eval")) {
		make_eval(make, arg[0]);
		return true;
	}
	for (i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (!strcmp(name, nothing[i]))
			return true;
	if (narg >= 3 && !strcmp(name, "patsubst")) {
		patsubst(make, arg[0], arg[1], arg[2], out);
		return true;
	}
	if (narg >= 3 && !strcmp(name, "subst")) {
		subst(make, arg[0], arg[1], arg[2], out);
		return true;
	}
	if (narg >= 2 && two(make, name, arg, out))
		return true;
	return one(make, name, arg[0], out);
}
