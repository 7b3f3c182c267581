// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/json.h"
#include "json_out.h"
#include "measure.h"

/* Less of a function than this, per operation, is not told. */
#define LEAST 0.005

const struct measure_state *measure_state(const struct measure *measure,
					  const char *name)
{
	for (size_t i = 0; i < measure->nstate; i++)
		if (!strcmp(measure->state[i].name, name))
			return &measure->state[i];
	return NULL;
}

const struct measure_state *measure_last(const struct measure *measure)
{
	const struct measure_state *last = NULL;

	for (size_t i = 0; i < measure->nstate; i++)
		if (!strncmp(measure->state[i].name, MEASURE_OFF "+",
			     sizeof(MEASURE_OFF)))
			last = &measure->state[i];
	return last;
}

/* A thousandth of an instruction is nothing. */
static double rounded(double n)
{
	return (double)(long long)(n * 1000 + (n < 0 ? -0.5 : 0.5)) / 1000;
}

/* Functions are told of the states that are held against each other. */
static bool has_functions(const struct measure *measure, size_t i)
{
	const struct measure_state *state = &measure->state[i];

	return strncmp(state->name, MEASURE_OFF "+", sizeof(MEASURE_OFF)) ||
		state == measure_last(measure);
}

static void write_functions(struct json_out *json,
			    const struct measure *measure, size_t op)
{
	json_out_open(json, measure->operations.item[op].name, '{');
	for (size_t i = 0; i < measure->nstate; i++) {
		const struct cell *cell = &measure->state[i].cell[op];

		if (!cell->function.n || !has_functions(measure, i))
			continue;
		json_out_open(json, measure->state[i].name, '{');
		for (size_t k = 0; k < cell->function.n; k++) {
			const struct amount *function =
				&cell->function.item[k];

			if (function->n >= LEAST)
				json_out_number(json, function->name,
						rounded(function->n));
		}
		json_out_close(json);
	}
	json_out_close(json);
}

static void write_how(struct json_out *json, const struct measure *measure)
{
	json_out_open(json, "how", '{');
	for (size_t i = 0; i + 1 < measure->how.n; i += 2)
		json_out_string(json, measure->how.name[i],
				measure->how.name[i + 1]);
	json_out_strings(json, "differ", measure->differ.name,
			 measure->differ.n);
	json_out_open(json, "commands", '{');
	for (size_t i = 0; i < measure->nstate; i++)
		json_out_string(json, measure->state[i].name,
				measure->state[i].command);
	json_out_close(json);
	json_out_close(json);
}

static void write_states(struct json_out *json, const struct measure *measure)
{
	json_out_open(json, "patches", '{');
	for (size_t i = 0; i < measure->nstate; i++)
		if (measure->state[i].patch_id)
			json_out_string(json, measure->state[i].name,
					measure->state[i].patch_id);
	json_out_close(json);
	json_out_open(json, "bytes", '{');
	for (size_t i = 0; i < measure->nstate; i++) {
		const struct amounts *bytes = &measure->state[i].bytes;

		json_out_open(json, measure->state[i].name, '{');
		for (size_t k = 0; k < bytes->n; k++)
			json_out_number(json, bytes->item[k].name,
					bytes->item[k].n);
		json_out_close(json);
	}
	json_out_close(json);
}

int measure_write(const struct measure *measure, const char *path,
		  struct err *err)
{
	const size_t nop = measure->operations.n;
	struct json_out json;
	struct out out;

