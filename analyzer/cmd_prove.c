// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../output/prove.h"
#include "../output/prove_compile.h"
#include "base/scratch.h"
#include "checks/checks.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"
#include "parse/parse.h"
#include "run.h"
#include "series_tree.h"
#include "units.h"

static const char help[] =
"nocharge prove [options] DIR TREE\n"
"\n"
"Apply the series in DIR (as 'nocharge fix' writes it) to TREE, patch by\n"
"patch, in a private repository, and show of each patch that it does what it\n"
"says and nothing else. Nothing in TREE changes. The results go into\n"
"DIR/proof.json after every check, so that a run that was stopped goes on\n"
"where it was; logs of what did not pass into DIR/proof-logs. What a patch\n"
"does to the size of functions is measured and put into its message.\n"
"\n"
"  --check NAME       only this check (repeatable), whatever is known of it\n"
"  --only PATCH       only this patch: its file's name, or its number\n"
"                     (repeatable)\n"
"  --trust-tree       may run the tree's own code: kbuild, checkpatch.pl, and\n"
"                     kernels that are built and booted (accounts,\n"
"                     defaults)\n"
"  --cc NAME          a compiler to build with (repeatable; default:\n"
"                     clang-19 and gcc)\n"
"  --each             judge what is left in the off state (clears,\n"
"                     same-when-off) after each patch, and not once after\n"
"                     the last: an analysis for every patch\n"
"  --jobs N           how many at once (default: one per processor)\n"
"  --cache DIR        where facts are kept (default: XDG_CACHE_HOME/nocharge)\n"
"  --no-cache         keep none\n"
"  -h, --help         this text\n"
"\n"
"Checks: applies, compiles, builds, style, sparse, same-when-on,\n"
"same-when-off, clears, order, bisectable, accounts, defaults, and size,\n"
"which measures.\n"
"accounts builds kernels and boots them under QEMU, which takes minutes; by\n"
"itself it is run only for patches that change what is done with the feature\n"
"on, and for every patch if it is named by --check. defaults does so for\n"
"those of default-on, with and without the option and each parameter.\n";

/* The rules that the series is for, with all that run by default. */
static struct names asked_rules(const struct prove *prove)
{
	struct names named = { 0 };

	for (size_t i = 0; i < prove->npatch; i++)
		for (size_t k = 0; k < prove->patch[i].rules.n; k++) {
			const char *rule = prove->patch[i].rules.name[k];
			const struct check *check = check_find(rule);

			if (check && check->on_request)
				names_add(&named, rule, prove->arena);
		}
	return named.n ? checks_with(&named, prove->arena) : named;
}

static void ask_check(struct prove *prove, const char *name)
{
	for (size_t i = 0; i < PROVE_NCHECK; i++)
		if (!strcmp(prove_check_name[i], name)) {
			prove->asked[i] = prove->again = true;
			return;
		}
	usage("prove", "unknown check '%s'", name);
}

