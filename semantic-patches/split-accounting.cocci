// SPDX-License-Identifier: GPL-2.0-only
/// Leave a flag and its statistics to the helper that keeps both
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function that does both by itself
//   -D flag=C          what changes the flag there, once
//   -D helper=H        what has the same statements and takes the object
// The "if" with C(object) becomes H(object). With -D tail as well, all from
// there to the end of F becomes "return H(object);".
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual tail

// --- with names ---------------------------------------------------------------

@depends on named && !tail disable neg_if, drop_else@
identifier virtual.fn, virtual.flag, virtual.helper;
expression E, X;
statement S;
@@
  fn(...) {
  <...
(
- if (\(flag(E)\|!flag(E)\)) S
+ helper(E);
|
- if (X && \(flag(E)\|!flag(E)\)) S
+ if (X)
+ 	helper(E);
)
  ...>
  }

@depends on named && tail exists@
identifier virtual.fn, virtual.flag, virtual.helper;
expression E;
statement S;
@@
  fn(...) {
  ... when any
- if (\(flag(E)\|!flag(E)\)) S
- ... when any
+ return helper(E);
  }

// what nothing uses any more
@depends on named@
identifier virtual.fn;
identifier x;
type T;
@@
  fn(...) {
  ... when != x
- T x;
  ... when != x
  }

@depends on named@
identifier virtual.fn;
identifier x, f;
type T;
expression E;
@@
  fn(...) {
  ... when != x
- T x = E->f;
  ... when != x
  }

// --- without names: a helper in the same file has the same statements ----------

@helper depends on !named@
identifier do_both, object;
identifier flag = { TestSetPageDirty, TestClearPageDirty,
		    folio_test_set_dirty, folio_test_clear_dirty };
identifier counts = { account_page_dirtied, account_page_cleaned,
		      folio_account_dirtied, folio_account_cleaned };
type T;
position p;
@@
  void do_both(T *object)
  {
  	if (\(flag@p(object)\|!flag@p(object)\))
  		counts(object, object->mapping);
  }

@again depends on helper disable neg_if, drop_else@
identifier helper.flag, helper.counts;
expression E, X;
position p != helper.p;
@@
(
  if (\(flag@p(E)\|!flag@p(E)\))
  	counts(E, E->mapping);
|
  if (X && \(flag@p(E)\|!flag@p(E)\))
  	counts(E, E->mapping);
)

@depends on patch disable neg_if, drop_else@
identifier helper.do_both, helper.flag, helper.counts;
expression E, X;
position again.p;
@@
(
- if (\(flag@p(E)\|!flag@p(E)\))
- 	counts(E, E->mapping);
+ do_both(E);
|
- if (X && \(flag@p(E)\|!flag@p(E)\))
- 	counts(E, E->mapping);
+ if (X)
+ 	do_both(E);
)

@depends on context@
identifier helper.flag;
position again.p;
@@
* flag@p(...)

@script:python depends on org@
p << again.p;
h << helper.do_both;
@@
coccilib.org.print_todo(p[0], "%s() does the same, flag and statistics" % h)

@script:python depends on report@
p << again.p;
h << helper.do_both;
@@
coccilib.report.print_report(p[0], "%s() does the same, flag and statistics" % h)
