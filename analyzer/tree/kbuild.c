// SPDX-License-Identifier: GPL-2.0-only
/* The walk that kbuild makes under one configuration. */
#include "kbuild.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "files.h"
#include "make.h"
#include "tree_private.h"

#define SKIP_LIMIT 100

struct walk {
	struct kbuild *kbuild;
	struct tree *tree;
	const struct config *config;
};

static void visit(struct walk *w, const char *path, const struct kdir *parent,
		  bool builtin, unsigned depth);

static void skip(struct kbuild *kbuild, const char *file, const char *why)
{
	struct arena *arena = kbuild->config->tree->arena;

	if (kbuild->nskipped == SKIP_LIMIT)
		return;
	if (!kbuild->skipped)
		kbuild->skipped = ARENA_ARRAY(arena, const char *, SKIP_LIMIT);
	if (kbuild->nskipped == SKIP_LIMIT - 1)
		why = "this and more that is not listed";
	kbuild->skipped[kbuild->nskipped++] =
		arena_printf(arena, "%s: %s", file, why);
}

static void absent(struct kbuild *kbuild, const char *file)
{
	struct arena *arena = kbuild->config->tree->arena;

	if (!kbuild->absent)
		kbuild->absent = ARENA_ARRAY(arena, const char *, SKIP_LIMIT);
	if (kbuild->nabsent < SKIP_LIMIT)
		kbuild->absent[kbuild->nabsent++] = file;
}

const char *kbuild_file(struct tree *tree, const char *dir)
{
	const char *slash = *dir ? "/" : "";
	const char *path = arena_printf(tree->arena, "%s%sKbuild", dir, slash);

	if (tree_files_have(tree->priv->files, path))
		return path;
	return arena_printf(tree->arena, "%s%sMakefile", dir, slash);
}

const char *kbuild_subdir(struct tree *tree, const char *dir,
			  const char *word, size_t len)
{
	static const char *const archive[] = { "/built-in.a", "/built-in.o",
					       "/lib.a" };
	const char *path;
	size_t i, alen;

	for (i = 0; i < sizeof(archive) / sizeof(archive[0]); i++) {
		alen = strlen(archive[i]);
		if (len > alen &&
		    !memcmp(word + len - alen, archive[i], alen)) {
			len -= alen - 1;
			break;
		}
	}
	if (!len || word[len - 1] != '/')
		return NULL;
	path = path_resolve(tree->strings, dir,
			    intern_n(tree->strings, word, len));
	/* links that loop give one directory names without end */
	return path ? tree_files_real_dir(tree->priv->files, path) : NULL;
}

const char *kbuild_source(struct tree *tree, const char *dir,
			  const char *word, size_t len)
{
	const char *path, *dot;
	char *name;

	if (len < 3 || memcmp(word + len - 2, ".o", 2))
		return NULL;
	name = arena_strndup(tree->arena, word, len);
	name[len - 1] = 'c';
	path = path_resolve(tree->strings, dir, name);
	if (path && tree_files_have(tree->priv->files, path))
		return path;
	/* file.stub.o and the like are made from file.o */
	dot = memrchr(word, '.', len - 2);
	if (!dot || memchr(dot, '/', (size_t)(word + len - dot)))
		return NULL;
	memcpy(name + (dot - word), ".c", sizeof(".c"));
	path = path_resolve(tree->strings, dir, name);
	return path && tree_files_have(tree->priv->files, path) ? path : NULL;
}

bool kbuild_parts(struct make *make, const char *word, size_t len, bool module,
		  struct strbuf *out)
{
	static const char *const suffix[] = { "-objs", "-y", "-m" };
	struct strbuf name = STRBUF_INIT;
	size_t i, n = module ? 3 : 2, one;
	const char *at;

	if (len < 3 || memcmp(word + len - 2, ".o", 2))
		return false;
	out->len = 0;
	strbuf_addstr(out, "");
	for (i = 0; i < n; i++) {
		name.len = 0;
		strbuf_add(&name, word, len - 2);
		strbuf_addstr(&name, suffix[i]);
		strbuf_addch(out, ' ');
		make_value(make, name.buf, out);
	}
	strbuf_release(&name);
	at = out->buf;
	return next_word(&at, &one);
}

/* One shell word of @text without its quotes; NULL at the end. */
static char *shell_word(const char **text, struct strbuf *word)
{
	const char *at = *text;
	char quote = '\0';

	while (isspace((unsigned char)*at))
		at++;
	if (!*at)
		return NULL;
	word->len = 0;
	strbuf_addstr(word, "");
	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (quote && *at == quote)
			quote = '\0';
		else if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else if (*at == '\\' && quote != '\'' && at[1])
			strbuf_addch(word, *++at);
		else
			strbuf_addch(word, *at);
	}
	*text = at;
	return word->buf;
}

