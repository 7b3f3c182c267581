// SPDX-License-Identifier: GPL-2.0-only
/// Declare what stands further down, or in a header that cannot be included
///
// Confidence: High
//
// <ANCHOR> is what the file includes last; a metavariable cannot stand for it,
// so that whoever runs this fills it in, as nocharge does with
// "-D anchor=...". The declaration comes with "-D text=...", without its ';'.
//
// Options: --no-includes --include-headers

virtual patch
virtual named

@depends on named || patch@
identifier virtual.text;
@@
 #include <ANCHOR>
+
+text;
