// SPDX-License-Identifier: GPL-2.0-only
/* kbuild, for a kernel as small as what it is booted for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "../analyzer/base/process.h"
#include "../analyzer/parse/parse.h"
#include "boot.h"

#define BUILD_SECONDS 7200
#define BUILD_MEMORY  (8ull << 30)
/* Goes up when what is made of the same content is another kernel. */
#define FORMAT        3

/* What make was asked for, from the first thing that went wrong in it. */
const char *boot_first_error(const struct boot *boot,
			     const struct strbuf *text)
{
	static const char *const words[] = { "error: ", "undefined reference",
					     "not found", "*** " };
	const char *at = NULL, *line;

	for (size_t i = 0; !at && text->len &&
	     i < sizeof(words) / sizeof(words[0]); i++)
		at = strstr(text->buf, words[i]);
	if (!at)
		return text->len ? arena_printf(boot->arena, "%.*s",
			(int)strcspn(text->buf, "\n"), text->buf) :
			"it says nothing";
	line = at;
	while (line > text->buf && line[-1] != '\n')
		line--;
	return arena_printf(boot->arena, "%.*s", (int)strcspn(line, "\n"),
			    line);
}

/* The first line of what @program says of its version; NULL with @err. */
static const char *ask(const struct boot *boot, const char *program,
		       struct err *err)
{
	const char *const argv[] = { program, "--version", NULL };
	const struct process process = { .argv = argv, .dir = boot->work,
					 .seconds = 30 };
	struct strbuf text = STRBUF_INIT;
	const char *line = NULL;
	int status = process_run_clean(&process, boot->work, &text, NULL, err);

	if (!status && text.len)
		line = arena_printf(boot->arena, "%.*s",
				    (int)strcspn(text.buf, "\n"), text.buf);
	else if (status >= 0)
		err_set(err, STATUS_USAGE, "'%s' is not installed", program);
	strbuf_release(&text);
	return line;
}

static int ask_tools(const struct boot *boot, struct boot_kernel *kernel,
		     struct err *err)
{
	const char *cross = boot_cross(boot->arch);

	kernel->compiler = ask(boot, boot->cc, err);
	if (kernel->compiler)
		kernel->linker = ask(boot, arena_printf(boot->arena, "%sld",
				     cross ? cross : ""), err);
	return kernel->linker ? 0 : -1;
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
	return XXH3_64bits_withSeed(text, strlen(text) + 1, seed);
}

static uint64_t key_of(const struct boot *boot,
		       const struct boot_source *source,
		       const struct boot_kernel *kernel)
{
	uint64_t key = XXH3_64bits_withSeed(&source->content,
					    sizeof(source->content), FORMAT);

	key = hash_text(key, boot->arch->name);
	key = hash_text(key, source->options);
	for (size_t i = 0; source->any && i < source->any->n; i++)
		key = hash_text(key, source->any->name[i]);
	if (source->without)
		key = hash_text(key, "without");
	return hash_text(hash_text(key, kernel->compiler), kernel->linker);
}

/* 0, -1, or what make ended with. */
static int make(const struct boot *boot, const struct boot_source *source,
		const char *const *target, struct strbuf *log, struct err *err)
{
	const char *argv[32] = { "make", "-s" };
	const struct process process = {
		.argv = argv, .dir = boot->work, .seconds = BUILD_SECONDS,
		.memory = BUILD_MEMORY, .interrupted = boot->interrupted,
	};
	const char *cross = boot_cross(boot->arch);
	size_t n = 2;

	argv[n++] = arena_printf(boot->arena, "-j%u", boot->jobs);
	argv[n++] = "-C";
	argv[n++] = source->tree;
	argv[n++] = arena_printf(boot->arena, "O=%s/%s", boot->work,
				 source->build);
	argv[n++] = arena_printf(boot->arena, "CC=%s", boot->cc);
	argv[n++] = "HOSTCC=gcc";
	argv[n++] = arena_printf(boot->arena, "ARCH=%s", boot->arch->name);
	if (cross)
		argv[n++] = arena_printf(boot->arena, "CROSS_COMPILE=%s",
					 cross);
	/* what newer compilers warn of in an old tree's own tools */
	argv[n++] = "WERROR=0";
	argv[n++] = "KCFLAGS=-fdiagnostics-color=never";
	/* the same source is the same kernel */
	argv[n++] = "KBUILD_BUILD_TIMESTAMP=2024-01-01";
	argv[n++] = "KBUILD_BUILD_VERSION=1";
	argv[n++] = "KBUILD_BUILD_USER=nocharge";
	argv[n++] = "KBUILD_BUILD_HOST=nocharge";
	while (*target)
		argv[n++] = *target++;
	argv[n] = NULL;
	return process_run_clean(&process, boot->work, log, log, err);
}

