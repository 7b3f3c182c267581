// SPDX-License-Identifier: GPL-2.0-only
/// Let a controller be off from the start where an option says so
///
// Confidence: High
//
// With names (-D named) and a form, of how the tree has the state:
//   -D in_record       as a field of the controller's record, which is set
//                      where that is defined
//   -D in_mask         as a bit of a mask that the function B of the boot
//                      parameter sets and boot reads: it is set from the start
//   -D in_key          as a static key that B lowers: lowered by a function of
//                      its own, which is called when keys can be switched and
//                      no parameter has been read. Once in the file of B
//                      and once where the command line is parsed.
// with
//   -D option=O        CONFIG_..., y for off
//   -D both=B          the function of the boot parameters
//   -D record=R -D member=F -D id=I -D init=G -D controller=N
//                      the record and its field, its index in masks, the new
//                      function and the controller's name, where the form
//                      needs them
//   -D parse=P         what is called when parameters are to be read
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual in_record
virtual in_mask
virtual in_key

// --- with names: a field ----------------------------------------------------

@depends on named && in_record@
identifier virtual.record;
identifier virtual.member;
identifier virtual.option;
type T;
@@
 T record = {
+	.member = IS_ENABLED(option),
 	...
 };

// --- with names: a mask -----------------------------------------------------

@bits depends on named && in_mask@
identifier virtual.both;
identifier m;
expression B;
@@
 both(...) {
 	<+...
 	m |= B;
 	...+>
 }

@early depends on named && in_mask@
identifier bits.m;
identifier virtual.id;
type T;
attribute name __initdata;
@@
+ #ifdef <=OPTION>
+ static T m __initdata = 1 << id;
+ #else
 static T m __initdata;
+ #endif

@depends on named && in_mask && !early@
identifier bits.m;
identifier virtual.id;
type T;
@@
+ #ifdef <=OPTION>
+ static T m = 1 << id;
+ #else
 static T m;
+ #endif

// --- with names: a static key -----------------------------------------------

@asked depends on named && in_key@
identifier virtual.both;
identifier on;
identifier f;
@@
 f(...) {
 	return both(on, true);
 }

@script:python quoted depends on asked@
controller << virtual.controller;
text;
@@
coccinelle.text = '"%s"' % controller

@depends on asked@
identifier asked.f;
identifier virtual.both;
identifier virtual.option;
identifier virtual.init;
identifier quoted.text;
expression S;
declarer name __setup;
@@
 __setup(S, f);
+ /* Called before the command line is parsed, which has the last word. */
+ void __init init(void)
+ {
+ 	char off[] = text;
+
+ 	if (IS_ENABLED(option))
+ 		both(off, false);
+ }

@depends on named && in_key@
identifier virtual.init;
identifier virtual.parse;
@@
 start_kernel(...) {
 	...
+ 	init();
 	parse();
 	...
 }
