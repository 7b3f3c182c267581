// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU that counts the instructions of each function of a kernel
 * between the marks of output/measure. Built where it is used; of QEMU's own
 * header, which not everyone packs, what is called is declared here
 * (interface 1).
 *
 *	map=FILE	System.map: what is called how
 *	out=FILE	a line for each operation, repetition and function:
 *			OPERATION REPETITION FUNCTION INSTRUCTIONS
 *
 * Operations and repetitions are numbers from 0. What is below all functions
 * is "user".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
	void (*cb)(qemu_plugin_id_t id, void *data), void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
	enum qemu_plugin_op op, void *at, uint64_t by);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
	void (*cb)(unsigned cpu, void *data), enum qemu_plugin_cb_flags flags,
	void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *,
						 size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
			       int argc, char **argv);

struct function {
	uint64_t start;
	char *name;
	uint64_t n;    /* instructions since it all began */
	uint64_t last; /* at the last begin */
	uint64_t sum;  /* of this repetition */
};

/* QEMU gives callbacks no other place for what they need. */
static struct function *function;
static size_t nfunction;
static FILE *out;
static long operation = -1, repetition;

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The last one that starts at @at or before. */
static struct function *find(uint64_t at)
{
	size_t low = 0, high = nfunction;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (function[middle].start <= at)
			low = middle;
		else
			high = middle;
	}
	return &function[low];
}

static void on_begin(unsigned cpu, void *data)
{
	(void)cpu;
	(void)data;
	for (size_t i = 0; i < nfunction; i++)
		function[i].last = function[i].n;
}

static void on_end(unsigned cpu, void *data)
{
	(void)cpu;
	(void)data;
	for (size_t i = 0; i < nfunction; i++)
		function[i].sum += function[i].n - function[i].last;
}

static void on_done(unsigned cpu, void *data)
{
	(void)cpu;
	(void)data;
	for (size_t i = 0; i < nfunction; i++) {
		if (function[i].sum)
			fprintf(out, "%ld %ld %s %llu\n", operation,
				repetition, function[i].name,
				(unsigned long long)function[i].sum);
		function[i].sum = 0;
	}
	repetition++;
}

static void on_next(unsigned cpu, void *data)
{
	(void)cpu;
	(void)data;
	operation++;
	repetition = 0;
}

/* Which mark of output/guest/arch.h this is, or 0. No two codes are as long. */
static unsigned mark_of(const struct qemu_plugin_insn *insn)
{
	/* nopl 0x6e6f63NN(%rax) */
	static const unsigned char nopl[] = { 0x0f, 0x1f, 0x80 };
	static const unsigned char number[] = { 0x63, 0x6f, 0x6e };
	const unsigned char *at = qemu_plugin_insn_data(insn);
	unsigned code;

	if (qemu_plugin_insn_size(insn) == 7 &&
	    !memcmp(at, nopl, 3) && !memcmp(at + 4, number, 3))
		return at[3];
	if (qemu_plugin_insn_size(insn) != 4)
		return 0;
	/* movz wzr, #0x6eNN: the number from bit 5 on */
	code = at[0] | at[1] << 8 | at[2] << 16 | (unsigned)at[3] << 24;
	return (code & 0xfffff01f) == (0x5280001f | 0x6e00 << 5) ?
		code >> 5 & 0x7f : 0;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	static void (*const on[])(unsigned cpu, void *data) = {
		NULL, on_begin, on_end, on_done, on_next,
	};
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		unsigned mark = mark_of(insn);

		qemu_plugin_register_vcpu_insn_exec_inline(insn,
			QEMU_PLUGIN_INLINE_ADD_U64,
			&find(qemu_plugin_insn_vaddr(insn))->n, 1);
		if (mark && mark < sizeof(on) / sizeof(on[0]))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on[mark],
				QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	fclose(out);
}

/* "ffffffff81000000 T _text": the functions, and who is none. */
static bool read_map(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1024], name[1000], type;
	unsigned long long start;
	size_t cap = 0;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (nfunction + 1 >= cap) {
			cap = cap ? 2 * cap : 1024;
			function = realloc(function, cap * sizeof(*function));
			if (!function)
				return false;
		}
		if (!nfunction)
			function[nfunction++] = (struct function){
				.name = strdup("user")
			};
		if (sscanf(line, "%llx %c %999s", &start, &type, name) == 3 &&
		    strchr("tTwW", type) && start >> 63)
			function[nfunction++] = (struct function){
				.start = start, .name = strdup(name)
			};
	}
	fclose(file);
	if (nfunction)
		qsort(function, nfunction, sizeof(*function), by_start);
	return nfunction > 1;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
			       int argc, char **argv)
{
	const char *map = NULL;

	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "map=", 4))
			map = argv[i] + 4;
		else if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!map || !out || !read_map(map))
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
