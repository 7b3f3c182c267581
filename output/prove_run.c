// SPDX-License-Identifier: GPL-2.0-only
/* The checks of all patches, by as many threads as there may be jobs. */
#include <stdlib.h>
#include <string.h>

#include "../analyzer/progress.h"
#include "prove.h"

/* In the order in which they run: what finds most is first. */
static const struct {
	enum prove_check check;
	prove_check_fn *run;
} checks[] = {
	{ PROVE_COMPILES, prove_compiles },
	{ PROVE_BISECTABLE, prove_bisectable },
	{ PROVE_SAME_ON, prove_same_on },
	{ PROVE_SPARSE, prove_sparse },
	{ PROVE_SIZE, prove_size },
	{ PROVE_STYLE, prove_style },
	{ PROVE_BUILDS, prove_builds },
	{ PROVE_ACCOUNTS, prove_accounts },
	{ PROVE_DEFAULTS, prove_defaults },
};

#define NCHECKS (sizeof(checks) / sizeof(checks[0]))

struct queue {
	struct prove *prove;
	struct progress progress;
	size_t next, total; /* of npatch * NCHECKS */
	size_t ndone, nwork;
};

static bool is_wanted(const struct prove *prove, const struct prove_patch *patch,
		      enum prove_check check)
{
	return patch->selected && prove->asked[check] &&
		!patch->result[check].verdict;
}

/* The next piece of work; false: there is none. */
static bool next(struct queue *queue, size_t *k, size_t *i)
{
	struct prove *prove = queue->prove;
	bool found = false;

	pthread_mutex_lock(&prove->lock);
	while (!found && queue->next < queue->total && !prove->err.text) {
		*k = queue->next / NCHECKS;
		*i = queue->next++ % NCHECKS;
		found = is_wanted(prove, &prove->patch[*k], checks[*i].check);
	}
	pthread_mutex_unlock(&prove->lock);
	return found && !*prove->interrupted;
}

static void keep(struct queue *queue, size_t k, enum prove_check check,
		 const struct prove_result *result)
{
	struct prove *prove = queue->prove;

	pthread_mutex_lock(&prove->lock);
	prove->patch[k].result[check] = *result;
	if (!prove->err.text)
		prove_results_write(prove, &prove->err);
	progress_step(&queue->progress, ++queue->ndone, queue->nwork);
	pthread_mutex_unlock(&prove->lock);
}

static void *work(void *data)
{
	struct queue *queue = data;
	struct prove *prove = queue->prove;
	size_t k, i;

	while (next(queue, &k, &i)) {
		struct prove_result result = { .verdict = PROVE_NONE };
		struct strbuf log = STRBUF_INIT;

		if (prove->patch[k].applied)
			checks[i].run(prove, k, &result, &log);
		else
			result = (struct prove_result){
				.verdict = PROVE_NOT_RUN,
				.why = "the patch does not apply",
			};
		/* what was cut short shows nothing */
		if (!*prove->interrupted) {
			if (result.verdict == PROVE_PASS ||
			    result.verdict == PROVE_NOT_APPLICABLE)
				log.len = 0;
			prove_log(prove, &prove->patch[k], checks[i].check,
				  &log);
			keep(queue, k, checks[i].check, &result);
		}
		strbuf_release(&log);
	}
	return NULL;
}

int prove_run(struct prove *prove, struct err *err)
{
	struct queue queue = {
		.prove = prove, .total = prove->npatch * NCHECKS,
	};
	pthread_t *thread = xcalloc(prove->jobs, sizeof(*thread));
	unsigned n = 0;

	for (size_t i = 0; i < queue.total; i++)
		queue.nwork += is_wanted(prove,
					 &prove->patch[i / NCHECKS],
					 checks[i % NCHECKS].check);
	prove_results_write(prove, &prove->err);
	progress_start(&queue.progress, "proving");
	while (n < prove->jobs &&
	       !pthread_create(&thread[n], NULL, work, &queue))
		n++;
	if (!n)
		work(&queue);
	while (n)
		pthread_join(thread[--n], NULL);
	progress_stop(&queue.progress);
	free(thread);
	if (*prove->interrupted)
		return err_set(err, STATUS_USAGE, "interrupted");
	if (prove->err.text) {
		*err = prove->err;
		prove->err = (struct err){ 0 };
		return -1;
	}
	return 0;
}
