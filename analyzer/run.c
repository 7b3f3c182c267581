// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allow.h"
#include "base/strbuf.h"
#include "default_on.h"
#include "interrupt.h"
#include "kept.h"
#include "options.h"
#include "progress.h"
#include "units.h"

#ifndef NOCHARGE_VERSION
#define NOCHARGE_VERSION "unknown"
#endif

/* Options that are asked for, for one side of the feature. */
struct wants {
	struct option *option;
	size_t n, cap;
};

static void want(struct run *run, struct wants *wants, const char *name,
		 const char *value)
{
	if (wants->n == wants->cap) {
		size_t cap = wants->cap ? wants->cap * 2 : 32;
		struct option *more = ARENA_ARRAY(run->arena, struct option,
						  cap);

		if (wants->n)
			memcpy(more, wants->option,
			       wants->n * sizeof(*more));
		wants->option = more;
		wants->cap = cap;
	}
	wants->option[wants->n++] = (struct option){ name, value };
}

/*
 * The feature's symbols on this side. A .config already says what else is
 * set; only without one are the feature's other wishes and the gates of its
 * files asked for.
 */
static struct wants make_wants(struct run *run, bool in, bool own,
			       const struct names *gate)
{
	const struct rules *rules = run->rules;
	struct wants wants = { 0 };

	for (size_t i = 0; own && i < rules->wants.n; i++)
		want(run, &wants, rules->wants.name[i], "y");
	for (size_t i = 0; own && i < gate->n; i++)
		want(run, &wants, gate->name[i], "y");
	/* with a .config, what it says of the symbols stands when in */
	for (size_t i = 0; (own || !in) && i < rules->symbols.n; i++)
		want(run, &wants, rules->symbols.name[i], in ? "y" : "n");
	return wants;
}

static struct config *configure(struct run *run, bool in,
				const struct options *options,
				const struct names *gate,
				struct parse_options *parse, struct err *err)
{
	struct wants wants = make_wants(run, in, !options->config, gate);
	struct configure how = {
		.config_file = options->config,
		.want = wants.option,
		.nwant = wants.n,
		.label = in ? "in" : "out",
		.constants = parse ? parse_constants : NULL,
		.constants_data = parse,
		.overlay_dir = data_path(run->arena, "rules/overlay"),
		.generated_only = run->plain,
	};

	return tree_configure(run->tree, &how, err);
}

/* Names of options whose value is not the same on both sides. */
static struct names options_that_differ(struct run *run)
{
	const struct config *in = run->in, *out = run->out;
	struct names names = {
		.name = ARENA_ARRAY(run->arena, const char *,
				    in->noption + out->noption),
	};
	size_t i = 0, k = 0;

	while (i < in->noption || k < out->noption) {
		int order = i == in->noption ? 1 : k == out->noption ? -1 :
			strcmp(in->option[i].name, out->option[k].name);

		if (order < 0)
			names.name[names.n++] = in->option[i++].name;
		else if (order > 0)
			names.name[names.n++] = out->option[k++].name;
		else if (strcmp(in->option[i++].value, out->option[k++].value))
			names.name[names.n++] = in->option[i - 1].name;
	}
	return names;
}

/* Is the feature in this configuration at all? */
static int check_feature(struct run *run, const struct options *options,
			 struct err *err)
{
	const struct rules *rules = run->rules;
	const char *value;

	for (size_t i = 0; i < rules->symbols.n; i++) {
		value = config_get(run->in, rules->symbols.name[i]);
		if (value && !strcmp(value, "y"))
			return 0;
	}
	if (options->config)
		return err_set(err, STATUS_USAGE,
			       "'%s' does not have %s: CONFIG_%s is not y, or "
			       "what it depends on is not",
			       options->config, rules->title,
			       rules->symbols.name[0]);
	return err_set(err, STATUS_USAGE,
		       "this tree does not have %s: its Kconfig knows "
		       "no %s",
		       rules->title, rules->symbols.name[0]);
}

