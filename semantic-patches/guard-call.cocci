// SPDX-License-Identifier: GPL-2.0-only
/// Do not start work for a feature that is off
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function that makes the call
//   -D callee=C        the function called
//   -D predicate=P     what is tested, without "()"
// "C(...);" in F becomes "if (!P()) C(...);".
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@depends on named@
identifier virtual.fn;
identifier virtual.callee;
identifier virtual.predicate;
expression list es;
@@
  fn(...) {
  <...
- callee(es);
+ if (!predicate())
+ 	callee(es);
  ...>
  }
