// SPDX-License-Identifier: GPL-2.0-only
/* The compiler arguments that all units share. */
#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "files.h"
#include "generate.h"
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

/* What trees before 5.7 found out by running the assembler. */
static const char *const x86_old[] = {
	"-DCC_HAVE_ASM_GOTO", "-DCONFIG_AS_CFI=1",
	"-DCONFIG_AS_CFI_SIGNAL_FRAME=1", "-DCONFIG_AS_CFI_SECTIONS=1",
	"-DCONFIG_AS_FXSAVEQ=1",
	"-DCONFIG_AS_SSSE3=1", "-DCONFIG_AS_CRC32=1", "-DCONFIG_AS_AVX=1",
	"-DCONFIG_AS_AVX2=1", NULL
};

static const char *const arm64[] = {
	"--target=aarch64-linux-gnu", "-mgeneral-regs-only",
	"-DCC_HAVE_ASM_GOTO", "-DCONFIG_CC_HAS_K_CONSTRAINT=1", NULL
};

static void includes(struct flags *flags, const struct config *config)
{
	static const char *const first[] = {
		"include/linux/compiler-version.h", "include/linux/kconfig.h",
		"include/linux/compiler_types.h",
	};
	const struct tree *tree = config->tree;
	struct arena *arena = flags->arena;
	size_t i;

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
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (!tree_files_have(tree->priv->files, first[i]))
			continue;
		add(flags, "-include");
		add(flags, arena_printf(arena, "%s/%s", tree->root,
					first[i]));
	}
}

void flags_common(struct config *config)
{
	const int *v = config->tree->version;
	int version = v[0] * 1000 + v[1];
	struct flags flags = { .arena = config->tree->arena };

	add_all(&flags, everywhere);
	add(&flags, version >= 5018 ? "-std=gnu11" : "-std=gnu89");
	add(&flags, version >= 6002 ? "-funsigned-char" : "-fsigned-char");
	if (version >= 6019)
		add(&flags, "-fms-extensions");
	if (strcmp(config->tree->arch, "x86")) {
		add_all(&flags, arm64);
	} else {
		add_all(&flags, x86);
		if (version < 5007)
			add_all(&flags, x86_old);
	}
	includes(&flags, config);
	config->priv->common = ARENA_ARRAY(config->tree->arena, const char *,
					   flags.n + 1);
	memcpy(config->priv->common, flags.flag,
	       flags.n * sizeof(*flags.flag));
	config->priv->ncommon = flags.n;
	free(flags.flag);
}
