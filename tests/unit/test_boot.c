// SPDX-License-Identifier: GPL-2.0-only
/* What is written for a kernel that boots, and what is read of it after. */
#include <stdlib.h>
#include <unistd.h>

#include "output/accounts.h"
#include "output/boot.h"
#include "tap.h"

static void fill(struct strbuf *sb, const char *text)
{
	sb->len = 0;
	strbuf_addstr(sb, text);
}

static unsigned long field(const struct strbuf *archive, size_t at, size_t n)
{
	char digits[9] = "";

	memcpy(digits, archive->buf + at + 6 + 8 * n, 8);
	return strtoul(digits, NULL, 16);
}

/* The members, as the format says that a reader finds them. */
static void test_archive(void)
{
	static const char data[] = "\0odd\n"; /* 6 bytes with its NUL */
	const struct boot_file file[] = {
		{ "init", "ab", 2, true }, { "a/group", data, 6, false },
		{ "empty", NULL, 0, false },
	};
	struct strbuf out = STRBUF_INIT;
	size_t at = 0, n = 0;

	boot_archive(file, 3, &out);
	while (at + 110 <= out.len && !memcmp(out.buf + at, "070701", 6)) {
		size_t size = field(&out, at, 6), name = field(&out, at, 11);
		const char *path = out.buf + at + 110;
		size_t body = at + (110 + name + 3) / 4 * 4;

		if (n == 3) {
			tap_is(path, "TRAILER!!!", "the last one ends it");
			at = body;
			break;
		}
		tap_ok(!strcmp(path, file[n].path) && size == file[n].len &&
		       name == strlen(path) + 1, "'%s' is there", path);
		tap_ok(field(&out, at, 1) == (file[n].runs ? 0100755 :
		       0100644), "'%s' has its mode", path);
		tap_ok(body + size <= out.len && (!size ||
		       !memcmp(out.buf + body, file[n].data, size)),
		       "'%s' has its content", path);
		at = (body + size + 3) / 4 * 4;
		n++;
	}
	tap_ok(n == 3 && at == out.len, "there is nothing else");
	strbuf_release(&out);
}

static void test_trouble(void)
{
	const char *const word[] = { "WARNING: ", "Oops" };
	const struct names words = { (const char **)(uintptr_t)word, 2 };
	struct arena *arena = arena_new();
	struct strbuf log = STRBUF_INIT;
	const char *where, *line;

	fill(&log, "Linux\r\n[    0.5] nocharge: step anon\r\nall is well\r\n");
	line = boot_trouble(&log, &words, arena, &where);
	tap_ok(!line && !where, "a log without trouble has none");
	strbuf_addstr(&log, "[    1.25] WARNING: CPU: 0 at mm/x.c:1 f+0x1\r\n"
		      "[    1.26] Oops: 0\n[    2.0] nocharge: step file\n");
	line = boot_trouble(&log, &words, arena, &where);
	tap_is(line, "WARNING: CPU: 0 at mm/x.c:1 f+0x1",
	       "the first trouble is told, without its time");
	tap_is(where, "step anon", "and the step that it is in");
	fill(&log, "Oops");
	line = boot_trouble(&log, &words, arena, &where);
	tap_ok(line && !strcmp(line, "Oops") && !where,
	       "a log that is cut off, before any step");
	fill(&log, "[\n[ 1.0\n]\n[1.0] \n");
	tap_ok(!boot_trouble(&log, &words, arena, &where),
	       "what is no time is no trouble");
	log.len = 0;
	tap_ok(!boot_trouble(&log, &words, arena, &where),
	       "an empty log has none");
	strbuf_release(&log);
	arena_free(arena);
}

