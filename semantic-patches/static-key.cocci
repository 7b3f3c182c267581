// SPDX-License-Identifier: GPL-2.0-only
/// Make a flag that is set once at boot a static key
///
// Confidence: Moderate
//
// With names (-D named), in each file that has the flag, headers included:
//   -D flag=V          the variable
//   -D key=K           the name of its static key
// The flag's definition, declarations, writers and readers become the key's.
// A use that is neither (its address, a value that is computed) stays, and
// no longer compiles: look for them first. Writers have to run after
// jump_label_init(): so do __setup() handlers since 4.20 or so, early_param()
// handlers do not on each architecture.
//
// With names in the form of old trees (-D named -D old), where the predicate
// reads a field of a record and is parsed before jump_label_init():
//   -D predicate=P     the inline function that reads it, without "()"
//   -D record=R        the variable, -D member=M its field: P() reads R.M
//   -D key=K           the name of the static key
//   -D init=I          the name of the initcall that raises it
// once in the header with P, once in the .c file that defines R, and in each
// .c file where P() is tested: a function that start_kernel() calls runs
// before the key is raised, and reads the field (those that are __init and
// not static do).
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual old

// --- with names: a variable ------------------------------------------------

@initialize:python depends on named@
@@
import re

def between(path, l0, c0, l1, c1):
	with open(path, errors="replace") as f:
		part = f.read().split("\n")[l0 - 1:l1]
	part[-1] = part[-1][:c1]
	return part[0][:c0], "\n".join([part[0][c0:]] + part[1:])

def width(line):
	return len(line.expandtabs(8))

def flow(head, e):
	"""What follows head, in 80 columns, aligned to where it is open."""
	if "/*" in e or "\n#" in e:
		return e
	e = re.sub(r"([(!]) ", r"\1", re.sub(r"\s*\n\s*", " ", e))
	opened, out, line = [width(head)], [], head
	for i, part in enumerate(re.split(r"(?<=[,;]) |(?<=&&) |(?<=\|\|) ", e)):
		if i and width(line + " " + part) < 80:
			line += " "
		elif i:
			out.append(line)
			line = "\t" * (opened[-1] >> 3) + " " * (opened[-1] & 7)
		for c in part:
			line += c
			if c == "(":
				opened.append(width(line))
			elif c == ")" and len(opened) > 1:
				opened.pop()
	return "\n".join(out + [line])[len(head):]

@wide depends on named && !old@
identifier virtual.flag;
expression e;
position p;
statement S1, S2;
@@
(
  if (\( e@p \& <+... flag ...+> \)) S1 else S2
|
  return \( e@p \& <+... flag ...+> \);
)

@script:python text@
p << wide.p;
flag << virtual.flag;
key << virtual.key;
condition;
@@
head, e = between(p[0].file, int(p[0].line), int(p[0].column),
		  int(p[0].line_end), int(p[0].column_end))
e = re.sub(r"\b%s\b" % flag, "static_branch_unlikely(&%s)" % key, e)
coccinelle.condition = flow(head, e)

@depends on named@
expression e;
position wide.p;
identifier text.condition;
@@
- e@p
+ condition

@depends on named && !old@
identifier virtual.flag;
identifier virtual.key;
declarer name DEFINE_STATIC_KEY_FALSE;
declarer name DECLARE_STATIC_KEY_FALSE;
attribute name __ro_after_init, __read_mostly;
typedef bool;
type T = {bool, int};
@@
(
- static T flag __ro_after_init;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- T flag __ro_after_init;
+ DEFINE_STATIC_KEY_FALSE(key);
|
- static T flag __read_mostly;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- T flag __read_mostly;
+ DEFINE_STATIC_KEY_FALSE(key);
|
- static T flag;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- static T flag = false;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- static T flag = 0;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- extern T flag;
+ DECLARE_STATIC_KEY_FALSE(key);
|
- T flag;
+ DEFINE_STATIC_KEY_FALSE(key);
|
- T flag = false;
+ DEFINE_STATIC_KEY_FALSE(key);
|
- T flag = 0;
+ DEFINE_STATIC_KEY_FALSE(key);
)

// without the option it is for good what it is
@depends on named && !old@
identifier virtual.flag;
identifier virtual.key;
declarer name DEFINE_STATIC_KEY_TRUE;
declarer name DEFINE_STATIC_KEY_FALSE;
@@
(
- #define flag 1
+ static DEFINE_STATIC_KEY_TRUE(key);
|
- #define flag 0
+ static DEFINE_STATIC_KEY_FALSE(key);
)

