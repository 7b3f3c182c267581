// SPDX-License-Identifier: GPL-2.0-only
/* Kconfig and, behind the first NUL, a .config. */
#include <stdint.h>

#include "base/err.h"
#include "tests/unit/tree.h"

static char *dir;

static void write_bytes(const char *name, const uint8_t *data, size_t size)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

static void clean_up(void)
{
	tree_remove(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t len = nul ? (size_t)(nul - data) : size;
	struct configure how = { .label = "in" };
	struct err err = { 0 };
	struct tree *tree;
	char path[4096];

	if (!dir) {
		dir = tree_put();
		atexit(clean_up);
	}
	write_bytes("Kconfig", data, len);
	if (nul) {
		write_bytes("dotconfig", nul + 1, size - len - 1);
		snprintf(path, sizeof(path), "%s/dotconfig", dir);
		how.config_file = path;
	}
	tree = tree_open(dir, "x86", NULL, &err);
	if (!tree)
		abort();
	if (!tree_configure(tree, &how, &err) && !err.text)
		abort();
	tree_free(tree);
	err_clear(&err);
	return 0;
}
