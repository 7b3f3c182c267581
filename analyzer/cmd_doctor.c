// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "cmd.h"
#include "options.h"
#include "parse/parse.h"

static const char help[] =
"nocharge doctor\n"
"\n"
"What is installed, what is missing and how to get it. Exits with 2 if\n"
"something that 'check' needs is missing.\n"
"\n"
"  -h, --help    this text\n";

static void say(const char *what, bool good, const char *found)
{
	printf("%-20s %-8s %s\n", what, good ? "ok" : "missing",
	       found ? found : "");
}

static bool doctor_clang(void)
{
	struct parse_doctor doctor = { 0 };
	bool good;

	parse_doctor(&doctor);
	say("libclang", doctor.library && doctor.version, doctor.library);
	if (doctor.version)
		printf("%-20s %-8s %s\n", "", "", doctor.version);
	say("clang's headers", doctor.resource_dir != NULL,
	    doctor.resource_dir);
	if (doctor.problem)
		printf("  %s\n", doctor.problem);
	good = !doctor.problem;
	free(doctor.library);
	free(doctor.version);
	free(doctor.resource_dir);
	free(doctor.problem);
	return good;
}

static bool doctor_data(struct arena *arena)
{
	static const char *const files[] = {
		"rules/memcg.json", "rules/kernel.json", "rules/overlay",
		"rules/text", "rules/boot", "output/boot", "output/guest",
		"output/measure", "output/count", "output/hardware",
		"semantic-patches",
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *path = data_path(arena, files[i]);

		say(files[i], path != NULL, path);
		good &= path != NULL;
	}
	if (!good)
		printf("  NOCHARGE_DATA names the folder that has rules/ and "
		       "semantic-patches/\n");
	return good;
}

/* Programs that only some commands run: by what each answers, its version. */
static void doctor_programs(void)
{
	static const struct { const char *name, *option, *use; } programs[] = {
		{ "spatch", "--version",
		  "'fix' writes with it (Debian: coccinelle)" },
		{ "git", "--version", "'fix' and 'prove' need it" },
		{ "clang-19", "--version", "'prove' compiles with it" },
		{ "gcc", "--version", "'prove' builds with it too" },
		{ "sparse", "--version",
		  "one check of 'prove' needs it (Debian: sparse)" },
		{ "perl", "-v", "the tree's scripts, with --trust-tree" },
		{ "make", "--version", "kbuild, with --trust-tree" },
		{ "qemu-system-x86_64", "--version",
		  "'measure' and 'prove --check accounts' boot with it "
		  "(Debian: qemu-system-x86)" },
		{ "qemu-system-aarch64", "--version",
		  "'measure' boots kernels for arm64 with it "
		  "(Debian: qemu-system-arm)" },
		{ "aarch64-linux-gnu-gcc", "--version",
		  "'measure' for arm64 on other machines needs it (Debian: "
		  "gcc-aarch64-linux-gnu libc6-dev-arm64-cross)" },
	};

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const char *const argv[] = { programs[i].name,
					     programs[i].option, NULL };
		const struct process process = { .argv = argv, .dir = "/",
						 .seconds = 10 };
		struct strbuf text = STRBUF_INIT;
		struct err err = { 0 };
		bool good = !process_run(&process, &text, &text, &err);
		char *line = text.buf ? text.buf + strspn(text.buf, "\n") : NULL;

		if (line)
			line[strcspn(line, "\n")] = '\0';
		say(programs[i].name, good, good ? line : programs[i].use);
		err_clear(&err);
		strbuf_release(&text);
	}
}

/* Slower without, so never a reason to fail. */
static void doctor_cache(void)
{
	struct err err = { 0 };
	struct cache *cache = cache_open(NULL, &err);

	if (cache) {
		printf("%-20s %-8s %s, %.1f MB\n", "cache", "ok",
		       cache_dir(cache), (double)cache_size(cache) / 1e6);
		cache_close(cache);
	} else {
		printf("%-20s %-8s %s\n", "cache", "none", err.text);
	}
	err_clear(&err);
}

int cmd_doctor(int argc, char **argv)
{
	struct arena *arena;
	bool good;

	if (argc > 1 && (!strcmp(argv[1], "-h") ||
			 !strcmp(argv[1], "--help"))) {
		fputs(help, stdout);
		return STATUS_CLEAN;
	}
	if (argc > 1)
		usage("doctor", "'%s' is one argument too many", argv[1]);
	arena = arena_new();
	good = doctor_clang();
	good &= doctor_data(arena);
	doctor_programs();
	doctor_cache();
	arena_free(arena);
	return good ? STATUS_CLEAN : STATUS_USAGE;
}
