// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "parse/parse.h"

static const char help[] =
"nocharge cache --size | --prune [--cache DIR]\n"
"\n"
"  --size        how much the cache holds\n"
"  --prune       remove everything in it\n"
"  --cache DIR   that cache (default: XDG_CACHE_HOME/nocharge)\n"
"  -h, --help    this text\n";

static void print_size(struct cache *cache)
{
	printf("%.1f MB in %s\n", (double)cache_size(cache) / 1e6,
	       cache_dir(cache));
}

int cmd_cache(int argc, char **argv)
{
	bool size = false, prune = false;
	const char *dir = NULL;
	struct cache *cache;
	struct err err = { 0 };

	/* getopt's struct option has a namesake in tree.h */
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return STATUS_CLEAN;
		}
		if (!strcmp(argv[i], "--size"))
			size = true;
		else if (!strcmp(argv[i], "--prune"))
			prune = true;
		else if (!strncmp(argv[i], "--cache=", 8))
			dir = argv[i] + 8;
		else if (strcmp(argv[i], "--cache"))
			usage("cache", "unknown option '%s'", argv[i]);
		else if (i + 1 == argc)
			usage("cache", "'--cache' needs a value");
		else
			dir = argv[++i];
	}
	if (size == prune)
		usage("cache", "one of --size and --prune is needed");
	cache = cache_look(dir, &err);
	if (!cache)
		die("%s", err.text);
	if (prune && cache_prune(cache, 0, &err))
		die("%s", err.text);
	print_size(cache);
	cache_close(cache);
	return STATUS_CLEAN;
}
