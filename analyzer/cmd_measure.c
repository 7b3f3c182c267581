// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../output/measure_run.h"
#include "against_run.h"
#include "base/scratch.h"
#include "cmd.h"
#include "hardware.h"
#include "interrupt.h"
#include "options.h"
#include "parse/parse.h"
#include "progress.h"
#include "run.h"
#include "series_tree.h"

#define COMPILER "clang-19"

static const char help[] =
"nocharge measure --trust-tree [options] DIR TREE\n"
"nocharge measure --against FINDINGS.json [options] DIR [TREE]\n"
"nocharge measure --hardware [options] [-o FILE]\n"
"nocharge measure --compare [options] FILE FILE...\n"
"\n"
"Count what the feature costs: kernels without it (out), with it and switched\n"
"off (off), after each patch of the series in DIR (off+1, off+2, ...), and\n"
"switched on before and after all of them (on, on+all) are built, small and\n"
"for the architecture of the series, booted under QEMU, and do each operation\n"
"eight times over. The emulator counts instructions, the same number each time,\n"
"in all and for each function; these are instructions, and not time. The numbers\n"
"go into DIR/measure.json, a table to standard output and into the cover letter,\n"
"and into the message of each patch what it changes; diffs stay as they are.\n"
"Kernels and counts are kept in the cache. Nothing in TREE changes.\n"
"\n"
"  --trust-tree       needed: kbuild, and the kernel itself, are the tree's own\n"
"                     code\n"
"  --ends             only before and after the whole series, not after each\n"
"                     patch\n"
"  --against FINDINGS.json\n"
"                     measure nothing; hold findings of the same tree against\n"
"                     DIR/measure.json: functions that cost an instruction and\n"
"                     more when off and that no finding is on, and findings\n"
"                     that cost nothing. With TREE, which is analysed, what is\n"
"                     inlined elsewhere is known too. Exits with 1 if there are\n"
"                     such functions, or such findings of high confidence\n"
"  --config FILE      build kernels with these options, all others off, and not\n"
"                     with those of nocharge\n"
"  --plot FOLDER      a picture (SVG) of each operation too\n"
"  --hardware         on this machine and its kernel as they are, how often a\n"
"                     second each operation is done: for 1, 2, 4, ... processes at\n"
"                     once, several runs, with mean and deviation. FILE or\n"
"                     standard output gets it as JSON; with FILE a table is\n"
"                     printed. No privilege is needed; what could not be done is\n"
"                     named. 'make operations' makes the same program by itself\n"
"  --processes N      of it: how many at once (default: one per processor)\n"
"  --runs N           of it: how many runs (default: 5)\n"
"  --seconds S        of it: how long each (default: 1)\n"
"  --only OPERATION   of it: only this one; may be given more than once\n"
"  --compare          results of --hardware, or measure.json files, side by side:\n"
"                     per cent of the first one, the kernel without the feature;\n"
"                     harmonic means over numbers of processes; and which\n"
"                     differences are within the noise, by Welch's t test\n"
"  --base FILE        of it: not of the first one, but of this\n"
"  --format json      of it: as JSON\n"
"  --cc NAME          the compiler for the kernels (default: " COMPILER ")\n"
"  -o FILE            write there instead of to DIR/measure.json, and into no\n"
"                     message\n"
"  --jobs N           how many compilers at once (default: one per processor)\n"
"  --cache DIR        where kernels are kept (default: XDG_CACHE_HOME/nocharge)\n"
"  --no-cache         keep none\n"
"  -h, --help         this text\n"
"\n"
"Exits with 4 if a kernel does not build or boot, whose log is then in\n"
"DIR/measure-logs, and with 3 if an operation could not be counted.\n";

static void read_options(struct prove *prove, struct options *options,
			 int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			exit(STATUS_CLEAN);
		}
	options_parse(options, argc, argv, help, 0, HARDWARE_FILES,
		      prove->arena);
	if (hardware_asked(options))
		return;
	if (!options->narg)
		usage("measure", "something is missing after 'measure'");
	if (options->narg > 2)
		usage("measure", "'%s' is one argument too many",
		      options->arg[2]);
	prove->dir_arg = options->arg[0];
	prove->tree_arg = options->arg[1];
	prove->jobs = options->jobs ? options->jobs :
		(unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (options->against)
		return;
	if (options->narg < 2)
		usage("measure", "something is missing after '%s'",
		      options->arg[0]);
	if (options->cc.n > 1)
		usage("measure", "kernels of different compilers cannot be "
		      "compared: one --cc");
	if (!options->trust_tree)
		usage("measure", "building and booting runs the tree's own "
		      "code: it needs --trust-tree");
	prove->trust_tree = true;
}

/* The tree and the rules of the series. */
static struct rules *open_tree(struct prove *prove, struct err *err)
{
	const char *path = data_path(prove->arena, "rules/kernel.json");
	struct strtab *strings = strtab_new(prove->arena);
	struct kernel_rules *kernel;
	struct rules *rules;

