// SPDX-License-Identifier: GPL-2.0-only
/* What a kernel that was measured said, and who counted its functions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "boot.h"
#include "measure.h"

/* Repetitions of an operation, and words of a line, that are heeded. */
#define REPEAT_MAX 64
#define WORDS_MAX  80

static struct names split(const char *text, size_t len, struct arena *arena)
{
	struct names names = { 0 };

	for (const char *at = text; at < text + len && names.n < WORDS_MAX;) {
		size_t n = strcspn(at, " ");

		if (at + n > text + len)
			n = (size_t)(text + len - at);
		if (n)
			names_add(&names, arena_strndup(arena, at, n), arena);
		at += n + 1;
	}
	return names;
}

int operations_load(struct operations *operations, struct arena *arena,
		    struct err *err)
{
	struct names lines;

	*operations = (struct operations){ 0 };
	if (boot_words(arena, "operations", &lines, err))
		return -1;
	operations->item = ARENA_ARRAY(arena, struct operation, lines.n);
	for (size_t i = 0; i < lines.n; i++) {
		const char *name = lines.name[i];
		size_t len = strcspn(name, "\t");
		const char *title = name + len + (name[len] == '\t');
		size_t width = strcspn(title, "\t");
		const char *hot = title + width + (title[width] == '\t');

		if (!len || !width)
			return err_set(err, STATUS_USAGE, "rules/boot/"
				       "operations: '%s' has no title", name);
		operations->item[operations->n++] = (struct operation){
			.name = arena_strndup(arena, name, len),
			.title = arena_strndup(arena, title, width),
			.hot = split(hot, strlen(hot), arena),
		};
	}
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Between the two in the middle, if there is none. */
static double median(double *number, size_t n)
{
	qsort(number, n, sizeof(*number), compare_numbers);
	return n % 2 ? number[n / 2] : (number[n / 2 - 1] + number[n / 2]) / 2;
}

/* What the numbers of one operation say. */
struct count {
	double each; /* how many of it are in a repetition */
	size_t n;    /* repetitions */
};

static void read_count(const struct names *word, struct cell *cell,
		       struct count *count)
{
	const double each = strtod(word->name[2], NULL);
	double number[REPEAT_MAX], n;
	size_t repeat = 0;

	for (size_t i = 3; i < word->n && repeat < REPEAT_MAX; i++)
		number[repeat++] = strtod(word->name[i], NULL);
	if (!repeat || !(each >= 1) || !isfinite(each))
		return;
	n = median(number, repeat) / each;
	if (!(n >= 0) || !isfinite(n))
		return;
	cell->n = n;
	/* sorted now */
	cell->low = number[repeat > 2] / each;
	cell->high = number[repeat - 1 - (repeat > 2)] / each;
	cell->there = true;
	*count = (struct count){ each, repeat };
}

static size_t find(const struct operations *operations, const char *name)
{
	for (size_t i = 0; i < operations->n; i++)
		if (!strcmp(operations->item[i].name, name))
			return i;
	return operations->n;
}

static void add_memory(struct measure_state *state, const struct names *word,
		       struct arena *arena)
{
	struct amounts *bytes = &state->bytes;
	const double kib = strtod(word->name[2], NULL);
	struct amount *more = ARENA_ARRAY(arena, struct amount, bytes->n + 1);

	if (bytes->n)
		memcpy(more, bytes->item, bytes->n * sizeof(*more));
	if (!isfinite(kib) || bytes->n > WORDS_MAX)
		return;
	more[bytes->n++] = (struct amount){ word->name[1], kib * 1024 };
	bytes->item = more;
}

/* The line of an operation that could not be counted. */
static void add_problem(struct names *problems, const char *state,
			const struct names *word, const char *line, size_t len,
			struct arena *arena)
{
	size_t skip = strlen(word->name[0]) + strlen(word->name[1]) + 2;

	if (skip > len)
		skip = len;
	names_add(problems, arena_printf(arena, "%s, %s: %.*s",
		  word->name[0], state, (int)(len - skip), line + skip),
		  arena);
}

static bool read_numbers(struct measure_state *state,
			 const struct operations *operations,
			 struct count *count, const struct strbuf *numbers,
			 struct names *problems, struct arena *arena)
{
	const char *at = numbers->len ? numbers->buf : "";
	bool ended = false;

