// SPDX-License-Identifier: GPL-2.0-only
/* What is to be set side by side, as the files have it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/json.h"
#include "compare.h"

/* Processes at once, and runs, that make sense. */
#define PROCESSES_MAX 100000
#define COLUMNS_MAX   256

struct reader {
	struct compare *compare;
	struct arena *arena;
	size_t cap;
};

static struct column *new_column(struct reader *r)
{
	struct compare *c = r->compare;

	GROW_LIST(r->arena, c->column, c->ncolumn, r->cap);
	c->column[c->ncolumn] = (struct column){ 0 };
	return &c->column[c->ncolumn++];
}

static int read_runs(const struct json *json, const cJSON *step,
		     struct reading *reading, struct arena *arena,
		     struct err *err)
{
	const cJSON *runs = json_get(step, "runs"), *run;

	if (!cJSON_IsArray(runs) || !cJSON_GetArraySize(runs))
		return json_error(json, step, err, "there is no 'runs'");
	reading->run = ARENA_ARRAY(arena, double,
				   (size_t)cJSON_GetArraySize(runs));
	cJSON_ArrayForEach(run, runs) {
		if (!cJSON_IsNumber(run) || !isfinite(run->valuedouble) ||
		    !(run->valuedouble > 0))
			return json_error(json, run, err, "a rate is needed "
					  "here");
		reading->run[reading->n++] = run->valuedouble;
	}
	return 0;
}

static int read_rates(const struct json *json, struct column *column,
		      struct arena *arena, struct err *err)
{
	const cJSON *operations = json_get(json->root, "operations");
	const cJSON *op, *step;
	size_t n = 0;

	if (!cJSON_IsObject(operations))
		return json_error(json, json->root, err, "there is no "
				  "'operations'");
	cJSON_ArrayForEach(op, operations)
		n += (size_t)cJSON_GetArraySize(op);
	column->reading = ARENA_ARRAY(arena, struct reading, n);
	cJSON_ArrayForEach(op, operations)
		cJSON_ArrayForEach(step, op) {
			struct reading *reading = &column->reading[column->n];
			unsigned long number;
			char *end;

			number = strtoul(step->string ? step->string : "",
					 &end, 10);
			if (!number || number > PROCESSES_MAX || *end)
				return json_error(json, step, err, "a number "
						  "of processes is needed "
						  "here");
			*reading = (struct reading){
				.operation = arena_strdup(arena, op->string),
				.processes = (unsigned)number,
			};
			if (read_runs(json, step, reading, arena, err))
				return -1;
			column->n++;
		}
	return 0;
}

static const char *text_or(const char *text, const char *other)
{
	return text ? text : other;
}

static int read_hardware(const struct json *json, struct reader *r,
			 struct err *err)
{
	const cJSON *machine = json_get(json->root, "machine"), *item;
	const cJSON *processors = json_get(machine, "processors");
	struct column *column = new_column(r);

	column->path = arena_strdup(r->arena, json->path);
	column->kernel = arena_printf(r->arena, "%s",
			text_or(json_text(machine, "kernel"), "?"));
	column->machine = arena_printf(r->arena, "%s, %.0f of %s",
			text_or(json_text(machine, "architecture"), "?"),
			cJSON_IsNumber(processors) ? processors->valuedouble :
			0, text_or(json_text(machine, "processor"), "?"));
	item = json_get(json->root, "others_percent");
	column->others = cJSON_IsNumber(item) ? item->valuedouble : 0;
	cJSON_ArrayForEach(item, json_get(machine, "controllers"))
		if (cJSON_IsString(item) && !strcmp(item->valuestring, "off"))
			column->kernel = arena_printf(r->arena, "%s, '%s' is "
						      "off", column->kernel,
						      item->string);
	cJSON_ArrayForEach(item, json_get(json->root, "not_done")) {
		const cJSON *number = json_get(item, "processes");

		names_add(&column->not_done, arena_printf(r->arena, "%s, %.0f "
			  "at once: %s",
			  text_or(json_text(item, "operation"), "?"),
			  cJSON_IsNumber(number) ? number->valuedouble : 0,
			  text_or(json_text(item, "why"), "?")), r->arena);
	}
	return read_rates(json, column, r->arena, err);
}

