// SPDX-License-Identifier: GPL-2.0-only
/// Do not start work for a feature that is off
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function that makes the call
//   -D callee=C        the function called
//   -D predicate=P     what is tested, without "()"
// "C(...);" in F becomes "if (!P()) C(...);", and "if (x) C(...);" becomes
// "if (x && !P()) C(...);".
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@settled depends on named disable neg_if, drop_else@
identifier virtual.fn;
identifier virtual.callee;
identifier virtual.predicate;
expression E;
statement S;
position p;
@@
  fn(...) {
  <...
(
  if (<+... !predicate() ...+>) callee@p(...);
|
  if (E) callee@p(...); else S
)
  ...>
  }

@depends on named@
identifier virtual.fn;
identifier virtual.callee;
identifier virtual.predicate;
expression E, E1, E2;
position p != settled.p;
@@
  fn(...) {
  <...
(
  if (
- E1 || E2
+ (E1 || E2) && !predicate()
  ) callee@p(...);
|
  if (
- E
+ E && !predicate()
  ) callee@p(...);
)
  ...>
  }

// an else that would hang stays as it is
@made depends on named disable neg_if, drop_else@
identifier virtual.fn;
identifier virtual.callee;
identifier virtual.predicate;
expression E;
statement S;
position p;
@@
  fn(...) {
  <...
(
  if (<+... !predicate() ...+>) callee@p(...);
|
  if (E) callee@p(...); else S
)
  ...>
  }

@depends on named@
identifier virtual.fn;
identifier virtual.callee;
identifier virtual.predicate;
expression list es;
position p != made.p;
@@
  fn(...) {
  <...
- callee@p(es);
+ if (!predicate())
+ 	callee(es);
  ...>
  }

// --- without names: work of a callback that runs for the root group, off or on

@callback depends on !named@
identifier ops, f;
@@
 struct cgroup_subsys ops = {
 	.css_online = f,
 };

@safe@
identifier callback.f;
position q;
@@
 f(...) {
 	<...
(
 	if (<+... !mem_cgroup_disabled() ...+>) {
 		<...
 		\(queue_delayed_work@q\|schedule_delayed_work@q\)(...);
 		...>
 	}
)
 	...>
 }

@starts@
identifier callback.f;
identifier work = { queue_delayed_work, schedule_delayed_work };
position p != safe.q;
@@
 f(...) {
 	<...
 	work@p(...);
 	...>
 }

@bare depends on patch@
identifier starts.work;
position starts.p;
position q;
expression E;
@@
 if (E) work@p@q(...);

@depends on patch@
identifier starts.work;
position starts.p;
position q != bare.q;
expression E, E1, E2;
expression list es;
@@
(
  if (
- E1 || E2
+ (E1 || E2) && !mem_cgroup_disabled()
  ) work@p(...);
|
  if (
- E
+ E && !mem_cgroup_disabled()
  ) work@p(...);
|
- work@p@q(es);
+ if (!mem_cgroup_disabled())
+ 	work(es);
)

@depends on context@
identifier starts.work;
position starts.p;
@@
* work@p(...);

@script:python depends on org@
p << starts.p;
f << callback.f;
@@
coccilib.org.print_todo(p[0], "%s() runs with the feature off as well" % f)

@script:python depends on report@
p << starts.p;
f << callback.f;
@@
coccilib.report.print_report(p[0], "%s() runs with the feature off as well" % f)

// only the memory controller asks for the owner that this looks for
@owner depends on !named && !patch@
position p;
@@
* mm_update_next_owner@p(...);

@script:python depends on org@
p << owner.p;
@@
coccilib.org.print_todo(p[0], "the search for an owner that nobody asks for when the feature is off")

@script:python depends on report@
p << owner.p;
@@
coccilib.report.print_report(p[0], "the search for an owner that nobody asks for when the feature is off")
