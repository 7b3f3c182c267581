// SPDX-License-Identifier: GPL-2.0-only
/* What a worker would load, found out in a process of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clang.h"
#include "parse.h"

/* In the child: the version, or '!' and what is wrong. */
static void tell_version(const char *library, int out)
{
	struct err err = { 0 };
	struct clang *clang = clang_load(library, &err);
	const char *text = err.text ? err.text : "unknown";

	if (clang)
		text = clang->getCString(clang->getClangVersion());
	else if (write(out, "!", 1) < 0)
		_exit(1);
	if (text && write(out, text, strlen(text)) < 0)
		_exit(1);
	_exit(0);
}

static char *ask_version(const char *library)
{
	char text[512];
	size_t len = 0;
	ssize_t n;
	int fd[2], status;
	pid_t pid;

	if (pipe(fd))
		return NULL;
	pid = fork();
	if (!pid) {
		close(fd[0]);
		tell_version(library, fd[1]);
	}
	close(fd[1]);
	while (len < sizeof(text) - 1 &&
	       (n = read(fd[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	close(fd[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	text[len] = '\0';
	return len ? xstrdup(text) : NULL;
}

void parse_doctor(struct parse_doctor *doctor)
{
	struct clang_place place;
	struct err err = { 0 };
	char *version;

	memset(doctor, 0, sizeof(*doctor));
	if (clang_find(&place, &err)) {
		doctor->problem = err.text;
		return;
	}
	doctor->library = place.library;
	doctor->resource_dir = place.resource_dir;
	version = ask_version(place.library);
	if (version && *version != '!') {
		doctor->version = version;
		return;
	}
	doctor->problem = version ? xstrdup(version + 1) :
			  xstrdup("libclang cannot be loaded: it crashes");
	free(version);
}
