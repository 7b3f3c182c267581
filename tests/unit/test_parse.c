// SPDX-License-Identifier: GPL-2.0-only
/* C to facts, by workers: what is said, and what hostile files cost. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "parse/parse.h"
#include "tap.h"
#include "tree.h"

struct world {
	char *dir;
	struct tree *tree;
	struct config *config;
	struct arena *arena;
	struct strtab *strings;
	struct parse_stats stats;
};

static struct world world_make(char *dir)
{
	struct configure how = { .label = "in" };
	struct world w = { .dir = dir, .arena = arena_new() };
	struct err err = { 0 };

	w.strings = strtab_new(w.arena);
	w.tree = tree_open(dir, "x86", NULL, &err);
	w.config = w.tree ? tree_configure(w.tree, &how, &err) : NULL;
	if (!w.config) {
		printf("Bail out! %s\n", err.text ? err.text : "?");
		exit(1);
	}
	return w;
}

static void world_release(struct world *w)
{
	tree_free(w->tree);
	arena_free(w->arena);
	tree_remove(w->dir);
}

static struct parse_job *parse(struct world *w, const char *const *unit,
			       size_t n, struct cache *cache)
{
	struct parse_job *job = ARENA_ARRAY(w->arena, struct parse_job, n);
	struct parse_options options = {
		.jobs = 2, .limits = { 2ull << 30, 3, 20 }, .cache = cache,
	};
	struct err err = { 0 };

	for (size_t i = 0; i < n; i++)
		job[i] = (struct parse_job){
			.config = w->config, .unit = unit[i],
		};
	memset(&w->stats, 0, sizeof(w->stats));
	if (parse_units(job, n, &options, w->arena, w->strings, &w->stats,
			&err)) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	return job;
}

/* The dump of one function of a file that holds @text. */
static char *dump_of(const char *text, const char *function)
{
	struct world w = world_make(tree_put());
	static const char *const unit[] = { "mm/a.c" };
	struct strbuf out = STRBUF_INIT;
	struct parse_job *job;

	file_put(w.dir, "mm/a.c", text);
	job = parse(&w, unit, 1, NULL);
	if (!job->facts)
		strbuf_addstr(&out, job->failure);
	for (uint32_t i = 0; job->facts && i < job->facts->nfunc; i++)
		if (!strcmp(job->facts->func[i].name, function))
			node_dump(facts_body(&job->facts->func[i]), &out);
	for (uint32_t i = 0; job->facts && i < job->facts->nglobal; i++)
		if (!strcmp(job->facts->global[i].name, function))
			node_dump(job->facts->global[i].init, &out);
	for (uint32_t i = 0; job->facts && i < job->facts->nerror; i++)
		strbuf_addstr(&out, job->facts->error[i].why);
	world_release(&w);
	return out.buf;
}

static void says(const char *text, const char *function, const char *want,
		 const char *what)
{
	char *got = dump_of(text, function);

	if (!tap_ok(got && strstr(got, want), "%s", what))
		printf("#   got: %s#  want: %s\n", got ? got : "", want);
	free(got);
}

#define RECORDS \
	"struct in { int q; };\n" \
	"struct out { int a; struct { int b; union { int c; long d; }; };\n" \
	"  struct { int x; } foo; struct in in; struct out *next;\n" \
	"  struct in arr[2]; };\n"