/* The states that are held against each other, each a column. */
static int read_counts(const struct json *json, struct reader *r,
		       struct err *err)
{
	char *text = cJSON_PrintUnformatted(json->root);
	struct measure *measure = text ?
		measure_parse(json->path, text, strlen(text), r->arena,
			      err) : NULL;
	const struct measure_state *last, *state;

	cJSON_free(text);
	if (!measure)
		return err->text ? -1 : err_set(err, STATUS_USAGE, "%s: it "
						"cannot be read", json->path);
	last = measure_last(measure);
	if (!measure_state(measure, MEASURE_OUT))
		return err_set(err, STATUS_USAGE, "%s: '" MEASURE_OUT "' was "
			       "not measured", json->path);
	for (size_t i = 0; i < measure->nstate; i++) {
		struct column *column;

		state = &measure->state[i];
		if (!strncmp(state->name, MEASURE_OFF "+",
			     sizeof(MEASURE_OFF)) && state != last)
			continue;
		column = new_column(r);
		column->path = arena_strdup(r->arena, json->path);
		column->label = state->name;
		column->reading = ARENA_ARRAY(r->arena, struct reading,
					      measure->operations.n);
		for (size_t op = 0; op < measure->operations.n; op++) {
			const struct cell *cell = &state->cell[op];
			double *run = ARENA_NEW(r->arena, double);

			if (!cell->there)
				continue;
			*run = cell->n;
			column->reading[column->n++] = (struct reading){
				measure->operations.item[op].name, 0, run, 1
			};
		}
	}
	return 0;
}

/* The last @n parts of a path, without what all results end in. */
static const char *last_parts(const char *path, unsigned n,
			      struct arena *arena)
{
	const char *at = path + strlen(path);
	size_t len;

	while (at > path && (at[-1] != '/' || --n))
		at--;
	len = strlen(at);
	if (len > 5 && !strcmp(at + len - 5, ".json"))
		len -= 5;
	return arena_strndup(arena, at, len);
}

/* So much of the file's path as tells it from the others. */
static const char *short_path(const struct compare *c, const char *path,
			      struct arena *arena)
{
	for (unsigned n = 1; n < 32; n++) {
		const char *name = last_parts(path, n, arena);
		bool unique = true;

		for (size_t i = 0; unique && i < c->ncolumn; i++)
			unique = !strcmp(c->column[i].path, path) ||
				strcmp(last_parts(c->column[i].path, n, arena),
				       name);
		if (unique)
			return name;
	}
	return path;
}

static void label(struct compare *c, size_t nfile, struct arena *arena)
{
	for (size_t i = 0; i < c->ncolumn; i++) {
		struct column *column = &c->column[i];

		/* of one file the state says it all */
		if (!column->label)
			column->label = short_path(c, column->path, arena);
		else if (nfile > 1)
			column->label = arena_printf(arena, "%s:%s",
				short_path(c, column->path, arena),
				column->label);
	}
}

int compare_columns(struct compare *compare, struct json *const *file,
		    size_t n, struct arena *arena, struct err *err)
{
	struct reader r = { .compare = compare, .arena = arena };

	for (size_t i = 0; i < n; i++) {
		const char *schema = json_text(file[i]->root, "schema");
		bool rates = schema && !strcmp(schema, HARDWARE_SCHEMA);

		if (!rates && (!schema || strcmp(schema, MEASURE_SCHEMA)))
			return json_error(file[i], file[i]->root, err, "this "
					  "is no " HARDWARE_SCHEMA " and no "
					  MEASURE_SCHEMA);
		if (i && rates != compare->rates)
			return err_set(err, STATUS_USAGE, "'%s' has %s and "
				       "'%s' has %s: they cannot be compared",
				       file[0]->path, compare->rates ?
				       "rates" : "instructions",
				       file[i]->path, rates ? "rates" :
				       "instructions");
		compare->rates = rates;
		if (rates ? read_hardware(file[i], &r, err) :
		    read_counts(file[i], &r, err))
			return -1;
		if (compare->ncolumn > COLUMNS_MAX)
			return err_set(err, STATUS_USAGE, "%s: that is too "
				       "much to compare", file[i]->path);
	}
	label(compare, n, arena);
	return 0;
}