/*
 * "# CONFIG_X is not set" and "CONFIG_X=n" hold if neither CONFIG_X=y nor =m
 * is there.
 */
static bool is_as_asked(const struct strbuf *config, const char *line,
			size_t len)
{
	char set[128];
	size_t name;

	if (*line != '#' && (len < 2 || strncmp(line + len - 2, "=n", 2)))
		return boot_has_line(config, line, len);
	if (len < 3)
		return true;
	line += *line == '#' ? 2 : 0;
	name = strcspn(line, " =\n");
	if (strncmp(line, "CONFIG_", 7) || name + 3 > sizeof(set))
		return true;
	memcpy(set, line, name);
	memcpy(set + name, "=y", 3);
	if (boot_has_line(config, set, name + 2))
		return false;
	set[name + 1] = 'm';
	return !boot_has_line(config, set, name + 2);
}

static int check_config(const struct boot *boot,
			const struct boot_source *source, struct err *err)
{
	const char *at = source->options;
	struct strbuf config = STRBUF_INIT;
	bool any = !source->any || !source->any->n, on;
	int ret = -1;

	if (strbuf_read_file(&config, arena_printf(boot->arena,
			     "%s/%s/.config", boot->work, source->build), err))
		return -1;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (!len || source->some || is_as_asked(&config, at, len))
			continue;
		err_set(err, STATUS_USAGE, "the configuration did not take: "
			"'%.*s' was asked for", (int)len, at);
		goto out;
	}
	for (size_t i = 0; !any && i < source->any->n; i++) {
		const char *line = arena_printf(boot->arena, "CONFIG_%s=y",
						source->any->name[i]);

		on = boot_has_line(&config, line, strlen(line));
		if (on && source->without) {
			err_set(err, STATUS_USAGE, "the configuration did not "
				"take: CONFIG_%s is on",
				source->any->name[i]);
			goto out;
		}
		any = on;
	}
	if (any || source->without)
		ret = 0;
	else
		err_set(err, STATUS_USAGE, "the configuration did not take: "
			"CONFIG_%s is not on", source->any->name[0]);
out:
	strbuf_release(&config);
	return ret;
}

static int build(const struct boot *boot, const struct boot_source *source,
		 const struct boot_kernel *kernel, struct strbuf *log,
		 struct err *err)
{
	const char *const image[] = { boot->arch->target, NULL };
	const char *config[] = { "allnoconfig", NULL, NULL };
	const char *dir = arena_printf(boot->arena, "%s/%s", boot->work,
				       source->build);
	struct strbuf options = STRBUF_INIT;
	int status;

	if (mkdir(dir, 0777) && errno != EEXIST)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	strbuf_addstr(&options, source->options);
	for (size_t i = 0; source->any && i < source->any->n; i++)
		strbuf_addf(&options, source->without ?
			    "# CONFIG_%s is not set\n" : "CONFIG_%s=y\n",
			    source->any->name[i]);
	config[1] = arena_printf(boot->arena, "KCONFIG_ALLCONFIG=%s/options",
				 boot->work);
	status = boot_store(boot, "options", options.buf, options.len, err);
	strbuf_release(&options);
	if (!status)
		status = make(boot, source, config, log, err);
	if (!status && check_config(boot, source, err))
		return -1;
	if (!status)
		status = make(boot, source, image, log, err);
	if (status == 127)
		return err_set(err, STATUS_USAGE, "'make' is not installed");
	if (status > 0)
		return err_set(err, STATUS_PROOF, "it does not build by %s: "
			       "%s", kernel->compiler,
			       boot_first_error(boot, log));
	return status;
}

