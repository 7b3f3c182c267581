// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/strbuf.h"
#include "files.h"
#include "tree_private.h"

struct memfile *memfiles_put(struct memfiles *files, const char *path,
			     struct strbuf *text)
{
	struct memfile *file = NULL;
	size_t i;

	path = intern(files->strings, path);
	for (i = 0; i < files->n && !file; i++)
		if (files->file[i].path == path)
			file = &files->file[i];
	if (!file) {
		if (files->n == files->size) {
			files->size = files->size ? files->size * 2 : 512;
			files->file = xrealloc(files->file, files->size *
					       sizeof(*files->file));
		}
		file = &files->file[files->n++];
		*file = (struct memfile){ .path = path };
	}
	file->len = text->len;
	file->text = arena_strndup(files->arena, text->buf ? text->buf : "",
				   text->len);
	text->len = 0;
	return file;
}

const struct memfile *memfiles_get(const struct memfiles *files,
				   const char *path)
{
	size_t i;

	path = interned(files->strings, path);
	for (i = 0; i < files->n; i++)
		if (files->file[i].path == path)
			return &files->file[i];
	return NULL;
}

void generated(struct memfiles *files, const char *path, struct strbuf *text)
{
	memfiles_put(files, arena_printf(files->arena, "%s/%s",
					 TREE_GENERATED, path), text);
}

void generated_line(struct memfiles *files, const char *path, const char *fmt,
		    ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len > 0) {
		text.buf = xmalloc((size_t)len + 1);
		text.cap = (size_t)len + 1;
		text.len = (size_t)len;
		vsnprintf(text.buf, text.cap, fmt, again);
	}
	va_end(again);
	generated(files, path, &text);
	strbuf_release(&text);
}

static void autoconf(const struct config *config, struct memfiles *files)
{
	struct strbuf text = STRBUF_INIT;
	const struct option *option;
	size_t i;

	for (i = 0; i < config->noption; i++) {
		option = &config->option[i];
		if (!strcmp(option->value, "y"))
			strbuf_addf(&text, "#define CONFIG_%s 1\n",
				    option->name);
		else if (!strcmp(option->value, "m"))
			strbuf_addf(&text, "#define CONFIG_%s_MODULE 1\n",
				    option->name);
		else
			strbuf_addf(&text, "#define CONFIG_%s %s\n",
				    option->name, option->value);
	}
	generated(files, "include/generated/autoconf.h", &text);
	strbuf_release(&text);
}

static void first(const struct config *config, struct memfiles *files)
{
	static const char *const header[] = {
		"linux/compiler-version.h", "linux/kconfig.h",
		"linux/compiler_types.h",
	};
	struct strbuf text = STRBUF_INIT;
	char path[64];
	size_t i;

	for (i = 0; i < sizeof(header) / sizeof(header[0]); i++) {
		snprintf(path, sizeof(path), "include/%s", header[i]);
		if (tree_files_have(config->tree->priv->files, path))
			strbuf_addf(&text, "#include <%s>\n", header[i]);
	}
	generated(files, TREE_FIRST, &text);
	strbuf_release(&text);
}

static void versions(const struct config *config, struct memfiles *files)
{
	static const char *const path[] = {
		"include/generated/uapi/linux/version.h",
		"include/linux/version.h", /* before 3.7 */
	};
	const struct tree *tree = config->tree;
	const int *v = tree->version;
	size_t i;

	for (i = 0; i < 2; i++)
		generated_line(files, path[i],
			"#define LINUX_VERSION_CODE %d\n"
			"#define KERNEL_VERSION(a, b, c) (((a) << 16) + "
			"((b) << 8) + ((c) > 255 ? 255 : (c)))\n"
			"#define LINUX_VERSION_MAJOR %d\n"
			"#define LINUX_VERSION_PATCHLEVEL %d\n"
			"#define LINUX_VERSION_SUBLEVEL %d\n",
			(v[0] << 16) + (v[1] << 8) + (v[2] > 255 ? 255 : v[2]),
			v[0], v[1], v[2]);
	generated_line(files, "include/generated/utsrelease.h",
		       "#define UTS_RELEASE \"%s\"\n", tree->release);
	generated_line(files, "include/generated/utsversion.h",
		       "#define UTS_VERSION \"#1\"\n");
	generated_line(files, "init/utsversion-tmp.h",
		       "#define UTS_VERSION \"#1\"\n");
	generated_line(files, "include/generated/package.h",
		       "#define LINUX_PACKAGE_ID \"\"\n");
	generated_line(files, "include/generated/compile.h",
		       "#define UTS_VERSION \"#1\"\n"
		       "#define UTS_MACHINE \"%s\"\n"
		       "#define LINUX_COMPILE_BY \"nocharge\"\n"
		       "#define LINUX_COMPILE_HOST \"nocharge\"\n"
		       "#define LINUX_COMPILER \"clang\"\n",
		       !strcmp(tree->arch, "x86") ? "x86_64" : "aarch64");
}

