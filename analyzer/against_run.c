// SPDX-License-Identifier: GPL-2.0-only
#include "against_run.h"

#include "../output/against.h"
#include "interrupt.h"
#include "run.h"
#include "series_tree.h"

static int tell(const struct measure *measure, const struct finding_set *set,
		struct model *model, struct prove *prove,
		const struct options *options, struct err *err)
{
	struct against result;
	struct out out;

	if (out_open(&out, options->output, err))
		return -1;
	if (against_tell(measure, set, model, prove->arena, &out, &result,
			 err)) {
		out_discard(&out);
		return -1;
	}
	if (out_close(&out, err))
		return -1;
	return (result.uncovered || result.idle) && !options->exit_zero ?
		STATUS_FINDINGS : STATUS_CLEAN;
}

int against_run(struct prove *prove, struct options *options)
{
	const char *path = arena_printf(prove->arena, "%s/measure.json",
					prove->dir);
	struct run run = { 0 };
	struct err err = { 0 };
	struct finding_set *set = findings_read(options->against,
						prove->arena, &err);
	struct measure *measure = set ? measure_read(path, prove->arena,
						     &err) : NULL;
	int status = measure ? 0 : -1;

	if (!status && prove->tree_arg) {
		status = prove_series_read(prove, &err);
		if (!status) {
			series_find_rules(prove, options);
			options->arch = prove->arch;
			options->config = prove->config;
			status = run_model(&run, prove->tree_arg,
					   prove->rules.name[0], options,
					   &err);
		}
	}
	if (!status)
		status = tell(measure, set, run.model, prove, options, &err);
	if (status < 0)
		status = run_failed(&err);
	if (run.arena)
		run_release(&run);
	err_clear(&err);
	return status;
}
