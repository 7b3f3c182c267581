// SPDX-License-Identifier: GPL-2.0-only
/*
 * The books before and after a patch: kernels that do the same work, with the
 * feature on and off, must have the same numbers.
 *
 * A number is only compared if it hangs on nothing but what was done. Which
 * do is found by booting the unpatched kernel once more with a clock that
 * ticks elsewhere, other memory and other pages in use.
 */
#include <string.h>

#include "prove_boots.h"

/* Rules whose fixes change what is done with the feature on. */
static const char *const rules_on[] = {
	"charge-after-flag", "root-work", "batch-break", "split-accounting",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const mode_name[NMODE] = { "on", "off" };

static void set(struct prove_result *result, enum prove_verdict verdict,
		const char *why)
{
	result->verdict = verdict;
	result->why = why;
}

static void keep_log(struct strbuf *log, const struct booted *booted,
		     const char *what)
{
	strbuf_addf(log, "\n%s: %s\n\n%s\n", what, booted->command,
		    booted->console.len ? booted->console.buf : "");
}

/* What stays the same by itself; NULL with @result. */
static const struct accounts *steady(struct prove *prove,
				     struct prove_boots *boots,
				     enum boot_mode mode, size_t nother,
				     struct prove_result *result,
				     struct strbuf *log)
{
	const struct accounts *steady = NULL;

	for (size_t i = 0; i <= nother; i++) {
		const struct booted *booted = boots_run(prove, boots, 0, mode,
						      i);
		const char *bad = booted->failure ? booted->failure :
			booted->trouble;

		if (bad) {
			set(result, PROVE_NOT_RUN, prove_printf(prove,
				"without the patch, feature %s: %s",
				mode_name[mode], bad));
			keep_log(log, booted, "without the patch");
			return NULL;
		}
		steady = !i ? &booted->accounts :
			accounts_steady(steady, &booted->accounts,
					boots->account_rules, boots->arena);
	}
	return steady;
}

/* "STEP, POINT: ..." and how many more; @text has a line for each. */
static const char *and_more(struct prove *prove, const struct strbuf *text,
			    size_t n)
{
	return prove_printf(prove, n == 1 ? "%.*s" : "%.*s, and %zu more",
			    (int)strcspn(text->buf, "\n"), text->buf, n - 1);
}

/*
 * Is what is different due to this patch, or to one before? The numbers of
 * @steady as they are in the state before it, or NULL with @result.
 */
static const struct accounts *before(struct prove *prove,
				     struct prove_boots *boots, size_t k,
				     enum boot_mode mode,
				     const struct accounts *steady,
				     struct prove_result *result,
				     struct strbuf *log)
{
	const struct booted *booted;
	const char *why;

	if (!k)
		return steady;
	why = kernels_get(&boots->kernels, k, log);
	booted = why ? NULL : boots_run(prove, boots, k, mode, 0);
	if (booted)
		why = booted->failure ? booted->failure : booted->trouble;
	if (why)
		set(result, PROVE_NOT_RUN, prove_printf(prove, "with the "
			"patches before it, feature %s: %s", mode_name[mode],
			why));
	return why ? NULL : accounts_of(&booted->accounts, steady,
					boots->arena);
}

/* Numbers of two boots, with the feature on or off; false with @result. */
static bool compare(struct prove *prove, struct prove_boots *boots, size_t k,
		    enum boot_mode mode, const struct booted *after,
		    struct prove_result *result, struct strbuf *log)
{
	const struct booted *plain = boots_run(prove, boots, 0, mode, 0);
	struct strbuf text = STRBUF_INIT;
	const struct accounts *same = NULL, *old;
	size_t n = 1, nother = 0;
	bool good = false;

	/* a number that differs may do so by itself: look once more */
	while (n && nother < BOOTS_OTHER) {
		same = steady(prove, boots, mode, ++nother, result, log);
		if (!same)
			return false;
		text.len = 0;
		n = accounts_differ(same, &after->accounts, boots->account_rules,
				    &text);
	}
	old = n ? before(prove, boots, k, mode, same, result, log) : same;
	if (!old)
		goto out;
	if (n)
		plain = boots_run(prove, boots, k, mode, 0);
	/* what is left over says most, and is told first */
	text.len = 0;
	n = accounts_not_zero(&plain->accounts, &after->accounts,
			      boots->account_rules, &text);
	n += accounts_differ(old, &after->accounts, boots->account_rules, &text);
	good = !n;
	if (n)
		set(result, PROVE_FAIL, prove_printf(prove, "feature %s: %s",
			mode_name[mode], and_more(prove, &text, n)));
	if (n)
		strbuf_addf(log, "feature %s:\n%.*s", mode_name[mode],
			    (int)text.len, text.buf);
	pthread_mutex_lock(&prove->lock);
	result->ncompared += same->n;
	accounts_told(&plain->accounts, same, mode_name[mode],
		      &result->compared, &result->left_out, prove->arena);
	pthread_mutex_unlock(&prove->lock);
out:
	strbuf_release(&text);
	return good;
}

static bool mode_passes(struct prove *prove, struct prove_boots *boots,
			size_t k, enum boot_mode mode, struct prove_result *result,
			struct strbuf *log)
{
	const struct booted *after;

	/* an unpatched kernel that does not work shows nothing */
	if (!steady(prove, boots, mode, 1, result, log))
		return false;
	after = boots_run(prove, boots, k + 1, mode, 0);
	if (after->failure) {
		set(result, PROVE_NOT_RUN, after->failure);
		return false;
	}
	if (after->trouble) {
		keep_log(log, after, "with the patch");
		if (k && !before(prove, boots, k, mode, &after->accounts,
				 result, log))
			return false;
		set(result, PROVE_FAIL, prove_printf(prove, "feature %s: %s",
			mode_name[mode], after->trouble));
		return false;
	}
	if (compare(prove, boots, k, mode, after, result, log))
		return true;
	keep_log(log, after, "with the patch");
	return false;
}

/*
 * Functions of the patch that no step ran, joined; @ran is how many some did.
 * What is inline everywhere is neither.
 */
static const char *not_run(struct prove *prove, struct prove_boots *boots,
			   size_t k, size_t *ran)
{
	const struct names *functions = &prove->patch[k].functions;
	const struct booted *after = boots_run(prove, boots, k + 1, MODE_ON, 0);
	struct strbuf names = STRBUF_INIT;
	const char *text = NULL, *ranges;

	*ran = 0;
	for (size_t i = 0; i < functions->n; i++) {
		ranges = boots_watch(prove, boots, k + 1, functions->name[i]);
		if (ranges && boot_saw(&after->seen, ranges))
			++*ran;
		else if (ranges)
			strbuf_addf(&names, "%s%s", names.len ? ", " : "",
				    functions->name[i]);
	}
	if (names.len)
		text = prove_printf(prove, "%s", names.buf);
	strbuf_release(&names);
	return text;
}

static void conclude(struct prove *prove, struct prove_boots *boots, size_t k,
		     struct prove_result *result)
{
	const struct accounts *accounts =
		&boots->plain[MODE_ON][k + 1]->accounts;
	struct strbuf more = STRBUF_INIT;
	size_t ran;
	const char *names = not_run(prove, boots, k, &ran);

	if (names && !ran) {
		set(result, PROVE_NOT_RUN, prove_printf(prove, "nothing that "
			"was done comes to %s", names));
		return;
	}
	for (size_t i = 0; i < accounts->skipped.n; i++)
		strbuf_addf(&more, "; step %s", accounts->skipped.name[i]);
	if (names)
		strbuf_addf(&more, "; nothing came to %s", names);
	else if (!ran)
		strbuf_addstr(&more, "; whether what it changes was run is "
			      "not known, as it is inline");
	set(result, PROVE_PASS, prove_printf(prove, "%zu numbers are the same "
		"with the feature on and off%s", result->ncompared,
		more.len ? more.buf : ""));
	strbuf_release(&more);
}

static bool is_for(const struct prove *prove, const struct prove_patch *patch)
{
	/* who names the check wants it */
	if (prove->again)
		return true;
	for (size_t i = 0; i < COUNT(rules_on); i++)
		if (names_have(&patch->rules, rules_on[i]))
			return true;
	return false;
}

/* The kernels without and with the patch; false with @result. */
static bool build_both(struct prove *prove, struct prove_boots *boots,
		       size_t k, struct prove_result *result,
		       struct strbuf *log)
{
	const char *why = kernels_get(&boots->kernels, 0, log), *old;
	bool broken;

	if (why) {
		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"without the patch: %s", why));
		return false;
	}
	why = kernels_get(&boots->kernels, k + 1, log);
	broken = boots->kernels.broken;
	/* is it in the kernel, if none of its functions is seen there? */
	old = k && (why || !boots_watch(prove, boots, k + 1, NULL)) ?
		kernels_get(&boots->kernels, k, log) : NULL;
	/* it may be us who cannot build, and the other one was at hand */
	if (why && broken && !old)
		old = kernels_rebuild(&boots->kernels, log);
	if (old)
		set(result, PROVE_NOT_RUN, prove_printf(prove,
			"without the patch: %s", old));
	else if (why)
		set(result, broken ? PROVE_FAIL : PROVE_NOT_RUN, why);
	return !old && !why;
}

