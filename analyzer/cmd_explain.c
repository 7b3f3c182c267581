// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "../output/annotate.h"
#include "../output/explain.h"
#include "../output/out.h"
#include "../output/text.h"
#include "base/strbuf.h"
#include "checks/checks.h"
#include "cmd.h"
#include "options.h"
#include "ranked.h"
#include "run.h"

static const char help[] =
"nocharge explain [options] TREE FUNCTION\n"
"nocharge explain RULE\n"
"nocharge explain --annotate FILE [options] TREE [FUNCTION]\n"
"\n"
"A function in the off state, line by line: what is dead, what is known and\n"
"what is left, and which fact and which writer decide so. FUNCTION@FILE names\n"
"one of several statics. Or what a rule means, and what the fix looks like.\n"
"\n"
"  --annotate FILE    which instructions of 'perf annotate --stdio' or\n"
"                     opannotate are dear, of all functions or of this one, and\n"
"                     which finding each belongs to: samples fall behind the\n"
"                     barrier or the load that they are for\n";

static void list_rules(FILE *stream)
{
	for (size_t i = 0; i < nchecks; i++)
		fprintf(stream, "%s%s", i ? ", " : "", checks[i].name);
}

static int explain_rule(const char *name, const struct options *options,
			struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct out out;
	const char *path;

	if (!check_find(name)) {
		fprintf(stderr, "nocharge: '%s' is no rule; rules are ", name);
		list_rules(stderr);
		fprintf(stderr, ". A function needs its tree: 'nocharge "
			"explain TREE %s'\n", name);
		return STATUS_USAGE;
	}
	path = data_path(arena, arena_printf(arena, "rules/text/%s.md",
					     name));
	if (!path)
		die("the text of rule '%s' is missing (rules/text/%s.md)",
		    name, name);
	if (strbuf_read_file(&text, path, &err) ||
	    out_open(&out, options->output, &err))
		die("%s", err.text);
	fwrite(text.buf, 1, text.len, out.stream);
	strbuf_release(&text);
	if (out_close(&out, &err))
		die("%s", err.text);
	return STATUS_CLEAN;
}

static int explain_function(const struct options *options,
			    struct arena *arena)
{
	const char *tree = options->arg[0], *function = options->arg[1];
	struct profile *profile = ranked_profile(options, arena);
	struct share share, *shared = NULL;
	struct explanation *explanation;
	struct err err = { 0 };
	const char *source;
	struct out out;
	struct run run;
	size_t len = 0;
	int status;

	if (options->rules.n > 1)
		usage("explain", "one --rules is enough");
	if (out_open(&out, options->output, &err))
		die("%s", err.text);
	/* the checks give the verdict that is explained */
	if (run_model(&run, tree, options->rules.name[0], options, &err)) {
		status = run_failed(&err);
		goto failed;
	}
	explanation = model_explain(run.model, function, &err);
	if (!explanation) {
		/* it may be there */
		text_skipped(&run.report);
		status = run_failed(&err);
		goto failed;
	}
	source = tree_read(run.tree, run.in, explanation->file, &len);
	if (profile) {
		profile_knows(profile, run.model);
		share = profile_of(profile, explanation->function);
		shared = &share;
	}
	if (options->format == FORMAT_JSON)
		explain_json(&out, explanation, shared);
	else
		explain_text(&out, explanation, shared, source, len);
	if (out_close(&out, &err))
		die("%s", err.text);
	text_skipped(&run.report);
	status = (int)run_status(&run.report, 0, options);
	run_release(&run);
	return status;
failed:
	out_discard(&out);
	run_release(&run);
	return status;
}

static const char *read_source(void *data, const char *file, size_t *len)
{
	struct run *run = data;

	return tree_read(run->tree, run->in, file, len);
}

static int explain_annotated(const struct options *options,
			     struct arena *arena)
{
	struct annotated *annotated;
	struct annotate_in in = {
		.source = read_source, .function = options->arg[1],
		.arena = arena,
	};
	struct err err = { 0 };
	struct out out;
	struct run run;
	int status;

	if (options->rules.n > 1)
		usage("explain", "one --rules is enough");
	annotated = annotated_read(options->annotate, arena, &err);
	if (!annotated || out_open(&out, options->output, &err))
		die("%s", err.text);
	if (run_model(&run, options->arg[0], options->rules.name[0], options,
		      &err))
		goto failed;
	in.model = run.model;
	in.report = &run.report;
	in.data = &run;
	if (annotate_tell(annotated, &in, &out,
			  options->format == FORMAT_JSON, &err))
		goto failed;
	if (out_close(&out, &err))
		die("%s", err.text);
	if (annotated->odd)
		warn("%s: %zu lines were not understood, the first is line %u",
		     annotated->path, annotated->odd, annotated->first_odd);
	text_skipped(&run.report);
	status = (int)run_status(&run.report, 0, options);
	run_release(&run);
	return status;
failed:
	status = run_failed(&err);
	out_discard(&out);
	run_release(&run);
	return status;
}

int cmd_explain(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status;

	options_parse(&options, argc, argv, help, 1, 2, arena);
	if (options.annotate && options.profile)
		usage(argv[0], "--annotate says by itself what is dear: no "
		      "--profile");
	status = options.annotate ? explain_annotated(&options, arena) :
		options.narg == 1 ?
		explain_rule(options.arg[0], &options, arena) :
		explain_function(&options, arena);
	arena_free(arena);
	return status;
}
