// SPDX-License-Identifier: GPL-2.0-only
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "tree.h"

/* No directory of a kernel holds nearly as many; a hostile one may. */
#define LIST_LIMIT 100000

struct dir {
	const char *path; /* interned */
	enum read_result where;
	bool plain; /* a directory, by a path without links */
	const char *real; /* interned; its path without links, if it has any */
	bool listed;
	const char **name;
	size_t n;
	UT_hash_handle hh;
};

struct replaced {
	const char *path; /* interned */
	const struct memfile *file;
	UT_hash_handle hh;
};

struct tree_files {
	const char *root;
	size_t root_len;
	struct strtab *strings;
	struct dir *dirs;
	struct replaced *replaced;
};

struct tree_files *tree_files_new(const char *root, struct strtab *strings)
{
	struct tree_files *files = xcalloc(1, sizeof(*files));

	files->root = root;
	files->root_len = strlen(root);
	files->strings = strings;
	return files;
}

void tree_files_free(struct tree_files *files)
{
	struct replaced *replaced, *after;
	struct dir *dir, *next;

	if (!files)
		return;
	HASH_ITER(hh, files->replaced, replaced, after) {
		HASH_DEL(files->replaced, replaced);
		free(replaced);
	}
	HASH_ITER(hh, files->dirs, dir, next) {
		HASH_DEL(files->dirs, dir);
		free(dir->name);
		free(dir);
	}
	free(files);
}

const char *path_resolve(struct strtab *strings, const char *dir,
			 const char *path)
{
	char out[PATH_MAX];
	size_t len = strlen(dir), end;

	if (*path == '/' || len >= sizeof(out))
		return NULL;
	memcpy(out, dir, len);
	while (*path) {
		end = strcspn(path, "/");
		if (end == 2 && !memcmp(path, "..", 2)) {
			if (!len)
				return NULL;
			while (len && out[len - 1] != '/')
				len--;
			if (len)
				len--;
		} else if (end && !(end == 1 && *path == '.')) {
			if (len + end + 2 > sizeof(out))
				return NULL;
			if (len)
				out[len++] = '/';
			memcpy(out + len, path, end);
			len += end;
		}
		path += end;
		path += *path == '/';
	}
	return intern_n(strings, out, len);
}

const char *path_dir(struct strtab *strings, const char *path)
{
	const char *slash = strrchr(path, '/');

	return intern_n(strings, path, slash ? (size_t)(slash - path) : 0);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *read_result_why(enum read_result result)
{
	switch (result) {
	case READ_MISSING:
		return "no such file";
	case READ_OUTSIDE:
		return "leaves the tree";
	case READ_REFUSED:
		return "not a readable regular file";
	case READ_OK:
		break;
	}
	return "read";
}

/* Of a path that could not be looked at. */
static enum read_result why_lost(void)
{
	return errno == ENOENT || errno == ENOTDIR ? READ_MISSING :
						     READ_REFUSED;
}

/* Where a path that exists really is. */
static enum read_result real_place(const struct tree_files *files,
				   const char *absolute)
{
	char *real = realpath(absolute, NULL);
	enum read_result where = READ_OUTSIDE;

	if (!real)
		return why_lost();
	if (!strncmp(real, files->root, files->root_len) &&
	    (real[files->root_len] == '/' || !real[files->root_len]))
		where = READ_OK;
	free(real);
	return where;
}

/* snprintf for paths: false if it does not fit */
static bool absolute(const struct tree_files *files, const char *path,
		     char out[PATH_MAX])
{
	int len = snprintf(out, PATH_MAX, "%s/%s", files->root, path);

	return len > 0 && len < PATH_MAX;
}

/*
 * Where a directory really is. Where the one above is known to be no link,
 * and under none, a look at the last part of the path is enough.
 */
static void find_dir(struct tree_files *files, struct dir *dir)
{
	const char *parent = path_dir(files->strings, dir->path);
	struct dir *up = NULL;
	char full[PATH_MAX], *real;
	struct stat st;

	dir->where = READ_REFUSED;
	if (!absolute(files, dir->path, full))
		return;
	if (*dir->path)
		HASH_FIND_PTR(files->dirs, &parent, up);
	if (up && up->plain) {
		dir->where = lstat(full, &st) ? why_lost() : READ_OK;
		dir->plain = dir->where == READ_OK && S_ISDIR(st.st_mode);
		if (dir->plain || dir->where != READ_OK)
			return;
	}
	dir->where = real_place(files, full);
	real = dir->where == READ_OK ? realpath(full, NULL) : NULL;
	dir->plain = real && (!*dir->path || !strcmp(real, full));
	if (real && !dir->plain)
		dir->real = intern(files->strings, real[files->root_len] ?
				   real + files->root_len + 1 : "");
	free(real);
}

static struct dir *get_dir(struct tree_files *files, const char *path)
{
	struct dir *dir;

	HASH_FIND_PTR(files->dirs, &path, dir);
	if (dir)
		return dir;
	dir = xcalloc(1, sizeof(*dir));
	dir->path = path;
	find_dir(files, dir);
	HASH_ADD_PTR(files->dirs, path, dir);
	return dir;
}

const char *tree_files_real_dir(struct tree_files *files, const char *path)
{
	const char *real = get_dir(files, path)->real;

	return real ? real : path;
}

void tree_files_replace(struct tree_files *files, const struct memfile *file,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct replaced *replaced = xcalloc(1, sizeof(*replaced));

		replaced->path = intern(files->strings,
					file[i].path + files->root_len + 1);
		replaced->file = &file[i];
		HASH_ADD_PTR(files->replaced, path, replaced);
	}
}

