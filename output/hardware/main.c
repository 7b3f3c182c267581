// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../measure/operations.h"
#include "hardware.h"

static const char help[] =
"operations [-p N] [-r RUNS] [-s SECONDS] [-d DIR] [-o FILE] [OPERATION...]\n"
"\n"
"How often a second this kernel does each operation, in 1, 2, 4, ... N\n"
"processes at once (default: one per processor), RUNS times over (5), for\n"
"SECONDS each (1). FILE or standard output gets the result as JSON, with what\n"
"could not be done; exits with 3 if there is such. DIR (/var/tmp) is for a file\n"
"that is to be on a disk.\n";

static void fail(const char *what)
{
	fprintf(stderr, "operations: %s\n", what);
	exit(2);
}

static double number(const char *text, double least, double most,
		     const char *what)
{
	char *end;
	double n = strtod(text, &end);

	if (end == text || *end || !(n >= least && n <= most))
		fail(what);
	return n;
}

static void choose(struct plan *plan, char **name, int n)
{
	plan->chosen = calloc(noperation, sizeof(*plan->chosen));
	if (!plan->chosen)
		fail("there is no memory");
	for (size_t op = 0; op < noperation; op++)
		plan->chosen[op] = !n;
	for (int i = 0; i < n; i++) {
		size_t op = 0;

		while (op < noperation && strcmp(operations[op].name, name[i]))
			op++;
		if (op == noperation) {
			fprintf(stderr, "operations: there is no '%s' (",
				name[i]);
			for (op = 0; op < noperation; op++)
				fprintf(stderr, "%s%s", op ? ", " : "",
					operations[op].name);
			fail("that is what there is)");
		}
		plan->chosen[op] = true;
	}
}

/* 1, 2, 4 and so on, and the number itself. */
static void steps(struct plan *plan, unsigned most)
{
	for (unsigned n = 1; n < most && plan->nstep < STEPS - 1; n *= 2)
		plan->step[plan->nstep++] = n;
	plan->step[plan->nstep++] = most;
}

/* What drifts while all is done drifts for all alike: each run is a round. */
static bool rounds(const struct plan *plan, struct result *result)
{
	bool whole = true;

	for (unsigned i = 0; i < plan->runs; i++)
		for (size_t op = 0; op < noperation; op++)
			for (size_t step = 0; plan->chosen[op] &&
			     step < plan->nstep; step++) {
				struct run *run = result_run(result, op, step,
							     i);

				/* what cannot be done is not tried again */
				if (i && !result_run(result, op, step,
						     0)->there) {
					*run = *result_run(result, op, step,
							   0);
					continue;
				}
				work(plan, op, plan->step[step], run);
				if (run->there)
					continue;
				whole = false;
				fprintf(stderr, "operations: %s, %u at once: "
					"not done: %s\n", operations[op].name,
					plan->step[step], run->why);
			}
	return whole;
}

struct cpu_time {
	double busy, all, ours; /* seconds since the start of the machine */
};

static bool cpu_time(struct cpu_time *at)
{
	FILE *file = fopen("/proc/stat", "re");
	double hz = (double)sysconf(_SC_CLK_TCK), n[8] = { 0 };
	struct rusage children, self;
	/* user, nice, system, idle, waiting, irq, softirq, stolen */
	int got = file ? fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf",
				&n[0], &n[1], &n[2], &n[3], &n[4], &n[5],
				&n[6], &n[7]) : 0;

	if (file)
		fclose(file);
	if (got < 4 || getrusage(RUSAGE_CHILDREN, &children) ||
	    getrusage(RUSAGE_SELF, &self))
		return false;
	*at = (struct cpu_time){ 0 };
	for (int i = 0; i < 8; i++)
		at->all += n[i] / hz;
	at->busy = at->all - (n[3] + n[4]) / hz;
	at->ours = (double)(children.ru_utime.tv_sec +
			    children.ru_stime.tv_sec + self.ru_utime.tv_sec +
			    self.ru_stime.tv_sec) +
		(double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec +
			 self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
	return true;
}

/* How much of the processors others had since @before; what is rounded may
 * be less than nothing. */
static double others(const struct cpu_time *before)
{
	struct cpu_time now;
	double percent;

	if (!cpu_time(&now) || !(now.all > before->all))
		return -1;
	percent = 100 * (now.busy - before->busy - now.ours + before->ours) /
		(now.all - before->all);
	return percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

int main(int argc, char **argv)
{
	struct plan plan = { .runs = 5, .seconds = 1, .dir = "/var/tmp" };
	struct result result = { .plan = &plan };
	long most = sysconf(_SC_NPROCESSORS_ONLN);
	const char *path = NULL;
	struct cpu_time before;
	bool small, whole, known;
	int c;

	if (argc == 2 && !strcmp(argv[1], EXECUTED))
		executed();
	while ((c = getopt(argc, argv, "p:r:s:d:o:h")) != -1)
		switch (c) {
		case 'p':
			most = (long)number(optarg, 1, PROCESSES,
					    "-p takes a number from 1 to 256");
			break;
		case 'r':
			plan.runs = (unsigned)number(optarg, 1, RUNS, "-r "
						     "takes a number from 1 "
						     "to 64");
			break;
		case 's':
			plan.seconds = number(optarg, 0.001, 3600,
					      "-s takes seconds, 0.001 to "
					      "3600");
			break;
		case 'd':
			plan.dir = optarg;
			break;
		case 'o':
			path = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		default:
			fputs(help, stderr);
			return 2;
		}
	/* a fault would be counted for each part of a larger one */
	if (sysconf(_SC_PAGESIZE) != (long)PAGE)
		fail("the pages of this kernel are not of 4096 bytes, which "
		     "is what is counted");
	if (most < 1 || most > PROCESSES)
		most = most < 1 ? 1 : PROCESSES;
	choose(&plan, argv + optind, argc - optind);
	steps(&plan, (unsigned)most);
	result.run = calloc(noperation * plan.nstep * plan.runs,
			    sizeof(*result.run));
	if (!result.run || !work_ready(plan.dir, (unsigned)most))
		fail(because("memory that all processes see"));
	small = small_pages();
	if (!small)
		fprintf(stderr, "operations: huge pages could not be "
			"switched off for it\n");
	known = cpu_time(&before);
	whole = rounds(&plan, &result);
	result.others = known ? others(&before) : -1;
	if (!tell(&result, small, path))
		fail(because(path ? path : "standard output"));
	return whole ? 0 : 3;
}