static void read_options(struct prove *prove, struct options *options,
			 int argc, char **argv)
{
	static const char *compilers[] = { "clang-19", "gcc" };

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			exit(STATUS_CLEAN);
		}
	options_parse(options, argc, argv, help, 2, 2, prove->arena);
	for (size_t i = 0; i < options->proof.n; i++)
		ask_check(prove, options->proof.name[i]);
	for (size_t i = 0; !prove->again && i < PROVE_NCHECK; i++)
		prove->asked[i] = true;
	prove->trust_tree = options->trust_tree;
	prove->cc = options->cc;
	if (!prove->cc.n)
		prove->cc = (struct names){ compilers, 2 };
	prove->dir_arg = options->arg[0];
	prove->tree_arg = options->arg[1];
	prove->jobs = options->jobs ? options->jobs :
		(unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

static void select_patches(struct prove *prove, const struct names *only)
{
	for (size_t i = 0; i < prove->npatch; i++) {
		struct prove_patch *patch = &prove->patch[i];

		patch->selected = !only->n || names_have(only, patch->file) ||
			names_have(only, patch->number);
	}
	for (size_t i = 0; i < only->n; i++) {
		bool found = false;

		for (size_t k = 0; k < prove->npatch && !found; k++)
			found = !strcmp(prove->patch[k].file, only->name[i]) ||
				!strcmp(prove->patch[k].number,
					only->name[i]);
		if (!found)
			usage("prove", "the series has no patch '%s'",
			      only->name[i]);
	}
}

static void add_side(struct prove *prove, const struct run *run, bool in,
		     const struct unit_set *set)
{
	struct prove_config *side = &prove->side[prove->nside];

	*side = (struct prove_config){
		.config = in ? run->in : run->out, .rules = run->rules,
		.in = in, .number = prove->nside++, .unit = set->unit,
		.nunit = set->n,
	};
	side->built = tree_units(side->config, &side->nbuilt);
	prove->state = prove->state * 31 + side->config->hash +
		run->rules->hash;
}

/* Both configurations for every rules file; 0, or the status to end with. */
static int configure(struct prove *prove, const struct options *options,
		     struct run *run)
{
	for (size_t i = 0; i < prove->rules.n; i++) {
		struct err err = { 0 };
		struct unit_set set;

		if (run_plain_units(&run[i], prove->tree_arg,
				    prove->rules.name[i], options, &set,
				    &err))
			return run_failed(&err);
		if (!i)
			prove->tree = run[i].tree;
		add_side(prove, &run[i], true, &set);
		add_side(prove, &run[i], false, &set);
	}
	prove->content = series_content(prove->tree->root);
	prove->state += prove->content;
	return 0;
}

static int prepare(struct prove *prove, struct err *err)
{
	for (size_t i = 0; i < prove->nside; i++)
		if (prove_headers_write(prove, &prove->side[i], err))
			return -1;
	if (prove_find_predicates(prove, err) || prove_states_make(prove, err))
		return -1;
	for (size_t i = 0; i < prove->nside; i++)
		if (prove_overlays_write(prove, &prove->side[i], err))
			return -1;
	prove_choose_units(prove);
	prove_results_take(prove);
	return 0;
}

static int status_of(const struct prove *prove)
{
	int status = STATUS_CLEAN;

	for (size_t i = 0; i < prove->npatch; i++)
		for (size_t k = 0; k < PROVE_NCHECK; k++) {
			const struct prove_patch *patch = &prove->patch[i];

			if (!patch->selected || !prove->asked[k])
				continue;
			if (patch->result[k].verdict == PROVE_FAIL)
				return STATUS_PROOF;
			if (patch->result[k].verdict == PROVE_NOT_RUN)
				status = STATUS_INCOMPLETE;
		}
	return status;
}

static int run(struct prove *prove, const struct options *options)
{
	struct err err = { 0 };
	int status = STATUS_CLEAN;
	struct scratch work;

	if (!options->no_cache)
		prove->cache = cache_open(options->cache, &err);
	if (err.text)
		return run_failed(&err);
	interrupt_within("while proving; what was shown until now is kept");
	/* from now on something is left to clean up */
	interrupt_phase(NULL, true);
	if (scratch_make(&work, prove->dir, &err))
		return run_failed(&err);
	prove->work = work.dir;
	if (prepare(prove, &err) || prove_run(prove, &err) ||
	    prove_tell_sizes(prove, &err))
		status = run_failed(&err);
	scratch_remove(&work);
	prove->work = NULL;
	if (status)
		return status;
	if (prove_run_off(prove, options, &err))
		return run_failed(&err);
	prove_results_table(prove, stdout);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write 'standard output': %s", strerror(errno));
	return status_of(prove);
}

int cmd_prove(int argc, char **argv)
{
	struct prove prove = {
		.arena = arena_new(), .lock = PTHREAD_MUTEX_INITIALIZER,
		.interrupted = interrupt_flag(),
	};
	struct options options;
	struct err err = { 0 };
	struct run *runs = NULL;
	int status;
	char *dir;

	read_options(&prove, &options, argc, argv);
	dir = realpath(prove.dir_arg, NULL);
	if (!dir)
		die("%s: %s", prove.dir_arg, strerror(errno));
	/* what is compiled includes files by names that are C strings */
	if (strpbrk(dir, "\"\\\n"))
		die("'%s' cannot be proven where it is: compilers take no "
		    "quote or backslash in a file's name; copy it to a "
		    "directory without", prove.dir_arg);
	prove.dir = dir;
	if (prove_series_read(&prove, &err)) {
		status = run_failed(&err);
		goto out;
	}
	if (!prove.npatch)
		warn("the series in %s has no patches: nothing is proven",
		     prove.dir_arg);
	select_patches(&prove, &options.only);
	series_find_rules(&prove, &options);
	options.arch = prove.arch;
	options.config = prove.config;
	options.rule = asked_rules(&prove);
	runs = ARENA_ARRAY(prove.arena, struct run, prove.rules.n);
	prove.side = ARENA_ARRAY(prove.arena, struct prove_config,
				 prove.rules.n + prove.rules.n);
	status = configure(&prove, &options, runs);
	if (!status)
		status = run(&prove, &options);
out:
	for (size_t i = 0; runs && i < prove.rules.n; i++)
		if (runs[i].arena)
			run_release(&runs[i]);
	compiles_free(&prove);
	prove_boots_free(&prove);
	cache_close(prove.cache);
	free(dir);
	arena_free(prove.arena);
	return status;
}
