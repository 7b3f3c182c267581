// SPDX-License-Identifier: GPL-2.0-only
/* Makefiles: what is built, what stands in its way, and with which flags. */
#include <string.h>

#include "base/err.h"
#include "tap.h"
#include "tree.h"

static const char kconfig[] =
	"config MODULES\n\tdef_bool y\n\tmodules\n"
	"config ON\n\tdef_bool y\n"
	"config OFF\n\tbool\n"
	"config MOD\n\tdef_tristate m\n";

struct world {
	char *dir;
	struct tree *tree;
	struct config *config;
	struct unit *unit;
	size_t nunit;
};

static struct world make_world(const char *const *file)
{
	struct configure how = { .label = "in" };
	struct world w = { .dir = tree_put() };
	struct err err = { 0 };

	file_put(w.dir, "Kconfig", kconfig);
	for (; file && file[0]; file += 2)
		file_put(w.dir, file[0], file[1]);
	w.tree = tree_open(w.dir, "x86", NULL, &err);
	w.config = w.tree ? tree_configure(w.tree, &how, &err) : NULL;
	if (!w.config) {
		printf("Bail out! %s\n", err.text ? err.text : "?");
		exit(1);
	}
	w.unit = tree_units(w.config, &w.nunit);
	return w;
}

static void free_world(struct world *w)
{
	tree_free(w->tree);
	tree_remove(w->dir);
}

/* The units under mm/, as "a b:m -c(OFF)". */
static void units(const char *name, const char *makefile, const char *expect)
{
	const char *files[] = {
		"mm/Makefile", makefile,
		"mm/a.c", "", "mm/b.c", "", "mm/c.c", "", "mm/d.c", "",
		"mm/sub/Makefile", "obj-y += e.o\nobj-m += f.o\n",
		"mm/sub/e.c", "", "mm/sub/f.c", "", NULL
	};
	struct world w = make_world(files);
	char got[4096] = "", *at = got;
	size_t i;

	for (i = 0; i < w.nunit; i++) {
		const struct unit *u = &w.unit[i];
		const char *dot = strrchr(u->path, '.');

		at += sprintf(at, "%s%s%.*s%s", i ? " " : "",
			      u->built ? "" : "-", (int)(dot - u->path - 3),
			      u->path + 3, u->module ? ":m" : "");
		if (*u->gate)
			at += sprintf(at, "(%s)", u->gate);
	}
	tap_is(got, expect, name);
	free_world(&w);
}

static void test_units(void)
{
	units("objects", "obj-y := a.o\nobj-$(CONFIG_ON) += b.o\n"
	      "obj-$(CONFIG_OFF) += c.o\nobj-$(CONFIG_MOD) += d.o\n",
	      "a b(ON) -c(OFF) d:m(MOD=m)");
	units("a composite object", "obj-$(CONFIG_ON) += x.o\n"
	      "x-y := a.o\nx-objs := b.o\nx-$(CONFIG_OFF) += c.o\n",
	      "a(ON) b(ON) -c(OFF)");
	units("a list through another", "mmu-y := a.o\n"
	      "mmu-$(CONFIG_OFF) += b.o\nobj-y := c.o $(mmu-y)\n",
	      "a -b(OFF) c");
	units("conditions", "ifdef CONFIG_ON\nobj-y += a.o\nelse\n"
	      "obj-y += b.o\nendif\nifeq ($(CONFIG_OFF),y)\n\tobj-y += c.o\n"
	      "endif\n", "a(ON) -b -c(OFF)");
	units("else if", "ifeq ($(CONFIG_OFF),y)\nobj-y += a.o\n"
	      "else ifdef CONFIG_ON\nobj-y += b.o\nelse\nobj-y += c.o\n"
	      "endif\n", "-a(OFF) b(ON) -c");
	units("directories", "obj-y += sub/\n", "sub/e sub/f:m");
	units("a directory for modules",
	      "obj-$(CONFIG_MOD) += sub/\n", "-sub/e(MOD=m) sub/f:m(MOD=m)");
	units("a directory that is off", "obj-$(CONFIG_OFF) += sub/\n",
	      "-sub/e(OFF) -sub/f(OFF)");
	units("an object in a directory below", "obj-y += sub/e.o\n", "sub/e");
	units("functions", "names := a b\n"
	      "obj-y += $(addsuffix .o,$(names)) $(patsubst %.x,%.o,c.x)\n"
	      "obj-y := $(filter-out b.o,$(obj-y)) $(obj-y:a.o=d.o)\n",
	      "a b c d");
	units("subst, foreach, if and call",
	      "f = $(1).o\nobj-$(subst m,y,$(CONFIG_MOD)) += a.o\n"
	      "obj-y += $(foreach n,b c,$(call f,$(n)))\n"
	      "obj-y += $(if $(CONFIG_OFF),d.o)\n", "a(MOD=m) b c -d");
	units("rules and recipes are passed over",
	      "$(obj)/x: y\n\tobj-y += a.o\nobj-y += b.o\n", "b");
	units("comments and lines that go on",
	      "obj-y += a.o \\\n# b.o\n  c.o # d.o\n", "a");
	units("a file that is not there", "obj-y += none.o a.o\n", "a");
	units("an include", "include $(srctree)/mm/sub/Makefile\n"
	      "obj-y += a.o\n", "a");
}