static void test_expressions(void)
{
	says(RECORDS "int f(struct out *p) { return p->b + p->c; }", "f",
	     "p->{out.b} + p->{out.c}",
	     "members of anonymous records are those of the outer one");
	says(RECORDS "int f(struct out *p) { return p->foo.x + p->in.q; }",
	     "f", "p->{out.foo}.{out::foo.x} + p->{out.in}.{in.q}",
	     "a record without a name is called after its member");
	says(RECORDS "long f(struct out *p) { return (*p).a + (&p[0])->a; }",
	     "f", "(*p.{out.a} + p[0].{out.a})",
	     "an address that is followed is gone");
	says("int f(long x) { return (unsigned char)x + (int)(short)x; }", "f",
	     "((u8)x + (s32)(s16)x)", "casts are kept");
	says(RECORDS "void *f(void *p) { return (struct in *)p; }", "f",
	     "return (in *)p", "with what they point to");
	says("int f(int x) { (void)x; return (x); }", "f",
	     "return x", "what changes nothing vanishes");
	says("int f(int x) { return x ?: 7; }", "f", "(x ?  : 7)",
	     "a ?: b has no middle");
	says("int f(int x) { return 1 ? x : f(x); }", "f", "return x",
	     "a known condition is decided");
	says("int f(int x) { return sizeof(x) + (1 << 4 | 3); }", "f",
	     "return 23", "constants are numbers");
	says(RECORDS "int f(void) { return __builtin_offsetof(struct out, "
	     "foo); }", "f", "return 24", "so is offsetof");
	says("enum { A = 5, B }; int f(void) { return B; }", "f",
	     "return 6", "so is an enumerator");
	says("int f(int x) { return __builtin_constant_p(x) ? x : 9; }", "f",
	     "return 9", "so is __builtin_constant_p");
	says("int f(int x) { return __builtin_choose_expr(0, f(x), x + 1); }",
	     "f", "return (x + 1)", "and __builtin_choose_expr is decided");
	says("int f(long x) { return _Generic(x, int: 1, long: x + 2, "
	     "default: f(x)); }", "f", "(x + 2)", "and _Generic");
	says("int f(int x) { return __builtin_types_compatible_p("
	     "__typeof__(x), long); }", "f", "return 0",
	     "a type trait is not its operand");
	says("int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, "
	     "n); return __builtin_va_arg(a, int); }", "f",
	     "return ?(a)", "nor is va_arg its list");
	says("int f(int x) { return __builtin_expect(!!x, 0); }", "f",
	     "return !!x", "an expectation is its value");
	says("int f(int x) { x++; --x; x += 2; return ~x; }", "f",
	     "(x ++ 1);\n     1   (x -- 1);\n     1   (x += 2);\n"
	     "     1   return ~x", "assignments keep their operator");
	says("int g(int); int (*h)(int); int f(void) { return (*g)(1) + "
	     "(*h)(2) + (&g == h); }", "f",
	     "((g(1) + *@h(2)) + (g == @h))", "a function is its own address");
	says("int f(int x) { return ({ int y = x; y; }) + ({ x; }); }", "f",
	     "({ decl y = x;", "statement expressions");
	says(RECORDS "int f(void) { struct out *p = &(struct out){ .b = 3 };"
	     " return p->b; }", "f", "&out{ .out.b = 3 }",
	     "compound literals");
}

static void test_statements(void)
{
	says("void f(int x) { for (; x < 3;) ; }", "f", "for (; (x < 3); )",
	     "a for with a condition only");
	says("void f(int x) { for (x = 1;;) ; }", "f", "(x = 1);\n; ; )",
	     "a for with a beginning only");
	says("void f(int x) { for (;; x++) ; }", "f", "for (; ; (x ++ 1))",
	     "a for with a step only");
	says("void f(int x) { for (x = 0; /* ; */ ; x += ';') ; }", "f",
	     "(x = 0);\n; ; (x += 59))", "semicolons that are none");
	says("#define EACH(x) for (; x; x--)\nvoid f(int x) { EACH(x) ; }",
	     "f", "for (; x; (x -- 1))", "a for of a macro");
	says("void f(int x) { do x--; while (x); while (x) x++; }", "f",
	     "do (; x; )", "do and while");
	says("void f(int x) { switch (x) { case 1 ... 3: x = 1; break; "
	     "default: ; } }", "f", "case ?(1, 3)", "a range of cases");
	says("void f(int x) { if (x) { int x = 1; x++; } { int x; x = 2; } }",
	     "f", "(x#2 = 2)", "locals of one name are told apart");
	says("void f(int x) { goto out; out: x = 1; void *p = &&out; "
	     "goto *p; }", "f", "goto ?", "a computed goto goes anywhere");
	says("#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n"
	     "#define ONCE(x) ({ int CAT(v, __COUNTER__) = x; x; })\n"
	     "int f(int x) { return ONCE(x) + ONCE(x); }", "f",
	     "decl v#1 = x", "counters of macros are left out");
	says("int f(int x) { switch (x) { case 1: x = 2; "
	     "__attribute__((fallthrough)); case 2: ; } return x; }", "f",
	     "case 2", "attributes are skipped");
	says("int f(int *p, int x) { asm volatile(\"lock; xaddl %0, %1\" : "
	     "\"+r\" (x), \"+m\" (*p) : \"i\" (3), \"r\" (p)); return x; }",
	     "f", "heavy asm(out x, out *p, p)",
	     "what an asm writes, and that it locks");
	says("#define S(x) asm(\"1: .long 0\\n\\tmovl $1, %0\" : \"=r\" (x) "
	     ": \"r\" (p))\nint f(int *p) { int x; S(x); return x; }", "f",
	     "  asm(out x, p)", "an asm of a macro");
	says("void put(int *p) { *p = 0; }\nvoid f(int x) { int a "
	     "__attribute__((unused, cleanup(put))) = x; int b; }", "f",
	     "decl a = x then put(&a)", "what is called where a scope ends");
	says("void f(void) { asm(\"nop\\n\\tmfence\"); }", "f", "heavy asm()",
	     "a fence is heavy");
	says("void f(void) { asm(\"lockup: nop ; movl $0, xchg\"); }", "f",
	     "  asm()", "a label or operand is no instruction");
}

