// SPDX-License-Identifier: GPL-2.0-only
/* The Makefile of a directory. */
#include <stdint.h>

#include "base/err.h"
#include "tests/unit/tree.h"

static char *dir;

static void clean_up(void)
{
	tree_remove(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct configure how = { .label = "in" };
	struct config *config;
	struct err err = { 0 };
	struct unit *unit;
	struct tree *tree;
	const char *const *flag;
	size_t n, i, nflag, ncommon;
	char path[4096];
	FILE *file;

	if (!dir) {
		dir = tree_put();
		file_put(dir, "Kconfig", "config A\n\tdef_bool y\n");
		file_put(dir, "mm/a.c", "");
		file_put(dir, "mm/sub/b.c", "");
		file_put(dir, "mm/sub/Makefile", "obj-y += b.o\n");
		atexit(clean_up);
	}
	snprintf(path, sizeof(path), "%s/mm/Makefile", dir);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
	tree = tree_open(dir, "x86", NULL, &err);
	config = tree ? tree_configure(tree, &how, &err) : NULL;
	if (!config)
		abort();
	unit = tree_units(config, &n);
	for (i = 0; i < n; i++) {
		flag = tree_flags(config, unit[i].path, &nflag, &ncommon);
		if (ncommon > nflag || flag[nflag])
			abort();
	}
	tree_free(tree);
	return 0;
}