	if (out_open(&out, path, err))
		return -1;
	json_out_begin(&json, out.stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", MEASURE_SCHEMA);
	write_how(&json, measure);
	json_out_open(&json, "operations", '{');
	for (size_t op = 0; op < nop; op++) {
		json_out_open(&json, measure->operations.item[op].name, '{');
		for (size_t i = 0; i < measure->nstate; i++) {
			const struct cell *cell = &measure->state[i].cell[op];

			if (cell->there)
				json_out_number(&json, measure->state[i].name,
						rounded(cell->n));
		}
		json_out_close(&json);
	}
	json_out_close(&json);
	write_states(&json, measure);
	json_out_open(&json, "functions", '{');
	for (size_t op = 0; op < nop; op++)
		write_functions(&json, measure, op);
	json_out_close(&json);
	json_out_strings(&json, "problems", measure->problems.name,
			 measure->problems.n);
	json_out_close(&json);
	json_out_end(&json);
	return out_close(&out, err);
}

/* --- what somebody wrote --- */

static int compare_amounts(const void *a, const void *b)
{
	const struct amount *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int read_amounts(const struct json *json, const cJSON *object,
			struct amounts *amounts, struct arena *arena,
			struct err *err)
{
	const cJSON *item;
	size_t n = 0;

	if (object && !cJSON_IsObject(object))
		return json_error(json, object, err, "an object is needed "
				  "here");
	cJSON_ArrayForEach(item, object)
		n++;
	amounts->item = ARENA_ARRAY(arena, struct amount, n);
	cJSON_ArrayForEach(item, object) {
		if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
			return json_error(json, item, err, "a number is "
					  "needed here");
		amounts->item[amounts->n++] = (struct amount){
			arena_strdup(arena, item->string), item->valuedouble
		};
	}
	if (n)
		qsort(amounts->item, n, sizeof(*amounts->item),
		      compare_amounts);
	return 0;
}

static struct operation operation_of(const struct operations *known,
				     const char *name, struct arena *arena)
{
	for (size_t i = 0; i < known->n; i++)
		if (!strcmp(known->item[i].name, name))
			return known->item[i];
	return (struct operation){
		.name = arena_strdup(arena, name),
		.title = arena_strdup(arena, name),
	};
}

/* Every state that an operation has a number in, in their order. */
static int read_states(const struct json *json, const cJSON *operations,
		       struct measure *measure, struct arena *arena,
		       struct err *err)
{
	const cJSON *op, *item;
	struct names name = { 0 };
	size_t nop = 0;

	cJSON_ArrayForEach(op, operations) {
		nop++;
		cJSON_ArrayForEach(item, op) {
			if (!cJSON_IsNumber(item) || item->valuedouble < 0)
				return json_error(json, item, err, "a number "
						  "is needed here");
			if (!names_have(&name, item->string))
				names_add(&name, arena_strdup(arena,
						item->string), arena);
		}
	}
	measure->state = ARENA_ARRAY(arena, struct measure_state, name.n);
	measure->nstate = name.n;
	for (size_t i = 0; i < name.n; i++)
		measure->state[i] = (struct measure_state){
			.name = name.name[i],
			.cell = ARENA_ARRAY(arena, struct cell, nop),
		};
	return 0;
}

static int read_operation(const struct json *json, const cJSON *op,
			  struct measure *measure, struct arena *arena,
			  struct err *err)
{
	const size_t number = measure->operations.n - 1;
	const cJSON *functions = json_get(json_get(json->root, "functions"),
					  op->string);

	for (size_t i = 0; i < measure->nstate; i++) {
		struct measure_state *state = &measure->state[i];
		const cJSON *n = json_get(op, state->name);
		struct cell *cell = &state->cell[number];

		if (!n)
			continue;
		cell->there = true;
		cell->n = n->valuedouble;
		if (read_amounts(json, json_get(functions, state->name),
				 &cell->function, arena, err))
			return -1;
	}
	return 0;
}

static struct measure *read_all(const struct json *json, struct arena *arena,
				struct err *err)
{
	struct measure *measure = ARENA_NEW(arena, struct measure);
	const char *schema = json_text(json->root, "schema");
	const cJSON *operations = json_get(json->root, "operations"), *op;
	struct operations known;
	size_t n = 0;

	if (!schema || strcmp(schema, MEASURE_SCHEMA)) {
		json_error(json, json->root, err, "this is no "
			   MEASURE_SCHEMA);
		return NULL;
	}
	if (!cJSON_IsObject(operations)) {
		json_error(json, json->root, err, "there is no 'operations'");
		return NULL;
	}
	if (operations_load(&known, arena, err) ||
	    read_states(json, operations, measure, arena, err))
		return NULL;
	cJSON_ArrayForEach(op, operations)
		n++;
	measure->operations.item = ARENA_ARRAY(arena, struct operation, n);
	cJSON_ArrayForEach(op, operations) {
		measure->operations.item[measure->operations.n++] =
			operation_of(&known, op->string, arena);
		if (read_operation(json, op, measure, arena, err))
			return NULL;
	}
	return measure;
}

static struct measure *read_json(struct json *json, struct arena *arena,
				 struct err *err)
{
	struct measure *measure = json ? read_all(json, arena, err) : NULL;

	json_free(json);
	return measure;
}

struct measure *measure_read(const char *path, struct arena *arena,
			     struct err *err)
{
	return read_json(json_read(path, err), arena, err);
}

struct measure *measure_parse(const char *path, const char *text, size_t len,
			      struct arena *arena, struct err *err)
{
	return read_json(json_parse(path, text, len, err), arena, err);
}
