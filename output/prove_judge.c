// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the analysis itself says of a series: that each patch clears what it is
 * for, that nobody can tell the order that it changes, and that with the
 * feature off its functions do what they did.
 */

#include <string.h>

#include "../analyzer/options.h"
#include "kind.h"
#include "prove.h"
#include "prove_off.h"

struct judge {
	struct prove *prove;
	const struct options *options;
	struct err *err;
};

/* The files of @state as the analysis takes them. */
static struct off_state *analyse(struct judge *judge, size_t state)
{
	struct prove *prove = judge->prove;
	struct memfile *file = ARENA_ARRAY(prove->arena, struct memfile,
					   prove->nfile);
	struct off_state *made;
	uint64_t rules = 0;
	size_t n = 0;

	for (size_t i = 0; i < prove->nfile; i++) {
		const struct prove_version *version =
			prove_version(&prove->file[i], state);

		if (version->text)
			file[n++] = (struct memfile){
				.path = prove->file[i].path,
				.text = version->text,
				.len = version->len,
			};
	}
	made = off_state_new(prove->tree_arg, judge->options, file,
			     state ? n : 0, judge->err);
	for (size_t i = 0; i < prove->nside; i += 2)
		rules = rules * 31 + prove->side[i].rules->hash;
	if (!made || off_state_rules(made) == rules)
		return made;
	off_state_free(made);
	err_set(judge->err, STATUS_USAGE, "the rules were changed meanwhile: "
		"begin again");
	return NULL;
}

static bool wants_off(const struct prove *prove,
		      const struct prove_patch *patch)
{
	return patch->selected &&
		((prove->asked[PROVE_CLEARS] &&
		  !patch->result[PROVE_CLEARS].verdict) ||
		 (prove->asked[PROVE_ORDER] &&
		  !patch->result[PROVE_ORDER].verdict) ||
		 (prove->asked[PROVE_SAME_OFF] &&
		  !patch->result[PROVE_SAME_OFF].verdict));
}

static void put_off(struct prove *prove, struct prove_patch *patch,
		    enum prove_check check, const struct off_result *from,
		    const char *how)
{
	struct prove_result *result = &patch->result[check];
	struct strbuf log = STRBUF_INIT;

	if (!prove->asked[check] || result->verdict)
		return;
	*result = (struct prove_result){
		.verdict = PROVE_NOT_RUN,
		.why = from ? from->why : "the patch does not apply",
	};
	if (from) {
		result->verdict = !from->applies ? PROVE_NOT_APPLICABLE :
				  from->pass ? PROVE_PASS : PROVE_FAIL;
		result->why = arena_printf(prove->arena, "%s%s", from->why,
					   how);
		if (result->verdict == PROVE_FAIL)
			strbuf_addf(&log, "%s\n", result->why);
	}
	prove_log(prove, patch, check, &log);
	strbuf_release(&log);
}

static void judge_off(struct prove *prove, struct prove_patch *patch,
		      const struct off_state *before,
		      const struct off_state *after, const char *how)
{
	const struct kind *kind = kind_find(patch->kind);
	bool same = kind && kind->same_off;
	const struct off_patch touched = {
		.function = patch->functions.name,
		/* a key changes how the off state is told: a boot shows it */
		.nfunction = strcmp(patch->kind, "static-key") && !same ?
			patch->functions.n : 0,
		.finding = patch->findings.name,
		.nfinding = patch->findings.n,
	};
	struct off_proof proof;

	if (patch->applied)
		off_prove(before, after, &touched, &proof, prove->arena);
	if (patch->applied && same)
		proof.same = (struct off_result){ .why = kind->same_off };
	put_off(prove, patch, PROVE_CLEARS, patch->applied ? &proof.clears :
		NULL, how);
	put_off(prove, patch, PROVE_ORDER, patch->applied ? &proof.order :
		NULL, how);
	put_off(prove, patch, PROVE_SAME_OFF, patch->applied ? &proof.same :
		NULL, how);
}

