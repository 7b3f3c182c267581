// SPDX-License-Identifier: GPL-2.0-only
#include "series_tree.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "parse/parse.h"

static bool is_source(const char *name)
{
	size_t len = strlen(name);

	return (len > 2 && (!strcmp(name + len - 2, ".c") ||
			    !strcmp(name + len - 2, ".h"))) ||
		!strncmp(name, "Kconfig", 7) || !strncmp(name, "Kbuild", 6) ||
		!strncmp(name, "Makefile", 8);
}

uint64_t series_content(const char *root)
{
	char *const paths[] = { (char *)(uintptr_t)root, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const size_t prefix = strlen(root);
	uint64_t sum = 0;
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		const struct stat *st = entry->fts_statp;
		int64_t facts[3];

		if (entry->fts_info == FTS_D && *entry->fts_name == '.' &&
		    entry->fts_level) {
			fts_set(fts, entry, FTS_SKIP);
			continue;
		}
		if (entry->fts_info != FTS_F || !is_source(entry->fts_name))
			continue;
		facts[0] = st->st_size;
		facts[1] = st->st_mtim.tv_sec;
		facts[2] = st->st_mtim.tv_nsec;
		/* a sum: the order of directories does not matter */
		sum += XXH3_64bits_withSeed(facts, sizeof(facts),
			XXH3_64bits(entry->fts_path + prefix,
				    strlen(entry->fts_path + prefix)));
	}
	if (fts)
		fts_close(fts);
	return sum;
}

/* A name that leads nowhere may be one of those that come with us. */
void series_find_rules(struct prove *prove, struct options *options)
{
	if (!prove->rules.n)
		die("%s/series.json names no rules", prove->dir_arg);
	for (size_t i = 0; i < prove->rules.n; i++) {
		const char **name = &prove->rules.name[i];
		const char *path = access(*name, R_OK) ?
			data_path(prove->arena, *name) : *name;

		if (!path)
			die("the series was made by the rules '%s', which "
			    "cannot be read", *name);
		*name = path;
	}
	options->rules = prove->rules;
}
