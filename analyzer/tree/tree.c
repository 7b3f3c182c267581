// SPDX-License-Identifier: GPL-2.0-only
#include "tree.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xxhash.h>

#include "../base/rules.h"
#include "../base/strbuf.h"
#include "files.h"
#include "generate.h"
#include "kbuild.h"
#include "kconfig.h"
#include "tree_private.h"

/* The value of "NAME = value" in the top Makefile, "" if it has none. */
static const char *make_value(struct tree *tree, const char *text,
			      const char *name)
{
	size_t len = strlen(name);
	const char *at = text, *end;

	for (; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, name, len))
			continue;
		for (end = at + len; *end == ' ' || *end == '\t';)
			end++;
		if (*end != '=')
			continue;
		for (at = end + 1; *at == ' ' || *at == '\t';)
			at++;
		for (end = at; *end && !isspace((unsigned char)*end);)
			end++;
		return arena_strndup(tree->arena, at, (size_t)(end - at));
	}
	return "";
}

/* NULL, or why not. */
static const char *read_version(struct tree *tree)
{
	static const char *const name[] = { "VERSION", "PATCHLEVEL",
					    "SUBLEVEL" };
	const char *why = "no Makefile with a VERSION";
	struct strbuf text = STRBUF_INIT;
	enum read_result result;
	char *end;
	long part;
	size_t i;

	result = tree_files_read(tree->priv->files, "Makefile", &text);
	if (result != READ_OK && result != READ_MISSING)
		why = arena_printf(tree->arena, "Makefile: %s",
				   read_result_why(result));
	if (!text.len)
		goto out;
	for (i = 0; i < 3; i++) {
		const char *value = make_value(tree, text.buf, name[i]);

		part = strtol(value, &end, 10);
		if (*end || part < 0 || part > 9999 || (!i && part < 1))
			goto out;
		tree->version[i] = (int)part;
	}
	tree->release = arena_printf(tree->arena, "%d.%d.%d%s",
				     tree->version[0], tree->version[1],
				     tree->version[2],
				     make_value(tree, text.buf,
						"EXTRAVERSION"));
	why = NULL;
out:
	strbuf_release(&text);
	return why;
}

static bool is_dir(struct tree *tree, const char *path)
{
	struct stat st;

	return tree_files_check(tree->priv->files, path) == READ_OK &&
	       !stat(arena_printf(tree->arena, "%s/%s", tree->root, path),
		     &st) && S_ISDIR(st.st_mode);
}

struct tree *tree_open(const char *root, const char *arch,
		       const struct kernel_rules *kernel, struct err *err)
{
	struct arena *arena;
	struct tree *tree;
	const char *why;
	struct stat st;
	char *real;

	if (strcmp(arch, "x86") && strcmp(arch, "arm64")) {
		err_set(err, STATUS_USAGE,
			"architecture '%s' is not known; x86 and arm64 are",
			arch);
		return NULL;
	}
	real = realpath(root, NULL);
	if (!real || stat(real, &st) < 0 || !S_ISDIR(st.st_mode)) {
		why = real ? "not a directory" : strerror(errno);
		err_set(err, STATUS_USAGE, "'%s' is not a kernel tree: %s",
			root, why);
		free(real);
		return NULL;
	}
	arena = arena_new();
	tree = ARENA_NEW(arena, struct tree);
	tree->arena = arena;
	tree->strings = strtab_new(arena);
	tree->root = arena_strdup(arena, real);
	free(real);
	tree->arch = intern(tree->strings, arch);
	tree->kernel = kernel;
	tree->priv = ARENA_NEW(arena, struct tree_private);
	tree->priv->files = tree_files_new(tree->root, tree->strings);
	why = read_version(tree);
	if (why)
		err_set(err, STATUS_USAGE, "'%s' is not a kernel tree: %s",
			root, why);
	else if (!is_dir(tree, "mm"))
		err_set(err, STATUS_USAGE,
			"'%s' is not a kernel tree: no mm/", root);
	else if (!is_dir(tree, arena_printf(arena, "arch/%s", arch)))
		err_set(err, STATUS_USAGE,
			"'%s' is not a kernel tree for %s: no arch/%s/", root,
			arch, arch);
	else
		return tree;
	tree_free(tree);
	return NULL;
}

