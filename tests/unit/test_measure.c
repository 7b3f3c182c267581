// SPDX-License-Identifier: GPL-2.0-only
/* What is read of a kernel that was measured, and what is told of it. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "output/boot.h"
#include "output/measure.h"
#include "tap.h"

static struct operation op[] = {
	{ .name = "fault", .title = "a fault" },
	{ .name = "unmap", .title = "unmap" },
	{ .name = "pipe", .title = "a pipe" },
};
static const struct operations operations = { op, 3 };

static struct strbuf text(const char *what)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, what);
	return sb;
}

static bool is(double a, double b)
{
	return fabs(a - b) < 0.0005;
}

static const struct amount *function(const struct cell *cell, const char *name)
{
	for (size_t i = 0; i < cell->function.n; i++)
		if (!strcmp(cell->function.item[i].name, name))
			return &cell->function.item[i];
	return NULL;
}

static void test_log(struct arena *arena)
{
	struct measure_state state = {
		.name = "off", .cell = ARENA_ARRAY(arena, struct cell, 3),
	};
	struct strbuf numbers = text(
		"memory MemFree 100\r\n"
		"count fault 10 100 300 200 1000\r\n"
		"unmap skipped no memory\r\n"
		"count pipe 2 40 60 50\r\nend\r\n");
	struct strbuf counts = text(
		"0 0 f 20\n0 1 f 30\n0 2 f 40\n0 3 f 500\n0 0 rare 80\n"
		"1 0 lost 7\n2 0 g 4\n2 1 g 4\n2 2 g 6\n"
		"7 0 none 1\nrubbish\n2 99 g 1\n3");
	struct names problems = { 0 };

	tap_ok(measure_log(&state, &operations, &numbers, &counts, &problems,
			   arena), "a log that ends");
	tap_ok(state.cell[0].there && is(state.cell[0].n, 25),
	       "the median of four is between the two in the middle");
	tap_ok(state.cell[2].there && is(state.cell[2].n, 25),
	       "the median of three is the one in the middle");
	tap_ok(!state.cell[1].there && problems.n == 1 &&
	       !strcmp(problems.name[0], "unmap, off: no memory"),
	       "what was skipped is named, and why");
	tap_ok(function(&state.cell[0], "f") &&
	       is(function(&state.cell[0], "f")->n, 3.5),
	       "a function's median");
	tap_ok(!function(&state.cell[0], "rare"),
	       "what ran once in four times is not in the median");
	tap_ok(function(&state.cell[2], "g") &&
	       is(function(&state.cell[2], "g")->n, 2),
	       "operations are numbered as they were done, skipped or not");
	tap_ok(!state.cell[1].function.n, "and nothing is in what was not");
	tap_ok(state.bytes.n == 1 && is(state.bytes.item[0].n, 102400),
	       "memory is told in bytes");
	numbers.len = 0;
	strbuf_addstr(&numbers, "count fault 0 1\ncount fault 10\ncount new "
		      "1 1\nfault failed x");
	state.cell = ARENA_ARRAY(arena, struct cell, 3);
	tap_ok(!measure_log(&state, &operations, &numbers, &counts, &problems,
			    arena) && !state.cell[0].there,
	       "a log that is cut off, with numbers that are none");
	strbuf_release(&numbers);
	strbuf_release(&counts);
}

static struct measure_state make_state(struct arena *arena, const char *name,
				       double fault, double unmap)
{
	struct measure_state state = {
		.name = name, .cell = ARENA_ARRAY(arena, struct cell, 3),
		.bytes = { ARENA_NEW(arena, struct amount), 1 },
		.patch_id = strchr(name, '+') ? "abc" : NULL,
		.command = "qemu",
	};

	state.bytes.item[0] = (struct amount){ "text", 1000 + fault };
	state.cell[0] = (struct cell){ .there = true, .n = fault };
	state.cell[0].function.item = ARENA_NEW(arena, struct amount);
	state.cell[0].function.item[0] = (struct amount){ "f", fault / 2 };
	state.cell[0].function.n = 1;
	if (unmap > 0)
		state.cell[1] = (struct cell){ .there = true, .n = unmap };
	return state;
}

static struct measure made(struct arena *arena)
{
	static const char *how[] = { "tool", "nocharge 0" };
	struct measure measure = {
		.operations = operations, .nstate = 6, .how = { how, 2 },
		.state = ARENA_ARRAY(arena, struct measure_state, 6),
	};

	measure.state[0] = make_state(arena, "out", 100.1234567, 50);
	measure.state[1] = make_state(arena, "off", 110, 60);
	measure.state[2] = make_state(arena, "off+1", 110, 55);
	measure.state[3] = make_state(arena, "off+2", 105, 0);
	measure.state[4] = make_state(arena, "on", 120, 70);
	measure.state[5] = make_state(arena, "on+all", 121, 70);
	return measure;
}

static void test_json(struct arena *arena)
{
	struct measure measure = made(arena), *again;
	char path[] = "/tmp/nocharge-measure-XXXXXX";
	struct strbuf file = STRBUF_INIT, second = STRBUF_INIT;
	struct err err = { 0 };
	int fd = mkstemp(path);

	tap_ok(fd >= 0 && !measure_write(&measure, path, &err), "written");
	again = measure_read(path, arena, &err);
	tap_ok(again && again->nstate == 6 && again->operations.n == 3,
	       "and read again: %s", err.text ? err.text : "");
	if (!again)
		return;
	tap_ok(is(measure_state(again, "out")->cell[0].n, 100.123),
	       "to a thousandth");
	tap_ok(!measure_state(again, "off+2")->cell[1].there,
	       "what was not counted is not there");
	tap_ok(measure_last(again) == measure_state(again, "off+2"),
	       "the last patch's is found");
	tap_ok(measure_state(again, "on")->cell[0].function.n == 1 &&
	       !measure_state(again, "off+1")->cell[0].function.n,
	       "functions are of what is held against each other");
	strbuf_read_file(&file, path, NULL);
	tap_ok(!measure_write(&measure, path, &err) &&
	       !strbuf_read_file(&second, path, NULL) &&
	       file.len == second.len &&
	       !memcmp(file.buf, second.buf, file.len),
	       "twice the same bytes");
	for (size_t i = 0; i < file.len; i += 7) {
		FILE *stream = fopen(path, "w");

		fwrite(file.buf, 1, i, stream);
		fclose(stream);
		if (measure_read(path, arena, &err) || !err.text)
			break;
		err_clear(&err);
		if (i + 7 >= file.len)
			tap_ok(true, "what is cut off is an error");
	}
	strbuf_release(&file);
	strbuf_release(&second);
	unlink(path);
	close(fd);
}

static void test_table(struct arena *arena)
{
	struct measure measure = made(arena);
	char *table = NULL;
	size_t len = 0;
	struct out out = { .stream = open_memstream(&table, &len) };

	measure_table(&measure, &out);
	fclose(out.stream);
	tap_ok(strstr(table, "110.0  +9.86%"), "absolute, and over out");
	tap_ok(strstr(table, "off+1: unmap 60.0 to 55.0\n"),
	       "what a patch changes");
	tap_ok(strstr(table, "off+2: a fault 110.0 to 105.0\n"),
	       "and nothing else");
	tap_ok(strstr(table, "and not time"), "that it is no time is told");
	free(table);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		n++;
	}
	return n;
}

static void test_picture(struct arena *arena)
{
	struct measure measure = made(arena);
	struct strbuf svg = STRBUF_INIT;

	measure.operations.item[0].title = "<&\">";
	measure_picture(&measure, 0, &svg);
	tap_ok(count(svg.buf, "stroke=") == 6 && strstr(svg.buf,
	       ">110.0 (+9.86 %)<"), "a bar for each state, and its number");
	tap_ok(!strstr(svg.buf, "<&") && strstr(svg.buf, "&#60;&#38;"),
	       "a title is only text");
	svg.len = 0;
	measure_picture(&measure, 1, &svg);
	tap_ok(count(svg.buf, "stroke=") == 5, "none for what is not there");
	svg.len = 0;
	measure_picture(&measure, 2, &svg);
	tap_ok(!count(svg.buf, "stroke=") && strstr(svg.buf, "</svg>"),
	       "an operation that was not counted at all");
	strbuf_release(&svg);
	measure.operations.item[0].title = "a fault";
}

static void test_config(struct arena *arena)
{
	struct strbuf a = text("# CONFIG_A is not set\nCONFIG_B=y\n"
			       "CONFIG_C=1\nCONFIG_D=y\n# a word\n");
	struct strbuf b = text("CONFIG_A=y\nCONFIG_B=y\nCONFIG_C=2\n"
			       "# CONFIG_E is not set\n");
	struct names differ = { 0 };

	boot_config_differ(&a, &b, &differ, arena);
	tap_ok(differ.n == 3 && names_have(&differ, "CONFIG_A") &&
	       names_have(&differ, "CONFIG_C") &&
	       names_have(&differ, "CONFIG_D"),
	       "options that differ, each once");
	strbuf_release(&a);
	strbuf_release(&b);
}

int main(void)
{
	struct arena *arena = arena_new();

	setenv("NOCHARGE_DATA", ".", 0);
	test_log(arena);
	test_json(arena);
	test_table(arena);
	test_picture(arena);
	test_config(arena);
	arena_free(arena);
	return tap_done();
}