static void test_initialisers(void)
{
	says(RECORDS "struct out g = { 1, 2, 3 };", "g",
	     "out{ .out.a = 1, .out.b = 2, .out.c = 3 }",
	     "values by the order of members");
	says(RECORDS "struct out g = { 1, { 2, { 3 } }, { 4 }, { 5 } };", "g",
	     ".out.c = 3, .out.foo = out::foo{ .out::foo.x = 4 }, "
	     ".out.in = in{ .in.q = 5 }", "braces around anonymous members");
	says(RECORDS "struct out g = { .b = 2, 3, .arr = { 7, 8 } };", "g",
	     ".out.b = 2, .out.c = 3, .out.arr = in{ in{ .in.q = 7 }, "
	     "in{ .in.q = 8 } }", "a value after a designator");
	says(RECORDS "struct out g = { .foo.x = 1, .arr[1].q = 2 };", "g",
	     ".out.foo = { .out::foo.x = 1 }, .out.arr = { .[1] = "
	     "{ .in.q = 2 } }", "designators in a row");
	says("int g[9] = { [2 ... 4] = 1, 2, [0] = 3 };", "g",
	     "{ .[2...4] = 1, 2, .[0] = 3 }", "elements by index");
	says("int h(void); int (*g[])(void) = { h, 0 };", "g", "{ h, 0 }",
	     "functions in a table");
}

static bool flagged(const struct facts *facts, const char *name,
		    unsigned flag)
{
	for (uint32_t i = 0; facts && i < facts->nfunc; i++)
		if (!strcmp(facts->func[i].name, name))
			return (facts->func[i].flags & flag) == flag;
	return false;
}