	for (size_t len; *at; at += len + (at[len] == '\n')) {
		size_t i, end;
		struct names word;

		len = strcspn(at, "\n");
		end = len && at[len - 1] == '\r' ? len - 1 : len;
		word = split(at, end, arena);
		if (word.n == 1 && !strcmp(word.name[0], "end"))
			ended = true;
		if (word.n < 3)
			continue;
		if (!strcmp(word.name[0], "memory")) {
			add_memory(state, &word, arena);
		} else if (!strcmp(word.name[0], "count")) {
			i = find(operations, word.name[1]);
			if (i < operations->n)
				read_count(&word, &state->cell[i], &count[i]);
		} else if (!strcmp(word.name[1], "skipped") ||
			   !strcmp(word.name[1], "failed")) {
			add_problem(problems, state->name, &word, at, end,
				    arena);
		}
	}
	return ended;
}

/* A line of the plugin's, in the order in which it wrote them. */
struct row {
	const char *function;
	unsigned long operation, repetition;
	double n;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int d;

	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	d = strcmp(x->function, y->function);
	if (d)
		return d;
	return (x->repetition > y->repetition) -
		(x->repetition < y->repetition);
}

static size_t read_rows(const struct strbuf *counts, struct row **row,
			struct arena *arena)
{
	const char *at = counts->len ? counts->buf : "";
	size_t n = 0, cap = 0;

	*row = NULL;
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		struct row one;
		char *end;

		len = strcspn(at, "\n");
		one.operation = strtoul(at, &end, 10);
		if (*end != ' ')
			continue;
		one.repetition = strtoul(end + 1, &end, 10);
		if (*end != ' ' || one.repetition >= REPEAT_MAX)
			continue;
		one.function = arena_strndup(arena, end + 1,
					     strcspn(end + 1, " \n"));
		end += 1 + strlen(one.function);
		if (*end != ' ')
			continue;
		one.n = strtod(end + 1, NULL);
		if (!isfinite(one.n))
			continue;
		GROW_LIST(arena, *row, n, cap);
		(*row)[n++] = one;
	}
	if (n)
		qsort(*row, n, sizeof(**row), compare_rows);
	return n;
}

/* All repetitions of a function in an operation: rows from @row on. */
static double of_function(const struct row *row, size_t n,
			  const struct count *count)
{
	double number[REPEAT_MAX] = { 0 };

	/* in a repetition that is not there it did not run */
	for (size_t i = 0; i < n; i++)
		number[row[i].repetition] += row[i].n;
	return median(number, count->n) / count->each;
}

static void read_functions(struct measure_state *state,
			   const struct operations *operations,
			   const struct count *count,
			   const struct names *order,
			   const struct strbuf *counts, struct arena *arena)
{
	struct row *row;
	size_t n = read_rows(counts, &row, arena), k;

	for (size_t i = 0; i < n; i = k) {
		size_t op = row[i].operation < order->n ?
			find(operations, order->name[row[i].operation]) :
			operations->n;
		struct amounts *function;
		double each;

		for (k = i + 1; k < n && row[k].operation == row[i].operation
		     && !strcmp(row[k].function, row[i].function); k++)
			;
		if (op == operations->n || !state->cell[op].there)
			continue;
		function = &state->cell[op].function;
		if (!function->item)
			function->item = ARENA_ARRAY(arena, struct amount,
						     n - i);
		each = of_function(row + i, k - i, &count[op]);
		if (each > 0)
			function->item[function->n++] = (struct amount){
				row[i].function, each
			};
	}
}

/* Operations in the order in which they were done, whatever came of them. */
static struct names done(const struct strbuf *numbers, struct arena *arena)
{
	const char *at = numbers->len ? numbers->buf : "";
	struct names order = { 0 };

	for (size_t len; *at; at += len + (at[len] == '\n')) {
		struct names word;

		len = strcspn(at, "\r\n");
		word = split(at, len, arena);
		if (word.n > 2 && !strcmp(word.name[0], "count"))
			names_add(&order, word.name[1], arena);
		else if (word.n > 1 && (!strcmp(word.name[1], "skipped") ||
					!strcmp(word.name[1], "failed")))
			names_add(&order, word.name[0], arena);
		len += at[len] == '\r';
	}
	return order;
}

bool measure_log(struct measure_state *state,
		 const struct operations *operations,
		 const struct strbuf *numbers, const struct strbuf *counts,
		 struct names *problems, struct arena *arena)
{
	struct count *count = ARENA_ARRAY(arena, struct count, operations->n);
	const struct names order = done(numbers, arena);
	bool ended = read_numbers(state, operations, count, numbers, problems,
				  arena);

	read_functions(state, operations, count, &order, counts, arena);
	return ended;
}
