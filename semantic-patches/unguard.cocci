// SPDX-License-Identifier: GPL-2.0-only
/// Do not test again what every caller has tested
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function
//   -D predicate=P     what is tested, without "()"
// Each test of P() in F goes, as if it were false. Left alone: assertions
// (VM_BUG_ON and the like), P() as a value, a block with declarations of its
// own that would have to lose its braces.
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@depends on named disable neg_if, ne_if, drop_else@
identifier virtual.fn;
identifier virtual.predicate;
expression E;
statement S, S1;
@@
  fn(...) {
  <...
(
  if (E) S
- else if (unlikely(predicate())) S1
|
  if (E) S
  else
- if (unlikely(!predicate()))
  S1
)
  ...>
  }

@depends on named disable neg_if, ne_if, drop_else@
identifier virtual.fn;
identifier virtual.predicate;
expression E;
identifier f;
statement S1, S2;
statement list SL;
declaration D;
@@
  fn(...) {
  <...
(
  if (unlikely(!predicate())) {
  	D
  	...
  }
|
  if (unlikely(predicate())) S1 else {
  	D
  	...
  }
|
  if (unlikely(<+... f(...) ...+> && predicate())) S1
|
- if (unlikely(predicate())) S1 else {
  SL
- }
|
- if (unlikely(predicate())) S1 else
  S2
|
- if (unlikely(predicate())) S1
|
- if (unlikely(predicate() && E)) S1
|
- if (unlikely(E && predicate())) S1
|
- if (unlikely(!predicate())) {
  SL
- }
|
- if (unlikely(!predicate()))
  S1
)
  ...>
  }

@depends on named@
identifier virtual.fn;
identifier virtual.predicate;
identifier assert =~ "^(VM_)?(BUG|WARN)(_ON)?";
expression E, E1, E2;
@@
  fn(...) {
  <...
(
  assert(...)
|
- (unlikely(predicate())) || (E)
+ E
|
- (unlikely(predicate())) || E
+ E
|
- E || (unlikely(predicate()))
+ E
|
- (unlikely(!predicate())) && E
+ E
|
- E && (unlikely(!predicate()))
+ E
|
- (unlikely(predicate())) ? E1 : E2
+ E2
|
- (unlikely(!predicate())) ? E1 : E2
+ E1
)
  ...>
  }

// nothing jumps there any more
@label depends on named@
identifier virtual.fn;
identifier l;
position p;
@@
  fn(...) {
  ... when any
l:@p
  ... when any
  }

@used depends on label@
identifier virtual.fn;
identifier label.l;
position q;
@@
  fn(...) {
  <+...
  goto l;@q
  ...+>
  }

@script:python unused depends on label@
l << label.l;
q << used.q = [];
gone;
@@
if q:
	cocci.include_match(False)
coccinelle.gone = l

@depends on named@
identifier virtual.fn;
identifier unused.gone;
@@
  fn(...) {
  ... when any
- gone:
  ... when any
  }

// --- without names: a second test that holds in the off state ---------------
// A controller that is off stays on the default hierarchy.

@implied depends on !named@
identifier f;
expression E;
@@
 f(...) {
(
 	return !cgroup_subsys_on_dfl(...);
|
 	return !cgroup_subsys_on_dfl(...) && E;
)
 }

@depends on patch@
identifier implied.f;
@@
- !mem_cgroup_disabled() &&
  f(...)

@twice depends on !named && !patch@
identifier implied.f;
position p;
@@
* !mem_cgroup_disabled() && f@p(...)

@script:python depends on org@
p << twice.p;
f << implied.f;
@@
coccilib.org.print_todo(p[0], "%s() is false when the feature is off: the test before it says nothing new" % f)

@script:python depends on report@
p << twice.p;
f << implied.f;
@@
coccilib.report.print_report(p[0], "%s() is false when the feature is off: the test before it says nothing new" % f)
