// SPDX-License-Identifier: GPL-2.0-only
#include "series_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/base/scratch.h"
#include "../analyzer/base/strbuf.h"
#include "out.h"

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
	    !strcmp(name, "measure.json") || !strcmp(name, "send.cmd"))
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

/* What it is made in. */
static const char *parent_of(const char *dir, struct arena *arena)
{
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	while (len && dir[len - 1] != '/')
		len--;
	return len ? arena_strndup(arena, dir, len) : ".";
}

/* "git am DIR/00*" would take a patch of somebody else's with ours. */
static int all_ours(const char *dir, struct arena *arena, struct err *err)
{
	const char **name;
	size_t n;

	name = series_dir_list(dir, false, &n, arena, err);
	if (!name)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, name[i]);

		if (!is_ours(path))
			return err_set(err, STATUS_USAGE, "'%s' is in the "
				       "way: nocharge did not write it",
				       path);
	}
	return 0;
}

int series_dir_check(const char *dir, const char *tree, struct arena *arena,
		     struct err *err)
{
	const char *where = dir;
	size_t len = strlen(tree);
	struct stat st;
	char *real = NULL;
	bool inside;

	if (*dir) {
		/* a link that leads nowhere is in the way */
		if (lstat(dir, &st) && errno == ENOENT)
			where = parent_of(dir, arena);
		real = realpath(where, NULL);
	}
	if (!real)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(*dir ? errno : ENOENT));
	inside = !strncmp(real, tree, len) && (!real[len] || real[len] == '/');
	free(real);
	if (inside)
		return err_set(err, STATUS_USAGE, "'%s' is in the tree, which "
			       "is only read", dir);
	if (stat(where, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, STATUS_USAGE, "'%s' is in the way: it is "
			       "no directory", where);
	if (access(where, W_OK | X_OK))
		return err_set(err, STATUS_USAGE, "cannot write into '%s': "
			       "%s", where, strerror(errno));
	return where == dir ? all_ours(dir, arena, err) : 0;
}

int series_dir_place(const char *dir, const char *tree, struct arena *arena,
		     struct err *err)
{
	if (series_dir_check(dir, tree, arena, err))
		return -1;
	if (mkdir(dir, 0777) && errno != EEXIST)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	return 0;
}

int series_dir_replace(const char *from, const char *to, struct arena *arena,
		       struct err *err)
{
	struct scratch stage;
	const char **old, **new;
	size_t nold, nnew;
	int ret = 0;

	new = series_dir_list(from, false, &nnew, arena, err);
	old = new ? series_dir_list(to, true, &nold, arena, err) : NULL;
	/* all that can go wrong for want of space goes wrong here */
	if (!old || scratch_make(&stage, to, err))
		return -1;
	for (size_t i = 0; i < nnew && !ret; i++)
		ret = copy(arena_printf(arena, "%s/%s", from, new[i]),
			   arena_printf(arena, "%s/%s", stage.dir, new[i]),
			   err);
	for (size_t i = nold; i-- > 0 && !ret;) {
		const char *path = arena_printf(arena, "%s/%s", to, old[i]);

		if (unlink(path))
			ret = err_set(err, STATUS_USAGE, "cannot remove "
				      "'%s': %s", path, strerror(errno));
	}
	for (size_t i = 0; i < nnew && !ret; i++) {
		const char *path = arena_printf(arena, "%s/%s", to, new[i]);

		if (rename(arena_printf(arena, "%s/%s", stage.dir, new[i]),
			   path))
			ret = err_set(err, STATUS_USAGE, "cannot write "
				      "'%s': %s", path, strerror(errno));
	}
	scratch_remove(&stage);
	return ret;
}