/* Patches @from to @to, all by the states before the first and after the last. */
static int judge_range(struct judge *judge, size_t from, size_t to,
		       const struct off_state *before,
		       const struct off_state *after)
{
	struct prove *prove = judge->prove;
	const char *how = from == to ? "" :
		arena_printf(prove->arena, "; with patches %zu to %zu applied",
			     from + 1, to + 1);

	for (size_t i = from; i <= to; i++)
		if (wants_off(prove, &prove->patch[i]))
			judge_off(prove, &prove->patch[i], before, after, how);
	return prove_results_write(prove, judge->err);
}

static bool is_new(struct judge *judge, const struct off_state *before,
		   const struct off_state *after)
{
	return off_state_lost(before, after, judge->prove->arena) ||
		off_state_brings(before, after, judge->prove->arena);
}

/*
 * Something is reported after the last patch that is not before patch @from:
 * judge the patches up to the one that brings it. Returns the next patch, and
 * the state before it in *@before; 0 with judge->err.
 */
static size_t judge_to_first_new(struct judge *judge, size_t from,
				 struct off_state **before)
{
	size_t good = from, bad = judge->prove->npatch, ret = 0;
	struct off_state *last = NULL, *first = NULL;

	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;
		struct off_state *state = analyse(judge, middle);

		if (!state)
			goto out;
		if (is_new(judge, *before, state)) {
			bad = middle;
			off_state_free(first);
			first = state;
		} else {
			good = middle;
			off_state_free(last);
			last = state;
		}
	}
	if (!first)
		first = analyse(judge, bad);
	if (!first || (last && judge_range(judge, from, good - 1, *before,
					   last)) ||
	    judge_range(judge, good, good, last ? last : *before, first))
		goto out;
	off_state_free(*before);
	*before = first;
	first = NULL;
	ret = bad;
out:
	off_state_free(first);
	off_state_free(last);
	return ret;
}

static int judge_each(struct judge *judge, struct off_state *before)
{
	struct prove *prove = judge->prove;

	for (size_t i = 0; i < prove->npatch; i++) {
		struct off_state *after = analyse(judge, i + 1);
		int ret = !after || judge_range(judge, i, i, before, after);

		off_state_free(before);
		before = after;
		if (ret)
			break;
	}
	off_state_free(before);
	return judge->err->text ? -1 : 0;
}

static int judge_all(struct judge *judge, struct off_state *before)
{
	struct prove *prove = judge->prove;
	struct off_state *after = analyse(judge, prove->npatch);
	size_t next = 0;

	while (after && next < prove->npatch) {
		if (is_new(judge, before, after)) {
			next = judge_to_first_new(judge, next, &before);
			if (!next)
				break;
		} else {
			judge_range(judge, next, prove->npatch - 1, before,
				    after);
			break;
		}
	}
	off_state_free(before);
	off_state_free(after);
	return judge->err->text ? -1 : 0;
}

/* To clear what nobody reports is no proof of anything. */
static void refuse_unknown(struct prove *prove, struct prove_patch *patch,
			   const struct off_state *plain)
{
	for (size_t i = 0; i < patch->findings.n; i++) {
		const char *id = patch->findings.name[i];
		struct off_result unknown = {
			.applies = true, .pass = false,
		};

		if (off_state_reports(plain, id))
			continue;
		unknown.why = arena_printf(prove->arena, "the finding %s is "
					   "not reported without the series",
					   id);
		put_off(prove, patch, PROVE_CLEARS, &unknown, "");
		return;
	}
}

int prove_run_off(struct prove *prove, const struct options *options,
		  struct err *err)
{
	struct judge judge = { prove, options, err };
	struct off_state *before;
	size_t todo = 0;

	for (size_t i = 0; i < prove->npatch; i++)
		todo += wants_off(prove, &prove->patch[i]);
	if (!todo)
		return 0;
	before = analyse(&judge, 0);
	if (!before)
		return -1;
	for (size_t i = 0; i < prove->npatch; i++)
		if (wants_off(prove, &prove->patch[i]))
			refuse_unknown(prove, &prove->patch[i], before);
	return options->each ? judge_each(&judge, before) :
		judge_all(&judge, before);
}