static void test_gates(void)
{
	const char *files[] = {
		"mm/Makefile", "obj-$(CONFIG_ON) += x.o\n"
		"x-$(CONFIG_OFF) := a.o\nifdef CONFIG_MOD\nobj-y += b.o\n"
		"endif\n",
		"mm/a.c", "", "mm/b.c", "", NULL
	};
	struct world w = make_world(files);
	const char *const *gate;
	size_t n;

	n = tree_gate_symbols(w.tree, "mm/a.c", &gate);
	tap_ok(n == 2 && !strcmp(gate[0], "OFF") && !strcmp(gate[1], "ON"),
	       "the options of a part and of the whole");
	n = tree_gate_symbols(w.tree, "mm/b.c", &gate);
	tap_ok(n == 1 && !strcmp(gate[0], "MOD"), "the option of a condition");
	tap_ok(!tree_gate_symbols(w.tree, "mm/none.c", &gate),
	       "none of a file that no Makefile names");
	free_world(&w);
}

/* What is added for @unit, its paths without the tree's, as one line. */
static void flags(const char *name, const char *makefile, const char *unit,
		  const char *expect)
{
	const char *files[] = {
		"mm/Makefile", makefile, "mm/a.c", "",
		"mm/sub/Makefile", "obj-y += e.o\n", "mm/sub/e.c", "", NULL
	};
	struct world w = make_world(files);
	char got[4096] = "", *at = got, *root;
	const char *const *flag;
	size_t n, ncommon, i;

	flag = tree_flags(w.config, unit, &n, &ncommon);
	for (i = ncommon; i < n; i++)
		at += sprintf(at, "%s%s", i > ncommon ? " " : "", flag[i]);
	while ((root = strstr(got, w.tree->root))) {
		size_t len = strlen(w.tree->root);

		memmove(root, root + len, strlen(root + len) + 1);
	}
	tap_is(got, expect, name);
	tap_ok(!flag[n], "%s: ends with NULL", name);
	free_world(&w);
}

static void test_flags(void)
{
	flags("nothing is added", "obj-y += a.o\n", "mm/a.c", "");
	flags("ccflags-y", "obj-y += a.o\nccflags-y += -I$(srctree)/x "
	      "-DX=1 -Wall -O3 -I $(src)/y\n", "mm/a.c",
	      "-I/x -DX=1 -I/mm/y");
	flags("of one file", "obj-y += a.o\nCFLAGS_a.o := -DA='\"q r\"'\n"
	      "CFLAGS_b.o := -DB\n", "mm/a.c", "-DA=\"q r\"");
	flags("by eval", "obj-y += a.o\n$(foreach f,a.o b.o,"
	      "$(eval CFLAGS_$(f) = -I $(srctree)/e))\n", "mm/a.c", "-I/e");
	flags("for directories below",
	      "obj-y += sub/\nsubdir-ccflags-$(CONFIG_ON) := -DS\n"
	      "ccflags-y := -DT\n", "mm/sub/e.c", "-DS");
	flags("what leaves the tree is left out",
	      "obj-y += a.o\nccflags-y := -I../../.. -I/etc -Imm\n", "mm/a.c",
	      "-I/mm");
}

static void test_hash(void)
{
	const char *other[] = { "Kconfig", "config A\n\tdef_bool y\n", NULL };
	struct world a = make_world(NULL), b = make_world(NULL);
	struct world c = make_world(other);

	tap_ok(a.config->hash == b.config->hash,
	       "the hash does not tell where the tree is");
	tap_ok(a.config->hash != c.config->hash,
	       "the hash tells other options apart");
	free_world(&a);
	free_world(&b);
	free_world(&c);
}

static void test_hostile(void)
{
	units("a Makefile that includes itself",
	      "obj-y += a.o\ninclude $(srctree)/mm/Makefile\n", "a");
	units("a directory that holds itself", "obj-y += a.o ./ ../mm/\n",
	      "a");
	units("a variable of itself", "A = $(A) $(B)\nB = $(A)\n"
	      "obj-y += $(A) a.o\n", "a");
	units("what is not closed", "obj-y += a.o\nx := $(foo ${bar\nifdef X\n",
	      "a");
}

static void test_tree(void)
{
	struct world w = make_world(NULL);
	struct err err = { 0 };
	char path[4096];
	size_t len;

	tap_is(w.tree->release, "6.1.5-rc2", "the release");
	tap_ok(tree_read(w.tree, NULL, "mm/Makefile", &len), "a file of the tree");
	tap_ok(!tree_read(w.tree, NULL, "../x", &len), "a path above the tree");
	tap_ok(!tree_read(w.tree, NULL, "/etc/passwd", &len), "an absolute path");
	snprintf(path, sizeof(path), "%s/link", w.dir);
	tap_ok(!symlink("/etc", path) &&
	       !tree_read(w.tree, NULL, "link/passwd", &len),
	       "a link that leaves the tree");
	snprintf(path, sizeof(path), "%s/mm", w.dir);
	tap_ok(!tree_open(path, "x86", NULL, &err) && err.text,
	       "a directory that is no tree");
	err_clear(&err);
	tap_ok(!tree_open(w.dir, "arm64", NULL, &err) && err.text,
	       "a tree without the architecture");
	err_clear(&err);
	tap_ok(!tree_open("/nonexistent", "x86", NULL, &err) && err.text,
	       "no directory");
	err_clear(&err);
	free_world(&w);
}

int main(void)
{
	test_units();
	test_gates();
	test_flags();
	test_hash();
	test_hostile();
	test_tree();
	return tap_done();
}
