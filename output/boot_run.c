// SPDX-License-Identifier: GPL-2.0-only
/*
 * QEMU, told to take the same time for each instruction: what happens in the
 * guest hangs on nothing outside, and is the same each time.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/process.h"
#include "boot.h"

/* Its own memory and the guest's. */
#define EMULATOR_MEMORY (8ull << 30)

static void not_installed(const struct boot *boot, struct err *err)
{
	err_set(err, STATUS_USAGE, "'%s' is not installed (Debian: %s)",
		boot->arch->emulator, boot->arch->emulator_package);
}

const char *boot_emulator(const struct boot *boot, struct err *err)
{
	const char *const argv[] = { boot->arch->emulator, "--version", NULL };
	const struct process process = { .argv = argv, .dir = boot->work,
					 .seconds = 30 };
	struct strbuf text = STRBUF_INIT;
	const char *version = NULL;
	int status = process_run_clean(&process, boot->work, &text, NULL, err);

	if (!status && text.len)
		version = arena_printf(boot->arena, "%.*s",
			(int)strcspn(text.buf, "\n"), text.buf);
	else if (status >= 0)
		not_installed(boot, err);
	strbuf_release(&text);
	return version;
}

/* A file that QEMU made; none is as good as an empty one. */
static void read_log(const struct boot *boot, const char *name,
		     struct strbuf *out)
{
	const char *path = arena_printf(boot->arena, "%s/%s", boot->work,
					name);
	struct err err = { 0 };

	strbuf_read_file(out, path, &err);
	err_clear(&err);
	unlink(path);
}

/* The address of each instruction that was translated to be run. */
static void read_seen(const struct boot *boot, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *at;

	read_log(boot, "seen", &text);
	for (at = text.len ? text.buf : ""; *at;
	     at += strcspn(at, "\n"), at += *at == '\n') {
		size_t len = strspn(at, "0123456789abcdefx");

		if (at[0] == '0' && at[1] == 'x' && at[len] == ':')
			strbuf_addf(out, "%.*s\n", (int)len, at);
	}
	strbuf_release(&text);
}

/* As a shell takes it; no word of it holds a quote. */
static const char *join(const struct boot *boot, const char *const *argv)
{
	struct strbuf text = STRBUF_INIT;
	const char *joined;

	for (size_t i = 0; argv[i]; i++)
		strbuf_addf(&text, strchr(argv[i], ' ') ? "%s'%s'" : "%s%s",
			    i ? " " : "", argv[i]);
	joined = arena_strdup(boot->arena, text.buf);
	strbuf_release(&text);
	return joined;
}

int boot_run(const struct boot *boot, const struct boot_kernel *kernel,
	     const char *archive, const struct boot_how *how,
	     struct boot_log *log, struct err *err)
{
	const char *argv[48] = {
		boot->arch->emulator, "-accel", "tcg,thread=single", "-smp",
		"1", "-nodefaults", "-no-user-config", "-no-reboot",
		"-display", "none", "-rtc", "base=2024-01-01,clock=vm",
	};
	const struct process process = {
		.argv = argv, .dir = boot->work, .seconds = how->seconds,
		.memory = EMULATOR_MEMORY, .interrupted = boot->interrupted,
	};
	struct strbuf said = STRBUF_INIT;
	size_t n = 0;
	int status;

	*log = (struct boot_log){ 0 };
	while (argv[n])
		n++;
	for (size_t i = 0; boot->arch->devices[i]; i++)
		argv[n++] = boot->arch->devices[i];
	argv[n++] = "-icount";
	argv[n++] = arena_printf(boot->arena,
				 "shift=%u,sleep=off,align=off", how->shift);
	argv[n++] = "-m";
	argv[n++] = arena_printf(boot->arena, "%uM", how->memory);
	argv[n++] = "-kernel";
	argv[n++] = kernel->image;
	argv[n++] = "-initrd";
	argv[n++] = archive;
	argv[n++] = "-append";
	argv[n++] = arena_printf(boot->arena, "%s%s%s", boot->arch->append,
				 *how->append ? " " : "", how->append);
	if (how->watch) {
		const char *const watch[] = { "-d", "in_asm", "-D", "seen",
					      "-dfilter", how->watch };

		memcpy(argv + n, watch, sizeof(watch));
		n += sizeof(watch) / sizeof(watch[0]);
	}
	if (how->plugin) {
		argv[n++] = "-plugin";
		argv[n++] = arena_printf(boot->arena, "./%s,map=%s,out=counts",
					 how->plugin, kernel->map);
	}
	log->command = join(boot, argv);
	status = process_run_clean(&process, boot->work, &said, &said, err);
	read_log(boot, "console", &log->console);
	read_log(boot, "numbers", &log->numbers);
	if (how->watch)
		read_seen(boot, &log->seen);
	if (how->plugin)
		read_log(boot, "counts", &log->counts);
	if (status == 127)
		not_installed(boot, err);
	else if (status > 0)
		err_set(err, STATUS_USAGE, "'%s' ended with %d: %.*s",
			boot->arch->emulator, status,
			(int)strcspn(said.len ? said.buf : "", "\n"),
			said.len ? said.buf : "");
	strbuf_release(&said);
	return status ? -1 : 0;
}

void boot_log_release(struct boot_log *log)
{
	strbuf_release(&log->console);
	strbuf_release(&log->numbers);
	strbuf_release(&log->seen);
	strbuf_release(&log->counts);
}
