// SPDX-License-Identifier: GPL-2.0-only
/// Do not work out one side of a comparison when the other has been decided
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function that compares
//   -D side=C          the function that tests by itself, on one side
//   -D predicate=P     what is tested, without "()"
//   -D differ          the sides differ when the feature is off: they are
//                      equal otherwise
// "C(...) == x" in F becomes "P() || C(...) == x", with -D differ
// "!P() && C(...) == x".
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual differ

// --- with names ------------------------------------------------------------

@depends on named && !differ@
identifier virtual.fn;
identifier virtual.side;
identifier virtual.predicate;
expression E;
expression list es;
@@
  fn(...) {
  <...
(
- side(es) == E
+ (predicate() || side(es) == E)
|
- E == side(es)
+ (predicate() || E == side(es))
|
- side(es) != E
+ (!predicate() && side(es) != E)
|
- E != side(es)
+ (!predicate() && E != side(es))
)
  ...>
  }

@depends on named && differ@
identifier virtual.fn;
identifier virtual.side;
identifier virtual.predicate;
expression E;
expression list es;
@@
  fn(...) {
  <...
(
- side(es) != E
+ (predicate() || side(es) != E)
|
- E != side(es)
+ (predicate() || E != side(es))
|
- side(es) == E
+ (!predicate() && side(es) == E)
|
- E == side(es)
+ (!predicate() && E == side(es))
)
  ...>
  }

// a whole condition, and what is returned, needs no parentheses
@depends on named@
identifier virtual.fn;
identifier virtual.predicate;
expression E;
statement S;
@@
  fn(...) {
  <...
(
  return
- (predicate() || E)
+ predicate() || E
  ;
|
  return
- (!predicate() && E)
+ !predicate() && E
  ;
|
  if (
- (predicate() || E)
+ predicate() || E
  ) S
|
  if (
- (!predicate() && E)
+ !predicate() && E
  ) S
)
  ...>
  }

// --- without names: the group of an LRU list, which is NULL when off

@settled depends on !named@
expression l, x;
position p;
@@
(
  mem_cgroup_disabled() || lruvec_memcg(l) ==@p x
|
  !mem_cgroup_disabled() && lruvec_memcg(l) !=@p x
)

@asked depends on !named@
expression l, x;
identifier of = { folio_memcg, page_memcg };
position p != settled.p;
@@
(
  lruvec_memcg(l) ==@p of(x)
|
  lruvec_memcg(l) !=@p of(x)
)

@depends on patch && !named@
expression l;
expression x;
position asked.p;
@@
(
- lruvec_memcg(l) ==@p x
+ (mem_cgroup_disabled() || lruvec_memcg(l) == x)
|
- lruvec_memcg(l) !=@p x
+ (!mem_cgroup_disabled() && lruvec_memcg(l) != x)
)

@depends on patch && !named@
expression E;
@@
(
  return
- (mem_cgroup_disabled() || E)
+ mem_cgroup_disabled() || E
  ;
|
  return
- (!mem_cgroup_disabled() && E)
+ !mem_cgroup_disabled() && E
  ;
)

@depends on context && !named@
expression l, x;
position asked.p;
@@
(
* lruvec_memcg(l) ==@p x
|
* lruvec_memcg(l) !=@p x
)

@script:python depends on org@
p << asked.p;
@@
coccilib.org.print_todo(p[0], "the group of an object is loaded to be compared with NULL when the feature is off")

@script:python depends on report@
p << asked.p;
@@
coccilib.report.print_report(p[0], "the group of an object is loaded to be compared with NULL when the feature is off")
