// SPDX-License-Identifier: GPL-2.0-only
#include "series_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/base/strbuf.h"
#include "out.h"

/* Where it is or will be, without symbolic links; NULL with errno set. */
static const char *resolve(const char *dir, struct arena *arena)
{
	char *real = realpath(dir, NULL), *copy = arena_strdup(arena, dir);
	const char *at;
	size_t len = strlen(copy);

	if (!real && errno == ENOENT) {
		while (len > 1 && copy[len - 1] == '/')
			copy[--len] = '\0';
		at = strrchr(copy, '/');
		if (at)
			real = realpath(at == copy ? "/" :
				arena_strndup(arena, copy,
					      (size_t)(at - copy)), NULL);
		else
			real = realpath(".", NULL);
	}
	if (!real)
		return NULL;
	at = arena_strdup(arena, real);
	free(real);
	return at;
}

int series_dir_place(const char *dir, const char *tree, struct arena *arena,
		     struct err *err)
{
	const char *real = resolve(dir, arena);
	size_t len = strlen(tree);
	struct stat st;

	if (!real)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	if (!strncmp(real, tree, len) && (!real[len] || real[len] == '/'))
		return err_set(err, STATUS_USAGE, "'%s' is in the tree, which "
			       "is only read", dir);
	if (mkdir(dir, 0777) && errno != EEXIST)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, STATUS_USAGE, "'%s' is in the way: it is "
			       "no directory", dir);
	if (access(dir, W_OK | X_OK))
		return err_set(err, STATUS_USAGE, "cannot write into '%s': "
			       "%s", dir, strerror(errno));
	return 0;
}

int series_dir_write(const char *path, const char *text, size_t len,
		     struct err *err)
{
	struct out out;

	if (out_open(&out, path, err))
		return -1;
	fwrite(text, 1, len, out.stream);
	return out_close(&out, err);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "NNNN-...patch" and what else belongs to a series. */
static bool is_name(const char *name)
{
	size_t len = strlen(name), digits = strspn(name, "0123456789");

	if (!strcmp(name, "series.json") || !strcmp(name, "proof.json") ||
	    !strcmp(name, "send.cmd"))
		return true;
	return digits >= 4 && name[digits] == '-' && len > digits + 6 &&
	       !strcmp(name + len - 6, ".patch");
}

/*
 * What a run that was killed left of one. Its name says that it is ours: it
 * may be empty.
 */
static bool is_partial(const char *name, struct arena *arena)
{
	const char *end = NULL;

	for (const char *at = name; (at = strstr(at, OUT_PARTIAL)); at++)
		end = at;
	return end && strlen(end) == strlen(OUT_PARTIAL "XXXXXX") &&
	       is_name(arena_strndup(arena, name, (size_t)(end - name)));
}

/* All that is written says by whom. */
static bool is_ours(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	bool ours;

	ours = !strbuf_read_file(&text, path, NULL) && text.len &&
	       strstr(text.buf, "nocharge");
	strbuf_release(&text);
	return ours;
}

const char **series_dir_list(const char *dir, bool ours, size_t *n,
			     struct arena *arena, struct err *err)
{
	DIR *open = opendir(dir);
	const char **name = ARENA_ARRAY(arena, const char *, 1);
	struct dirent *entry;
	size_t cap = 1;

	*n = 0;
	if (!open) {
		err_set(err, STATUS_USAGE, "cannot read '%s': %s", dir,
			strerror(errno));
		return NULL;
	}
	while ((entry = readdir(open))) {
		const char *one = arena_strdup(arena, entry->d_name);

		bool partial = is_partial(one, arena);

		if (partial ? !ours : !is_name(one))
			continue;
		if (ours && !partial &&
		    !is_ours(arena_printf(arena, "%s/%s", dir, one)))
			continue;
		if (*n == cap) {
			const char **more;

			cap = 2 * cap;
			more = ARENA_ARRAY(arena, const char *, cap);
			memcpy(more, name, *n * sizeof(*more));
			name = more;
		}
		name[(*n)++] = one;
	}
	closedir(open);
	qsort(name, *n, sizeof(*name), compare_names);
	return name;
}

static int copy(const char *from, const char *to, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = strbuf_read_file(&text, from, err);

	if (!ret)
		ret = series_dir_write(to, text.buf, text.len, err);
	strbuf_release(&text);
	return ret;
}

int series_dir_replace(const char *from, const char *to, struct arena *arena,
		       struct err *err)
{
	const char **old, **new, **there;
	size_t nold, nnew, nthere;

	new = series_dir_list(from, false, &nnew, arena, err);
	there = new ? series_dir_list(to, false, &nthere, arena, err) : NULL;
	old = there ? series_dir_list(to, true, &nold, arena, err) : NULL;
	if (!old)
		return -1;
	/* "git am DIR/00*" would take a patch of somebody else's with ours */
	for (size_t i = 0; i < nthere; i++) {
		const char *path = arena_printf(arena, "%s/%s", to, there[i]);

		if (!is_ours(path))
			return err_set(err, STATUS_USAGE, "'%s' is in the "
				       "way: nocharge did not write it",
				       path);
	}
	for (size_t i = nold; i-- > 0;) {
		const char *path = arena_printf(arena, "%s/%s", to, old[i]);

		if (unlink(path))
			return err_set(err, STATUS_USAGE, "cannot remove "
				       "'%s': %s", path, strerror(errno));
	}
	for (size_t i = 0; i < nnew; i++)
		if (copy(arena_printf(arena, "%s/%s", from, new[i]),
			 arena_printf(arena, "%s/%s", to, new[i]), err))
			return -1;
	return 0;
}
