// SPDX-License-Identifier: GPL-2.0-only
/* C as text, and the words by which units are chosen. */
#include <stdlib.h>

#include "base/strbuf.h"
#include "ctext.h"
#include "tap.h"
#include "words.h"

/* What ctext_scan() tells, as text: "macro X, function f+ ..." */

static const char *const kinds[] = {
	[CTEXT_MACRO] = "macro", [CTEXT_FUNCTION] = "function",
	[CTEXT_DECLARED] = "declared", [CTEXT_RECORD] = "record",
	[CTEXT_FIELD] = "field", [CTEXT_CONSTANT] = "constant",
};

static bool is_option(void *data, const struct cword *word)
{
	(void)data;
	return word->len == 8 && !memcmp(word->text, "CONFIG_F", 8);
}

static void declared(void *data, enum ctext_kind kind,
		     const struct cword *name, bool region)
{
	struct strbuf *out = data;

	strbuf_addf(out, "%s%s %.*s%s", out->len ? ", " : "", kinds[kind],
		    (int)name->len, name->text, region ? "+" : "");
}

static void scans(const char *name, const char *text, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	const struct ctext_sink sink = {
		.data = &out, .is_option = is_option, .declared = declared,
	};

	strbuf_addstr(&out, "");
	ctext_scan(text, strlen(text), &sink);
	tap_is(out.buf ? out.buf : "", want, name);
	strbuf_release(&out);
}

static void test_scan(void)
{
	scans("a function", "static inline struct s *f(int a)\n{ g(a); }\n",
	      "function f");
	scans("a prototype with an attribute before and behind",
	      "__printf(1, 2) void f(const char *, ...) __cold;",
	      "declared f");
	scans("a global", "extern struct s *root; extern int n[4];",
	      "declared root, declared n");
	scans("no declaration", "struct s; typedef int t; EXPORT(f);",
	      "declared f");
	scans("a record's fields", "struct s { int a; struct t *b, c[2];\n"
	      "void (*d)(int); unsigned e:3; };",
	      "record s, field a, field b, field c, field d, field e");
	scans("an enumeration", "enum e { A, B = 2, C };",
	      "constant A, constant B, constant C");
	scans("a macro", "#define M(x) \\\n\tg(x)\n#define N 1\n",
	      "macro M, macro N");
	scans("a region and its other branch",
	      "#ifdef CONFIG_F\nint f(void);\n#else\n"
	      "static inline int f(void) { return 0; }\n#endif\nint g(void);",
	      "declared f+, function f+, declared g");
	scans("a region inside another", "#if A\n#if defined(CONFIG_F) && B\n"
	      "int f(void);\n#endif\nint g(void);\n#endif\n",
	      "declared f+, declared g");
	scans("an #elif makes a region",
	      "#if A\nint e(void);\n#elif CONFIG_F\nint f(void);\n#endif\n",
	      "declared e, declared f+");
	scans("a field in a region",
	      "struct s { int a;\n#ifdef CONFIG_F\nint b;\n#endif\n};",
	      "record s, field a, field b+");
	scans("the fields of a record in a region",
	      "#ifdef CONFIG_F\nstruct s { int a; };\n#endif\n", "record s+");
	scans("a key declared by a macro",
	      "#ifdef CONFIG_F\nDECLARE_KEY(f_key);\n#endif\n",
	      "declared f_key+");
	scans("both branches open one brace",
	      "#ifdef CONFIG_F\nint f(int a) {\n#else\nint f(long a) {\n"
	      "#endif\n}\nint g(void);\n",
	      "function f+, function f+, declared g");
	scans("comments and strings", "/* int a; */ // int b;\n"
	      "char *s = \"int c;\"; int d; /* never closed",
	      "declared s, declared d");
	scans("a string that is never closed", "char *s = \"x\nint d;",
	      "declared s");
}

static bool recalls(const char *bytes, size_t len, const struct rules *rules,
		    const struct kernel_rules *kernel,
		    const struct names *option)
{
	struct words *words = words_new(rules, kernel, option, 1);
	struct reader in = { .at = (const unsigned char *)bytes };
	bool good;

	in.end = in.at + len;
	good = words_recall(words, &in);
	words_free(words);
	return good;
}

