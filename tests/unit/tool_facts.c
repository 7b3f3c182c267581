// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a real kbuild's flags and headers say against what nocharge makes up.
 *
 *	tool_facts TREE CONFIG FOLDER OBJECTS <LINES
 *
 * Units of FOLDER twice: "own", as 'check --config CONFIG' would parse them,
 * and "kbuild", with the arguments in LINES (a unit, then each argument
 * behind a tab) and the headers that kbuild left in OBJECTS. Those are put
 * in memory where nocharge's own would be, so that LINES names them there.
 * The overlays are the same for both: they are nocharge's way of reading.
 *
 * Prints, tabs between: side, kind, and
 *	unit    its path
 *	failed  unit, why
 *	error   file, line, function, why
 *	func    unit, name, file, line, its body's hash
 *	call    unit, caller, its file, its line, callee ("*" if unknown), line
 *	record  name, file, line, fields
 *	enum    name, value
 */
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "options.h"
#include "parse/parsing.h"
#include "run.h"
#include "tree/generate.h"
#include "units.h"

static void print_calls(const struct node *node, const char *side,
			const char *unit, const struct func *func)
{
	const struct node *callee;

	if (!node)
		return;
	if (node->kind == N_CALL) {
		callee = node->kid[0];
		printf("%s\tcall\t%s\t%s\t%s\t%u\t%s\t%u\n", side, unit,
		       func->name, func->file, func->line,
		       callee && callee->kind == N_FUNC ? callee->name : "*",
		       node->line);
	}
	for (uint32_t i = 0; i < node->nkid; i++)
		print_calls(node->kid[i], side, unit, func);
}

static void print_record(const struct record *record, const char *side)
{
	printf("%s\trecord\t%s\t%s\t%u\t", side, record->name, record->file,
	       record->line);
	for (uint32_t i = 0; i < record->nfield; i++)
		printf("%s@%" PRId64 "+%u ", record->field[i].name,
		       record->field[i].offset, record->field[i].size);
	putchar('\n');
}

static void print_facts(struct facts *facts, const char *side)
{
	const char *unit = facts->unit;

	printf("%s\tunit\t%s\n", side, unit);
	for (uint32_t i = 0; i < facts->nfunc; i++) {
		struct func *func = &facts->func[i];

		printf("%s\tfunc\t%s\t%s\t%s\t%u\t%016" PRIx64 "\n", side,
		       unit, func->name, func->file, func->line, func->hash);
		print_calls(facts_body(func), side, unit, func);
	}
	for (uint32_t i = 0; i < facts->nrecord; i++)
		print_record(&facts->record[i], side);
	for (uint32_t i = 0; i < facts->nenum; i++)
		printf("%s\tenum\t%s\t%" PRId64 "\n", side,
		       facts->enumerator[i].name, facts->enumerator[i].value);
	for (uint32_t i = 0; i < facts->nerror; i++)
		printf("%s\terror\t%s\t%u\t%s\t%s\n", side,
		       facts->error[i].file, facts->error[i].line,
		       facts->error[i].function, facts->error[i].why);
}

static void own_side(struct run *run, const char *folder,
		     const struct parse_options *options)
{
	size_t nunit, njob = 0, len = strlen(folder);
	struct unit *unit = tree_units(run->in, &nunit);
	struct parse_job *job = ARENA_ARRAY(run->arena, struct parse_job,
					    nunit);
	struct parse_stats stats = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; i < nunit; i++)
		if (unit[i].built && !strncmp(unit[i].path, folder, len) &&
		    unit[i].path[len] == '/')
			job[njob++] = (struct parse_job){
				.config = run->in, .unit = unit[i].path,
			};
	if (parse_units(job, njob, options, run->arena, run->strings, &stats,
			&err))
		die("%s", err.text);
	for (size_t i = 0; i < njob; i++) {
		if (job[i].facts)
			print_facts(job[i].facts, "own");
		else
			printf("own\tfailed\t%s\t%s\n", job[i].unit,
			       job[i].failure);
	}
}

struct kbuild_side {
	struct run *run;
	struct task *task;
	size_t ntask, next;
};

static struct strbuf found = STRBUF_INIT; /* nftw() hands nothing on */

static int is_header(const char *path, const struct stat *st, int kind,
		     struct FTW *at)
{
	const char *end = strrchr(path, '.');

	(void)st;
	(void)at;
	if (kind == FTW_F && end && !strcmp(end, ".h"))
		strbuf_addf(&found, "%s\n", path);
	return 0;
}