static void test_map(void)
{
	struct strbuf map = STRBUF_INIT, ranges = STRBUF_INIT;
	struct strbuf seen = STRBUF_INIT;

	fill(&map, "ffffffff81000000 T _stext\n"
	     "ffffffff81000010 t charge\n"
	     "ffffffff81000010 t charge_alias\n"
	     "ffffffff81000030 T charge_two\n"
	     "ffffffff81000040 t charge.part.0\n"
	     "ffffffff81000048 D charge\n"
	     "junk\n\nffffffff81000050 T last\n");
	tap_ok(boot_find(&map, "charge", &ranges), "a function is found");
	tap_is(ranges.buf, "0xffffffff81000010+0x20,0xffffffff81000040+0x8",
	       "with what was cut out of it, and without its namesakes");
	fill(&seen, "0xffffffff8100000f\n0xffffffff81000030\n");
	tap_ok(!boot_saw(&seen, ranges.buf), "what is beside it is not seen");
	fill(&seen, "0xffffffff8100000f\n0xffffffff81000047\n");
	tap_ok(boot_saw(&seen, ranges.buf), "what is in it is seen");
	ranges.len = 0;
	tap_ok(!boot_find(&map, "charge_", &ranges) &&
	       !boot_find(&map, "last", &ranges) && !ranges.len,
	       "no other name, and nothing without an end");
	strbuf_release(&map);
	strbuf_release(&ranges);
	strbuf_release(&seen);
}

static void read_text(struct accounts *accounts, const char *text,
		      const struct account_rules *rules, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, text);
	accounts_read(accounts, &sb, rules, arena);
	strbuf_release(&sb);
}

static void test_accounts(void)
{
	struct account_term term[] = { { "group all", 1 }, { "group k", -2 } };
	struct account_sum sum = { "group rest", term, 2 };
	struct account_zero zero = { "gone", "group rest" };
	const char *const loose[] = { "*loose" };
	const struct account_rules rules = {
		.guest = "", .sum = &sum, .nsum = 1, .zero = &zero,
		.nzero = 1,
		.except = { (const char **)(uintptr_t)loose, 1 },
	};
	struct accounts one, two, three;
	const struct accounts *steady;
	struct arena *arena = arena_new();
	struct names compared = { 0 }, left_out = { 0 };
	struct strbuf out = STRBUF_INIT;

	read_text(&one, "boot before vmstat v 3\r\n"
		  "s before vmstat v 10\r\ns within vmstat v 14\r\n"
		  "s within group all 9\ns within group k 2\n"
		  "s gone group all 4\ns gone group k 2\n"
		  "s gone vmstat v 10\ns gone group loose 0\nend\n", &rules,
		  arena);
	tap_ok(one.ended && one.n == 9 && !one.failed.n && !one.skipped.n,
	       "all lines are read, sums are made (%zu)", one.n);
	tap_is(one.last, "s", "the last step is known");
	read_text(&two, "s before vmstat v 70\ns within vmstat v 74\n"
		  "s within group all 9\ns within group k 1\n"
		  "s gone group all 4\ns gone group k 2\n"
		  "s gone vmstat v 71\ns gone group loose 0\nend\n", &rules,
		  arena);
	steady = accounts_steady(&one, &two, &rules, arena);
	tap_ok(steady->n == 5, "what differs by itself is left out (%zu)",
	       steady->n);
	accounts_told(&one, steady, "on", &compared, &left_out, arena);
	tap_ok(compared.n == 4 && !strcmp(compared.name[0], "on: group all"),
	       "what is compared is named");
	tap_ok(left_out.n == 4 && !strcmp(left_out.name[3],
	       "on: vmstat v (s gone)") && !strcmp(left_out.name[1],
	       "on: group loose"), "and where it is not");
	tap_ok(!accounts_differ(steady, &two, &rules, &out) &&
	       !accounts_not_zero(&one, &two, &rules, &out),
	       "the same numbers do not differ");
	read_text(&three, "s before vmstat v 0\ns within vmstat v 5\n"
		  "s within group all 9\ns gone group all 6\n"
		  "s gone group k 2\nend\n", &rules, arena);
	tap_ok(accounts_differ(steady, &three, &rules, &out) == 3,
	       "numbers that differ do");
	tap_is(out.buf, "s, gone: group all: 4 before, 6 after\n"
	       "s, gone: group rest: 0 before, 2 after\n"
	       "s, within: vmstat v: 4 before, 5 after\n",
	       "each is told with its step and point");
	out.len = 0;
	tap_ok(accounts_not_zero(&one, &three, &rules, &out) == 1,
	       "what must be gone is not");
	tap_is(out.buf, "s, gone: group rest: 2, and not 0\n", "so it says");
	out.len = 0;
	tap_ok(accounts_not_zero(&three, &three, &rules, &out) == 0,
	       "what was not gone before is not held against the patch");
	read_text(&three, "s before\n\nend of it\ns within vmstat v 1 2\n"
		  "s within vmstat v x\ns within vmstat v 1x\n"
		  "t skipped memfd: no such thing\nu failed no end\n",
		  &rules, arena);
	tap_ok(!three.n && !three.ended, "what is no line is passed over");
	tap_is(three.skipped.n ? three.skipped.name[0] : NULL,
	       "t: memfd: no such thing", "a step that was skipped is told");
	tap_is(three.failed.n ? three.failed.name[0] : NULL, "u: no end",
	       "and one that failed");
	strbuf_release(&out);
	arena_free(arena);
}