	if (!path) {
		err_set(err, STATUS_USAGE, "'rules/kernel.json' is not "
			"installed");
		return NULL;
	}
	rules = rules_load(prove->rules.name[0], prove->arena, strings, err);
	kernel = rules ? kernel_rules_load(path, prove->arena, strings, err) :
		NULL;
	prove->tree = kernel ? tree_open(prove->tree_arg, prove->arch, kernel,
					 err) : NULL;
	if (!prove->tree)
		return NULL;
	prove->content = series_content(prove->tree->root);
	return rules;
}

static void tell(void *data, const char *what, size_t done, size_t total)
{
	struct progress *progress = data;

	progress->what = what;
	progress_step(progress, done, total);
}

static int every_patch_applies(const struct prove *prove, struct err *err)
{
	for (size_t i = 0; i < prove->npatch; i++)
		if (!prove->patch[i].applied)
			return err_set(err, STATUS_PROOF, "%s does not apply "
				       "to %s: %s", prove->patch[i].file,
				       prove->tree_arg, prove->patch[i].
				       result[PROVE_APPLIES].why);
	return 0;
}

/* In a directory of our own, that is gone after. */
static int count(struct measure *measure, struct prove *prove,
		 const struct options *options, struct err *err)
{
	struct progress progress;
	struct measure_how how = {
		.cc = options->cc.n ? options->cc.name[0] : COMPILER,
		.config = options->config, .ends = options->ends,
		.tell = tell, .data = &progress,
	};
	struct scratch work;
	int ret = -1;

	if (!options->no_cache)
		prove->cache = cache_open(options->cache, err);
	how.rules = err->text ? NULL : open_tree(prove, err);
	if (!how.rules)
		return -1;
	interrupt_within("while measuring; what was built until now is kept");
	interrupt_phase(NULL, true);
	if (scratch_make(&work, prove->dir, err))
		return -1;
	prove->work = work.dir;
	progress_start(&progress, "measuring");
	/* there is something to say from the beginning */
	progress.start -= 1;
	if (!prove_states_make(prove, err) && !every_patch_applies(prove, err))
		ret = measure_run(measure, prove, &how, prove->arena, err);
	progress_stop(&progress);
	scratch_remove(&work);
	prove->work = NULL;
	return ret;
}

static int finish(const struct measure *measure, const struct prove *prove,
		  const struct options *options, struct err *failed)
{
	const char *path = options->output ? options->output :
		arena_printf(prove->arena, "%s/measure.json", prove->dir);
	struct out out = { .stream = stdout,
			   .colour = out_wants_colour(stdout) };
	int status = failed->text ? (int)failed->status : STATUS_CLEAN;
	struct names file = {
		ARENA_ARRAY(prove->arena, const char *, prove->npatch),
		prove->npatch
	};
	struct err err = { 0 };

	for (size_t i = 0; i < prove->npatch; i++)
		file.name[i] = prove->patch[i].file;
	/* what was counted is told, whatever became of the rest */
	if (measure_write(measure, path, &err) ||
	    (options->plot && measure_plot(measure, options->plot,
					   prove->arena, &err)))
		die("%s", err.text);
	/* messages are for what is whole, and a copy elsewhere is no part */
	if (!status && !options->output &&
	    measure_tell(measure, prove->dir, &file, prove->arena, &err))
		die("%s", err.text);
	measure_table(measure, &out);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write 'standard output': %s", strerror(errno));
	for (size_t i = 0; i < measure->problems.n; i++)
		warn("not counted: %s", measure->problems.name[i]);
	if (!status && measure->problems.n)
		status = STATUS_INCOMPLETE;
	return status;
}

int cmd_measure(int argc, char **argv)
{
	struct prove prove = {
		.arena = arena_new(), .lock = PTHREAD_MUTEX_INITIALIZER,
		.interrupted = interrupt_flag(),
	};
	struct measure measure = { 0 };
	struct options options;
	struct err err = { 0 };
	int status;

	read_options(&prove, &options, argc, argv);
	if (options.hardware || options.compare) {
		status = options.hardware ?
			hardware_run(&options, prove.arena) :
			hardware_compare(&options, prove.arena);
		arena_free(prove.arena);
		return status;
	}
	prove.dir = realpath(prove.dir_arg, NULL);
	if (!prove.dir)
		die("%s: %s", prove.dir_arg, strerror(errno));
	if (options.against) {
		status = against_run(&prove, &options);
		goto out;
	}
	if (prove_series_read(&prove, &err)) {
		status = run_failed(&err);
		goto out;
	}
	series_find_rules(&prove, &options);
	if (count(&measure, &prove, &options, &err) &&
	    err.status != STATUS_PROOF)
		status = run_failed(&err);
	else if (!measure.nstate || interrupt_signal())
		status = run_failed(&err);
	else
		status = finish(&measure, &prove, &options, &err);
out:
	err_clear(&err);
	if (prove.tree)
		tree_free(prove.tree);
	cache_close(prove.cache);
	free((char *)(uintptr_t)prove.dir);
	arena_free(prove.arena);
	return status;
}