/* The headers of @objects/@folder, where nocharge's own would be. */
static void add_headers(struct memfiles *files, const char *objects,
			const char *folder)
{
	char *top = arena_printf(files->arena, "%s/%s", objects, folder);
	char *path, *rest;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	found.len = 0;
	strbuf_addstr(&found, "");
	if (nftw(top, is_header, 16, FTW_PHYS))
		die("%s: cannot be read", top);
	rest = found.buf;
	while ((path = strsep(&rest, "\n")) && *path) {
		if (strbuf_read_file(&text, path, &err))
			die("%s", err.text);
		generated(files, path + strlen(objects) + 1, &text);
	}
	strbuf_release(&text);
}

/* In the tree: overlays, which are no more part of a build than we are. */
static void add_overlays(struct memfiles *files, const struct config *config)
{
	size_t len = strlen(config->tree->root);
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < config->nfile; i++) {
		const struct memfile *file = &config->file[i];

		if (strncmp(file->path, config->tree->root, len) ||
		    file->path[len] != '/')
			continue;
		strbuf_add(&text, file->text, file->len);
		memfiles_put(files, file->path, &text);
	}
	strbuf_release(&text);
}

static void read_lines(struct kbuild_side *side)
{
	struct arena *arena = side->run->arena;
	char *line = NULL, *copy, *word;
	size_t size = 0, ntask = 0;
	ssize_t len;

	side->task = ARENA_ARRAY(arena, struct task, 4096);
	while ((len = getline(&line, &size, stdin)) > 0 && ntask < 4096) {
		struct task *task = &side->task[ntask++];
		const char **flags = ARENA_ARRAY(arena, const char *,
						 (size_t)len);

		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		copy = arena_strdup(arena, line);
		task->kind = TASK_UNIT;
		task->root = side->run->tree->root;
		task->unit = strsep(&copy, "\t");
		while ((word = strsep(&copy, "\t")))
			flags[task->nflags++] = word;
		task->flags = flags;
		task->ncommon = task->nflags;
	}
	free(line);
	side->ntask = ntask;
}

static bool next_unit(void *data, size_t *task)
{
	struct kbuild_side *side = data;

	*task = side->next;
	return side->next++ < side->ntask;
}

static void unit_done(void *data, size_t task, struct reply *reply)
{
	struct kbuild_side *side = data;
	const char *why = reply->why ? reply->why : "failed";
	struct facts *facts = NULL;
	struct err err = { 0 };
	char *bytes;

	if (reply->ok) {
		bytes = arena_alloc(side->run->arena, reply->payload.len);
		memcpy(bytes, reply->payload.buf, reply->payload.len);
		facts = facts_decode(bytes, reply->payload.len,
				     side->run->arena, side->run->strings,
				     &err);
		why = err.text;
	}
	if (facts)
		print_facts(facts, "kbuild");
	else
		printf("kbuild\tfailed\t%s\t%s\n", side->task[task].unit, why);
}

static void kbuild_side(struct run *run, const char *objects,
			const struct parse_options *options)
{
	struct kbuild_side side = { .run = run };
	struct memfiles files = {
		.arena = run->arena, .strings = run->strings,
	};
	struct clang_place place;
	struct pool pool = {
		.jobs = parse_jobs(options->jobs), .place = &place,
		.limits = options->limits, .next = next_unit,
		.done = unit_done, .data = &side,
	};
	struct memfile *sorted;
	struct err err = { 0 };

	add_overlays(&files, run->in);
	add_headers(&files, objects, "include");
	add_headers(&files, objects, arena_printf(run->arena,
						  "arch/%s/include/generated",
						  run->tree->arch));
	sorted = sorted_files(files.file, files.n);
	read_lines(&side);
	for (size_t i = 0; i < side.ntask; i++) {
		side.task[i].file = sorted;
		side.task[i].nfile = files.n;
		side.task[i].keep = options->keep;
		side.task[i].nkeep = options->nkeep;
	}
	pool.task = side.task;
	pool.ntask = side.ntask;
	if (clang_find(&place, &err) || pool_run(&pool, &err))
		die("%s", err.text);
	clang_place_release(&place);
	free(sorted);
	free(files.file);
}

int main(int argc, char **argv)
{
	struct options options = { .no_cache = true, .arch = "x86" };
	struct parse_options how = { .limits = PARSE_LIMITS_DEFAULT };
	struct arena *arena = arena_new();
	struct unit_set set;
	struct err err = { 0 };
	const char *rules;
	struct run run;

	if (argc != 5)
		die("tool_facts TREE CONFIG FOLDER OBJECTS <LINES");
	options.config = argv[2];
	rules = data_path(arena, "rules/memcg.json");
	if (!rules)
		die("no rules: set NOCHARGE_DATA");
	if (run_units(&run, argv[1], rules, &options, &set, &err))
		die("%s", err.text);
	how.keep = set.word;
	how.nkeep = set.nword;
	own_side(&run, argv[3], &how);
	kbuild_side(&run, argv[4], &how);
	run_release(&run);
	strbuf_release(&found);
	arena_free(arena);
	return 0;
}