/*
 * Options that decide whether the files of @set are built. One that is
 * forced, part of the feature or chosen against is not asked for.
 */
static struct names gates(struct run *run, const struct unit_set *set,
			  const struct unit *unit, size_t nunit)
{
	const struct kernel_rules *kernel = run->kernel;
	struct names names = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct unit *found = unit_find(unit, nunit,
						     set->unit[i]);
		const char *const *gate;
		size_t ngate;

		if (!found || found->built)
			continue;
		ngate = tree_gate_symbols(run->tree, found->path, &gate);
		for (size_t k = 0; k < ngate; k++) {
			if (names_have(&run->rules->symbols, gate[k]) ||
			    names_have(&kernel->ungated, gate[k]) ||
			    names_have(&names, gate[k]))
				continue;
			if (names.n == cap) {
				const char **more;

				cap = cap ? cap * 2 : 16;
				more = ARENA_ARRAY(run->arena, const char *,
						   cap);
				if (names.n)
					memcpy(more, names.name,
					       names.n * sizeof(*more));
				names.name = more;
			}
			names.name[names.n++] = gate[k];
		}
	}
	return names;
}

static int both_sides(struct run *run, const struct options *options,
		      const struct names *gate, struct parse_options *parse,
		      struct err *err)
{
	run->in = configure(run, true, options, gate, parse, err);
	if (!run->in)
		return -1;
	run->out = configure(run, false, options, gate, parse, err);
	return run->out ? 0 : -1;
}

static void fill_jobs(struct run *run, const struct unit_set *set,
		      const struct unit *out, size_t nout,
		      struct parse_job *job)
{
	for (size_t i = 0; i < set->n; i++)
		job[run->njob++] = (struct parse_job){
			.config = run->in,
			.unit = set->unit[i],
		};
	/* what only the feature builds has no other side */
	for (size_t i = 0; i < set->n; i++) {
		const struct unit *found = unit_find(out, nout,
						     set->unit[i]);

		if (found && found->built)
			job[run->njob++] = (struct parse_job){
				.config = run->out,
				.unit = set->unit[i],
			};
	}
}

struct skips {
	struct skipped *skipped;
	size_t n, cap;
};

static void skip(struct run *run, struct skips *skips, const char *file,
		 const char *function, const char *why)
{
	/* the two sides of a unit mostly fail alike: once is enough */
	for (size_t i = 0; i < skips->n; i++)
		if (!strcmp(skips->skipped[i].file, file) &&
		    !strcmp(skips->skipped[i].function, function) &&
		    !strcmp(skips->skipped[i].why, why))
			return;
	if (skips->n == skips->cap) {
		size_t cap = skips->cap ? skips->cap * 2 : 16;
		struct skipped *more = ARENA_ARRAY(run->arena, struct skipped,
						   cap);

		if (skips->n)
			memcpy(more, skips->skipped,
			       skips->n * sizeof(*more));
		skips->skipped = more;
		skips->cap = cap;
	}
	skips->skipped[skips->n++] = (struct skipped){ file, function, why };
}

static void skip_unit(struct run *run, struct skips *skips,
		      const struct parse_job *job)
{
	const struct facts *facts = job->facts;

	if (!facts) {
		skip(run, skips, job->unit, "",
		     job->failure ? job->failure : "not parsed");
		return;
	}
	for (uint32_t i = 0; i < facts->nerror; i++) {
		const struct fact_error *error = &facts->error[i];
		const char *why = error->why;

		if (error->line)
			why = arena_printf(run->arena, "line %u: %s",
					   error->line, error->why);
		skip(run, skips, error->file, error->function, why);
	}
}

static bool is_analysed(const struct parse_job *job)
{
	return job->facts && !job->facts->nerror;
}

