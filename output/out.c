// SPDX-License-Identifier: GPL-2.0-only
#include "out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/interrupt.h"

bool out_wants_colour(FILE *stream)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	if (!term || !strcmp(term, "dumb"))
		return false;
	return isatty(fileno(stream));
}

/* The mode that fopen() would have given: mkstemp() is for secrets. */
static void set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

int out_open(struct out *out, const char *path, struct err *err)
{
	struct stat st;
	size_t len;
	int fd;

	*out = (struct out){ .stream = stdout };
	if (!path) {
		out->colour = out_wants_colour(stdout);
		return 0;
	}
	/* /dev/null and pipes are written to, not replaced */
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		out->stream = fopen(path, "we");
		if (!out->stream)
			return err_set(err, STATUS_USAGE,
				       "cannot write '%s': %s", path,
				       strerror(errno));
		out->path = xstrdup(path);
		return 0;
	}
	len = strlen(path) + sizeof(OUT_PARTIAL "XXXXXX");
	out->temporary = xmalloc(len);
	snprintf(out->temporary, len, "%s" OUT_PARTIAL "XXXXXX", path);
	fd = mkstemp(out->temporary);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out->stream) {
		err_set(err, STATUS_USAGE, "cannot write '%s': %s", path,
			strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(out->temporary);
		}
		free(out->temporary);
		out->temporary = NULL;
		return -1;
	}
	set_mode(fd);
	out->path = xstrdup(path);
	interrupt_remove(out->temporary);
	return 0;
}

static void forget(struct out *out)
{
	interrupt_remove(NULL);
	free(out->path);
	free(out->temporary);
	*out = (struct out){ 0 };
}

int out_close(struct out *out, struct err *err)
{
	const char *name = out->path ? out->path : "standard output";
	bool bad;
	int ret = 0;

	errno = 0;
	bad = fflush(out->stream) || ferror(out->stream);
	if (!bad && out->temporary)
		bad = fsync(fileno(out->stream)) && errno != EINVAL;
	if (bad)
		ret = err_set(err, STATUS_USAGE, "cannot write '%s': %s", name,
			      errno ? strerror(errno) : "unknown error");
	if (out->path && fclose(out->stream) && !ret)
		ret = err_set(err, STATUS_USAGE, "cannot write '%s': %s", name,
			      strerror(errno));
	if (out->temporary && !ret && rename(out->temporary, out->path))
		ret = err_set(err, STATUS_USAGE, "cannot write '%s': %s", name,
			      strerror(errno));
	if (out->temporary && ret)
		unlink(out->temporary);
	forget(out);
	return ret;
}

void out_discard(struct out *out)
{
	if (out->path)
		fclose(out->stream);
	if (out->temporary)
		unlink(out->temporary);
	forget(out);
}

static const char *const escapes[] = {
	[TINT_PLAIN] = "", [TINT_BOLD] = "\033[1m", [TINT_DIM] = "\033[2m",
	[TINT_RED] = "\033[1;31m", [TINT_GREEN] = "\033[32m",
	[TINT_MAGENTA] = "\033[1;35m", [TINT_CYAN] = "\033[1;36m",
};

void out_text(struct out *out, enum tint tint, const char *text)
{
	bool colour = out->colour && tint != TINT_PLAIN;

	if (colour)
		fputs(escapes[tint], out->stream);
	/* names come from a tree that may be hostile to a terminal */
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool control = (c < ' ' && c != '\n' && c != '\t') ||
			c == 0x7f;

		fputc(control ? '?' : c, out->stream);
	}
	if (colour)
		fputs("\033[0m", out->stream);
}

void out_printf(struct out *out, enum tint tint, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	out_text(out, tint, text);
	free(text);
}