/* A path in a flag, made absolute; NULL if it leaves the tree. */
static const char *flag_path(struct tree *tree, const char *path)
{
	size_t root = strlen(tree->root);

	if (!strncmp(path, tree->root, root) && path[root] == '/')
		path += root + 1;
	path = path_resolve(tree->strings, "", path);
	return path ? arena_printf(tree->arena, "%s/%s", tree->root, path)
		    : NULL;
}

/* What is not in the tree, kbuild would have generated. */
static const char *included_path(struct tree *tree, const char *path)
{
	const char *relative = path + strlen(tree->root) + 1;

	if (tree_files_have(tree->priv->files, relative))
		return path;
	return arena_printf(tree->arena, "%s/%s", TREE_GENERATED, relative);
}

const char **kbuild_flags(struct tree *tree, const char *text, size_t *n)
{
	static const char *const takes_path[] = { "-I", "-isystem", "-iquote",
						  "-include" };
	struct strbuf buf = STRBUF_INIT;
	const char **flag, *path;
	char *word;
	size_t i, len, size = 2;

	*n = 0;
	for (i = 0; text[i]; i++)
		size += 2 * (text[i] == '-');
	flag = ARENA_ARRAY(tree->arena, const char *, size);
	while ((word = shell_word(&text, &buf))) {
		if (!strncmp(word, "-D", 2) || !strncmp(word, "-U", 2)) {
			if (word[2])
				flag[(*n)++] = intern(tree->strings, word);
			continue;
		}
		for (i = 0; i < 4; i++) {
			len = strlen(takes_path[i]);
			if (strncmp(word, takes_path[i], len))
				continue;
			word = word[len] ? word + len :
			       shell_word(&text, &buf);
			path = word ? flag_path(tree, word) : NULL;
			if (!path)
				break;
			if (!i) {
				path = arena_printf(tree->arena, "-I%s", path);
			} else {
				flag[(*n)++] = takes_path[i];
			}
			flag[(*n)++] = i < 3 ? path :
				       included_path(tree, path);
			break;
		}
	}
	strbuf_release(&buf);
	return flag;
}

static const char **flags_of(struct make *make, const char *const *name,
			     size_t *n)
{
	struct strbuf text = STRBUF_INIT;
	const char **flag;

	strbuf_addstr(&text, "");
	for (; *name; name++) {
		make_value(make, *name, &text);
		strbuf_addch(&text, ' ');
	}
	flag = kbuild_flags(make->tree, text.buf, n);
	strbuf_release(&text);
	return flag;
}

static const char **join(struct tree *tree, const char **a, size_t na,
			 const char **b, size_t nb, size_t *n)
{
	const char **both;

	*n = na + nb;
	if (!na || !nb)
		return na ? a : b;
	both = ARENA_ARRAY(tree->arena, const char *, *n);
	memcpy(both, a, na * sizeof(*a));
	memcpy(both + na, b, nb * sizeof(*b));
	return both;
}

/* ccflags-y and its like, and CFLAGS_file.o. */
static void take_flags(struct walk *w, struct kdir *dir, struct make *make,
		       const struct kdir *parent)
{
	const char *own_names[] = { "EXTRA_CFLAGS", "ccflags-y", "ccflags-m",
				    NULL };
	const char *sub_names[] = { "subdir-ccflags-y", NULL };
	const char **own, **sub, *var_names[] = { NULL, NULL };
	struct tree *tree = w->tree;
	size_t nown, nsub, nflag;
	struct mk_var *var, *next;
	struct kfile *file;

	/* the module's own flags only hold there */
	if (dir->builtin)
		own_names[2] = NULL;
	own = flags_of(make, own_names, &nown);
	sub = flags_of(make, sub_names, &nsub);
	dir->sub = join(tree, parent ? parent->sub : NULL,
			parent ? parent->nsub : 0, sub, nsub, &dir->nsub);
	dir->flag = join(tree, dir->sub, dir->nsub, own, nown, &dir->nflag);
	HASH_ITER(hh, make->vars, var, next) {
		if (strncmp(var->name, "CFLAGS_", 7) ||
		    !strncmp(var->name, "CFLAGS_REMOVE_", 14))
			continue;
		var_names[0] = var->name;
		own = flags_of(make, var_names, &nflag);
		if (!nflag)
			continue;
		file = ARENA_NEW(tree->arena, struct kfile);
		file->object = intern(tree->strings, var->name + 7);
		file->flag = own;
		file->nflag = nflag;
		HASH_ADD_PTR(dir->file, object, file);
	}
}

