// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree as it would be with other files in it, without writing there.
 *
 *	tool_off check TREE DIR [check's options]
 *	tool_off prove TREE DIR DIR FUNCTION,... [ID,...]
 *	tool_off each TREE DIR DIR <FUNCTIONS
 *	tool_off series TREE DIR <LINES
 *	tool_off show TREE DIR [FUNCTION]
 *
 * DIR has files where the tree has, or would have, those that they stand for.
 * 'check' prints findings as JSON, as 'nocharge check' does. 'prove' prints
 * what off_prove() says of the step from the first DIR to the second, 'each' of
 * one function a line by itself, as of two ways to change the same tree; 'series'
 * does so for a row of them: a LINE is "DIR FUNCTION,... [ID,...]". 'show'
 * prints what others can see of a function while it is off, and then all that
 * its calls may store to; without a name, why functions with a finding could
 * not be compared.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/effect.h"
#include "options.h"
#include "output/findings.h"
#include "output/prove_off.h"
#include "reports.h"
#include "run.h"

struct view {
	struct memfile *file;
	size_t n, top; /* length of the directory's own name */
};

/* nftw() has no place for an argument. */
static struct view *walked;

static int take_file(const char *path, const struct stat *st, int type,
		     struct FTW *ftw)
{
	struct strbuf text = STRBUF_INIT;

	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	if (strbuf_read_file(&text, path, NULL))
		return -1;
	strbuf_addstr(&text, "");
	walked->file = xrealloc(walked->file,
				(walked->n + 1) * sizeof(*walked->file));
	walked->file[walked->n++] = (struct memfile){
		.path = xstrdup(path + walked->top + 1), .text = text.buf,
		.len = text.len,
	};
	return 0;
}

static void view_read(struct view *view, const char *dir)
{
	*view = (struct view){ .top = strlen(dir) };
	walked = view;
	if (nftw(dir, take_file, 16, FTW_PHYS))
		die("cannot read '%s'", dir);
}

static void view_release(struct view *view)
{
	for (size_t i = 0; i < view->n; i++) {
		free((char *)view->file[i].path);
		free((char *)view->file[i].text);
	}
	free(view->file);
}

static int check(const struct options *options, struct arena *arena)
{
	struct options with = *options;
	struct reports reports;
	struct err err = { 0 };
	struct view view;
	struct out out;
	int status;

	view_read(&view, options->arg[1]);
	with.view = view.file;
	with.nview = view.n;
	status = reports_make(&reports, options->arg[0], &with, arena);
	if (!status) {
		if (out_open(&out, options->output, &err))
			die("%s", err.text);
		findings_write(&out, &reports.report, NULL);
		if (out_close(&out, &err))
			die("%s", err.text);
		fprintf(stderr, "%zu parsed, %zu cached\n",
			reports.run->stats.parsed, reports.run->stats.cached);
		status = (int)run_status(&reports.report,
					 reports.report.nfinding, &with);
		reports_release(&reports);
	}
	view_release(&view);
	return status;
}

static size_t split(char *text, const char **part, size_t most)
{
	size_t n = 0;

	while (text && n < most)
		part[n++] = strsep(&text, ",");
	return n;
}

/* A state of the tree, with its texts. */
struct step {
	struct view view;
	struct off_state *state;
};

static void step_open(struct step *step, const struct options *options,
		      const char *dir)
{
	struct err err = { 0 };

	view_read(&step->view, dir);
	step->state = off_state_new(options->arg[0], options, step->view.file,
				    step->view.n, &err);
	if (!step->state)
		die("%s", err.text);
}

static void step_close(struct step *step)
{
	off_state_free(step->state);
	view_release(&step->view);
}

static bool compare(const struct step *before, const struct step *after,
		    char *functions, char *findings)
{
	const char *function[32], *finding[32];
	struct off_patch patch = { .function = function, .finding = finding };
	struct arena *arena = arena_new();
	struct off_proof proof;
	bool pass;

	patch.nfunction = split(functions, function, 32);
	patch.nfinding = split(findings, finding, 32);
	off_prove(before->state, after->state, &patch, &proof, arena);
	printf("clears: %s: %s\n", proof.clears.pass ? "pass" : "fail",
	       proof.clears.why);
	printf("same: %s: %s\n", !proof.same.applies ? "not-applicable" :
	       proof.same.pass ? "pass" : "fail",
	       proof.same.why);
	fflush(stdout);
	pass = proof.clears.pass && (proof.same.pass || !proof.same.applies);
	arena_free(arena);
	return pass;
}

static int prove(const struct options *options)
{
	struct step before, after;
	bool pass;

	if (options->narg < 4)
		usage("tool_off", "prove TREE DIR DIR FUNCTION,... [ID,...]");
	step_open(&before, options, options->arg[1]);
	step_open(&after, options, options->arg[2]);
	pass = compare(&before, &after, options->arg[3], options->arg[4]);
	step_close(&before);
	step_close(&after);
	return pass ? 0 : 1;
}

static int each(const struct options *options)
{
	const char *function[1];
	const struct off_patch patch = { .function = function, .nfunction = 1 };
	struct arena *arena = arena_new();
	struct step before, after;
	struct off_proof proof;
	char *line = NULL;
	size_t size = 0, bad = 0;

	if (options->narg < 3)
		usage("tool_off", "each TREE DIR DIR <FUNCTIONS");
	step_open(&before, options, options->arg[1]);
	step_open(&after, options, options->arg[2]);
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		function[0] = line;
		off_prove(before.state, after.state, &patch, &proof, arena);
		bad += proof.same.applies && !proof.same.pass;
		printf("%s: %s: %s\n", line, !proof.same.applies ?
		       "not-applicable" : proof.same.pass ? "pass" : "fail",
		       proof.same.why);
	}
	free(line);
	step_close(&before);
	step_close(&after);
	arena_free(arena);
	return bad ? 1 : 0;
}