@depends on named && !old@
identifier virtual.flag;
identifier virtual.key;
@@
(
- flag = true
+ static_branch_enable(&key)
|
- flag = 1
+ static_branch_enable(&key)
|
- flag = false
+ static_branch_disable(&key)
|
- flag = 0
+ static_branch_disable(&key)
|
  &flag
|
  flag = ...
|
- flag
+ static_branch_unlikely(&key)
)

// --- with names: the field of old trees ------------------------------------

@reader depends on named && old@
identifier virtual.predicate;
identifier virtual.record;
identifier virtual.member;
identifier virtual.key;
@@
+ extern struct static_key key;
+
  static inline bool predicate(void)
  {
- 	if (record.member)
- 		return true;
- 	return false;
+ 	return static_key_false(&key);
  }

@included depends on named && reader@
@@
#include <linux/jump_label.h>

@depends on named && reader && !included@
@@
#include <linux/cgroup.h>
+ #include <linux/jump_label.h>

@depends on named && old@
identifier virtual.record;
identifier virtual.member;
identifier virtual.key;
identifier virtual.init;
type T;
initializer I;
declarer name early_initcall;
@@
  T record = I;
+
+ static int __init init(void)
+ {
+ 	if (record.member)
+ 		static_key_slow_inc(&key);
+ 	return 0;
+ }
+ early_initcall(init);

// exported as the record is
@plain depends on named && old@
identifier virtual.record;
identifier virtual.key;
declarer name EXPORT_SYMBOL;
@@
  EXPORT_SYMBOL(record);
+
+ struct static_key key = STATIC_KEY_INIT_FALSE;
+ EXPORT_SYMBOL(key);

@gpl depends on named && old@
identifier virtual.record;
identifier virtual.key;
declarer name EXPORT_SYMBOL_GPL;
@@
  EXPORT_SYMBOL_GPL(record);
+
+ struct static_key key = STATIC_KEY_INIT_FALSE;
+ EXPORT_SYMBOL_GPL(key);

@depends on named && old && !plain && !gpl@
identifier virtual.record;
identifier virtual.key;
type T;
initializer I;
@@
  T record = I;
+
+ struct static_key key = STATIC_KEY_INIT_FALSE;

@boot depends on named && old@
identifier virtual.predicate;
identifier f;
position p;
attribute name __init;
@@
 __init f@p(...) {
 	<+...
 	predicate()
 	...+>
 }

@module depends on named && old@
identifier boot.f;
position boot.p;
@@
 static f@p(...) { ... }

@depends on named && boot && !module@
identifier virtual.predicate;
identifier virtual.record;
identifier virtual.member;
identifier boot.f;
@@
 f(...) {
 	<...
- 	predicate()
+ 	record.member
 	...>
 }

// --- without names: what can only be set at boot ----------------------------

@flag depends on !named@
identifier v;
position p;
attribute name __ro_after_init;
@@
(
  static bool v@p __ro_after_init;
|
  bool v@p __ro_after_init;
)

@inside depends on !named@
identifier flag.v;
identifier f;
position q;
attribute name __init;
@@
 __init f(...) {
 	<...
 	v@q
 	...>
 }

@read depends on !named@
identifier flag.v;
position q != inside.q;
identifier f;
@@
 f(...) {
 	<+...
 	v@q
 	...+>
 }

// a parameter that is read by its address
@address depends on !named@
identifier flag.v;
position q;
@@
 &v@q

@script:python found@
v << flag.v;
p << flag.p;
q << read.q;
a << address.q = [];
name_of;
@@
if a:
	cocci.include_match(False)
coccinelle.name_of = v

@depends on context@
identifier found.name_of;
attribute name __ro_after_init;
@@
(
* static bool name_of __ro_after_init;
|
* bool name_of __ro_after_init;
)

@script:python depends on org@
p << flag.p;
v << found.name_of;
@@
coccilib.org.print_todo(p[0], "%s is final after boot: a static key is no load" % v)

@script:python depends on report@
p << flag.p;
v << found.name_of;
@@
coccilib.report.print_report(p[0], "%s is final after boot: a static key is no load" % v)

// others than static ones are read in files that are not seen here
@made depends on patch@
identifier found.name_of;
fresh identifier its_key = name_of ## "_key";
attribute name __ro_after_init;
declarer name DEFINE_STATIC_KEY_FALSE;
@@
- static bool name_of __ro_after_init;
+ static DEFINE_STATIC_KEY_FALSE(its_key);

@depends on patch@
identifier found.name_of;
identifier made.its_key;
@@
(
- name_of = true
+ static_branch_enable(&its_key)
|
- name_of = false
+ static_branch_disable(&its_key)
|
- name_of
+ static_branch_unlikely(&its_key)
)
