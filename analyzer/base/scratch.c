// SPDX-License-Identifier: GPL-2.0-only
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "strbuf.h"

#define NAME ".nocharge-work."
/* How often it is tried to remove one, and microseconds between. */
#define TRIES 10
#define WAIT 50000

static int remove_all(const char *path)
{
	char *const paths[] = { (char *)(uintptr_t)path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int ret = 0;

	while (fts && (entry = fts_read(fts)))
		if (entry->fts_info != FTS_D &&
		    remove(entry->fts_accpath) && errno != ENOENT)
			ret = -1;
	if (!fts)
		return -1;
	fts_close(fts);
	return ret;
}

/* A directory of this user, and not what somebody else put there; or -1. */
static int open_own(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid())) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void remove_old(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct strbuf path = STRBUF_INIT;
		int lock;

		if (strncmp(entry->d_name, NAME, strlen(NAME)))
			continue;
		strbuf_addf(&path, "%s/%s", parent, entry->d_name);
		lock = open_own(path.buf);
		if (lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB))
			remove_all(path.buf);
		if (lock >= 0)
			close(lock);
		strbuf_release(&path);
	}
	if (dir)
		closedir(dir);
}

/* 1: another run took it for an old one before it was locked. */
static int make_one(struct scratch *scratch, const char *parent,
		    struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;

	strbuf_addf(&path, "%s/" NAME "XXXXXX", parent);
	if (!mkdtemp(path.buf)) {
		err_set(err, STATUS_USAGE, "cannot make a directory in '%s': "
			"%s", parent, strerror(errno));
		strbuf_release(&path);
		return -1;
	}
	*scratch = (struct scratch){ path.buf, open_own(path.buf) };
	if (scratch->lock >= 0) {
		/* no locks there: then nobody can take it for an old one */
		flock(scratch->lock, LOCK_EX);
		if (!fstat(scratch->lock, &st) && st.st_nlink)
			return 0;
	} else if (errno != ENOENT) {
		err_set(err, STATUS_USAGE, "cannot open '%s': %s", path.buf,
			strerror(errno));
		scratch_remove(scratch);
		return -1;
	}
	scratch_remove(scratch);
	return 1;
}

int scratch_make(struct scratch *scratch, const char *parent,
		 struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	int ret;

	*scratch = (struct scratch){ NULL, -1 };
	if (!parent)
		parent = tmp && *tmp == '/' ? tmp : "/tmp";
	remove_old(parent);
	do
		ret = make_one(scratch, parent, err);
	while (ret > 0);
	return ret;
}

void scratch_remove(struct scratch *scratch)
{
	unsigned tries = 0;

	if (!scratch->dir)
		return;
	/* what a killed program started may still be at it */
	while (remove_all(scratch->dir) && !access(scratch->dir, F_OK) &&
	       ++tries < TRIES)
		usleep(WAIT);
	if (tries == TRIES)
		warn("'%s' could not be removed", scratch->dir);
	if (scratch->lock >= 0)
		close(scratch->lock);
	free(scratch->dir);
	*scratch = (struct scratch){ NULL, -1 };
}