/* What was given for @path, or NULL. */
static const struct memfile *tree_files_replaced(struct tree_files *files,
						 const char *path)
{
	struct replaced *replaced = NULL;
	char full[PATH_MAX], *real;

	if (!files->replaced)
		return NULL;
	path = path_resolve(files->strings, "", path);
	if (path)
		HASH_FIND_PTR(files->replaced, &path, replaced);
	if (replaced || !path || !absolute(files, path, full))
		return replaced ? replaced->file : NULL;
	/* the same file by way of a symbolic link */
	real = realpath(full, NULL);
	if (real && !strncmp(real, files->root, files->root_len) &&
	    real[files->root_len] == '/' &&
	    (path = interned(files->strings, real + files->root_len + 1)))
		HASH_FIND_PTR(files->replaced, &path, replaced);
	free(real);
	return replaced ? replaced->file : NULL;
}

enum read_result tree_files_check(struct tree_files *files, const char *path)
{
	char full[PATH_MAX];
	struct stat st;
	struct dir *dir;

	path = path_resolve(files->strings, "", path);
	if (!path)
		return READ_OUTSIDE;
	if (tree_files_replaced(files, path))
		return READ_OK;
	dir = get_dir(files, path_dir(files->strings, path));
	if (dir->where != READ_OK)
		return dir->where;
	if (!absolute(files, path, full))
		return READ_REFUSED;
	if (lstat(full, &st) < 0)
		return why_lost();
	if (S_ISLNK(st.st_mode))
		return real_place(files, full);
	return READ_OK;
}

enum read_result tree_files_read(struct tree_files *files, const char *path,
				 struct strbuf *out)
{
	enum read_result result = tree_files_check(files, path);
	const struct memfile *file;
	char full[PATH_MAX];

	if (result != READ_OK)
		return result;
	file = tree_files_replaced(files, path);
	if (file) {
		strbuf_add(out, file->text, file->len);
		return READ_OK;
	}
	path = path_resolve(files->strings, "", path);
	if (!absolute(files, path, full) ||
	    strbuf_read_file(out, full, NULL) < 0)
		return READ_REFUSED;
	return READ_OK;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_name(struct dir *dir, size_t *size, const char *name)
{
	if (dir->n == *size) {
		*size = *size ? *size * 2 : 32;
		dir->name = xrealloc(dir->name, *size * sizeof(*dir->name));
	}
	dir->name[dir->n++] = name;
}

/* Names that only replaced files give the directory. */
static void list_replaced(struct tree_files *files, struct dir *dir,
			  size_t *size)
{
	size_t len = strlen(dir->path), ndisk = dir->n;
	struct replaced *replaced;

	for (replaced = files->replaced; replaced;
	     replaced = replaced->hh.next) {
		const char *name = replaced->path;
		bool known = false;

		if (len && (strncmp(name, dir->path, len) || name[len] != '/'))
			continue;
		name += len ? len + 1 : 0;
		name = intern_n(files->strings, name, strcspn(name, "/"));
		if (ndisk)
			known = bsearch(&name, dir->name, ndisk,
					sizeof(*dir->name), compare_names);
		for (size_t i = ndisk; i < dir->n && !known; i++)
			known = dir->name[i] == name;
		if (!known)
			add_name(dir, size, name);
	}
	if (dir->n > ndisk)
		qsort(dir->name, dir->n, sizeof(*dir->name), compare_names);
}

static void list_dir(struct tree_files *files, struct dir *dir)
{
	char full[PATH_MAX];
	size_t size = 0;
	struct dirent *ent;
	DIR *stream = NULL;

	dir->listed = true;
	if (dir->where == READ_OK && absolute(files, dir->path, full))
		stream = opendir(full);
	/* what is in a directory that cannot be read must not look absent */
	if (!stream && dir->where == READ_OK)
		dir->where = why_lost();
	while (stream && (ent = readdir(stream)) && dir->n < LIST_LIMIT)
		if (ent->d_name[0] != '.')
			add_name(dir, &size,
				 intern(files->strings, ent->d_name));
	if (stream)
		closedir(stream);
	if (dir->n)
		qsort(dir->name, dir->n, sizeof(*dir->name), compare_names);
	list_replaced(files, dir, &size);
}

const char *const *tree_files_list(struct tree_files *files, const char *path,
				   size_t *n)
{
	struct dir *dir;

	*n = 0;
	path = path_resolve(files->strings, "", path);
	if (!path)
		return NULL;
	dir = get_dir(files, path);
	if (!dir->listed)
		list_dir(files, dir);
	*n = dir->n;
	return dir->name;
}

bool tree_files_have(struct tree_files *files, const char *path)
{
	const char *const *name, *base = path_base(path);
	size_t n;

	name = tree_files_list(files, path_dir(files->strings, path), &n);
	return n && bsearch(&base, name, n, sizeof(*name), compare_names);
}
