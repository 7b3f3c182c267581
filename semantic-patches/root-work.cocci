// SPDX-License-Identifier: GPL-2.0-only
/// Do nothing for the root group about limits that mean nothing there
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function, which returns nothing
//   -D group=G         its parameter that points to the group
//   -D test=T          what says of a group that it is root
// "if (T(G)) return;" goes below the declarations.
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@initialize:python depends on named@
@@
def line_above(path, line):
	"""The last line above it that is no comment."""
	with open(path, errors="replace") as f:
		lines = f.read().split("\n")[:line - 1]
	while lines and lines[-1].lstrip().startswith(("/*", "*", "//")):
		lines.pop()
	return lines[-1].strip() if lines else ""

@top depends on named@
identifier virtual.fn;
declaration D;
statement S, S1;
position p;
@@
 fn(...) {
 	... when != S
 	    when any
 	D
 	S1@p
 	... when any
 }

@script:python text depends on named@
p << top.p = [];
fn << virtual.fn;
below;
first;
gap;
@@
coccinelle.below = fn if p else "_"
coccinelle.first = "_" if p else fn
coccinelle.gap = fn if p and line_above(p[0].file, int(p[0].line)) else "_"

@depends on named@
identifier text.below;
identifier virtual.group;
identifier virtual.test;
declaration D;
statement S, S1;
@@
 below(...) {
 	... when != S
 	    when any
 	D
+
+ 	if (test(group))
+ 		return;
 	S1
 	... when any
 }

@depends on named@
identifier text.gap;
identifier virtual.group;
identifier virtual.test;
declaration D;
@@
 gap(...) {
 	... when any
 	D
 	if (test(group)) return;
+
 	... when any
 }

@alone depends on named@
identifier text.first;
identifier virtual.group;
identifier virtual.test;
@@
 first(...) {
+ 	if (test(group))
+ 		return;
 	...
 }

@depends on alone@
identifier text.first;
identifier virtual.group;
identifier virtual.test;
@@
 first(...) {
 	if (test(group)) return;
+
 	...
 }

// --- without names: soft limits on the way up to root -----------------------

@walks depends on !named@
identifier f, memcg;
position p;
statement S;
@@
 void f@p(..., struct mem_cgroup *memcg, ...) {
 	... when != mem_cgroup_is_root(memcg)
 	for (; memcg; memcg = parent_mem_cgroup(memcg)) S
 	... when any
 }

@loop@
identifier walks.f, walks.memcg;
identifier excess =~ "soft_limit_excess$";
position q;
@@
 f(...) {
 	<...
 	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
 		<+...
 		excess@q(...)
 		...+>
 	}
 	...>
 }

// what is tested elsewhere is not tested again by the groups below
@elsewhere@
identifier walks.f;
identifier excess =~ "soft_limit_excess$";
position r != loop.q;
@@
 f(...) {
 	<+...
 	excess@r(...)
 	...+>
 }

@script:python chosen@
f << walks.f;
q << loop.q;
r << elsewhere.r = [];
only;
@@
if r:
	cocci.include_match(False)
coccinelle.only = f

@depends on patch@
identifier chosen.only, walks.memcg;
declaration D;
statement S, S1;
@@
 only(...) {
 	... when != S
 	    when any
 	D
+
+ 	if (mem_cgroup_is_root(memcg))
+ 		return;
 	S1
 	... when any
 }

@depends on context@
identifier chosen.only;
position walks.p;
@@
* only@p(...)
  { ... }

@script:python depends on org@
p << walks.p;
f << chosen.only;
@@
coccilib.org.print_todo(p[0], "%s() tests the soft limit of the root group, which means nothing" % f)

@script:python depends on report@
p << walks.p;
f << chosen.only;
@@
coccilib.report.print_report(p[0], "%s() tests the soft limit of the root group, which means nothing" % f)