static void add_source(struct walk *w, const struct kdir *dir,
		       const char *word, size_t len, bool module)
{
	const char *path = kbuild_source(w->tree, dir->path, word, len);
	struct built *built;

	if (!path)
		return;
	HASH_FIND_PTR(w->kbuild->built, &path, built);
	if (built) {
		/* what is built in is not built again as a module */
		if (built->module && !module)
			built->module = false;
		return;
	}
	built = ARENA_NEW(w->tree->arena, struct built);
	built->path = path;
	built->module = module;
	built->dir = dir;
	built->object = intern_n(w->tree->strings, word, len);
	HASH_ADD_PTR(w->kbuild->built, path, built);
}

static void add_object(struct walk *w, const struct kdir *dir,
		       struct make *make, const char *word, size_t len,
		       bool module)
{
	struct strbuf parts = STRBUF_INIT;
	const char *at;

	if (!kbuild_parts(make, word, len, module, &parts)) {
		add_source(w, dir, word, len, module);
	} else {
		at = parts.buf;
		while ((word = next_word(&at, &len)))
			add_source(w, dir, word, len, module);
	}
	strbuf_release(&parts);
}

/* The objects and directories of one list. */
static void take_list(struct walk *w, const struct kdir *dir,
		      struct make *make, const char *list, bool module,
		      unsigned depth)
{
	struct strbuf value = STRBUF_INIT;
	const char *at, *word, *sub;
	size_t len;

	strbuf_addstr(&value, "");
	make_value(make, list, &value);
	at = value.buf;
	while ((word = next_word(&at, &len))) {
		sub = kbuild_subdir(w->tree, dir->path, word, len);
		if (sub && *sub)
			visit(w, sub, dir, dir->builtin && !module, depth + 1);
		else if (!sub && (module || dir->builtin))
			add_object(w, dir, make, word, len, module);
	}
	strbuf_release(&value);
}

static void visit(struct walk *w, const char *path, const struct kdir *parent,
		  bool builtin, unsigned depth)
{
	static const char *const lists[] = { "obj-y", "lib-y", "lib-m",
					     "extra-y" };
	struct kbuild *kbuild = w->kbuild;
	const char *file = kbuild_file(w->tree, path);
	struct kdir *dir;
	struct make make;
	size_t i;

	HASH_FIND_PTR(kbuild->dirs, &path, dir);
	if (dir && (dir->builtin || !builtin))
		return;
	if (!dir) {
		if (depth > KBUILD_DEPTH || kbuild->ndir == KBUILD_DIRS) {
			skip(kbuild, path, "too many directories");
			return;
		}
		dir = ARENA_NEW(w->tree->arena, struct kdir);
		dir->path = path;
		kbuild->ndir++;
		HASH_ADD_PTR(kbuild->dirs, path, dir);
	}
	dir->builtin = builtin;
	make_init(&make, w->tree, w->config, path);
	if (!make_run(&make, file)) {
		enum read_result result = makefile_get(w->tree, file)->result;

		if (result == READ_MISSING)
			absent(kbuild, file);
		else
			skip(kbuild, file, read_result_why(result));
		make_release(&make);
		return;
	}
	if (make_rest(&make))
		skip(kbuild, file, "too large when expanded");
	take_flags(w, dir, &make, parent);
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		take_list(w, dir, &make, lists[i], false, depth);
	take_list(w, dir, &make, "obj-m", true, depth);
	if (make_rest(&make))
		skip(kbuild, file, "lists too large when expanded");
	make_release(&make);
}

static void start(void *data, const char *path, const char *option)
{
	struct walk *w = data;
	size_t len = strlen(path);
	const char *sub = kbuild_subdir(w->tree, "", path, len), *file;
	struct kdir *dir;

	(void)option;
	if (sub) {
		visit(w, sub, NULL, true, 0);
		return;
	}
	/* the objects of head-y, whose flags are their directory's */
	sub = path_dir(w->tree->strings, path);
	HASH_FIND_PTR(w->kbuild->dirs, &sub, dir);
	file = path_base(path);
	if (dir)
		add_source(w, dir, file, strlen(file), false);
}

struct kbuild *kbuild_walk(const struct config *config)
{
	struct kbuild *kbuild = xcalloc(1, sizeof(*kbuild));
	struct walk w = { kbuild, config->tree, config };

	kbuild->config = config;
	kbuild_top(config->tree, config, start, &w);
	return kbuild;
}

void kbuild_free(struct kbuild *kbuild)
{
	struct kdir *dir, *next;

	if (!kbuild)
		return;
	HASH_ITER(hh, kbuild->dirs, dir, next) {
		HASH_CLEAR(hh, dir->file);
		HASH_DEL(kbuild->dirs, dir);
	}
	HASH_CLEAR(hh, kbuild->built);
	free(kbuild);
}