/* Which units were analysed on every side that they have. */
static void count_units(struct run *run, const struct unit_set *set,
			const struct parse_job *job)
{
	size_t out = set->n, analysed = 0;

	for (size_t i = 0; i < set->n; i++) {
		bool good = is_analysed(&job[i]);

		if (out < run->njob && !strcmp(job[out].unit, job[i].unit))
			good &= is_analysed(&job[out++]);
		analysed += good;
	}
	run->report.units = set->n;
	run->report.analysed = analysed;
}

static int by_place(const void *a, const void *b)
{
	const struct skipped *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (!order)
		order = strcmp(x->function, y->function);
	return order ? order : strcmp(x->why, y->why);
}

/* Files that the configuration, the units or the model had to leave out. */
static void collect_skipped(struct run *run, const struct parse_job *job,
			    const struct skipped *more, size_t n)
{
	const struct config *const side[] = { run->in, run->out };
	struct skips skips = { 0 };

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < side[s]->nskipped; i++)
			skip(run, &skips, "Kconfig", "", side[s]->skipped[i]);
	for (size_t i = 0; i < run->njob; i++)
		skip_unit(run, &skips, &job[i]);
	for (size_t i = 0; i < n; i++)
		skip(run, &skips, more[i].file, more[i].function,
		     more[i].why);
	if (skips.n)
		qsort(skips.skipped, skips.n, sizeof(*skips.skipped),
		      by_place);
	run->report.skipped = skips.skipped;
	run->report.nskipped = skips.n;
	/* both sides read the same tree */
	run->report.note = run->in->note;
	run->report.nnote = run->in->nnote;
}

/*
 * What a tree is said not to have may stand where it could not be read: the
 * first such place is added to @err. Returns -1.
 */
static int blame_skipped(struct run *run, const struct parse_job *job,
			 struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	const struct skipped *first;

	if (!run->in || !run->out || !err->text || interrupt_signal())
		return -1;
	collect_skipped(run, job, NULL, 0);
	if (!run->report.nskipped)
		return -1;
	first = run->report.skipped;
	strbuf_addf(&text, "%s; not analysed: %s: %s", err->text, first->file,
		    first->why);
	if (run->report.nskipped > 1)
		strbuf_addf(&text, " (and %zu more)",
			    run->report.nskipped - 1);
	free(err->text);
	err->text = text.buf;
	return -1;
}

static int build_model(struct run *run, const struct parse_job *job,
		       struct err *err)
{
	struct model_input input = {
		.rules = run->rules,
		.kernel = run->kernel,
		.in = ARENA_ARRAY(run->arena, struct facts *, run->njob),
		.out = ARENA_ARRAY(run->arena, struct facts *, run->njob),
		.default_on = run->default_on,
		.arena = run->arena,
		.strings = run->strings,
	};

	for (size_t i = 0; i < run->njob; i++) {
		if (!job[i].facts)
			continue;
		if (job[i].config == run->in)
			input.in[input.nin++] = job[i].facts;
		else
			input.out[input.nout++] = job[i].facts;
	}
	run->model = model_build(&input, err);
	return run->model ? 0 : -1;
}

static void open_cache(struct run *run, const struct options *options)
{
	struct err err = { 0 };

	if (options->no_cache)
		return;
	run->cache = cache_open(options->cache, &err);
	/* slower, not wrong */
	if (!run->cache)
		warn("no cache: %s", err.text ? err.text : "unknown reason");
	err_clear(&err);
}

static int parse(struct run *run, const struct unit_set *set,
		 struct parse_options *how, struct parse_job **result,
		 struct err *err)
{
	struct progress progress;
	struct parse_job *job;
	size_t nout, ndone = 0;
	struct unit *out;
	int ret;

