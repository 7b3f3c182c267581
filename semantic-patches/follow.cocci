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

@script:python callee@
w << tester.w;
q << tester.q;
name_of;
@@
if q[0].file.endswith(".h"):
	cocci.include_match(False)
coccinelle.name_of = w

@under@
identifier wrapper.w;
expression E;
statement S;
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

@after@
identifier wrapper.w;
identifier f;
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

@below@
identifier callee.name_of;
identifier f;
statement S;
position p;
@@
 f(...) {
 	... when != S
 	if (mem_cgroup_disabled()) return ...;
 	<+...
 	name_of@p(...)
 	...+>
 }

// a wrapper in a header is there to test
@script:python@
p << below.p;
@@
if p[0].file.endswith(".h"):
	cocci.include_match(False)

@depends on patch@
identifier wrapper.w, wrapper.inner;
position under.p;
expression list es;
@@
- w@p(es)
+ inner(es)

@depends on context@
identifier wrapper.w;
position under.p;
@@
* w@p(...)

@depends on context@
identifier callee.name_of;
position below.p;
@@
* name_of@p(...)

@script:python depends on org@
p << under.p;
w << wrapper.w;
@@
coccilib.org.print_todo(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on report@
p << under.p;
w << wrapper.w;
@@
coccilib.report.print_report(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on org@
p << after.p;
w << wrapper.w;
@@
coccilib.org.print_todo(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on report@
p << after.p;
w << wrapper.w;
@@
coccilib.report.print_report(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on org@
p << below.p;
w << callee.name_of;
@@
coccilib.org.print_todo(p[0], "%s() tests again whether the feature is off" % w)

@script:python depends on report@
p << below.p;
w << callee.name_of;
@@
coccilib.report.print_report(p[0], "%s() tests again whether the feature is off" % w)
