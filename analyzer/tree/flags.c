// SPDX-License-Identifier: GPL-2.0-only
/* The compiler arguments that all units share. */
#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "files.h"
#include "generate.h"
#include "kbuild.h"
#include "make.h"
#include "tree_private.h"

struct flags {
	struct arena *arena;
	const char **flag;
	size_t n, size;
};

static void add(struct flags *flags, const char *flag)
{
	if (flags->n == flags->size) {
		flags->size = flags->size ? flags->size * 2 : 64;
		flags->flag = xrealloc(flags->flag, flags->size *
				       sizeof(*flags->flag));
	}
	flags->flag[flags->n++] = flag;
}

static void add_all(struct flags *flags, const char *const *flag)
{
	for (; *flag; flag++)
		add(flags, *flag);
}

static const char *const everywhere[] = {
	"-x", "c", "-nostdlibinc", "-w", "-ferror-limit=0", "-O2",
	"-fshort-wchar", "-fno-strict-aliasing", "-fno-common", "-fno-PIE",
	"-fno-strict-overflow", "-fno-delete-null-pointer-checks",
	/* gcc lets these pass, and old trees rely on it */
	"-Wno-error=int-conversion",
	"-Wno-error=incompatible-function-pointer-types",
	"-D__KERNEL__",
	/* one value for all units: a precompiled header holds for all */
	"-DKBUILD_STR(s)=#s", "-DKBUILD_BASENAME=\"nocharge\"",
	"-DKBUILD_MODNAME=\"nocharge\"", "-DKBUILD_MODFILE=\"nocharge\"",
	"-D__KBUILD_MODNAME=kmod_nocharge", NULL
};

static const char *const x86[] = {
	"--target=x86_64-linux-gnu", "-m64", "-mno-sse", "-mno-mmx",
	"-mno-sse2", "-mno-3dnow", "-mno-avx", "-mno-80387",
	"-mstack-alignment=8", "-mcmodel=kernel", "-mno-red-zone", NULL
};

static const char *const arm64[] = {
	"--target=aarch64-linux-gnu", "-mgeneral-regs-only",
	"-DCONFIG_CC_HAS_K_CONSTRAINT=1", NULL
};

static void includes(struct flags *flags, const struct config *config)
{
	const struct tree *tree = config->tree;
	struct arena *arena = flags->arena;

	/* generated before the tree's own: a dirty tree has stale ones */
	add(flags, arena_printf(arena, "-I%s/arch/%s/include", tree->root,
				tree->arch));
	add(flags, arena_printf(arena, "-I%s/arch/%s/include/generated",
				TREE_GENERATED, tree->arch));
	add(flags, arena_printf(arena, "-I%s/include", TREE_GENERATED));
	add(flags, arena_printf(arena, "-I%s/include", tree->root));
	add(flags, arena_printf(arena, "-I%s/arch/%s/include/uapi",
				tree->root, tree->arch));
	add(flags, arena_printf(arena, "-I%s/arch/%s/include/generated/uapi",
				TREE_GENERATED, tree->arch));
	add(flags, arena_printf(arena, "-I%s/include/uapi", tree->root));
	add(flags, arena_printf(arena, "-I%s/include/generated/uapi",
				TREE_GENERATED));
	add(flags, "-include");
	add(flags, TREE_GENERATED "/" TREE_FIRST);
}

static bool has(const struct flags *flags, const char *flag)
{
	size_t i;

	for (i = 0; i < flags->n; i++)
		if (!strcmp(flags->flag[i], flag))
			return true;
	return false;
}

/* What the top Makefile and the architecture's define for all units. */
static bool defines(struct flags *flags, const struct config *config)
{
	/* as if make had called itself to build everything */
	static const char *const set[] = {
		"sub_make_done", "1", "MAKEFLAGS", "--no-print-directory",
		"MAKECMDGOALS", "all", "CC", "clang",
	};
	static const char *const list[] = { "KBUILD_CPPFLAGS",
					    "KBUILD_CFLAGS" };
	struct tree *tree = config->tree;
	struct strbuf text = STRBUF_INIT;
	const char **flag;
	struct make make;
	bool limited;
	size_t i, n;

	make_init(&make, tree, config, "");
	for (i = 0; i < sizeof(set) / sizeof(set[0]); i += 2)
		make_set(&make, set[i], set[i + 1]);
	make_set(&make, "CURDIR", tree->root);
	make_set(&make, "KBUILD_SRC", tree->root);
	make_run(&make, "Makefile");
	limited = make_rest(&make);
	strbuf_addstr(&text, "");
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		make_value(&make, list[i], &text);
		strbuf_addch(&text, ' ');
	}
	limited |= make_rest(&make);
	make_release(&make);
	flag = kbuild_flags(tree, text.buf, &n);
	for (i = 0; i < n; i++)
		if ((!strncmp(flag[i], "-D", 2) ||
		     !strncmp(flag[i], "-U", 2)) && !has(flags, flag[i]))
			add(flags, flag[i]);
	strbuf_release(&text);
	return !limited;
}

bool flags_common(struct config *config)
{
	const int *v = config->tree->version;
	int version = v[0] * 1000 + v[1];
	struct flags flags = { .arena = config->tree->arena };
	bool whole;

	add_all(&flags, everywhere);
	add(&flags, version >= 5018 ? "-std=gnu11" : "-std=gnu89");
	add(&flags, version >= 6002 ? "-funsigned-char" : "-fsigned-char");
	if (version >= 6019)
		add(&flags, "-fms-extensions");
	add_all(&flags, !strcmp(config->tree->arch, "x86") ? x86 : arm64);
	/* to 4.20 the Makefile runs the compiler to find out */
	if (version < 5000)
		add(&flags, "-DCC_HAVE_ASM_GOTO");
	whole = defines(&flags, config);
	includes(&flags, config);
	config->priv->common = ARENA_ARRAY(config->tree->arena, const char *,
					   flags.n + 1);
	memcpy(config->priv->common, flags.flag,
	       flags.n * sizeof(*flags.flag));
	config->priv->ncommon = flags.n;
	free(flags.flag);
	return whole;
}
