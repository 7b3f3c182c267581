// SPDX-License-Identifier: GPL-2.0-only
/// Call what does the work where the test has been made
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D caller=G        the function that makes the calls
//   -D fn=F            what it calls, an inline wrapper that makes a test
//   -D inner=I         what it shall call, the function behind the wrapper
//
// With names no header has to be read, and the first line of options is all
// that counts; coccicheck takes both.
//
// Options: --no-includes --include-headers
// Options: --all-includes

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@depends on named@
identifier virtual.caller;
identifier virtual.fn;
identifier virtual.inner;
expression list es;
@@
  caller(...) {
  <...
- fn(es)
+ inner(es)
  ...>
  }

// --- without names: what was tested is tested again -------------------------
// spatch reads a header once a run, with the first file that includes it: what
// was seen in one is kept for the files that follow.

@initialize:python depends on !named@
@@
behind = {}	# what a wrapper calls
testers = set()	# others that test first

@wrapper depends on !named@
identifier w, inner;
@@
 w(...) {
 	if (mem_cgroup_disabled()) return ...;
(
 	return inner(...);
|
 	inner(...);
)
 }

@script:python@
w << wrapper.w;
inner << wrapper.inner;
@@
behind[w] = inner

// outside of headers any function counts that tests first
@tester depends on !named@
identifier w;
statement S;
position q;
@@
 w@q(...) {
 	... when != S
 	if (mem_cgroup_disabled()) return ...;
 	... when any
 }

@script:python@
w << tester.w;
q << tester.q;
@@
if not q[0].file.endswith(".h"):
	testers.add(w)

@under depends on !named@
identifier w;
expression E;
position p;
@@
(
 if (!mem_cgroup_disabled()) { <+... w@p(...) ...+> }
|
 if (!mem_cgroup_disabled() && E) { <+... w@p(...) ...+> }
|
 if (!mem_cgroup_disabled()) w@p(...);
|
 if (!mem_cgroup_disabled() && E) w@p(...);
)

@after depends on !named@
identifier f, w;
statement S;
position p;
@@
 f(...) {
 	... when != S
 	if (mem_cgroup_disabled()) return ...;
 	<+...
 	w@p(...)
 	...+>
 }

@script:python again@
w << under.w;
p << under.p;
name_of;
inner;
@@
coccinelle.name_of = w if w in behind or w in testers else "_"
coccinelle.inner = behind.get(w, w)

// a wrapper in a header is there to test
@script:python later@
w << after.w;
p << after.p;
name_of;
@@
known = (w in behind or w in testers) and not p[0].file.endswith(".h")
coccinelle.name_of = w if known else "_"

@depends on patch@
identifier again.name_of;
identifier again.inner;
position under.p;
expression list es;
@@
- name_of@p(es)
+ inner(es)

@depends on context@
identifier again.name_of;
position under.p;
@@
* name_of@p(...)

@depends on context@
identifier later.name_of;
position after.p;
@@
* name_of@p(...)

@script:python depends on org@
p << under.p;
w << again.name_of;
@@
if w != "_":
	coccilib.org.print_todo(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on report@
p << under.p;
w << again.name_of;
@@
if w != "_":
	coccilib.report.print_report(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on org@
p << after.p;
w << later.name_of;
@@
if w != "_":
	coccilib.org.print_todo(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on report@
p << after.p;
w << later.name_of;
@@
if w != "_":
	coccilib.report.print_report(p[0], "%s() tests again whether the feature is off" % w)
