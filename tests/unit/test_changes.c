// SPDX-License-Identifier: GPL-2.0-only
/* What a change of a header is to the files that include it. */
#include <string.h>

#include "base/err.h"
#include "parse/changes.h"
#include "tap.h"

static const char before[] =
	"#ifndef X_H\n"
	"#define X_H\n"
	"/* not { this */\n"
	"struct s {\n"
	"	int (*call)(int);\n"
	"	int field;\n"
	"} __attribute__((packed));\n"
	"extern int variable __aligned(8);\n"
	"DECLARE_KEY(key);\n"
	"typedef int (*fn)(int);\n"
	"#ifdef CONFIG_X\n"
	"int charge(struct s *s, int n);\n"
	"static inline struct s *get(int i)\n"
	"{\n"
	"	return i ? 0 : (struct s *)\"}\";\n"
	"}\n"
	"#else\n"
	"static inline int charge(struct s *s, int n)\n"
	"{\n"
	"	return 0;\n"
	"}\n"
	"#endif\n"
	"#endif\n";

/* The names, with spaces between; NULL: not functions alone. */
static const char *changed(struct arena *arena, const char *old,
			   const char *new)
{
	struct changes changes = { .arena = arena };
	const char *at = strstr(before, old), *text, *names = "";

	if (!at)
		BUG("'%s' is not in the sample", old);
	text = arena_printf(arena, "%.*s%s%s", (int)(at - before), before, new,
			    at + strlen(old));
	if (!header_changes(&changes, before, strlen(before), text,
			    strlen(text)))
		return NULL;
	for (size_t i = 0; i < changes.n; i++)
		names = arena_printf(arena, "%s%s%s", names, i ? " " : "",
				     changes.name[i]);
	return names;
}

int main(void)
{
	struct arena *arena = arena_new();
	struct changes changes = { .arena = arena };
	const char *name[] = { "charge" };

	tap_is(changed(arena, "", ""), "", "nothing");
	tap_is(changed(arena, "/* not", "/* and not"), "", "a comment");
	tap_is(changed(arena, "i ? 0", "i > 1 ? 0"), "", "a body");
	tap_is(changed(arena, "int charge(struct s *s, int n);\n",
		       "int __charge(struct s *s, int n);\n"
		       "static inline int charge(struct s *s, int n)\n"
		       "{\n#if 1\n	return __charge(s, n);\n#endif\n}\n"),
	       "__charge", "a wrapper is one new name");
	tap_is(changed(arena, "int charge(struct s *s, int n);\n", ""), "charge",
	       "a prototype that goes");
	tap_is(changed(arena, "int charge(struct s *s, int n);\n",
		       "long charge(struct s *s, int n);\n"),
	       "charge charge", "another type");
	tap_is(changed(arena, "	int field", "	long field"), NULL, "a field");
	tap_is(changed(arena, "#define X_H", "#define X_H 1"), NULL, "a macro");
	tap_is(changed(arena, "CONFIG_X", "CONFIG_Y"), NULL, "a condition");
	tap_is(changed(arena, "DECLARE_KEY(key)", "DECLARE_KEY(keys)"),
	       "DECLARE_KEY key DECLARE_KEY keys", "a macro's use");
	tap_is(changed(arena, "DECLARE_KEY(key);", "struct t;\nDECLARE_KEY(key);"),
	       "t", "a record that is only named");
	tap_is(changed(arena, "extern int variable __aligned(8);",
		       "static int variable = 8;"), NULL,
	       "a value");
	tap_is(changed(arena, "typedef", "#include <linux/y.h>\ntypedef"), "",
	       "what is included is told apart");
	tap_is(changed(arena, "typedef int", "typedef long"), NULL, "a type");
	tap_ok(strstr(changed(arena, "extern int variable", "extern long variable"),
		      "variable") != NULL,
	       "a variable that looks like a function is named");
	tap_is(changed(arena, "#endif\n#endif\n", "#endif\n#endif\n}"), NULL,
	       "a brace too many");
	tap_is(changed(arena, "	return i ?", "	{ return i ?"), NULL,
	       "a brace too few");
	changes.name = name;
	changes.n = 1;
	tap_ok(changes_named(&changes, "x = charge(1)", 13) &&
	       !changes_named(&changes, "x = __charge(1)", 15) &&
	       !changes_named(&changes, "charges", 7), "names are words");
	arena_free(arena);
	return tap_done();
}
