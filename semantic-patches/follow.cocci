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
// Options: --no-includes --include-headers

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
