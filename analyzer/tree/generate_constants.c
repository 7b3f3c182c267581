// SPDX-License-Identifier: GPL-2.0-only
/* Headers whose constants only a compiler knows. */
#include <string.h>

#include "../base/strbuf.h"
#include "files.h"
#include "generate.h"
#include "tree_private.h"

/*
 * In place of the tree's linux/kbuild.h, which makes assembly to be read
 * with sed, one that makes enumerators. What only an optimiser can fold is for
 * assembly alone, and 0.
 */
static const char kbuild_h[] =
	"#ifndef __LINUX_KBUILD_H\n"
	"#define __LINUX_KBUILD_H\n"
	"#define DEFINE(sym, val) do { enum : long long "
	"{ __nocharge_##sym = __builtin_choose_expr("
	"__builtin_constant_p(val), (long long)(val), 0) }; } while (0)\n"
	"#define BLANK()\n"
	"#define COMMENT(x)\n"
	"#define OFFSET(sym, str, mem) "
	"DEFINE(sym, __builtin_offsetof(struct str, mem))\n"
	"#endif\n";

/* If the file that says them is not there; any plausible number will do. */
static const char bounds_default[] =
	"#define NR_PAGEFLAGS 24\n"
	"#define MAX_NR_ZONES 4\n"
	"#define NR_CPUS_BITS 6\n"
	"#define SPINLOCK_SIZE 4\n"
	"#define LRU_GEN_WIDTH 3\n"
	"#define __LRU_REFS_WIDTH 2\n";

struct collect {
	struct strbuf *text;
	size_t n;
};

static void collect(void *data, const char *name, long long value)
{
	struct collect *c = data;

	strbuf_addf(c->text, "#define %s %lld\n", name, value);
	c->n++;
}

static int constants(struct config *config, const struct configure *how,
		     struct memfiles *files, const char *unit,
		     const char *define, const char *out, struct err *err)
{
	struct config_private *priv = config->priv;
	struct arena *arena = config->tree->arena;
	struct strbuf text = STRBUF_INIT;
	struct collect c = { .text = &text };
	const char *header, **flag;
	struct memfile *file;
	size_t n = priv->ncommon, nfile;
	int ret;

	if (!how->constants || !tree_files_have(config->tree->priv->files,
						unit))
		return 0;
	flag = ARENA_ARRAY(arena, const char *, n + 2);
	memcpy(flag, priv->common, n * sizeof(*flag));
	flag[n++] = define;
	header = arena_printf(arena, "%s/include/linux/kbuild.h",
			      config->tree->root);
	file = ARENA_ARRAY(arena, struct memfile, files->n + 1);
	memcpy(file, files->file, files->n * sizeof(*file));
	file[files->n] = (struct memfile){
		.path = header, .text = kbuild_h, .len = sizeof(kbuild_h) - 1,
	};
	file = tree_memfiles(config->tree, file, files->n + 1, &nfile);
	ret = how->constants(how->constants_data, unit, flag, n, file, nfile,
			     collect, &c, err);
	if (!ret && c.n)
		generated(files, out, &text);
	/* the unit is no worse than another that cannot be analysed */
	if (ret && err->status == STATUS_INCOMPLETE) {
		config_skip(config, arena_printf(arena, "%s", err->text));
		err_clear(err);
		ret = 0;
	}
	strbuf_release(&text);
	return ret;
}

int generate_constants(struct config *config,
		       const struct configure *how, struct memfiles *files,
		       struct err *err)
{
	struct arena *arena = config->tree->arena;
	const struct memfile *bounds;
	const char *path;

	if (constants(config, how, files, "kernel/bounds.c",
		      "-D__GENERATING_BOUNDS_H",
		      "include/generated/bounds.h", err) < 0)
		return -1;
	path = arena_printf(arena, "%s/include/generated/bounds.h",
			    TREE_GENERATED);
	bounds = memfiles_get(files, path);
	if (!bounds || !strstr(bounds->text, "NR_PAGEFLAGS"))
		generated_line(files, "include/generated/bounds.h", "%s",
			       bounds_default);
	if (constants(config, how, files,
		      arena_printf(arena, "arch/%s/kernel/asm-offsets.c",
				   config->tree->arch),
		      "-DCOMPILE_OFFSETS", "include/generated/asm-offsets.h",
		      err) < 0)
		return -1;
	return constants(config, how, files, "kernel/sched/rq-offsets.c",
			 "-DCOMPILE_OFFSETS",
			 "include/generated/rq-offsets.h", err);
}
