// SPDX-License-Identifier: GPL-2.0-only
/* Kconfig: what is answered, from text to options. */
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "tap.h"
#include "tree.h"

#define WISHES 8

/* The options under @kconfig and wishes, as "A=y B=3", sorted. */
static char *evaluate_file(const char *kconfig, const struct option *want,
			   const char *dotconfig, size_t *nskipped,
			   struct err *err)
{
	char *dir = tree_put(), *out = strdup(""), *more, path[4096];
	struct configure how = { .want = want, .label = "in" };
	struct config *config;
	struct tree *tree;
	size_t i;

	file_put(dir, "Kconfig", kconfig);
	file_put(dir, "sub/Kconfig", "config FROM_SUB\n\tdef_bool y\n");
	if (dotconfig) {
		file_put(dir, "dotconfig", dotconfig);
		snprintf(path, sizeof(path), "%s/dotconfig", dir);
		how.config_file = path;
	}
	while (want && want[how.nwant].name)
		how.nwant++;
	tree = tree_open(dir, "x86", NULL, err);
	config = tree ? tree_configure(tree, &how, err) : NULL;
	if (nskipped)
		*nskipped = config ? config->nskipped + config->nnote : 0;
	for (i = 0; config && i < config->noption; i++) {
		if (asprintf(&more, "%s%s%s=%s", out, i ? " " : "",
			     config->option[i].name,
			     config->option[i].value) < 0)
			BUG("no memory");
		free(out);
		out = more;
	}
	tree_free(tree);
	tree_remove(dir);
	return out;
}

static void options(const char *name, const char *kconfig,
		    const struct option *want, const char *expect)
{
	struct err err = { 0 };
	char *got = evaluate_file(kconfig, want, NULL, NULL, &err);

	tap_is(got, expect, name);
	free(got);
	err_clear(&err);
}

#define WANT(...) (const struct option []){ __VA_ARGS__, { NULL, NULL } }

static void test_defaults(void)
{
	options("a default with a condition",
		"config A\n\tbool\n\tdefault y if B\n"
		"config B\n\tdef_bool y\n", NULL, "A=y B=y");
	options("the first default that holds",
		"config A\n\tint\n\tdefault 1 if B\n\tdefault 2\n"
		"config B\n\tbool\n", NULL, "A=2");
	options("what is asked needs a prompt",
		"config A\n\tbool \"a\"\nconfig B\n\tbool\n",
		WANT({ "A", "y" }, { "B", "y" }), "A=y");
	options("what is asked needs what it depends on",
		"config A\n\tbool \"a\"\n\tdepends on B\n"
		"config B\n\tbool \"b\"\n", WANT({ "A", "y" }), "");
	options("a number, a hexadecimal one and a string",
		"config A\n\tint\n\tdefault 7\nconfig B\n\thex\n\tdefault ff\n"
		"config C\n\tstring\n\tdefault \"a b\"\n", NULL,
		"A=7 B=0xff C=\"a b\"");
	options("a range bounds what is asked",
		"config A\n\tint \"a\"\n\trange 2 9\n\tdefault 4\n",
		WANT({ "A", "100" }), "A=9");
	options("two definitions of one symbol",
		"config A\n\tbool\n\tdepends on B\n\tdefault y\n"
		"config A\n\tbool\n\tdefault y\n"
		"config B\n\tbool\n", NULL, "A=y");
}

static void test_select(void)
{
	options("select overrides what it depends on",
		"config A\n\tdef_bool y\n\tselect B\n"
		"config B\n\tbool \"b\"\n\tdepends on C\n"
		"config C\n\tbool\n", WANT({ "B", "n" }), "A=y B=y");
	options("imply does not",
		"config A\n\tdef_bool y\n\timply B\n\timply D\n"
		"config B\n\tbool \"b\"\n\tdepends on C\n"
		"config C\n\tbool\nconfig D\n\tbool \"d\"\n", NULL,
		"A=y D=y");
	options("select with a condition",
		"config A\n\tdef_bool y\n\tselect B if C\n"
		"config B\n\tbool\nconfig C\n\tbool\n", NULL, "A=y");
}

static void test_expressions(void)
{
	options("comparison, negation and parentheses",
		"config A\n\tint\n\tdefault 10\n"
		"config B\n\tdef_bool A >= 10 && !(A = 11 || C)\n"
		"config C\n\tbool\n", NULL, "A=10 B=y");
	options("a symbol that nobody defines is its name",
		"config A\n\tdef_bool B = \"B\"\nconfig C\n\tdef_bool B\n",
		NULL, "A=y");
	options("modules",
		"config MODULES\n\tdef_bool y\n\tmodules\n"
		"config A\n\ttristate \"a\"\n"
		"config B\n\ttristate \"b\"\n\tdepends on A\n"
		"config C\n\tbool \"c\"\n\tdepends on A\n"
		"config D\n\tdef_tristate m\n", WANT({ "A", "m" },
		{ "B", "y" }, { "C", "y" }), "A=m B=m C=y D=m MODULES=y");
	options("no modules",
		"config A\n\ttristate \"a\"\n", WANT({ "A", "m" }), "A=y");
}

