// SPDX-License-Identifier: GPL-2.0-only
/* The files of a tree, whether they are built and with which flags. */
#include <stdlib.h>
#include <string.h>

#include "kbuild.h"
#include "tree_private.h"

/* What to say about why a file is built, or is not. */
static const char *gate_text(const struct config *config,
			     const struct gates *gates, bool built)
{
	const char *value;
	size_t i;

	for (i = 0; i < gates->n; i++) {
		value = config_get(config, gates->name[i]);
		if (!built && !value)
			return gates->name[i];
		if (built && value && !strcmp(value, "m"))
			return arena_printf(config->tree->arena, "%s=m",
					    gates->name[i]);
		if (built && value)
			return gates->name[i];
	}
	/* what is built in is not built in a directory for modules */
	for (i = 0; i < gates->n && !built; i++) {
		value = config_get(config, gates->name[i]);
		if (value && !strcmp(value, "m"))
			return arena_printf(config->tree->arena, "%s=m",
					    gates->name[i]);
	}
	return "";
}

static int compare_units(const void *a, const void *b)
{
	return strcmp(((const struct unit *)a)->path,
		      ((const struct unit *)b)->path);
}

struct unit *tree_units(const struct config *config, size_t *nunit)
{
	const struct kbuild_names *names = kbuild_names(config->tree);
	struct kbuild *kbuild = config->priv->kbuild;
	const struct gates none = { 0 };
	struct built *built;
	struct named *named;
	struct unit *unit;
	size_t i, n = 0;

	unit = ARENA_ARRAY(config->tree->arena, struct unit,
			   names->n + HASH_COUNT(kbuild->built));
	for (i = 0; i < names->n; i++) {
		named = names->sorted[i];
		HASH_FIND_PTR(kbuild->built, &named->path, built);
		unit[n].path = named->path;
		unit[n].built = built;
		unit[n].module = built && built->module;
		unit[n++].gate = gate_text(config, &named->gates, built);
	}
	for (built = kbuild->built; built; built = built->hh.next) {
		HASH_FIND_PTR(names->named, &built->path, named);
		if (named)
			continue;
		unit[n].path = built->path;
		unit[n].built = true;
		unit[n].module = built->module;
		unit[n++].gate = gate_text(config, &none, true);
	}
	qsort(unit, n, sizeof(*unit), compare_units);
	*nunit = n;
	return unit;
}

size_t tree_gate_symbols(struct tree *tree, const char *path,
			 const char *const **symbols)
{
	const struct kbuild_names *names = kbuild_names(tree);
	struct named *named = NULL;

	*symbols = NULL;
	path = interned(tree->strings, path);
	if (path)
		HASH_FIND_PTR(names->named, &path, named);
	if (!named)
		return 0;
	*symbols = named->gates.name;
	return named->gates.n;
}

const char *const *tree_flags(const struct config *config, const char *unit,
			      size_t *n, size_t *ncommon)
{
	const struct config_private *priv = config->priv;
	struct tree *tree = config->tree;
	const struct kdir *dir;
	struct built *built = NULL;
	struct kfile *file = NULL;
	const char **flag;

	*n = *ncommon = priv->ncommon;
	unit = interned(tree->strings, unit);
	if (unit)
		HASH_FIND_PTR(priv->kbuild->built, &unit, built);
	if (!built)
		return priv->common;
	dir = built->dir;
	HASH_FIND_PTR(dir->file, &built->object, file);
	if (!dir->nflag && !file && !built->module)
		return priv->common;
	flag = ARENA_ARRAY(tree->arena, const char *, priv->ncommon +
			   dir->nflag + (file ? file->nflag : 0) + 2);
	memcpy(flag, priv->common, priv->ncommon * sizeof(*flag));
	if (dir->nflag)
		memcpy(flag + *n, dir->flag, dir->nflag * sizeof(*flag));
	*n += dir->nflag;
	if (file) {
		memcpy(flag + *n, file->flag, file->nflag * sizeof(*flag));
		*n += file->nflag;
	}
	if (built->module)
		flag[(*n)++] = "-DMODULE";
	return flag;
}
