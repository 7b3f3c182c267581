// SPDX-License-Identifier: GPL-2.0-only
#include "hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../output/boot.h"
#include "../output/compare.h"
#include "../output/out.h"
#include "base/process.h"
#include "base/scratch.h"
#include "interrupt.h"
#include "run.h"

/* Words of the program's command line beside the operations. */
#define WORDS 16

static void only_with(const char *option, bool given, const char *mode,
		      bool asked)
{
	if (given && !asked)
		usage("measure", "%s is of %s", option, mode);
}

bool hardware_asked(const struct options *options)
{
	const bool run = options->hardware, compare = options->compare;
	const bool none = !run && !compare;

	if (run + compare + (options->against != NULL) > 1)
		usage("measure", "--hardware, --compare and --against exclude "
		      "each other");
	only_with("--processes", options->processes, "--hardware", run);
	only_with("--runs", options->runs, "--hardware", run);
	only_with("--seconds", options->seconds, "--hardware", run);
	only_with("--only", options->only.n, "--hardware", run);
	only_with("--base", options->base, "--compare", compare);
	only_with("--format json", options->format == FORMAT_JSON,
		  "--compare", compare);
	only_with("--ends", options->ends, "what boots kernels", none);
	only_with("--plot", options->plot, "what boots kernels", none);
	only_with("--cc", options->cc.n, "what boots kernels", none);
	only_with("--config", options->config, "what boots kernels", none);
	only_with("--jobs", options->jobs, "what boots kernels", none);
	only_with("--trust-tree", options->trust_tree, "what boots kernels",
		  none);
	if (run && options->narg)
		usage("measure", "'%s' is one argument too many: --hardware "
		      "takes this machine as it is", options->arg[0]);
	if (compare && !options->narg)
		usage("measure", "--compare needs two results");
	return !none;
}

static const char *const *words(const struct options *options,
				const char *program, const char *result,
				struct arena *arena)
{
	const char **argv = ARENA_ARRAY(arena, const char *,
					WORDS + options->only.n);
	size_t n = 0;

	argv[n++] = program;
	argv[n++] = "-o";
	argv[n++] = result;
	argv[n++] = "-d";
	argv[n++] = getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp";
	if (options->processes) {
		argv[n++] = "-p";
		argv[n++] = arena_printf(arena, "%u", options->processes);
	}
	if (options->runs) {
		argv[n++] = "-r";
		argv[n++] = arena_printf(arena, "%u", options->runs);
	}
	if (options->seconds) {
		argv[n++] = "-s";
		argv[n++] = options->seconds;
	}
	argv[n++] = "--";
	for (size_t i = 0; i < options->only.n; i++)
		argv[n++] = options->only.name[i];
	return argv;
}

static int put(const struct options *options, const char *result,
	       struct arena *arena, struct err *err)
{
	const struct names path = { &result, 1 };
	struct strbuf text = STRBUF_INIT;
	struct compare *compare;
	struct out out;
	int ret = -1;

	/* what cannot be read again is no result */
	compare = compare_read(&path, arena, err);
	if (compare && !strbuf_read_file(&text, result, err) &&
	    !out_open(&out, options->output, err)) {
		fwrite(text.buf, 1, text.len, out.stream);
		ret = out_close(&out, err);
	}
	for (size_t i = 0; !ret && i < compare->warning.n; i++)
		warn("%s", compare->warning.name[i]);
	if (!ret && options->output) {
		compare->column[0].path = options->output;
		out = (struct out){ .stream = stdout,
				    .colour = out_wants_colour(stdout) };
		compare_table(compare, &out);
		if (fflush(stdout) || ferror(stdout))
			ret = err_set(err, STATUS_USAGE, "cannot write "
				      "'standard output'");
	}
	strbuf_release(&text);
	return ret;
}

/* In @dir, which is gone after. */
static int build_and_run(const struct options *options, const char *dir,
			 struct arena *arena, struct err *err)
{
	const struct boot boot = {
		.arena = arena, .work = dir, .interrupted = interrupt_flag(),
	};
	const char *result = arena_printf(arena, "%s/this machine.json",
					  dir);
	const char *program = boot_hardware(&boot, err);
	struct process process = { .interrupted = interrupt_flag() };
	struct strbuf said = STRBUF_INIT;
	int status = -1;

	if (program) {
		process.argv = words(options, arena_printf(arena, "%s/%s",
				     dir, program), result, arena);
		status = process_run(&process, NULL, &said, err);
	}
	if (said.len)
		fputs(said.buf, stderr);
	strbuf_release(&said);
	if (status > 0 && status != STATUS_INCOMPLETE)
		err_set(err, STATUS_USAGE, "the operations ended with status "
			"%d", status);
	if (!err->text && put(options, result, arena, err))
		status = -1;
	return err->text ? -1 : status;
}

int hardware_run(const struct options *options, struct arena *arena)
{
	struct scratch work;
	struct err err = { 0 };
	struct out out;
	int status = -1;

	/* fail before the work and not after it */
	if (out_open(&out, options->output, &err))
		die("%s", err.text);
	if (options->output)
		out_discard(&out);
	interrupt_within("while the machine is timed; nothing is kept");
	interrupt_phase(NULL, true);
	if (!scratch_make(&work, NULL, &err)) {
		fprintf(stderr, "nocharge: timing this machine; it should do "
			"nothing else\n");
		status = build_and_run(options, work.dir, arena, &err);
		scratch_remove(&work);
	}
	if (status < 0)
		status = run_failed(&err);
	err_clear(&err);
	return status;
}

int hardware_compare(const struct options *options, struct arena *arena)
{
	struct names path = { 0 };
	struct compare *compare;
	struct err err = { 0 };
	struct out out;

	if (options->base)
		names_add(&path, options->base, arena);
	for (int i = 0; i < options->narg; i++)
		if (!names_have(&path, options->arg[i]))
			names_add(&path, options->arg[i], arena);
	compare = compare_read(&path, arena, &err);
	/* a measure.json has several in it */
	if (compare && compare->ncolumn < 2)
		usage("measure", "'%s' is one result: --compare needs two",
		      path.name[0]);
	if (!compare || out_open(&out, options->output, &err))
		die("%s", err.text);
	if (options->format == FORMAT_JSON)
		compare_json(compare, &out);
	else
		compare_table(compare, &out);
	if (out_close(&out, &err))
		die("%s", err.text);
	for (size_t i = 0; i < compare->warning.n; i++)
		warn("%s", compare->warning.name[i]);
	for (size_t i = 0; i < compare->missing.n; i++)
		warn("not compared: %s", compare->missing.name[i]);
	for (size_t i = 0; i < compare->ncolumn; i++)
		for (size_t k = 0; k < compare->column[i].not_done.n; k++)
			warn("%s: not done: %s", compare->column[i].label,
			     compare->column[i].not_done.name[k]);
	return compare->missing.n ? STATUS_INCOMPLETE : STATUS_CLEAN;
}