/* What a processor keeps for itself is no difference; what is lost is one. */
static void test_near(void)
{
	struct account_near near = { "meminfo Free", 4 };
	const struct account_rules rules = {
		.guest = "", .near = &near, .nnear = 1,
	};
	struct accounts one, two, three;
	const struct accounts *steady;
	struct arena *arena = arena_new();
	struct strbuf out = STRBUF_INIT;

	read_text(&one, "s before meminfo Free 90\ns gone meminfo Free 80\n"
		  "s within meminfo Free 50\n"
		  "s before meminfo Anon 0\ns gone meminfo Anon 0\nend\n",
		  &rules, arena);
	read_text(&two, "s before meminfo Free 70\ns gone meminfo Free 64\n"
		  "s within meminfo Free 35\n"
		  "s before meminfo Anon 0\ns gone meminfo Anon 0\nend\n",
		  &rules, arena);
	steady = accounts_steady(&one, &two, &rules, arena);
	tap_ok(steady->n == 2, "what is near is kept, what is far left out "
	       "(%zu)", steady->n);
	tap_ok(!accounts_differ(steady, &two, &rules, &out),
	       "free pages may differ by what a processor keeps");
	read_text(&three, "s before meminfo Free 90\ns gone meminfo Free 75\n"
		  "s before meminfo Anon 0\ns gone meminfo Anon 1\nend\n",
		  &rules, arena);
	tap_ok(accounts_differ(steady, &three, &rules, &out) == 2,
	       "by no more, and nothing else by that");
	tap_is(out.buf, "s, gone: meminfo Anon: 0 before, 1 after\n"
	       "s, gone: meminfo Free: -10 before, -15 after\n",
	       "pages that are lost are told");
	strbuf_release(&out);
	arena_free(arena);
}

static void test_rules(void)
{
	struct arena *arena = arena_new();
	struct err err = { 0 };
	struct names words;
	const struct account_rules *rules;

	rules = account_rules_load("memcg", arena, &err);
	tap_ok(rules && rules->nsum && rules->nzero && rules->nnear &&
	       !err.text,
	       "the feature's books are described");
	tap_ok(rules && strstr(rules->guest, "controller memory\n") &&
	       strstr(rules->guest, "table memory.stat\n"),
	       "and the guest is told");
	tap_ok(!account_rules_load("nothing", arena, &err) &&
	       err.status == STATUS_INCOMPLETE, "others are not");
	err_clear(&err);
	tap_ok(!boot_words(arena, "trouble", &words, &err) && words.n > 5 &&
	       *words.name[0] != '#', "words of trouble are read");
	tap_ok(boot_words(arena, "none", &words, &err) && err.text,
	       "a list that is not there is an error");
	err_clear(&err);
	arena_free(arena);
}

int main(void)
{
	test_archive();
	test_trouble();
	test_map();
	test_accounts();
	test_near();
	setenv("NOCHARGE_DATA", ".", 0);
	test_rules();
	return tap_done();
}