/* A file of a build, and of the cache. */
static int put_file(const struct boot *boot, const char *kind, uint64_t key,
		    const char *from, const char *name, uint64_t *hash,
		    struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = strbuf_read_file(&text, arena_printf(boot->arena, "%s/%s",
				   boot->work, from), err);

	if (!ret)
		ret = boot_store(boot, name, text.buf, text.len, err);
	if (!ret)
		*hash = XXH3_64bits(text.buf, text.len);
	/* a cache that cannot be written only costs time */
	if (!ret && boot->cache)
		cache_put(boot->cache, kind, key, 0, text.buf, text.len);
	strbuf_release(&text);
	return ret;
}

/* False if it is not in the cache, or with @err. */
static bool get_file(const struct boot *boot, const char *kind, uint64_t key,
		     const char *name, uint64_t *hash, struct err *err)
{
	size_t len = 0;
	void *data = boot->cache ? cache_get(boot->cache, kind, key, 0,
					     &len) : NULL;
	bool good = data && !boot_store(boot, name, data, len, err);

	if (good)
		*hash = XXH3_64bits(data, len);
	free(data);
	return good;
}

/* What is kept of a build; the image last, for its hash. */
#define NFILE 4
static const struct {
	const char *kind, *path;
} files[NFILE] = {
	{ "kernelconfig", ".config" }, { "kernelmap", "System.map" },
	{ "kernelsize", "size" }, { "kernel", NULL /* boot_arch's */ },
};

static int write_size(const struct boot *boot, const char *build,
		      struct err *err)
{
	const char *path = arena_printf(boot->arena, "%s/%s/vmlinux",
					boot->work, build);
	struct elf_size size;
	struct strbuf text = STRBUF_INIT;
	struct elf elf;
	int ret = -1;

	if (elf_read(&elf, path)) {
		size = elf_size(&elf);
		strbuf_addf(&text, "%llu %llu %llu %llu\n",
			    (unsigned long long)size.text,
			    (unsigned long long)size.data,
			    (unsigned long long)size.bss,
			    (unsigned long long)size.functions);
		ret = boot_store(boot, arena_printf(boot->arena, "%s/size",
				 build), text.buf, text.len, err);
	} else {
		err_set(err, STATUS_USAGE, "cannot read '%s'", path);
	}
	elf_release(&elf);
	strbuf_release(&text);
	return ret;
}

static int read_size(const struct boot *boot, const char *name,
		     struct elf_size *size, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	unsigned long long number[4] = { 0 };
	char *at;

	if (strbuf_read_file(&text, arena_printf(boot->arena, "%s/%s",
			     boot->work, name), err))
		return -1;
	at = text.buf;
	for (size_t i = 0; at && i < 4; i++)
		number[i] = strtoull(at, &at, 10);
	*size = (struct elf_size){ number[0], number[1], number[2],
				   number[3] };
	strbuf_release(&text);
	return 0;
}

int boot_kernel(const struct boot *boot, const struct boot_source *source,
		int (*prepare)(void *data, struct err *err), void *data,
		struct boot_kernel *kernel, struct strbuf *log,
		struct err *err)
{
	const char *name[NFILE];
	uint64_t key;
	size_t n = 0;

	*kernel = (struct boot_kernel){ 0 };
	if (ask_tools(boot, kernel, err))
		return -1;
	key = key_of(boot, source, kernel);
	for (size_t i = 0; i < NFILE; i++)
		name[i] = arena_printf(boot->arena, "%s.%016llx",
				       files[i].kind, (unsigned long long)key);
	kernel->config = name[0];
	kernel->map = name[1];
	kernel->image = name[3];
	while (n < NFILE && get_file(boot, files[n].kind, key, name[n],
				     &kernel->hash, err))
		n++;
	kernel->cached = n == NFILE;
	if (err->text)
		return -1;
	if (!kernel->cached &&
	    (prepare(data, err) || build(boot, source, kernel, log, err) ||
	     write_size(boot, source->build, err)))
		return -1;
	for (size_t i = 0; !kernel->cached && i < NFILE; i++)
		if (put_file(boot, files[i].kind, key,
			     arena_printf(boot->arena, "%s/%s", source->build,
					  files[i].path ? files[i].path :
					  boot->arch->image), name[i],
			     &kernel->hash, err))
			return -1;
	return read_size(boot, name[2], &kernel->size, err);
}
