// SPDX-License-Identifier: GPL-2.0-only
/// Charge a page before a flag of it is written behind a barrier
///
/// Nobody can find the page before it is charged, so the barrier has nothing
/// to order yet, and what charging stores has to wait for it.
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function
//   -D write=W         what writes the flag: a statement "W(...);"
//   -D charge=C        what charges
// W(...) goes behind the next call of C and the test that leaves when that has
// failed. Without names a comment above it goes along.
//   -D into -D callee=G  behind the call of C in G, which F calls
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual into

// --- with names ------------------------------------------------------------

@depends on named && !into exists@
identifier virtual.fn;
identifier virtual.write;
identifier virtual.charge;
expression list ES;
expression e;
type T;
identifier x;
statement S;
@@
 fn(...) {
 ... when any
- write(ES);
  ... when != charge(...)
      when != write(...)
(
  if (<+... charge(...) ...+>) S
+ write(ES);
|
  e = <+... charge(...) ...+>;
  if (<+... e ...+>) S
+ write(ES);
|
  T x = <+... charge(...) ...+>;
  if (<+... x ...+>) S
+ write(ES);
)
  ... when any
 }

@out depends on into exists@
identifier virtual.fn;
identifier virtual.write;
identifier virtual.callee;
expression list ES;
@@
 fn(...) {
 ... when any
- write(ES);
  ... when != write(...)
  callee(...)
  ... when any
 }

@depends on out exists@
identifier virtual.callee;
identifier virtual.write;
identifier virtual.charge;
expression list out.ES;
expression e;
statement S;
@@
 callee(...) {
 ... when any
     when != charge(...)
(
  if (<+... charge(...) ...+>) S
+ write(ES);
|
  e = <+... charge(...) ...+>;
  if (<+... e ...+>) S
+ write(ES);
)
  ... when any
 }

// --- without names: in one block, with nothing but assignments between ------

@order depends on !named@
identifier write =~ "^(__)?(SetPageUptodate|folio_mark_uptodate)$";
identifier charge =~ "^mem_cgroup_((newpage_|cache_|try_)?charge|swapin_charge_(page|folio))$";
identifier x;
expression E, e;
statement S;
position p;
comments c;
@@
  write@c@p(E);
  ... when != if (...) S
      when != x(...)
(
  if (unlikely(charge(E, ...))) S
|
  if (unlikely(charge(page_folio(E), ...))) S
|
  e = charge(E, ...);
  if (unlikely(e)) S
|
  e = charge(page_folio(E), ...);
  if (unlikely(e)) S
)

// what is taken away takes the comment above it with it: it comes back in one
@script:python comment depends on patch@
write << order.write;
c << order.c;
p << order.p;
held;
@@
indent = "\n" + "\t" * int(p[0].column)
coccinelle.held = c[0].before + indent + write if c[0].before else write

@depends on patch@
identifier order.write, order.charge;
identifier comment.held;
expression order.E;
expression e;
statement order.S;
position order.p;
@@
- write@p(E);
  ...
(
  if (unlikely(<+... charge(...) ...+>)) S
+ held(E);
|
  e = <+... charge(...) ...+>;
  if (unlikely(e)) S
+ held(E);
)

@depends on context@
identifier order.write;
expression order.E;
position order.p;
@@
* write@p(E);

@script:python depends on org@
p << order.p;
charge << order.charge;
@@
coccilib.org.print_todo(p[0], "%s() comes after this flag write and its barrier, which orders nothing yet" % charge)

@script:python depends on report@
p << order.p;
charge << order.charge;
@@
coccilib.report.print_report(p[0], "%s() comes after this flag write and its barrier, which orders nothing yet" % charge)
