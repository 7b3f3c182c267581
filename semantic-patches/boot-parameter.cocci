// SPDX-License-Identifier: GPL-2.0-only
/// Have a boot parameter that switches on what another switches off
///
// Confidence: High
//
// With names (-D named), in the file that has the parameter's function:
//   -D fn=F            the function that a __setup() names
//   -D both=B          what it is called when it does both
//   -D other=O         the function of the new parameter, "O="
//   -D on=V            the name of what says which of them it is
// Static keys that are lowered are raised then, bits that are set are
// cleared, and a flag "disabled" is what is said. The last one on the command
// line wins, because each is done as it is read.
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@told depends on named@
identifier virtual.fn;
identifier print;
expression S, e;
position p;
@@
 fn(...) {
 	<+...
 	print@p(S, e)
 	...+>
 }

@script:python said depends on named@
S << told.S;
both_words;
@@
if "Disabling %s" not in S:
	cocci.include_match(False)
coccinelle.both_words = S.replace("Disabling %s", "%s %s").replace('" "', "")

@depends on named@
identifier told.print;
expression told.S, told.e;
position told.p;
identifier virtual.on;
identifier said.both_words;
@@
- print@p(S, e)
+ print(both_words, on ? "Enabling" : "Disabling", e)

@depends on named@
identifier virtual.fn;
identifier virtual.on;
expression K, M, B, f;
@@
 fn(...) {
 	<+...
(
- 	static_branch_disable(K);
+ 	if (on)
+ 		static_branch_enable(K);
+ 	else
+ 		static_branch_disable(K);
|
- 	M |= B;
+ 	if (on)
+ 		M &= ~(B);
+ 	else
+ 		M |= B;
|
- 	f->disabled = 1;
+ 	f->disabled = !on;
)
 	...+>
 }

@asked depends on named@
identifier virtual.fn;
expression S;
declarer name __setup;
@@
 __setup(S, fn);

@script:python quoted depends on asked@
other << virtual.other;
text;
@@
coccinelle.text = '"%s="' % other

@depends on named@
identifier virtual.fn;
identifier virtual.other;
identifier virtual.both;
identifier quoted.text;
expression asked.S;
declarer name __setup;
@@
 __setup(S, fn);
+
+ static int __init other(char *str)
+ {
+ 	return both(str, true);
+ }
+ __setup(text, other);

@depends on asked@
identifier virtual.fn;
identifier virtual.both;
identifier virtual.on;
identifier str;
@@
- fn
+ both
  (char *str
+  , bool on
  ) {
 	...
  }
+
+ static int __init fn(char *str)
+ {
+ 	return both(str, false);
+ }