void tree_free(struct tree *tree)
{
	struct config *config;

	if (!tree)
		return;
	for (config = tree->priv->configs; config; config = config->priv->next)
		kbuild_free(config->priv->kbuild);
	makefiles_free(tree->priv->makefiles);
	kconfig_free(tree->priv->kconfig);
	tree_files_free(tree->priv->files);
	arena_free(tree->arena);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct memfile *)a)->path,
		      ((const struct memfile *)b)->path);
}

/* Why @path, relative, cannot be replaced; NULL if it can. */
static const char *why_not(struct tree *tree, const char *path)
{
	const char *end = path, *full;
	struct stat st;

	do {
		end = strchrnul(end + 1, '/');
		full = arena_printf(tree->arena, "%s/%.*s", tree->root,
				    (int)(end - path), path);
		if (lstat(full, &st) < 0)
			return NULL;
		if (S_ISLNK(st.st_mode))
			return "is a symbolic link, or in one";
	} while (*end);
	return S_ISREG(st.st_mode) ? NULL : "is not a regular file";
}

/* Does the disk say the same? */
static bool is_on_disk(const struct memfile *file)
{
	struct strbuf text = STRBUF_INIT;
	bool same = !strbuf_read_file(&text, file->path, NULL) &&
		text.len == file->len &&
		(!text.len || !memcmp(text.buf, file->text, text.len));

	strbuf_release(&text);
	return same;
}

int tree_replace(struct tree *tree, const struct memfile *file, size_t n,
		 struct err *err)
{
	size_t root = strlen(tree->root), nview = 0;
	struct memfile *view = ARENA_ARRAY(tree->arena, struct memfile, n);

	for (size_t i = 0; i < n; i++) {
		const char *path = file[i].path, *why = "leaves the tree";

		if (!strncmp(path, tree->root, root) && path[root] == '/')
			path += root + 1;
		path = path_resolve(tree->strings, "", path);
		if (path && *path)
			why = why_not(tree, path);
		if (why)
			return err_set(err, STATUS_USAGE,
				       "'%s' cannot be replaced: it %s",
				       file[i].path, why);
		view[i] = (struct memfile){
			.path = arena_printf(tree->arena, "%s/%s", tree->root,
					     path),
			.text = file[i].text, .len = file[i].len, .view = true,
		};
	}
	if (n)
		qsort(view, n, sizeof(*view), compare_paths);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(view[i].path, view[i - 1].path))
			return err_set(err, STATUS_USAGE,
				       "'%s' is replaced twice", view[i].path);
	/* a precompiled header refuses a file of its own that is replaced */
	for (size_t i = 0; i < n; i++)
		if (!is_on_disk(&view[i]))
			view[nview++] = view[i];
	tree->view = view;
	tree->nview = nview;
	tree_files_replace(tree->priv->files, view, nview);
	if (read_version(tree))
		return err_set(err, STATUS_USAGE, "the Makefile that replaces "
			       "that of '%s' has no VERSION", tree->root);
	return 0;
}

struct memfile *tree_memfiles(const struct tree *tree,
			      const struct memfile *file, size_t n,
			      size_t *nall)
{
	struct memfile *all = ARENA_ARRAY(tree->arena, struct memfile,
					  n + tree->nview);

	if (n)
		memcpy(all, file, n * sizeof(*all));
	*nall = n;
	for (size_t i = 0; i < tree->nview; i++) {
		size_t k = 0;

		while (k < n && strcmp(file[k].path, tree->view[i].path))
			k++;
		if (k == n)
			all[(*nall)++] = tree->view[i];
	}
	return all;
}

