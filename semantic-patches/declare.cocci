// SPDX-License-Identifier: GPL-2.0-only
/// Declare a static key that another header declares, too
///
// Confidence: High
//
// For a header that cannot include the one that declares it. <ANCHOR> is what
// the header includes last, and is filled in by whoever runs this, as nocharge
// does with "-D anchor=..."; the key's name comes with "-D key=...".
//
// Options: --no-includes --include-headers

virtual patch
virtual named

@depends on named || patch@
identifier virtual.key;
declarer name DECLARE_STATIC_KEY_TRUE;
@@
 #include <ANCHOR>
+
+DECLARE_STATIC_KEY_TRUE(key);
