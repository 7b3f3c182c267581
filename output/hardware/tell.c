// SPDX-License-Identifier: GPL-2.0-only
/* The machine, what came of it, and what could not be done: as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../measure/operations.h"
#include "hardware.h"

struct run *result_run(const struct result *result, size_t op, size_t step,
		       unsigned number)
{
	const struct plan *plan = result->plan;

	return &result->run[(op * plan->nstep + step) * plan->runs + number];
}

/* Text of the kernel's is ASCII; what is not is left out. */
static void put_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (*text >= ' ' && *text < 127)
			fputc(*text, out);
	fputc('"', out);
}

static void put_pair(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",\n\t\t\"%s\": ", name);
	put_string(out, text);
}

/* The first line of a file, or what is behind a word and a colon in it. */
static void put_line(FILE *out, const char *name, const char *path,
		     const char *word)
{
	FILE *file = fopen(path, "re");
	char line[4096];

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = line;

		line[strcspn(line, "\n")] = '\0';
		if (word && strncmp(line, word, strlen(word)))
			continue;
		if (word)
			at = line + strcspn(line, ":");
		at += strspn(at, ": \t");
		put_pair(out, name, at);
		break;
	}
	if (file)
		fclose(file);
}

/* Controllers that are on, or off: the cost of one is what is looked for. */
static void put_controllers(FILE *out)
{
	FILE *file = fopen("/proc/cgroups", "re");
	char line[256], name[64];
	int on, n = 0;

	if (!file)
		return;
	fputs(",\n\t\t\"controllers\": {", out);
	while (fgets(line, sizeof(line), file))
		if (*line != '#' &&
		    sscanf(line, "%63s %*d %*d %d", name, &on) == 2) {
			fputs(n++ ? ", " : " ", out);
			put_string(out, name);
			fprintf(out, ": \"%s\"", on ? "on" : "off");
		}
	fputs(" }", out);
	fclose(file);
}

static void put_machine(FILE *out, bool small)
{
	struct utsname name;

	if (uname(&name))
		memset(&name, 0, sizeof(name));
	fputs("\t\"machine\": {\n\t\t\"kernel\": ", out);
	put_string(out, name.release);
	put_pair(out, "version", name.version);
	put_pair(out, "architecture", name.machine);
	put_line(out, "command_line", "/proc/cmdline", NULL);
	put_line(out, "processor", "/proc/cpuinfo", "model name");
	put_line(out, "memory", "/proc/meminfo", "MemTotal");
	put_line(out, "governor",
		 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		 NULL);
	fprintf(out, ",\n\t\t\"processors\": %ld",
		sysconf(_SC_NPROCESSORS_ONLN));
	put_controllers(out);
	fprintf(out, ",\n\t\t\"huge_pages\": \"%s\"\n\t},\n",
		small ? "not used" : "as the kernel likes");
}

static void put_runs(FILE *out, const struct result *result, size_t op,
		     size_t step)
{
	unsigned runs = result->plan->runs;
	double sum = 0, square = 0;

	fprintf(out, "\t\t\t\"%u\": { \"runs\": [",
		result->plan->step[step]);
	for (unsigned i = 0; i < runs; i++) {
		double rate = result_run(result, op, step, i)->rate;

		fprintf(out, "%s%.1f", i ? ", " : "", rate);
		sum += rate;
	}
	for (unsigned i = 0; i < runs; i++) {
		double by = result_run(result, op, step, i)->rate - sum / runs;

		square += by * by;
	}
	fprintf(out, "], \"mean\": %.1f", sum / runs);
	if (runs > 1)
		fprintf(out, ", \"deviation\": %.1f",
			sqrt(square / (runs - 1)));
	fputs(" }", out);
}

/* The first reason why @op has no number there; NULL: it has. */
static const char *why_not(const struct result *result, size_t op, size_t step)
{
	for (unsigned i = 0; i < result->plan->runs; i++)
		if (!result_run(result, op, step, i)->there)
			return result_run(result, op, step, i)->why;
	return NULL;
}

static void put_operations(FILE *out, const struct result *result)
{
	const struct plan *plan = result->plan;
	bool first = true;

	fputs("\t\"operations\": {", out);
	for (size_t op = 0; op < noperation; op++) {
		bool any = false;

		for (size_t step = 0; plan->chosen[op] && step < plan->nstep;
		     step++) {
			if (why_not(result, op, step))
				continue;
			if (!any)
				fprintf(out, "%s\n\t\t\"%s\": {\n",
					first ? "" : ",", operations[op].name);
			else
				fputs(",\n", out);
			put_runs(out, result, op, step);
			any = true;
			first = false;
		}
		if (any)
			fputs("\n\t\t}", out);
	}
	fputs("\n\t},\n", out);
}

static void put_not_done(FILE *out, const struct result *result)
{
	const struct plan *plan = result->plan;
	int n = 0;

	fputs("\t\"not_done\": [", out);
	for (size_t op = 0; op < noperation; op++)
		for (size_t step = 0; plan->chosen[op] && step < plan->nstep;
		     step++) {
			const char *why = why_not(result, op, step);

			if (!why)
				continue;
			fprintf(out, "%s\n\t\t{ \"operation\": \"%s\", "
				"\"processes\": %u, \"why\": ", n++ ? "," : "",
				operations[op].name, plan->step[step]);
			put_string(out, why);
			fputs(" }", out);
		}
	fputs(n ? "\n\t]\n" : "]\n", out);
}

bool tell(const struct result *result, bool small, const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;

	if (!out)
		return false;
	fputs("{\n\t\"schema\": \"" HARDWARE_SCHEMA "\",\n", out);
	put_machine(out, small);
	fprintf(out, "\t\"runs\": %u,\n\t\"seconds\": %g,\n",
		result->plan->runs, result->plan->seconds);
	if (result->others >= 0)
		fprintf(out, "\t\"others_percent\": %.1f,\n",
			result->others);
	put_operations(out, result);
	put_not_done(out, result);
	fputs("}\n", out);
	return !fflush(out) && !ferror(out) && (!path || !fclose(out));
}
