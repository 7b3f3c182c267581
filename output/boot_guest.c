// SPDX-License-Identifier: GPL-2.0-only
/* What a kernel boots: one static program, and files beside it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/process.h"
#include "boot.h"

#define COMPILE_SECONDS 120
#define SOURCES         64
/* A header of the archive is as long as its fields say. */
#define FIELDS          13

/* What a member of the archive is. */
#define MODE_PROGRAM 0100755u
#define MODE_FILE    0100644u

static void pad(struct strbuf *out, size_t start)
{
	while ((out->len - start) % 4)
		strbuf_addch(out, '\0');
}

static void add_member(struct strbuf *out, size_t start, const char *path,
		       unsigned number, unsigned mode, const char *data,
		       size_t len)
{
	const unsigned field[FIELDS] = {
		number, mode, 0, 0, 1, 0, (unsigned)len, 0, 0, 0, 0,
		(unsigned)strlen(path) + 1, 0,
	};

	strbuf_addstr(out, "070701");
	for (size_t i = 0; i < FIELDS; i++)
		strbuf_addf(out, "%08X", field[i]);
	strbuf_add(out, path, strlen(path) + 1);
	pad(out, start);
	if (len)
		strbuf_add(out, data, len);
	pad(out, start);
}

void boot_archive(const struct boot_file *file, size_t nfile,
		  struct strbuf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < nfile; i++)
		add_member(out, start, file[i].path, (unsigned)i + 1,
			   file[i].runs ? MODE_PROGRAM : MODE_FILE,
			   file[i].data, file[i].len);
	add_member(out, start, "TRAILER!!!", 0, 0, NULL, 0);
}

int boot_store(const struct boot *boot, const char *name, const char *data,
	       size_t len, struct err *err)
{
	const char *path = arena_printf(boot->arena, "%s/%s", boot->work,
					name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
		      O_CLOEXEC, 0666);
	ssize_t n = -1;

	while (fd >= 0 && len && (n = write(fd, data, len)) > 0) {
		data += n;
		len -= (size_t)n;
	}
	if (fd < 0 || len)
		err_set(err, STATUS_USAGE, "cannot write '%s': %s", path,
			strerror(errno));
	if (fd >= 0)
		close(fd);
	return fd < 0 || len ? -1 : 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What a kernel starts first is no part of a program for a machine. */
#define FIRST "init.c"

static size_t list_sources(const struct boot *boot, const char *folder,
			   bool first, const char **source)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)) && n < SOURCES) {
		size_t len = strlen(entry->d_name);

		if (len > 2 && *entry->d_name != '.' &&
		    !strcmp(entry->d_name + len - 2, ".c") &&
		    (first || strcmp(entry->d_name, FIRST)))
			source[n++] = arena_printf(boot->arena, "%s/%s",
						   folder, entry->d_name);
	}
	if (dir)
		closedir(dir);
	qsort(source, n, sizeof(*source), compare_names);
	return n;
}

/*
 * What gcc makes with @flags of all sources of the installed directories, or
 * without who is the @first process: 0, or -1 with @err. @prefix is another
 * machine's, or NULL; @what is for the message.
 */
static int compile(const struct boot *boot, const char *prefix,
		   const char *const *flags, const char *const *program,
		   bool first, const char *what, struct err *err)
{
	const char *cc = prefix ? arena_printf(boot->arena, "%sgcc", prefix) :
		"gcc";
	const char *argv[2 * SOURCES + 32] = { cc, "-std=gnu11" };
	const struct process process = {
		.argv = argv, .dir = boot->work, .seconds = COMPILE_SECONDS,
		.interrupted = boot->interrupted,
	};
	struct strbuf text = STRBUF_INIT;
	size_t n = 2, nsource;
	int status;

	while (*flags)
		argv[n++] = *flags++;
	for (; *program; program++) {
		const char *folder = data_path(boot->arena, *program);

		nsource = folder ? list_sources(boot, folder, first,
						argv + n) : 0;
		if (!nsource)
			return err_set(err, STATUS_USAGE, "'%s', which %s "
				       "is made of, is not installed",
				       *program, what);
		n += nsource;
	}
	if (!first)
		argv[n++] = "-lm";
	status = process_run_clean(&process, boot->work, &text, &text, err);
	if (status > 0)
		err_set(err, STATUS_USAGE, "%s cannot make %s (Debian: %s): "
			"%s", cc, what, prefix ? boot->arch->packages :
			"gcc libc6-dev", status == 127 ?
			"it is not installed" :
			boot_first_error(boot, &text));
	strbuf_release(&text);
	return status ? -1 : 0;
}

#define COMMON "-D_GNU_SOURCE", "-O2", "-g0", "-w", \
	"-fdiagnostics-color=never"

const char *boot_plugin(const struct boot *boot, struct err *err)
{
	static const char *const flags[] = {
		COMMON, "-shared", "-fPIC", "-s", "-o", "count.so", NULL
	};
	static const char *const program[] = { "output/count", NULL };

	return compile(boot, NULL, flags, program, true, "the emulator's "
		       "plugin", err) ? NULL : "count.so";
}

const char *boot_hardware(const struct boot *boot, struct err *err)
{
	static const char *const flags[] = {
		COMMON, "-static", "-s", "-o", "operations", NULL
	};
	static const char *const programs[] = {
		"output/hardware", "output/measure", "output/guest", NULL
	};

	return compile(boot, NULL, flags, programs, false, "the program for "
		       "a machine", err) ? NULL : "operations";
}

int boot_guest(const struct boot *boot, const char *name, const char *program,
	       const struct boot_file *file, size_t nfile, struct err *err)
{
	struct boot_file *all = ARENA_ARRAY(boot->arena, struct boot_file,
					    nfile + 1);
	static const char *const flags[] = {
		COMMON, "-static", "-fno-pie", "-no-pie", "-s", "-o",
		"guest.program", NULL
	};
	const char *const programs[] = { program, "output/guest", NULL };
	struct strbuf data = STRBUF_INIT, archive = STRBUF_INIT;
	int ret = -1;

	if (!compile(boot, boot_cross(boot->arch), flags, programs, true,
		     "the static program to boot", err) &&
	    !strbuf_read_file(&data, arena_printf(boot->arena,
			      "%s/guest.program", boot->work), err)) {
		all[0] = (struct boot_file){ "init", data.buf, data.len,
					     true };
		for (size_t i = 0; i < nfile; i++)
			all[i + 1] = file[i];
		boot_archive(all, nfile + 1, &archive);
		ret = boot_store(boot, name, archive.buf, archive.len, err);
	}
	strbuf_release(&data);
	strbuf_release(&archive);
	return ret;
}