const char *config_get(const struct config *config, const char *name)
{
	size_t low = 0, high = config->noption, mid;
	int order;

	while (low < high) {
		mid = low + (high - low) / 2;
		order = strcmp(name, config->option[mid].name);
		if (!order)
			return config->option[mid].value;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

struct wishlist {
	struct kc_wish *wish;
	size_t n;
};

static void wish_add(struct wishlist *list, const char *name,
		     const char *value, bool forced)
{
	list->wish = xrealloc(list->wish,
			      (list->n + 1) * sizeof(*list->wish));
	list->wish[list->n++] = (struct kc_wish){ name, value, forced };
}

static void wish_all(struct wishlist *list, const struct wishes *wishes,
		     bool forced)
{
	size_t i;

	for (i = 0; i < wishes->n; i++)
		wish_add(list, wishes->wish[i].name, wishes->wish[i].value,
			 forced);
}

/* What is asked of Kconfig: a file or the kernel's rules, then the feature. */
static int wishes_for(struct config *config, const struct configure *how,
		      struct kconfig *kc, struct wishlist *list,
		      const char **note, struct err *err)
{
	const struct kernel_rules *kernel = config->tree->kernel;
	struct tree *tree = config->tree;
	struct kc_wish *read;
	size_t i, n;

	*note = NULL;
	if (how->config_file) {
		read = kconfig_read(kc, how->config_file, tree->arena, &n,
				    note, err);
		if (!read)
			return -1;
		for (i = 0; i < n; i++)
			wish_add(list, read[i].name, read[i].value,
				 read[i].forced);
	} else if (kernel) {
		wish_all(list, &kernel->config, false);
		wish_all(list, !strcmp(tree->arch, "x86") ?
			 &kernel->config_x86 : &kernel->config_arm64, false);
	}
	for (i = 0; i < how->nwant; i++)
		wish_add(list, how->want[i].name, how->want[i].value, false);
	if (!how->config_file && kernel)
		wish_all(list, &kernel->forced, true);
	return 0;
}

static void append(struct config *config, const char ***list, size_t *nlist,
		   const char *const *more, size_t n)
{
	const char **both;

	if (!n)
		return;
	both = ARENA_ARRAY(config->tree->arena, const char *, *nlist + n);
	if (*nlist)
		memcpy(both, *list, *nlist * sizeof(*both));
	memcpy(both + *nlist, more, n * sizeof(*both));
	*list = both;
	*nlist += n;
}

static void take_skipped(struct config *config, const char *const *skipped,
			 size_t n)
{
	append(config, &config->skipped, &config->nskipped, skipped, n);
}

static void take_note(struct config *config, const char *text)
{
	append(config, &config->note, &config->nnote, &text, 1);
}

static void take_absent(struct config *config, const char *const *absent,
			size_t n)
{
	for (size_t i = 0; i < n; i++)
		take_note(config, arena_printf(config->tree->arena,
			  "the tree names '%s' and does not have it",
			  absent[i]));
}

void config_skip(struct config *config, const char *text)
{
	take_skipped(config, &text, 1);
}

static int evaluate(struct config *config, const struct configure *how,
		    struct err *err)
{
	struct tree_private *priv = config->tree->priv;
	struct wishlist list = { 0 };
	const char *note;
	int ret;

	if (!priv->kconfig)
		priv->kconfig = kconfig_parse(config->tree);
	ret = wishes_for(config, how, priv->kconfig, &list, &note, err);
	if (!ret) {
		config->option = kconfig_evaluate(priv->kconfig, list.wish,
						  list.n, config->tree->arena,
						  &config->noption);
		take_skipped(config, priv->kconfig->skipped,
			     priv->kconfig->nskipped);
		take_absent(config, priv->kconfig->absent,
			    priv->kconfig->nabsent);
		if (note)
			take_note(config, note);
	}
	free(list.wish);
	return ret;
}

static int compare_files(const void *a, const void *b)
{
	const struct memfile *fa = a, *fb = b;
	bool ga = !strncmp(fa->path, TREE_GENERATED, strlen(TREE_GENERATED));
	bool gb = !strncmp(fb->path, TREE_GENERATED, strlen(TREE_GENERATED));

	return ga != gb ? gb - ga : strcmp(fa->path, fb->path);
}

static void hash_text(XXH3_state_t *state, const struct tree *tree,
		      const char *text)
{
	const char *at;

	/* the same wherever the tree lies */
	while ((at = strstr(text, tree->root))) {
		XXH3_64bits_update(state, text, (size_t)(at - text));
		XXH3_64bits_update(state, "<root>", 6);
		text = at + strlen(tree->root);
	}
	XXH3_64bits_update(state, text, strlen(text) + 1);
}

static uint64_t hash_config(const struct config *config)
{
	const struct tree *tree = config->tree;
	XXH3_state_t *state = XXH3_createState();
	uint64_t hash;
	size_t i;

	if (!state)
		BUG("no memory for a hash");
	XXH3_64bits_reset(state);
	hash_text(state, tree, tree->release);
	hash_text(state, tree, tree->arch);
	for (i = 0; i < config->nfile; i++) {
		hash_text(state, tree, config->file[i].path);
		XXH3_64bits_update(state, config->file[i].text,
				   config->file[i].len + 1);
	}
	for (i = 0; i < config->priv->ncommon; i++)
		hash_text(state, tree, config->priv->common[i]);
	hash = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return hash;
}

static void drop_overlaid(struct memfiles *files)
{
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++) {
		struct memfile file = files->file[i];

		if (file.overlaid && !file.compiled)
			continue;
		if (file.overlaid) {
			file.text = file.compiled;
			file.len = strlen(file.text);
		}
		files->file[n++] = file;
	}
	files->n = n;
}

struct config *tree_configure(struct tree *tree, const struct configure *how,
			      struct err *err)
{
	struct memfiles files = { .arena = tree->arena,
				  .strings = tree->strings };
	struct config *config = ARENA_NEW(tree->arena, struct config);

	config->tree = tree;
	config->label = how->label ? how->label : "";
	config->priv = ARENA_NEW(tree->arena, struct config_private);
	if (evaluate(config, how, err) < 0)
		return NULL;
	if (config_get(config, "X86_32")) {
		err_set(err, STATUS_USAGE, "'%s' is a configuration for 32 "
			"bits", how->config_file ? how->config_file : "?");
		return NULL;
	}
	config->priv->next = tree->priv->configs;
	tree->priv->configs = config;
	config->priv->kbuild = kbuild_walk(config);
	take_skipped(config, config->priv->kbuild->skipped,
		     config->priv->kbuild->nskipped);
	take_absent(config, config->priv->kbuild->absent,
		    config->priv->kbuild->nabsent);
	generate_headers(config, &files);
	if (!flags_common(config))
		config_skip(config, "Makefile: too large when expanded");
	if ((how->overlay_dir &&
	     overlay_apply(config, how, &files, err) < 0) ||
	    generate_constants(config, how, &files, err) < 0) {
		free(files.file);
		return NULL;
	}
	if (how->generated_only)
		drop_overlaid(&files);
	qsort(files.file, files.n, sizeof(*files.file), compare_files);
	config->file = ARENA_ARRAY(tree->arena, struct memfile, files.n);
	memcpy(config->file, files.file, files.n * sizeof(*files.file));
	config->nfile = files.n;
	free(files.file);
	config->hash = hash_config(config);
	return config;
}

const char *tree_read(struct tree *tree, const struct config *config,
		      const char *path, size_t *len)
{
	struct strbuf text = STRBUF_INIT;
	const char *full, *copy;
	size_t i;

	if (config) {
		full = arena_printf(tree->arena, "%s/%s", tree->root, path);
		for (i = 0; i < config->nfile; i++) {
			if (strcmp(config->file[i].path, full))
				continue;
			*len = config->file[i].len;
			return config->file[i].text;
		}
	}
	if (tree_files_read(tree->priv->files, path, &text) != READ_OK)
		return NULL;
	*len = text.len;
	copy = arena_strndup(tree->arena, text.buf ? text.buf : "", text.len);
	strbuf_release(&text);
	return copy;
}

int tree_look(struct tree *tree, const char *path, struct strbuf *out)
{
	return tree_files_read(tree->priv->files, path, out) == READ_OK ? 0
								: -1;
}