static unsigned long long gcd(unsigned long long a, unsigned long long b)
{
	unsigned long long t;

	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

/* x * n / d as (x * MUL32 + ADJ32) >> SHR32, MUL32 filling 32 bits */
static void scale(struct strbuf *out, const char *name, unsigned long long n,
		  unsigned long long d)
{
	unsigned __int128 mul, adj, one = 1;
	unsigned shift;

	for (shift = 0; shift < 96; shift++) {
		mul = ((one << shift) * n + d - 1) / d;
		if (mul >= one << 31)
			break;
	}
	d /= gcd(n, d);
	adj = (one << shift) * (d - 1) / d;
	strbuf_addf(out, "#define %s_MUL32 U64_C(0x%llX)\n", name,
		    (unsigned long long)mul);
	strbuf_addf(out, "#define %s_ADJ32 U64_C(0x%llX)\n", name,
		    (unsigned long long)adj);
	strbuf_addf(out, "#define %s_SHR32 %u\n", name, shift);
}

static void timeconst(const struct config *config, struct memfiles *files)
{
	static const struct {
		const char *name;
		unsigned long long per_second;
		bool scaled;
	} unit[] = {
		{ "MSEC", 1000, true },
		{ "USEC", 1000000, true },
		{ "NSEC", 1000000000, false },
	};
	static const struct {
		const char *maker, *header;
	} beside[] = {
		{ "kernel/timeconst.pl", "kernel/timeconst.h" },
		{ "kernel/timeconst.bc", "kernel/timeconst.h" },
		{ "kernel/time/timeconst.bc", "kernel/time/timeconst.h" },
	};
	const char *text = config_get(config, "HZ");
	unsigned long long hz = text ? strtoull(text, NULL, 10) : 0, g, per;
	struct strbuf out = STRBUF_INIT;
	char name[32];
	size_t i;

	if (!hz || hz > 1000000)
		hz = 250;
	strbuf_addstr(&out, "#include <linux/param.h>\n"
		      "#include <linux/types.h>\n");
	strbuf_addf(&out, "#define TC_HZ %llu\n", hz);
	for (i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
		per = unit[i].per_second;
		g = gcd(hz, per);
		if (unit[i].scaled) {
			snprintf(name, sizeof(name), "HZ_TO_%s", unit[i].name);
			scale(&out, name, per, hz);
			snprintf(name, sizeof(name), "%s_TO_HZ", unit[i].name);
			scale(&out, name, hz, per);
		}
		strbuf_addf(&out, "#define HZ_TO_%s_NUM %llu\n"
			    "#define HZ_TO_%s_DEN %llu\n"
			    "#define %s_TO_HZ_NUM %llu\n"
			    "#define %s_TO_HZ_DEN %llu\n", unit[i].name,
			    per / g, unit[i].name, hz / g, unit[i].name,
			    hz / g, unit[i].name, per / g);
	}
	/* before 4.2 it was made beside the file that includes it */
	for (i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		struct strbuf copy = STRBUF_INIT;

		if (!tree_files_have(config->tree->priv->files,
				     beside[i].maker))
			continue;
		strbuf_add(&copy, out.buf, out.len);
		memfiles_put(files, arena_printf(files->arena, "%s/%s",
						 config->tree->root,
						 beside[i].header), &copy);
		strbuf_release(&copy);
	}
	generated(files, "include/generated/timeconst.h", &out);
	strbuf_release(&out);
}

static bool is_header(const char *name)
{
	size_t len = strlen(name);

	return len > 2 && !strcmp(name + len - 2, ".h");
}

/*
 * asm/X.h for every generic X.h that the architecture has no own one of:
 * what generic-y and mandatory-y come down to.
 */
static void wrappers(const struct config *config, struct memfiles *files)
{
	static const char *const sub[] = { "", "uapi/" };
	struct tree *tree = config->tree;
	struct tree_files *in = tree->priv->files;
	struct arena *arena = tree->arena;
	const char *const *name;
	size_t i, j, n;

	for (i = 0; i < 2; i++) {
		name = tree_files_list(in, arena_printf(arena,
				       "include/%sasm-generic", sub[i]), &n);
		for (j = 0; j < n; j++) {
			if (!is_header(name[j]))
				continue;
			if (tree_files_have(in, arena_printf(arena,
				    "arch/%s/include/uapi/asm/%s", tree->arch,
				    name[j])))
				continue;
			if ((!i || tree->version[0] * 1000 +
			     tree->version[1] < 3007) &&
			    tree_files_have(in, arena_printf(arena,
				    "arch/%s/include/asm/%s", tree->arch,
				    name[j])))
				continue;
			generated_line(files, arena_printf(arena,
				       "arch/%s/include/generated/%sasm/%s",
				       tree->arch, sub[i], name[j]),
				       "#include <asm-generic/%s>\n", name[j]);
		}
	}
}

void generate_headers(const struct config *config, struct memfiles *files)
{
	static const char *const empty[] = {
		"include/generated/randstruct_hash.h",
		"include/generated/randomize_layout_hash.h",
		"include/generated/autoksyms.h",
		"include/generated/integer-wrap.h",
		"include/generated/gcc-plugins.h",
		"include/generated/asm-offsets.h",
		"include/generated/bounds.h",
		"include/generated/rq-offsets.h",
	};
	size_t i;

	autoconf(config, files);
	first(config, files);
	generated_line(files, "include/linux/autoconf.h",
		       "#include <generated/autoconf.h>\n");
	versions(config, files);
	timeconst(config, files);
	for (i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		generated_line(files, empty[i], "%s", "");
	wrappers(config, files);
	generate_arch(config, files);
}