	out = tree_units(run->out, &nout);
	job = ARENA_ARRAY(run->arena, struct parse_job, set->n + set->n);
	fill_jobs(run, set, out, nout, job);
	how->keep = set->word;
	how->nkeep = set->nword;
	how->headers = set->headers;
	how->progress = progress_step;
	how->progress_data = &progress;
	progress_start(&progress, "parsing");
	interrupt_phase("while parsing", true);
	ret = parse_units(job, run->njob, how, run->arena, run->strings,
			  &run->stats, err);
	for (size_t i = 0; i < run->njob; i++)
		ndone += job[i].facts != NULL;
	interrupt_phase(arena_printf(run->arena, "while %s; %zu of %zu units "
				     "were parsed%s", interrupt_signal() ?
				     "parsing" : "evaluating", ndone,
				     run->njob, run->cache ? " and kept" : ""),
			false);
	progress_stop(&progress);
	if (!ret && interrupt_signal())
		ret = err_set(err, STATUS_USAGE, "interrupted");
	*result = job;
	return ret;
}

static int load(struct run *run, const char *tree, const char *rules,
		const struct options *options, struct err *err)
{
	const char *kernel = data_path(run->arena, "rules/kernel.json");

	run->rules = rules_load(rules, run->arena, run->strings, err);
	if (!run->rules)
		return -1;
	if (!kernel)
		return err_set(err, STATUS_USAGE,
			       "the rules that come with nocharge are missing "
			       "(rules/kernel.json)");
	run->kernel = kernel_rules_load(kernel, run->arena, run->strings,
					err);
	if (!run->kernel)
		return -1;
	run->tree = tree_open(tree, options->arch, run->kernel, err);
	if (!run->tree)
		return -1;
	if (!options->nview)
		return 0;
	return tree_replace(run->tree, options->view, options->nview, err);
}

/* Both configurations and the units that are parsed under them. */
static int choose(struct run *run, const struct options *options,
		  struct parse_options *how, struct unit_set *set,
		  struct err *err)
{
	struct units_input input = {
		.tree = run->tree,
		.rules = run->rules,
		.kernel = run->kernel,
		.cache = run->cache,
		.arena = run->arena,
		.strings = run->strings,
	};
	struct names gate = { 0 }, differ;
	struct unit *unit;
	size_t nunit;

	/* a look at the options first: no compiler is asked for constants */
	if (both_sides(run, options, &gate, NULL, err) ||
	    check_feature(run, options, err))
		return -1;
	differ = options_that_differ(run);
	unit = tree_units(run->in, &nunit);
	input.option = &differ;
	input.unit = unit;
	input.nunit = nunit;
	units_derive(set, &input);
	if (!options->config)
		gate = gates(run, set, unit, nunit);
	if (both_sides(run, options, &gate, how, err))
		return -1;
	unit = tree_units(run->in, &nunit);
	units_select(set, unit, nunit, run->kernel, run->arena, &run->report);
	if (!set->n)
		return err_set(err, STATUS_USAGE,
			       "no file of this tree has anything to do "
			       "with %s", run->rules->title);
	return 0;
}

/* Up to and without parsing. */
static int prepare(struct run *run, const char *tree, const char *rules,
		   const struct options *options, struct parse_options *how,
		   struct unit_set *set, struct err *err)
{
	*how = (struct parse_options){
		.jobs = options->jobs,
		.limits = PARSE_LIMITS_DEFAULT,
		.interrupted = interrupt_flag(),
	};
	*run = (struct run){ .arena = arena_new(), .plain = run->plain };
	run->strings = strtab_new(run->arena);
	interrupt_phase("while reading the configuration", false);
	if (load(run, tree, rules, options, err))
		return -1;
	open_cache(run, options);
	if (run->cache)
		cache_replace(run->cache, run->tree->view, run->tree->nview);
	how->cache = run->cache;
	return choose(run, options, how, set, err);
}

int run_units(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct unit_set *set,
	      struct err *err)
{
	struct parse_options how;

	run->plain = false;
	return prepare(run, tree, rules, options, &how, set, err);
}

int run_plain_units(struct run *run, const char *tree, const char *rules,
		    const struct options *options, struct unit_set *set,
		    struct err *err)
{
	struct parse_options how;