static int series(const struct options *options)
{
	struct step before, after;
	char *line = NULL, *rest, *dir, *functions;
	bool pass = true;
	size_t size = 0;

	step_open(&before, options, options->arg[1]);
	while (getline(&line, &size, stdin) > 0) {
		rest = line;
		rest[strcspn(rest, "\n")] = '\0';
		dir = strsep(&rest, " ");
		functions = strsep(&rest, " ");
		printf("%s\n", dir);
		step_open(&after, options, dir);
		pass &= compare(&before, &after, functions, rest);
		step_close(&before);
		before = after;
	}
	step_close(&before);
	free(line);
	return pass ? 0 : 1;
}

static void show_stores(const struct model *model, struct effects *effects,
			struct arena *arena)
{
	struct effect **effect = ARENA_ARRAY(arena, struct effect *,
					     effects->n);
	const char **name;
	size_t n;

	for (size_t i = 0; i < effects->n; i++)
		effect[i] = &effects->effect[i];
	name = effects_stores(model, effect, effects->n, &n, arena);
	for (size_t i = 0; name && i < n; i++)
		printf("\t%s\n", name[i]);
}

static void show_cut(struct run *run, struct arena *arena)
{
	const struct report *report = &run->report;
	struct world *off = run->model->off;
	size_t good = 0, bad = 0;

	for (size_t i = 0; i < report->nfinding; i++) {
		struct function *fn =
			map_get(&run->model->feature->in->functions,
				intern(run->strings,
				       report->finding[i].function));
		struct effects *effects;

		if (!fn)
			continue;
		effects = effects_of(run->model, off,
				     world_summary(off, fn,
					world_any_arguments(off, fn),
					fn->func->nparam), arena);
		good += !effects->cut;
		bad += effects->cut != NULL;
		if (effects->cut)
			printf("%s: %s\n", fn->name, effects->cut);
	}
	printf("%zu can be compared, %zu cannot\n", good, bad);
}

static int show(const struct options *options, struct arena *arena)
{
	struct options with = *options;
	struct effects *effects;
	struct err err = { 0 };
	struct run run = { 0 };
	struct function *fn;
	struct view view;

	view_read(&view, options->arg[1]);
	with.view = view.file;
	with.nview = view.n;
	if (run_model(&run, options->arg[0], options->rules.name[0], &with,
		      &err))
		die("%s", err.text);
	if (!options->arg[2]) {
		show_cut(&run, arena);
		run_release(&run);
		view_release(&view);
		return 0;
	}
	fn = map_get(&run.model->feature->in->functions,
		     intern(run.strings, options->arg[2]));
	if (!fn)
		die("no '%s'", options->arg[2]);
	effects = effects_of(run.model, run.model->off,
			     world_summary(run.model->off, fn,
				world_any_arguments(run.model->off, fn),
				fn->func->nparam), arena);
	for (size_t i = 0; i < effects->n; i++)
		printf("%s:%u: %x %s%s\n",
		       effects->effect[i].frame->s->fn->file,
		       effects->effect[i].event->line,
		       effects->effect[i].flags, effects->effect[i].text,
		       effects->effect[i].own ? " (own)" : "");
	for (size_t i = 0; i < effects->nret; i++)
		printf("return %s\n", effects->ret[i]);
	printf("%s\n", effects->cut ? effects->cut : "stores:");
	show_stores(run.model, effects, arena);
	run_release(&run);
	view_release(&view);
	return 0;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = STATUS_USAGE;

	if (argc < 2)
		usage("tool_off", "which command?");
	options_parse(&options, argc - 1, argv + 1, "", 2, 5, arena);
	if (!strcmp(argv[1], "check"))
		status = check(&options, arena);
	else if (!strcmp(argv[1], "prove"))
		status = prove(&options);
	else if (!strcmp(argv[1], "each"))
		status = each(&options);
	else if (!strcmp(argv[1], "series"))
		status = series(&options);
	else if (!strcmp(argv[1], "show"))
		status = show(&options, arena);
	else
		usage("tool_off", "unknown command '%s'", argv[1]);
	arena_free(arena);
	return status;
}
