// SPDX-License-Identifier: GPL-2.0-only
/* Rules files: what is read of them, and what is refused with which words. */
#include <stdlib.h>

#include "base/json.h"
#include "base/rules.h"
#include "tap.h"

static const char good[] =
	"{ \"schema\": \"nocharge-rules-1\",\n"
	"  \"feature\": \"sample\", \"title\": \"the sample\",\n"
	"  \"config\": { \"symbols\": [ \"SAMPLE\" ] },\n"
	"  \"off\": { \"boot\": \"sample=off\",\n"
	"    \"predicate\": [ \"sample_off\" ],\n"
	"    \"guard\": [ { \"name\": \"subsys.off\", \"value\": 1 } ] },\n"
	"  \"callbacks\": { \"tables\": [ \"subsys\" ],\n"
	"    \"run\": [ { \"name\": \"fork\", \"args\": [ \"root\", \"null\" ],\n"
	"      \"hot\": \"fork\" } ] } }\n";

/* @text as rules: the error's text, "" if there is none, is to be @want. */
static void try_rules(const char *text, size_t len, const char *want,
		      const char *name)
{
	struct arena *arena = arena_new();
	struct err err = { 0 };
	struct rules *rules = rules_parse("f.json", text, len, arena,
					  strtab_new(arena), &err);

	tap_is(!rules == !err.text ? "an error and a result, or neither" :
	       err.text ? err.text : "", want, name);
	err_clear(&err);
	arena_free(arena);
}

/* good[] with the first @old replaced by @new */
static char *spoilt(const char *old, const char *new)
{
	const char *at = strstr(good, old);
	char *text = xmalloc(sizeof(good) + strlen(new) + 1);

	if (!at)
		BUG("'%s' is not in the sample", old);
	sprintf(text, "%.*s%s%s", (int)(at - good), good, new,
		at + strlen(old));
	return text;
}

static void refuses(const char *name, const char *old, const char *new,
		    const char *want)
{
	char *text = spoilt(old, new);

	try_rules(text, strlen(text), want, name);
	free(text);
}

static void test_good(void)
{
	struct arena *arena = arena_new();
	struct err err = { 0 };
	struct rules *rules = rules_parse("f.json", good, strlen(good), arena,
					  strtab_new(arena), &err);

	if (!tap_ok(rules != NULL, "a good file is read"))
		return;
	tap_is(rules->feature, "sample", "the feature's name");
	tap_ok(rules->nguard == 1 && rules->guard[0].value == 1 &&
	       !strcmp(rules->guard[0].name, "subsys.off"), "its guard");
	tap_ok(rules->ncallback == 1 && rules->callback[0].narg == 2 &&
	       rules->callback[0].arg[0] == ARG_ROOT &&
	       rules->callback[0].arg[1] == ARG_NULL &&
	       !strcmp(rules->callback[0].root, "fork"), "its callback");
	tap_ok(rules->nidentifier == 4, "four names of the kernel");
	tap_ok(!rules->group && !rules->charge.n, "what is optional is empty");
	arena_free(arena);
}

static void test_refused(void)
{
	refuses("an unknown key", "\"guard\"", "\"gaurd\"",
		"f.json:6: unknown key 'gaurd' in 'off'");
	refuses("a missing key", "\"boot\": \"sample=off\",", "",
		"f.json:4: missing key 'boot' in 'off'");
	refuses("a wrong type", "\"sample=off\"", "7",
		"f.json:4: 'boot' in 'off' is not a string");
	refuses("a string that is no name", "sample_off", "sample off",
		"f.json:5: 'sample off' in 'predicate' is not a name");
	refuses("a number that is no integer", ": 1 }", ": 1.5 }",
		"f.json:6: 'value' is not an integer");
	refuses("an argument that is none", "\"null\" ]", "\"nil\" ]",
		"f.json:8: 'nil' in 'args' is none of unknown, null, root");
	refuses("too many arguments", "[ \"root\",",
		"[ \"root\", \"root\", \"root\", \"root\",",
		"f.json:8: too many 'args' of 'fork'");
	refuses("an empty predicate", "[ \"sample_off\" ]", "[]",
		"f.json:5: 'predicate' is empty");
	refuses("another schema", "nocharge-rules-1", "nocharge-rules-2",
		"f.json:1: 'schema' is 'nocharge-rules-2', not "
		"'nocharge-rules-1'");
	refuses("a key twice", "\"title\"", "\"feature\": \"x\", \"title\"",
		"f.json:2: key 'feature' twice");
	refuses("a comma too many", "\"SAMPLE\" ]", "\"SAMPLE\", ]",
		"f.json:3: not JSON");
	refuses("a control character is not passed on", "\"boot\"",
		"\"bo\\u001bot\"", "f.json:4: unknown key 'bo?ot' in 'off'");
	try_rules("[]", 2, "f.json:1: 'the file' is not an object",
		  "an array");
	try_rules("", 0, "f.json:1: not JSON", "nothing");
	try_rules("{}\n\n\xff", 5, "f.json:3: not UTF-8 text", "no UTF-8");
	try_rules("{}\0{", 4, "f.json:1: not UTF-8 text", "a NUL");
}

static void test_deep(void)
{
	char deep[2 * JSON_DEPTH + 3];

	memset(deep, '[', JSON_DEPTH + 1);
	memset(deep + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	try_rules(deep, 2 * JSON_DEPTH + 2,
		  "f.json:1: nested deeper than 24 levels", "nested too deep");
}

static void test_patterns(void)
{
	const char *const list[] = { "exact", "begin*", "*end" };
	const struct names names = { (const char **)list, 3 };

	tap_ok(names_match(&names, "exact"), "a plain name");
	tap_ok(!names_match(&names, "exactly"), "not its beginning");
	tap_ok(names_match(&names, "begin_it"), "a pattern's beginning");
	tap_ok(names_match(&names, "the_end"), "a pattern's end");
	tap_ok(!names_match(&names, "other"), "none of them");
	tap_ok(names_have(&names, "*end") && !names_have(&names, "the_end"),
	       "names_have() knows no patterns");
}

/* The files that come with nocharge. */
static void test_shipped(void)
{
	static const char *const files[] = {
		"rules/memcg.json", "rules/hugetlb-cgroup.json",
	};
	struct arena *arena = arena_new();
	struct strtab *strings = strtab_new(arena);
	struct err err = { 0 };

	for (size_t i = 0; i < 2; i++) {
		tap_ok(rules_load(files[i], arena, strings, &err) != NULL,
		       "%s is read %s", files[i], err.text ? err.text : "");
		err_clear(&err);
	}
	tap_ok(kernel_rules_load("rules/kernel.json", arena, strings,
				 &err) != NULL,
	       "rules/kernel.json is read %s", err.text ? err.text : "");
	arena_free(arena);
}

int main(void)
{
	test_good();
	test_refused();
	test_deep();
	test_patterns();
	test_shipped();
	return tap_done();
}