	run->plain = true;
	return prepare(run, tree, rules, options, &how, set, err);
}

bool run_is_on(const struct finding *finding, const char *name)
{
	if (!strcmp(finding->function, name))
		return true;
	for (size_t i = 0; i < finding->ncovers; i++)
		if (!strcmp(finding->covers[i], name))
			return true;
	return false;
}

bool run_asks_for(const struct options *options, const struct finding *finding)
{
	for (size_t i = 0; i < options->function.n; i++)
		if (run_is_on(finding, options->function.name[i]))
			return true;
	return !options->function.n;
}

bool run_knows(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->nentry; i++)
		if (!strcmp(report->entry[i].name, name))
			return true;
	for (size_t i = 0; i < report->nfinding; i++)
		if (run_is_on(&report->finding[i], name))
			return true;
	return false;
}

static void note(struct run *run, const char *text)
{
	struct names names = { run->report.note, run->report.nnote };

	names_add(&names, text, run->arena);
	run->report.note = names.name;
	run->report.nnote = names.n;
}

/* A name with a slip of the pen must not look like one without a finding. */
static void note_unknown(struct run *run, const struct names *asked)
{
	for (size_t i = 0; i < asked->n; i++)
		if (!run_knows(&run->report, asked->name[i]))
			note(run, arena_printf(run->arena,
				"no entry point is called '%s', and no "
				"finding is on it", asked->name[i]));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every file of the tree that was read, once each. */
static const char **files_read(struct run *run, const struct parse_job *job,
			       size_t *n)
{
	const char **file;
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < run->njob; i++)
		all += job[i].facts ? job[i].facts->ndep : 0;
	file = ARENA_ARRAY(run->arena, const char *, all);
	all = 0;
	for (size_t i = 0; i < run->njob; i++)
		for (uint32_t k = 0; job[i].facts && k < job[i].facts->ndep;
		     k++)
			if (*job[i].facts->dep[k] != '/')
				file[all++] = job[i].facts->dep[k];
	if (all)
		qsort(file, all, sizeof(*file), by_text);
	for (size_t i = 0; i < all; i++)
		if (!kept || strcmp(file[kept - 1], file[i]))
			file[kept++] = file[i];
	*n = kept;
	return file;
}

/* What comments of the tree allow. */
static void allow(struct run *run, const struct parse_job *job,
		  const struct options *options)
{
	struct allows allows = { 0 };
	const char **file;
	size_t n;

	file = files_read(run, job, &n);
	for (size_t i = 0; i < n; i++) {
		struct strbuf text = STRBUF_INIT;

		if (!tree_look(run->tree, file[i], &text))
			allow_scan(&allows, file[i], text.buf, text.len,
				   run->arena);
		strbuf_release(&text);
	}
	allow_apply(&allows, &run->report, options, run->arena);
}

static void keep_asked(struct report *report, const struct options *options)
{
	size_t n = 0;

	for (size_t i = 0; i < report->nfinding; i++)
		if (run_asks_for(options, &report->finding[i]))
			report->finding[n++] = report->finding[i];
	report->nfinding = n;
	n = 0;
	for (size_t i = 0; i < report->nsuppressed; i++)
		if (run_asks_for(options, &report->suppressed[i]))
			report->suppressed[n++] = report->suppressed[i];
	report->nsuppressed = n;
	n = 0;
	for (size_t i = 0; i < report->nentry; i++)
		if (!options->function.n ||
		    names_have(&options->function, report->entry[i].name))
			report->entry[n++] = report->entry[i];
	report->nentry = n;
}

/* Build the model and run the checks, or take what they found before. */
static int find(struct run *run, const struct parse_job *job,
		const struct options *options, bool need_model,
		struct skipped **skipped, size_t *nskipped, struct err *err)
{
	const struct kept_input input = {
		.rules = run->rules,
		.kernel = run->kernel,
		.only = options->rule.n ? &options->rule : NULL,
		.in = run->in,
		.job = job,
		.njob = run->njob,
	};
	struct kept_key key = { .valid = false };