static void test_declarations(void)
{
	struct world w = world_make(tree_put());
	static const char *const unit[] = { "mm/a.c" };
	const struct facts *facts;

	file_put(w.dir, "mm/a.h", "static inline int used(void) "
		 "{ return 1; }\nstatic inline int unused(void) { return 2; }\n"
		 "int f(int);\nextern int far;\nstruct rec { int a; };\n");
	file_put(w.dir, "mm/a.c", "#include \"a.h\"\n"
		 "#define DEF(n) int do_##n(int x) { return x + far; }\n"
		 "#define EXPORT_SYMBOL(x)\n#define module_init(x)\n"
		 "DEF(call)\n"
		 "int f(int x) { static int seen; return used() + seen; }\n"
		 "EXPORT_SYMBOL(f);\n"
		 "static int __attribute__((section(\".init.text\"), cold)) "
		 "start(void) { return 0; }\nmodule_init(start);\n"
		 "void __attribute__((noreturn)) die(void) { for (;;) ; }\n");
	facts = parse(&w, unit, 1, NULL)->facts;
	tap_ok(flagged(facts, "used", FUNC_HEADER | FUNC_INLINE | FUNC_STATIC),
	       "a header's function that is used");
	tap_ok(!flagged(facts, "unused", 0), "and none that is not");
	tap_ok(flagged(facts, "do_call", FUNC_MACRO),
	       "a function that a macro defines");
	tap_ok(flagged(facts, "f", FUNC_EXPORTED) &&
	       !flagged(facts, "f", FUNC_MACRO), "an exported one");
	tap_ok(flagged(facts, "start", FUNC_INIT | FUNC_COLD | FUNC_INITCALL),
	       "one that runs at boot");
	tap_ok(flagged(facts, "die", FUNC_NORETURN | FUNC_VOID),
	       "one that does not return");
	tap_ok(facts && facts->nglobal == 2 &&
	       !strcmp(facts->global[0].name, "f.seen") &&
	       !strcmp(facts->global[1].name, "far") &&
	       !(facts->global[1].flags & GLOBAL_DEFINED),
	       "statics of functions and extern globals");
	tap_ok(facts && facts->ndep >= 2 && !strcmp(facts->dep[0], "mm/a.c") &&
	       !strcmp(facts->dep[facts->ndep - 1], "mm/a.h"),
	       "the files that were read, the unit first");
	tap_ok(facts && facts->ndecl == 1 && facts->decl[0].line == 3,
	       "prototypes of headers");
	world_release(&w);
}

