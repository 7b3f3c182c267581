// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "cmd.h"
#include "options.h"
#include "run.h"
#include "units.h"

static const char help[] =
"nocharge flags [options] TREE [DIR]\n"
"\n"
"For developers: one line for each unit and configuration that 'check' would\n"
"parse, \"in\" or \"out\", a tab, the unit, a tab, and the compiler's arguments\n"
"as a shell takes them. What exists in memory only is written into DIR, with\n"
"an overlay (in.yaml and out.yaml) that puts it in its place; without DIR it\n"
"is left out.\n"
"\n";

/* As one word of a shell, or of a JSON string where @json. */
static void put_quoted(FILE *file, const char *word, bool json)
{
	const char quote = json ? '"' : '\'';

	fputc(quote, file);
	for (; *word; word++) {
		if (json && (*word == '"' || *word == '\\'))
			fputc('\\', file);
		if (!json && *word == '\'')
			fputs("'\\'", file);
		fputc(*word, file);
	}
	fputc(quote, file);
}

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		die("%s: %s", path, strerror(errno));
	return file;
}

static void finish(FILE *file, const char *path)
{
	bool bad = ferror(file);

	if (fclose(file) || bad)
		die("%s: cannot be written", path);
}

/* @config's files in @dir under numbers, and the overlay that names them. */
static const char *write_overlay(struct arena *arena,
				 const struct config *config, const char *dir)
{
	const char *path = arena_printf(arena, "%s/%s.yaml", dir,
					config->label);
	FILE *yaml = create(path);

	fputs("{ \"version\": 0, \"roots\": [\n", yaml);
	for (size_t i = 0; i < config->nfile; i++) {
		const struct memfile *memfile = &config->file[i];
		const char *copy = arena_printf(arena, "%s/%s.%zu.h", dir,
						config->label, i);
		FILE *file = create(copy);

		fwrite(memfile->text, 1, memfile->len, file);
		finish(file, copy);
		fputs(i ? ",\n" : "", yaml);
		fputs("{ \"type\": \"file\", \"name\": ", yaml);
		put_quoted(yaml, memfile->path, true);
		fputs(", \"external-contents\": ", yaml);
		put_quoted(yaml, copy, true);
		fputs(" }", yaml);
	}
	fputs("\n] }\n", yaml);
	finish(yaml, path);
	return path;
}

static void print_unit(const struct config *config, const char *unit,
		       const char *overlay)
{
	const char *const *flag;
	size_t nflag, ncommon;

	flag = tree_flags(config, unit, &nflag, &ncommon);
	printf("%s\t%s\t", config->label, unit);
	for (size_t i = 0; i < nflag; i++) {
		put_quoted(stdout, flag[i], false);
		putchar(' ');
	}
	if (overlay) {
		fputs("-ivfsoverlay ", stdout);
		put_quoted(stdout, overlay, false);
		putchar(' ');
	}
	printf("'%s/%s'\n", config->tree->root, unit);
}

int cmd_flags(int argc, char **argv)
{
	struct arena *arena = arena_new();
	const char *in = NULL, *out = NULL;
	struct options options;
	struct unit_set set;
	struct err err = { 0 };
	struct run run;
	int status = STATUS_CLEAN;

	options_parse(&options, argc, argv, help, 1, 2, arena);
	if (run_units(&run, options.arg[0], options.rules.name[0], &options,
		      &set, &err)) {
		status = run_failed(&err);
	} else {
		size_t nunit;
		struct unit *unit = tree_units(run.out, &nunit);

		if (options.narg == 2) {
			char *dir;

			if (mkdir(options.arg[1], 0777) && errno != EEXIST)
				die("%s: %s", options.arg[1], strerror(errno));
			dir = realpath(options.arg[1], NULL);
			if (!dir)
				die("%s: %s", options.arg[1], strerror(errno));
			in = write_overlay(arena, run.in, dir);
			out = write_overlay(arena, run.out, dir);
			free(dir);
		}
		for (size_t i = 0; i < set.n; i++) {
			const struct unit *found = unit_find(unit, nunit,
							     set.unit[i]);

			print_unit(run.in, set.unit[i], in);
			if (found && found->built)
				print_unit(run.out, set.unit[i], out);
		}
	}
	run_release(&run);
	arena_free(arena);
	return status;
}
