/* SPDX-License-Identifier: GPL-2.0-only */
/* A little kernel tree made of strings, for the unit programs. */
#ifndef NOCHARGE_TESTS_TREE_H
#define NOCHARGE_TESTS_TREE_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/tree.h"

/* Write @text to @dir/@path, making the directories on the way. */
__attribute__((unused))
static void file_put(const char *dir, const char *path, const char *text)
{
	char full[4096], *at;
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (at = full + strlen(dir) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		if (mkdir(full, 0777) < 0 && errno != EEXIST)
			perror(full);
		*at = '/';
	}
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(full);
		exit(1);
	}
}

/* A directory with what makes it a kernel tree, and an empty Kconfig. */
__attribute__((unused))
static char *tree_put(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	if (asprintf(&dir, "%s/nocharge-unit-XXXXXX", tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(dir)) {
		perror("mkdtemp");
		exit(1);
	}
	file_put(dir, "Makefile", "VERSION = 6\nPATCHLEVEL = 1\n"
		 "SUBLEVEL = 5\nEXTRAVERSION = -rc2\n");
	file_put(dir, "Kbuild", "obj-y += mm/\n");
	file_put(dir, "mm/Makefile", "");
	file_put(dir, "arch/x86/Makefile", "");
	file_put(dir, "Kconfig", "");
	return dir;
}

__attribute__((unused))
static int tree_remove_one(const char *path, const struct stat *st, int type,
			   struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

__attribute__((unused))
static void tree_remove(char *dir)
{
	nftw(dir, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

#endif