static void test_hostile(void)
{
	static const char *const unit[] = {
		"mm/good.c", "mm/fifo.c", "mm/zero.c", "mm/bomb.c",
		"mm/nest.c", "mm/leave.c", "mm/dots.c", "mm/link.c",
		"mm/none.c", "mm/isfifo.c", "mm/out.c", "mm/bad.c",
	};
	enum { GOOD, FIFO, ZERO, BOMB, NEST, LEAVE, DOTS, LINK, NONE,
	       ISFIFO, OUT, BAD, N };
	struct world w = world_make(tree_put());
	struct strbuf text = STRBUF_INIT;
	char path[4096], *secret = tree_put();
	struct parse_job *job;
	bool leaked = false;

	file_put(secret, "secret.h", "WORDOFTHESECRET\n");
	file_put(w.dir, "mm/good.c", "int good(void) { return 1; }\n");
	file_put(w.dir, "mm/fifo.c", "#include \"fifo.h\"\n");
	file_put(w.dir, "mm/zero.c", "\n#include \"/dev/zero\"\n");
	for (int i = 1; i < 12; i++)
		strbuf_addf(&text, "#define A%d A%d A%d A%d A%d A%d A%d\n", i,
			    i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	file_put(w.dir, "mm/bomb.c", text.buf);
	strbuf_addstr(&text, "#define A0 1,\nint a[] = { A11 };\n");
	file_put(w.dir, "mm/bomb.c", text.buf);
	text.len = 0;
	strbuf_addstr(&text, "int f(int x) { return ");
	for (int i = 0; i < 300000; i++)
		strbuf_addstr(&text, "-~");
	strbuf_addstr(&text, "x; }\n");
	file_put(w.dir, "mm/nest.c", text.buf);
	text.len = 0;
	strbuf_addf(&text, "#include \"%s/secret.h\"\n", secret);
	file_put(w.dir, "mm/leave.c", text.buf);
	file_put(w.dir, "mm/dots.c",
		 "#include \"../../../../../../../etc/passwd\"\n");
	file_put(w.dir, "mm/link.c", "int a;\n#include \"link.h\"\n");
	file_put(w.dir, "mm/bad.c", "int f(void) { return 1 +; }\n"
		 "int g(void) { return 1; }\n");
	snprintf(path, sizeof(path), "%s/mm/fifo.h", w.dir);
	mkfifo(path, 0666);
	snprintf(path, sizeof(path), "%s/mm/isfifo.c", w.dir);
	mkfifo(path, 0666);
	text.len = 0;
	strbuf_addf(&text, "%s/secret.h", secret);
	snprintf(path, sizeof(path), "%s/mm/link.h", w.dir);
	if (symlink(text.buf, path))
		perror(path);
	snprintf(path, sizeof(path), "%s/mm/out.c", w.dir);
	if (symlink(text.buf, path))
		perror(path);
	strbuf_release(&text);

	job = parse(&w, unit, N, NULL);
	for (int i = 0; i < N; i++) {
		const char *why = job[i].failure ? job[i].failure : "";

		printf("# %s: %s\n", unit[i], *why ? why : "facts");
		leaked |= strstr(why, "SECRET") || strchr(why, '\n');
	}
	tap_ok(job[GOOD].facts && job[GOOD].facts->nfunc == 1,
	       "the others go on");
	tap_ok(job[FIFO].failure && strstr(job[FIFO].failure, "FIFO"),
	       "a FIFO that is included");
	tap_ok(job[ZERO].failure && strstr(job[ZERO].failure, "mm/zero.c:2"),
	       "a device that is included");
	/* whichever limit it comes to first */
	tap_ok(job[BOMB].failure &&
	       (strstr(job[BOMB].failure, "took more than") ||
		strstr(job[BOMB].failure, "memory")),
	       "macros that grow and grow");
	tap_ok(job[NEST].failure && strstr(job[NEST].failure, "crashed"),
	       "operators that the compiler cannot take");
	tap_ok(job[LEAVE].failure && strstr(job[LEAVE].failure,
					    "outside the tree at mm/leave.c:1"),
	       "a file outside by its path");
	tap_ok(job[DOTS].failure && strstr(job[DOTS].failure, "outside"),
	       "a file outside by ..");
	tap_ok(job[LINK].failure && strstr(job[LINK].failure, "mm/link.c:2"),
	       "a file outside by a link");
	tap_ok(job[NONE].failure != NULL, "a unit that is not there");
	tap_ok(job[ISFIFO].failure && strstr(job[ISFIFO].failure, "regular"),
	       "a unit that is a FIFO");
	tap_ok(job[OUT].failure && strstr(job[OUT].failure, "outside"),
	       "a unit that is a link to the outside");
	tap_ok(job[BAD].facts && job[BAD].facts->nerror == 1 &&
	       job[BAD].facts->error[0].line == 1 &&
	       flagged(job[BAD].facts, "g", 0),
	       "a syntax error is told, the rest is there");
	tap_ok(!leaked, "nothing from outside is told");
	tree_remove(secret);
	world_release(&w);
}

#define UNITS 12

/* Everything that the facts of @job say, in one order. */
static char *all_of(struct parse_job *job, size_t n)
{
	struct strbuf out = STRBUF_INIT;
	char *text = NULL, *line, *rest;
	size_t count = 0, cap = 0, used = 0;
	char **lines = NULL;

	for (size_t i = 0; i < n; i++) {
		struct facts *facts = job[i].facts;

		for (uint32_t k = 0; facts && k < facts->nfunc; k++) {
			size_t at = out.len;

			func_dump(&facts->func[k], &out);
			for (; at < out.len; at++)
				if (out.buf[at] == '\n')
					out.buf[at] = '|';
			strbuf_addch(&out, '\n');
		}
		for (uint32_t k = 0; facts && k < facts->nrecord; k++)
			strbuf_addf(&out, "record %s %u\n",
				    facts->record[k].name,
				    facts->record[k].nfield);
		for (uint32_t k = 0; facts && k < facts->nglobal; k++)
			strbuf_addf(&out, "global %s %x\n",
				    facts->global[k].name,
				    facts->global[k].flags);
		for (uint32_t k = 0; facts && k < facts->nenum; k++)
			strbuf_addf(&out, "enum %s\n",
				    facts->enumerator[k].name);
	}
	for (rest = out.buf; rest && (line = strsep(&rest, "\n"));) {
		if (count == cap) {
			cap = cap ? cap * 2 : 64;
			lines = xrealloc(lines, cap * sizeof(*lines));
		}
		lines[count++] = line;
	}
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k && strcmp(lines[k - 1], lines[k]) > 0;
		     k--) {
			line = lines[k];
			lines[k] = lines[k - 1];
			lines[k - 1] = line;
		}
	text = xcalloc(1, out.len + 2);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(lines[i - 1], lines[i]))
			used += (size_t)sprintf(text + used, "%s\n", lines[i]);
	free(lines);
	strbuf_release(&out);
	return text;
}