/* @kept: headers, and all units but each third, are recalled from bytes. */
static char *choose(const char *const *header, const char *const *unit,
		    size_t nunit, uint32_t most, struct strbuf *kept)
{
	struct arena *arena = arena_new();
	struct strtab *strings = strtab_new(arena);
	const char *names[] = { "sample_off" }, *options[] = { "F" };
	struct rules rules = {
		.feature = "sampler",
		.group = "sample_group",
		.predicate = { names, 1 },
	};
	struct root_function function = { "hot_*", 1 };
	struct hot_root root = { "hot", "a hot path", &function, 1 };
	struct kernel_rules kernel = { .root = &root, .nroot = 1 };
	const struct names option = { options, 1 };
	struct strbuf out = STRBUF_INIT;
	struct reader in = { .at = (unsigned char *)kept->buf };
	const bool recall = kept->len;
	struct words *words;
	const char **list;
	const bool *wanted;
	size_t n;

	words = words_new(&rules, &kernel, &option, nunit);
	if (recall) {
		in.end = in.at + kept->len;
		tap_ok(words_recall(words, &in), "headers are recalled");
	} else {
		for (; *header; header++)
			words_header(words, *header, strlen(*header));
		words_seal(words);
		words_save(words, kept);
		tap_ok(!recalls(kept->buf, kept->len - 1, &rules, &kernel,
				&option), "bytes that are cut short are bad");
	}
	for (size_t i = 0; i < nunit; i++) {
		if (!recall || i % 3 == 0)
			words_unit(words, (uint32_t)i, unit[i],
				   strlen(unit[i]));
		else
			tap_ok(words_recall_unit(words, (uint32_t)i, &in),
			       "a unit is recalled");
		if (!recall && i % 3)
			words_save_unit(words, (uint32_t)i, kept);
	}
	wanted = words_choose(words, most);
	for (size_t i = 0; i < nunit; i++)
		strbuf_addch(&out, wanted[i] ? '1' : '0');
	list = words_list(words, arena, strings, &n);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&out, " %s", list[i]);
	words_free(words);
	arena_free(arena);
	return out.buf;
}

static void chooses(const char *const *header, const char *const *unit,
		    size_t nunit, uint32_t most, const char *want,
		    const char *name)
{
	struct strbuf kept = STRBUF_INIT;
	char *first = choose(header, unit, nunit, most, &kept), *again;

	again = choose(header, unit, nunit, most, &kept);
	tap_is(again, first, "what is recalled is what was scanned");
	tap_is(first, want, name);
	strbuf_release(&kept);
	free(again);
	free(first);
}

static void test_choice(void)
{
	const char *const header[] = {
		"#ifdef CONFIG_F\nint f_charge(int);\n#else\n"
		"static inline int f_charge(int a) { return 0; }\n#endif\n"
		"struct task {\n#ifdef CONFIG_F\nint f_state;\n"
		"int common;\n#endif\n};\nstruct other { int common; };\n",
		"static inline void carrier(void) { f_charge(1); }\n"
		"#define AGAIN() carrier()\n"
		"static inline void bystander(void) { carried(); }\n", NULL,
	};
	const char *const unit[] = {
		"int a(void) { return f_charge(2); }",
		"void b(void) { AGAIN(); }",
		"void c(struct task *t) { t->f_state = 1; }",
		"void d(struct other *o) { o->common = bystander(); }",
		"/* f_charge */ char *s = \"f_charge\";",
		"void hot_path(void) { }",
		"#ifdef CONFIG_F\nint e;\n#endif\n",
		"int g(void) { return sample_off(); }",
		"void h(int flag) { my_sampler_aware(flag); }",
		"/* sample_group */ int i;",
	};

	chooses(header, unit, 10, 10, "1110011110 AGAIN CONFIG_F "
		"carrier f_charge f_state sample_group sample_off",
		"units with a word, a name or a root");
}

static void test_common(void)
{
	const char *const header[] = {
		"#ifdef CONFIG_F\nint helper(void);\nint rare(void);\n#endif\n"
		"static inline void alloc(void) { helper(); }\n"
		"static inline void alloc_node(void) { helper(); }\n", NULL,
	};
	const char *const unit[] = {
		"void a(void) { alloc(); }", "void b(void) { alloc(); }",
		"void c(void) { alloc(); }", "void d(void) { alloc_node(); }",
		"void e(void) { helper(); }", "void f(void) { rare(); }",
	};

	chooses(header, unit, 6, 2,
		"000011 CONFIG_F helper rare sample_group sample_off",
		"what every file has by one carrier or another is not carried");
	chooses(header, unit, 6, 6, "111111 CONFIG_F alloc alloc_node helper "
		"rare sample_group sample_off",
		"with room for all of them it is");
}

int main(void)
{
	test_scan();
	test_choice();
	test_common();
	return tap_done();
}