static void run(struct prove *prove, struct prove_boots *boots, size_t k,
		struct prove_result *result, struct strbuf *log)
{
	size_t base;

	if (boots->failure) {
		set(result, PROVE_NOT_RUN, boots->failure);
		return;
	}
	if (!build_both(prove, boots, k, result, log))
		return;
	base = boots->kernels.kernel[k].image ? k : 0;
	if (boots->kernels.kernel[k + 1].hash == boots->kernels.kernel[base].hash) {
		set(result, PROVE_NOT_RUN, "the kernel that is booted is the "
		    "same without it: what it changes is not in that");
		return;
	}
	for (size_t m = 0; m < NMODE; m++)
		if (!mode_passes(prove, boots, k, (enum boot_mode)m, result,
				 log))
			return;
	conclude(prove, boots, k, result);
}

void prove_accounts(struct prove *prove, size_t k, struct prove_result *result,
		    struct strbuf *log)
{
	struct prove_boots *boots;

	if (!is_for(prove, &prove->patch[k])) {
		set(result, PROVE_NOT_APPLICABLE, "'same-when-on' is its "
		    "proof; --check accounts boots all the same");
		return;
	}
	if (!prove->trust_tree) {
		set(result, PROVE_NOT_RUN, "kbuild runs the tree's own code: "
		    "it needs --trust-tree");
		return;
	}
	boots = boots_get(prove);
	run(prove, boots, k, result, log);
	pthread_mutex_unlock(&boots->lock);
}