static char *new_dir(void)
{
	char *dir = strdup("/tmp/nocharge-unit-XXXXXX");

	if (!mkdtemp(dir)) {
		perror("mkdtemp");
		exit(1);
	}
	return dir;
}

static void put_shared_tree(const char *dir, const char *const *unit)
{
	file_put(dir, "include/linux/base.h", "#ifndef B\n#define B\n"
		 "struct base { union { int a; long b; }; int c; };\n"
		 "enum { BASE = 1 };\nextern int far;\n"
		 "static inline int far_away(void) { return far; }\n"
		 "static inline int twice(int x) { return x + x; }\n"
		 "static inline int four(int x) { return twice(twice(x)); }\n"
		 "static inline int nobody(int x) { return four(x); }\n"
		 "#endif\n");
	file_put(dir, "include/linux/more.h", "#ifndef M\n#define M\n"
		 "#include <linux/base.h>\n"
		 "static inline int more(struct base *p) "
		 "{ return far_away() + p->a; }\n#endif\n");
	for (int i = 0; i < UNITS; i++) {
		char text[1000];

		snprintf(text, sizeof(text), "#include <linux/base.h>\n%s"
			 "static struct base g%d = { 1, 2 };\n"
			 "int f%d(int x) { return %s + g%d.c; }\n",
			 i % 3 ? "" : "#include <linux/more.h>\n", i, i,
			 i % 3 ? "four(x)" : "more(&(struct base){ { x } })",
			 i);
		file_put(dir, unit[i], text);
	}
}

static void test_shared_headers(void)
{
	static const char *const unit[UNITS] = {
		"mm/0.c", "mm/1.c", "mm/2.c", "mm/3.c", "mm/4.c", "mm/5.c",
		"mm/6.c", "mm/7.c", "mm/8.c", "mm/9.c", "mm/10.c", "mm/11.c",
	};
	struct world w = world_make(tree_put());
	char *cache_place = new_dir(), *all, *one, *other;
	struct parse_job *job, *single;
	struct cache *cache;
	struct err err = { 0 };

	put_shared_tree(w.dir, unit);
	single = ARENA_ARRAY(w.arena, struct parse_job, UNITS);
	for (int i = 0; i < UNITS; i++)
		single[i] = *parse(&w, &unit[i], 1, NULL);
	one = all_of(single, UNITS);
	job = parse(&w, unit, UNITS, NULL);
	all = all_of(job, UNITS);
	tap_is(all, one, "over a precompiled header the facts are the same");
	tap_ok(strstr(one, "far_away") && !strstr(one, "nobody"),
	       "header functions that are needed, and no others");
	tap_ok(job[5].facts->nfunc == 1,
	       "what is shared is there once");

	cache = cache_open(cache_place, &err);
	job = parse(&w, unit, UNITS, cache);
	tap_ok(w.stats.parsed == UNITS, "a new cache has nothing");
	cache_close(cache);
	cache = cache_open(cache_place, &err);
	job = parse(&w, unit, UNITS, cache);
	other = all_of(job, UNITS);
	tap_ok(w.stats.cached == UNITS && !w.stats.parsed,
	       "then it has everything");
	tap_is(other, one, "and it is the same");
	cache_close(cache);
	free(other);

	file_put(w.dir, "mm/4.c", "int touched(void) { return 1; }\n");
	cache = cache_open(cache_place, &err);
	job = parse(&w, unit, UNITS, cache);
	tap_ok(w.stats.cached == UNITS - 1 && w.stats.parsed == 1 &&
	       flagged(job[4].facts, "touched", 0),
	       "a unit that changed is parsed again, alone");
	cache_close(cache);
	free(all);
	free(one);
	tree_remove(cache_place);
	world_release(&w);
}

int main(void)
{
	struct parse_doctor doctor;

	parse_doctor(&doctor);
	if (doctor.problem) {
		printf("Bail out! %s\n", doctor.problem);
		return 1;
	}
	free(doctor.library);
	free(doctor.version);
	free(doctor.resource_dir);
	test_expressions();
	test_statements();
	test_initialisers();
	test_declarations();
	test_hostile();
	test_shared_headers();
	return tap_done();
}