static void test_blocks(void)
{
	options("if, menu and visible if",
		"if B\nconfig A\n\tdef_bool y\nendif\n"
		"menu \"m\"\n\tdepends on C\nconfig D\n\tdef_bool y\nendmenu\n"
		"menu \"v\"\n\tvisible if B\nconfig E\n\tbool \"e\"\n"
		"\tdefault y\nendmenu\n"
		"config B\n\tbool\nconfig C\n\tdef_bool y\n",
		WANT({ "E", "n" }), "C=y D=y E=y");
	options("a choice",
		"choice\n\tprompt \"c\"\n\tdefault B\n"
		"config A\n\tbool \"a\"\nconfig B\n\tbool \"b\"\n"
		"config C\n\tbool \"c\"\n\tdepends on X\nendchoice\n",
		NULL, "B=y");
	options("a choice that is asked for",
		"choice\n\tprompt \"c\"\n\tdefault B\n"
		"config A\n\tbool \"a\"\nconfig B\n\tbool \"b\"\nendchoice\n",
		WANT({ "A", "y" }), "A=y");
	options("a choice by its first value that is visible",
		"choice\n\tprompt \"c\"\n"
		"config A\n\tbool \"a\"\n\tdepends on X\n"
		"config B\n\tbool \"b\"\nendchoice\n", NULL, "B=y");
	options("help text is not read",
		"config A\n\tbool\n\thelp\n\t  config B\n\t  default y\n\n"
		"\t  and more\nconfig C\n\tdef_bool y\n", NULL, "C=y");
	options("source, also where the name is made by a macro",
		"dir := sub\nsource \"$(dir)/Kconfig\"\n", NULL,
		"FROM_SUB=y");
	options("source by wildcard, and optional",
		"source \"su*/Kconfig\"\nosource \"none/Kconfig\"\n", NULL,
		"FROM_SUB=y");
	options("lines that go on, and carriage returns",
		"config A\r\n\tdef_bool y && \\\r\n\t\ty\r\n", NULL, "A=y");
}

static void test_macros(void)
{
	options("the policy answers for the compiler",
		"cc = $(success,test $(1))\n"
		"config A\n\tdef_bool $(cc,-m64)\n"
		"config B\n\tdef_bool $(failure,false)\n"
		"config C\n\tstring\n\tdefault \"$(shell,id)x\"\n"
		"config D\n\tdef_bool $(if-success,false,y,n)\n", NULL,
		"A=y C=\"x\" D=y");
	options("a macro of itself ends",
		"a = $(a)$(b)\nb = $(a)\nconfig A\n\tstring\n"
		"\tdefault \"$(a)\"\n", NULL, "A=\"\"");
	options("the environment of old trees",
		"config ARCH\n\tstring\n\toption env=\"ARCH\"\n"
		"config A\n\tdef_bool ARCH = \"x86\"\n", NULL,
		"A=y");
}

static void refused(const char *name, const char *kconfig)
{
	struct err err = { 0 };
	size_t nskipped;
	char *got = evaluate_file(kconfig, NULL, NULL, &nskipped, &err);

	if (!tap_ok(!strcmp(got, "A=y") && nskipped, "%s", name))
		printf("#   got: %s (%zu skipped)\n", got, nskipped);
	free(got);
	err_clear(&err);
}

#define REST "\nconfig A\n\tdef_bool y\n"

static void test_hostile(void)
{
	char *text, *at;
	size_t i;

	refused("a file that sources itself", "source \"Kconfig\"" REST);
	refused("a source above the tree", "source \"../Kconfig\"" REST);
	refused("a source from the root", "source \"/etc/passwd\"" REST);
	refused("a source that is not there", "source \"none\"" REST);
	refused("an end without a beginning", "endmenu" REST);
	refused("a block that is not closed", REST "if A\n");
	refused("half an expression", "config B\n\tdef_bool y &&" REST);

	at = text = malloc(400000);
	at += sprintf(at, "config B\n\tdef_bool ");
	for (i = 0; i < 100000; i++)
		*at++ = '(';
	strcpy(at, "y" REST);
	refused("a hundred thousand parentheses", text);
	free(text);
}

static void follows(const char *name, const char *dotconfig,
		    const struct option *want, const char *expect)
{
	static const char kconfig[] =
		"config A\n\tbool \"a\"\n\tdefault y\n"
		"config B\n\tint \"b\"\n\tdefault 3\n"
		"config C\n\tstring \"c\"\n"
		"config CC\n\tdef_bool $(success,true)\n";
	struct err err = { 0 };
	char *got = evaluate_file(kconfig, want, dotconfig, NULL, &err);

	tap_is(err.text ? "refused" : got, expect, name);
	free(got);
	err_clear(&err);
}

static void test_dotconfig(void)
{
	follows("a .config is followed",
		"# CONFIG_A is not set\nCONFIG_B=5\nCONFIG_C=\"x\\\"y\"\n"
		"CONFIG_CC=y\n", NULL, "B=5 C=\"x\\\"y\" CC=y");
	follows("what it was not asked has its default",
		"CONFIG_B=5\nCONFIG_CC=y\n", NULL, "A=y B=5 C=\"\" CC=y");
	follows("the compiler's answers are the file's",
		"CONFIG_B=5\n", NULL, "A=y B=5 C=\"\"");
	follows("a wish on top of it", "CONFIG_A=y\nCONFIG_CC=y\n",
		WANT({ "A", "n" }), "B=3 C=\"\" CC=y");
	follows("one of another version is followed too",
		"# Linux/x86 5.1.0 Kernel Configuration\nCONFIG_B=5\n", NULL,
		"A=y B=5 C=\"\" CC=y");
	follows("one of another architecture is refused",
		"# Linux/arm64 6.1.5 Kernel Configuration\nCONFIG_B=5\n",
		NULL, "refused");
	follows("garbage is refused", "garbage\nCONFIG_\n", NULL, "refused");
	follows("an empty file is refused", "", NULL, "refused");
}

int main(void)
{
	test_defaults();
	test_select();
	test_expressions();
	test_blocks();
	test_macros();
	test_hostile();
	test_dotconfig();
	return tap_done();
}
