// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prove.h"

/* Directories within each other that a touched file may be in. */
#define FARM_DEPTH 32

/* What must not be seen in a source tree that is built elsewhere. */
static const char *const hidden[] = {
	".git", ".config", "include/config", "include/generated",
};

struct farm {
	struct prove *prove;
	const char *path;
	struct err *err;
};

static bool is_hidden(const struct prove *prove, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (!strcmp(path, hidden[i]))
			return true;
	/* arch/ARCH/include/generated */
	return len > 18 && !strncmp(path, "arch/", 5) &&
		!strncmp(path + 5, prove->tree->arch,
			 strlen(prove->tree->arch)) &&
		!strcmp(path + len - 18, "/include/generated");
}

/* Must the directory @path be a real one: is something in it not a link? */
static bool is_special(const struct prove *prove, const char *path)
{
	size_t len = strlen(path);

	if (!len || !strcmp(path, "include") || !strcmp(path, "arch"))
		return true;
	if (!strncmp(path, "arch/", 5) &&
	    !strncmp(path + 5, prove->tree->arch, strlen(prove->tree->arch)) &&
	    (!strcmp(path + 5, prove->tree->arch) ||
	     !strcmp(path + 5 + strlen(prove->tree->arch), "/include")))
		return true;
	for (size_t i = 0; i < prove->nfile; i++)
		if (!strncmp(prove->file[i].path, path, len) &&
		    prove->file[i].path[len] == '/')
			return true;
	return false;
}

static bool is_file_of_ours(const struct prove *prove, const char *path)
{
	for (size_t i = 0; i < prove->nfile; i++)
		if (!strcmp(prove->file[i].path, path))
			return true;
	return false;
}

static int add_directory(struct farm *farm, const char *path, unsigned depth);

static int add_entry(struct farm *farm, const char *path, unsigned depth)
{
	struct prove *prove = farm->prove;
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	struct stat st;
	int ret = 0;

	if (is_hidden(prove, path) || is_file_of_ours(prove, path))
		return 0;
	strbuf_addf(&from, "%s/%s", prove->tree->root, path);
	strbuf_addf(&to, "%s/%s", farm->path, path);
	/* a directory behind a link of the tree's stays behind it */
	if (is_special(prove, path) && !lstat(from.buf, &st) &&
	    S_ISDIR(st.st_mode))
		ret = add_directory(farm, path, depth + 1);
	else if (symlink(from.buf, to.buf))
		ret = err_set(farm->err, STATUS_USAGE, "cannot make '%s': %s",
			      to.buf, strerror(errno));
	strbuf_release(&from);
	strbuf_release(&to);
	return ret;
}

static int add_directory(struct farm *farm, const char *path, unsigned depth)
{
	struct strbuf name = STRBUF_INIT;
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	strbuf_addf(&name, "%s/%s", farm->path, path);
	if (mkdir(name.buf, 0777) && errno != EEXIST)
		ret = err_set(farm->err, STATUS_USAGE, "cannot make '%s': %s",
			      name.buf, strerror(errno));
	strbuf_release(&name);
	if (ret || depth > FARM_DEPTH)
		return ret;
	strbuf_addf(&name, "%s/%s", farm->prove->tree->root, path);
	dir = opendir(name.buf);
	strbuf_release(&name);
	while (!ret && dir && (entry = readdir(dir))) {
		struct strbuf sub = STRBUF_INIT;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name,
							   ".."))
			continue;
		strbuf_addf(&sub, "%s%s%s", path, *path ? "/" : "",
			    entry->d_name);
		ret = add_entry(farm, sub.buf, depth);
		strbuf_release(&sub);
	}
	if (dir)
		closedir(dir);
	return ret;
}

/* @file as @state has it, at its place; the directories may be missing. */
static int put_file(struct farm *farm, const struct prove_file *file,
		    size_t state)
{
	const struct prove_version *version = prove_version(file, state);
	struct strbuf path = STRBUF_INIT;
	int fd, ret = 0;

	strbuf_addf(&path, "%s/%s", farm->path, file->path);
	for (char *at = path.buf + strlen(farm->path) + 1;
	     (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path.buf, 0777);
		*at = '/';
	}
	unlink(path.buf);
	if (version->text) {
		/* scripts are touched too, and must stay runnable */
		fd = open(path.buf, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
			  O_NOFOLLOW, 0777);
		if (fd < 0 || write(fd, version->text, version->len) !=
		    (ssize_t)version->len)
			ret = err_set(farm->err, STATUS_USAGE,
				      "cannot write '%s': %s", path.buf,
				      strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	strbuf_release(&path);
	return ret;
}

int prove_farm_make(struct prove *prove, const char *path, size_t state,
		    struct err *err)
{
	struct farm farm = { prove, path, err };

	if (add_directory(&farm, "", 0))
		return -1;
	for (size_t i = 0; i < prove->nfile; i++)
		if (put_file(&farm, &prove->file[i], state))
			return -1;
	return 0;
}

int prove_farm_switch(struct prove *prove, const char *path, size_t from,
		      size_t to, struct err *err)
{
	struct farm farm = { prove, path, err };

	for (size_t i = 0; i < prove->nfile; i++)
		if (prove->file[i].at[from] != prove->file[i].at[to] &&
		    put_file(&farm, &prove->file[i], to))
			return -1;
	return 0;
}

const char *prove_farm(struct prove *prove, size_t state, struct err *err)
{
	const char *path;

	pthread_mutex_lock(&prove->lock);
	if (!prove->farm)
		prove->farm = ARENA_ARRAY(prove->arena, const char *,
					  prove->npatch + 1);
	path = prove->farm[state];
	if (!path) {
		path = arena_printf(prove->arena, "%s/farm.%zu", prove->work,
				    state);
		if (prove_farm_make(prove, path, state, err))
			path = NULL;
		prove->farm[state] = path;
	}
	pthread_mutex_unlock(&prove->lock);
	return path;
}
