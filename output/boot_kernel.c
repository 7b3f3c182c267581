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
#define FORMAT        1

#define IMAGE "arch/x86/boot/bzImage"
#define MAP   "System.map"

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

static int ask_compiler(const struct boot *boot, struct boot_kernel *kernel,
			struct err *err)
{
	const char *const argv[] = { boot->cc, "--version", NULL };
	const struct process process = { .argv = argv, .dir = boot->work,
					 .seconds = 30 };
	struct strbuf text = STRBUF_INIT;
	int status = process_run_clean(&process, boot->work, &text, NULL, err);

	if (!status && text.len)
		kernel->compiler = arena_printf(boot->arena, "%.*s",
			(int)strcspn(text.buf, "\n"), text.buf);
	else if (status >= 0)
		err_set(err, STATUS_USAGE, "'%s' is not installed", boot->cc);
	strbuf_release(&text);
	return kernel->compiler ? 0 : -1;
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
	return XXH3_64bits_withSeed(text, strlen(text) + 1, seed);
}

static uint64_t key_of(const struct boot_source *source,
		       const struct boot_kernel *kernel)
{
	uint64_t key = XXH3_64bits_withSeed(&source->content,
					    sizeof(source->content), FORMAT);

	key = hash_text(key, source->options);
	for (size_t i = 0; source->any && i < source->any->n; i++)
		key = hash_text(key, source->any->name[i]);
	return hash_text(key, kernel->compiler);
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
	size_t n = 2;

	argv[n++] = arena_printf(boot->arena, "-j%u", boot->jobs);
	argv[n++] = "-C";
	argv[n++] = source->tree;
	argv[n++] = arena_printf(boot->arena, "O=%s/%s", boot->work,
				 source->build);
	argv[n++] = arena_printf(boot->arena, "CC=%s", boot->cc);
	argv[n++] = "HOSTCC=gcc";
	argv[n++] = "ARCH=x86";
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

static bool has_line(const struct strbuf *text, const char *line, size_t len)
{
	const char *at = text->len ? text->buf : "";

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, line, len) &&
		    (!at[len] || at[len] == '\n'))
			return true;
	return false;
}

/* "# CONFIG_X is not set" holds if neither CONFIG_X=y nor =m is there. */
static bool is_as_asked(const struct strbuf *config, const char *line,
			size_t len)
{
	char set[128];
	size_t name;

	if (*line != '#')
		return has_line(config, line, len);
	name = strcspn(line + 2, " \n");
	if (len < 3 || strncmp(line + 2, "CONFIG_", 7) ||
	    name + 3 > sizeof(set))
		return true;
	memcpy(set, line + 2, name);
	memcpy(set + name, "=y", 3);
	if (has_line(config, set, name + 2))
		return false;
	set[name + 1] = 'm';
	return !has_line(config, set, name + 2);
}

static int check_config(const struct boot *boot,
			const struct boot_source *source, struct err *err)
{
	const char *at = source->options;
	struct strbuf config = STRBUF_INIT;
	bool any = !source->any || !source->any->n;
	int ret = -1;

	if (strbuf_read_file(&config, arena_printf(boot->arena,
			     "%s/%s/.config", boot->work, source->build), err))
		return -1;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (!len || is_as_asked(&config, at, len))
			continue;
		err_set(err, STATUS_USAGE, "the configuration did not take: "
			"'%.*s' was asked for", (int)len, at);
		goto out;
	}
	for (size_t i = 0; !any && i < source->any->n; i++) {
		const char *line = arena_printf(boot->arena, "CONFIG_%s=y",
						source->any->name[i]);

		any = has_line(&config, line, strlen(line));
	}
	if (any)
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
	static const char *const image[] = { "bzImage", NULL };
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
		strbuf_addf(&options, "CONFIG_%s=y\n", source->any->name[i]);
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

/* One file of a build: out of the cache, or into it. */
static int take(const struct boot *boot, const char *kind, uint64_t key,
		const char *from, const char *name, uint64_t *hash,
		struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	size_t len = 0;
	void *data;
	int ret;

	if (!from) {
		data = boot->cache ? cache_get(boot->cache, kind, key, 0,
					       &len) : NULL;
		ret = data ? boot_store(boot, name, data, len, err) : -1;
		*hash = data ? XXH3_64bits(data, len) : 0;
		free(data);
		return ret;
	}
	ret = strbuf_read_file(&text, arena_printf(boot->arena, "%s/%s",
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

int boot_kernel(const struct boot *boot, const struct boot_source *source,
		int (*prepare)(void *data, struct err *err), void *data,
		struct boot_kernel *kernel, struct strbuf *log,
		struct err *err)
{
	const char *image, *map;
	uint64_t key;

	*kernel = (struct boot_kernel){ 0 };
	if (ask_compiler(boot, kernel, err))
		return -1;
	key = key_of(source, kernel);
	kernel->image = arena_printf(boot->arena, "kernel.%016llx",
				     (unsigned long long)key);
	kernel->map = arena_printf(boot->arena, "%s.map", kernel->image);
	if (!take(boot, "kernelmap", key, NULL, kernel->map,
		  &kernel->hash, err) &&
	    !take(boot, "kernel", key, NULL, kernel->image,
		  &kernel->hash, err)) {
		kernel->cached = true;
		return 0;
	}
	if (err->text)
		return -1;
	if (prepare(data, err) || build(boot, source, kernel, log, err))
		return -1;
	image = arena_printf(boot->arena, "%s/" IMAGE, source->build);
	map = arena_printf(boot->arena, "%s/" MAP, source->build);
	if (take(boot, "kernelmap", key, map, kernel->map, &kernel->hash,
		 err) ||
	    take(boot, "kernel", key, image, kernel->image, &kernel->hash,
		 err))
		return -1;
	return 0;
}
