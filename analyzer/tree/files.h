/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading inside a tree, and never outside of it.
 *
 * Every path here is relative to the tree's root. What a directory holds and
 * where it really is, is looked up once and remembered.
 */
#ifndef NOCHARGE_TREE_FILES_H
#define NOCHARGE_TREE_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct memfile;
struct strbuf;
struct strtab;
struct tree_files;

enum read_result {
	READ_OK,
	READ_MISSING, /* no such file */
	READ_OUTSIDE, /* leaves the tree */
	READ_REFUSED, /* no regular file, not readable or too large */
};

/* @root is absolute and real; it must outlive the result. */
struct tree_files *tree_files_new(const char *root, struct strtab *strings);
void tree_files_free(struct tree_files *files);
/*
 * From now on a file is what @file says. Paths are under the root, without
 * "." and ".." or a symbolic link in them; @file must outlive the result.
 */
void tree_files_replace(struct tree_files *files, const struct memfile *file,
			size_t n);

/* Where @path really is. */
enum read_result tree_files_check(struct tree_files *files, const char *path);

/* Append the text of @path; @out is as it was unless READ_OK. */
enum read_result tree_files_read(struct tree_files *files, const char *path,
				 struct strbuf *out);

/*
 * A directory by the name that it has without symbolic links, interned; @dir
 * itself where there is no such directory in the tree.
 */
const char *tree_files_real_dir(struct tree_files *files, const char *dir);

/* "leaves the tree" and the like, for messages. */
const char *read_result_why(enum read_result result);

/*
 * The names in @dir, sorted, without those that begin with a dot; no names if
 * there is no such directory in the tree. Lives as long as @files.
 */
const char *const *tree_files_list(struct tree_files *files, const char *dir,
				   size_t *n);
/* True if the listing of its directory has @path. */
bool tree_files_have(struct tree_files *files, const char *path);

/*
 * @path seen from @dir with "." and ".." resolved as text, interned. NULL if
 * it is absolute or leads above the root.
 */
const char *path_resolve(struct strtab *strings, const char *dir,
			 const char *path);
/* The directory of @path, interned; "" for a file in the root. */
const char *path_dir(struct strtab *strings, const char *path);
const char *path_base(const char *path);

#endif
