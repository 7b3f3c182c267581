// SPDX-License-Identifier: GPL-2.0-only
/// Include one header more, behind one that is included already
///
// Confidence: High
//
// A metavariable cannot stand for a header's name. Whoever runs this replaces
// <ANCHOR> by what is included and <HEADER> by what is to be, as nocharge does
// with "-D anchor=..." and "-D header=...".
//
// Options: --no-includes --include-headers

virtual patch
virtual named

@depends on named || patch@
@@
 #include <ANCHOR>
+#include <HEADER>