	if (run->cache)
		kept_make_key(&key, &input);
	if (!need_model && run->cache &&
	    kept_take(run->cache, &key, &run->report, skipped, nskipped,
		      run->arena, run->strings))
		return 0;
	if (build_model(run, job, err) ||
	    model_check(run->model, input.only, &run->report, err))
		return -1;
	*nskipped = model_skipped(run->model, skipped);
	if (run->cache)
		kept_put(run->cache, &key, &run->report, *skipped, *nskipped);
	return 0;
}

/* What the rule is about stands in files that no facts are made of. */
static void look_default(struct run *run, const struct options *options)
{
	if (names_have(&options->rule, "default-on"))
		run->default_on = default_on_find(run->tree, run->in,
						  run->rules, run->kernel,
						  run->arena);
}

/* Why there is nothing to write. */
static void note_default(struct run *run, const struct options *options)
{
	const struct default_on *d = run->default_on;

	if (!names_have(&options->rule, "default-on"))
		return;
	if (!d)
		note(run, arena_printf(run->arena, "default-on: '%s' does not "
				       "say what to write for %s",
				       run->rules->file, run->rules->title));
	else if (d->has || !d->file)
		note(run, arena_printf(run->arena, "default-on: %s",
				       d->has ? d->has : d->lacks));
}

static int analyse(struct run *run, const char *tree, const char *rules,
		   const struct options *options, bool need_model,
		   struct err *err)
{
	struct report *report = &run->report;
	struct parse_options how;
	struct skipped *skipped;
	struct parse_job *job;
	struct unit_set set;
	size_t nskipped;
	double start = progress_now();

	run->plain = false;
	if (prepare(run, tree, rules, options, &how, &set, err))
		return blame_skipped(run, NULL, err);
	if (parse(run, &set, &how, &job, err))
		return -1;
	look_default(run, options);
	if (find(run, job, options, need_model || run->default_on, &skipped,
		 &nskipped, err))
		return blame_skipped(run, job, err);
	count_units(run, &set, job);
	collect_skipped(run, job, skipped, nskipped);
	report->tool_version = NOCHARGE_VERSION;
	report->tree_version = run->tree->release;
	report->arch = run->tree->arch;
	report->feature = run->rules->feature;
	report->config = arena_printf(run->arena, "%s %s", report->feature,
				      options->config ? options->config :
				      "default");
	note_unknown(run, &options->function);
	note_default(run, options);
	allow(run, job, options);
	keep_asked(report, options);
	report->seconds = progress_now() - start;
	return 0;
}

int run_check(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct err *err)
{
	return analyse(run, tree, rules, options, false, err);
}

int run_model(struct run *run, const char *tree, const char *rules,
	      const struct options *options, struct err *err)
{
	return analyse(run, tree, rules, options, true, err);
}

void run_release(struct run *run)
{
	const char *problem;

	if (run->cache) {
		problem = cache_problem(run->cache);
		if (problem)
			warn("the cache was not written: %s", problem);
		cache_close(run->cache);
	}
	/* the phase may have been told in words that end here */
	interrupt_phase(NULL, false);
	model_release(run->model);
	tree_free(run->tree);
	arena_free(run->arena);
	*run = (struct run){ 0 };
}

enum status run_status(const struct report *report, size_t nfinding,
		       const struct options *options)
{
	if (report->nskipped)
		return STATUS_INCOMPLETE;
	if (nfinding && !options->exit_zero)
		return STATUS_FINDINGS;
	return STATUS_CLEAN;
}

int run_failed(struct err *err)
{
	int status = err->status ? (int)err->status : STATUS_USAGE;

	if (interrupt_signal())
		status = interrupt_end();
	else
		fprintf(stderr, "nocharge: %s\n",
			err->text ? err->text : "unknown error");
	err_clear(err);
	return status;
}
