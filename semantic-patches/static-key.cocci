// SPDX-License-Identifier: GPL-2.0-only
/// Make a flag that is set once at boot a static key
///
// Confidence: Moderate
//
// With names (-D named), in each file that has the flag, headers included:
//   -D flag=V          the variable
//   -D key=K           the name of its static key
// The flag's definition, declarations, writers and readers become the key's.
// A use that is neither (its address, a value that is computed) stays, and
// no longer compiles: look for them first. Writers have to run after
// jump_label_init(): so do __setup() handlers since 4.20 or so, early_param()
// handlers do not on each architecture.
//
// With names in the form of old trees (-D named -D old), where the predicate
// reads a field of a record and is parsed before jump_label_init():
//   -D predicate=P     the inline function that reads it, without "()"
//   -D record=R        the variable, -D field=F its field: P() reads R.F
//   -D key=K           the name of the static key
//   -D init=I          the name of the initcall that raises it
// once in the header with P, once in the .c file that defines R, and in each
// .c file where P() is tested: a function that start_kernel() calls runs
// before the key is raised, and reads the field (those that are __init and
// not static do).
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual old

// --- with names: a variable ------------------------------------------------

@decl depends on named && !old@
identifier virtual.flag;
identifier virtual.key;
declarer name DEFINE_STATIC_KEY_FALSE, DEFINE_STATIC_KEY_TRUE;
declarer name DECLARE_STATIC_KEY_FALSE;
@@
(
- static bool flag;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- static bool flag = false;
+ static DEFINE_STATIC_KEY_FALSE(key);
|
- static bool flag = true;
+ static DEFINE_STATIC_KEY_TRUE(key);
|
- extern bool flag;
+ DECLARE_STATIC_KEY_FALSE(key);
|
- bool flag;
+ DEFINE_STATIC_KEY_FALSE(key);
)

@depends on named && !old@
identifier virtual.flag;
identifier virtual.key;
@@
(
- flag = true
+ static_branch_enable(&key)
|
- flag = false
+ static_branch_disable(&key)
|
  &flag
|
  flag = ...
|
- flag
+ static_branch_unlikely(&key)
)
