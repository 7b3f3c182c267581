// SPDX-License-Identifier: GPL-2.0-only
/// Test the predicate in an inline wrapper, not behind a call
///
// Confidence: Moderate
//
// With names (-D named), first in the header and then in the .c file:
//   -D fn=F            the public function
//   -D inner=I         the new name of the function out of line
//   -D predicate=P     what is tested, without "()"
//   -D leave=TEXT      "return", "return 0": raw, no ';'
//   -D work=TEXT       optional: raw statements that run before it leaves,
//                      without the last ';'; lines after the first start
//                      with two tabs
//   -D call=TEXT       "return I(page, gfp)" or "I(page, gfp)": raw, no ';'
// Header: the prototype becomes I's, the inline wrapper F stands below it.
// Where it has no names for its parameters, or others, they are the call's.
// .c: the definition and its export get the name I, tests of P in it go.
//
// Without names MODE=patch changes a header too, which spatch reads once a run,
// with the first file that includes it: run it on one file at a time, with
// make C=2 CHECK=scripts/coccicheck or spatch itself.
//
// With names no header has to be read, and the first line of options is all
// that counts; coccicheck takes both.
//
// Options: --no-includes --include-headers
// Options: --all-includes

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names: the header ------------------------------------------------

@initialize:python@
@@
import re

def width(line):
	return len(line.expandtabs(8))

def flow(head, e):
	"""What follows head, in 80 columns, aligned to where it is open."""
	if "/*" in e or "\n#" in e:
		return e
	e = re.sub(r"([(!]) ", r"\1", re.sub(r"\s*\n\s*", " ", e))
	opened, out, line = [width(head)], [], head
	for i, part in enumerate(re.split(r"(?<=[,;]) |(?<=&&) |(?<=\|\|) ", e)):
		if i and width(line + " " + part) < 80:
			line += " "
		elif i:
			out.append(line)
			line = "\t" * (opened[-1] >> 3) + " " * (opened[-1] & 7)
		for c in part:
			line += c
			if c == "(":
				opened.append(width(line))
			elif c == ")" and len(opened) > 1:
				opened.pop()
	return "\n".join(out + [line])[len(head):]

def typed(part):
	"""A parameter's type, ready for its name, and the name if it has one."""
	m = re.match(r"\s*((?:.*[\s*])?)(\w+)\s*$", part)
	if not m or not m[1].strip() or m[2] in ("int", "long", "char", "bool", "short") or \
	   re.match(r"\s*(const )?(struct|enum|union) \w+\s*$", part):
		part = part.strip()
		return part + " " * (not part.endswith("*")), ""
	return re.sub(r"\*\s+", "*", m[1]), m[2]

def annotation(place):
	"""What stands between the parameters and the ';' of a prototype."""
	with open(place.file, errors="replace") as f:
		rest = f.read().split("\n")[int(place.line_end) - 1:][:10]
	rest[0] = rest[0][int(place.column_end):]
	return re.sub(r"\s+", " ", "\n".join(rest).split(";")[0]).strip()

def below(place):
	"""Does more code stand on the next line?"""
	with open(place.file, errors="replace") as f:
		line = f.read().split("\n")[int(place.line_end):][:1]
	return line and line[0].strip() and not line[0].startswith("#e")

@proto depends on named@
identifier virtual.fn;
type T;
parameter list PL;
position p;
@@
 T fn(PL)@p;

// what stands behind the parameters, such as __releases(), for all that follows
@script:python annotated@
p << proto.p;
fn << virtual.fn;
behind;
@@
coccinelle.behind = fn if annotation(p[0]) else "_"

// an extern or what stood behind on a line of its own
@depends on named@
identifier annotated.behind;
type proto.T;
parameter list proto.PL;
@@
- T behind(PL);
+ T behind(PL);

// no prototype needs it
@depends on named@
identifier virtual.fn;
type proto.T;
parameter list proto.PL;
@@
- extern
  T fn(PL);

@wrap depends on named@
identifier virtual.fn;
identifier virtual.inner;
type proto.T;
parameter list proto.PL;
@@
- T fn(PL);
+ T inner(PL);
+
+ static inline T fn(PL)
+ {
+ 	inner();
+ }

// the names that the call has are those of the definition
@script:python text@
p << proto.p;
T << proto.T;
PL << proto.PL;
fn << virtual.fn;
inner << virtual.inner;
leave << virtual.leave;
work << virtual.work = "";
call << virtual.call;
bare;
block;
body;
tail;
gap;
other;
names;
other_inner;
inner_names;
shown;
shown_inner;
@@
own = [typed(part) for part in str(PL).split(",")]
given = [a.strip() for a in call[call.index("(") + 1:call.rindex(")")].split(",")]
named = len(own) == len(given) and all(re.match(r"\w+$", a) for a in given)
behind = annotation(p[0])
named = named and (behind != "" or [n for _, n in own] != given)
first = own[0][0]
# the last parenthesis is that of the parameter list: what has none goes ahead
ahead = "" if behind.endswith(")") else behind + " " * (behind != "")
behind = ")\n\t" + behind[:-1] if behind.endswith(")") else ""
coccinelle.shown = ahead + fn
coccinelle.shown_inner = ahead + inner
returned = str(T) + " " * (not str(T).endswith("*"))
text = ", ".join(t + a for (t, _), a in zip(own, given))
coccinelle.other = fn if named else "_"
coccinelle.names = flow("static inline %s%s%s(" % (returned, ahead, fn), text)[len(first):] + behind or "_"
coccinelle.other_inner = inner if named else "_"
coccinelle.inner_names = flow("%s%s%s(" % (returned, ahead, inner), text)[len(first):] + behind or "_"
coccinelle.bare = "_" if work else fn
coccinelle.block = fn if work else "_"
coccinelle.body = (work + ";\n\t\t" if work else "") + leave
coccinelle.tail = flow("\t", call)
coccinelle.gap = fn if below(p[0]) else "_"

@depends on named && wrap@
identifier text.other;
identifier text.names;
identifier text.shown;
identifier virtual.inner;
type T1;
parameter list[n] others;
@@
- other(T1, others)
+ shown(T1 names)
  { inner(); }

@depends on named && wrap@
identifier text.other;
identifier text.names;
identifier text.shown;
identifier virtual.inner;
identifier x;
type T1;
parameter list[n] others;
@@
- other(T1 x, others)
+ shown(T1 names)
  { inner(); }

@depends on named && wrap@
identifier text.other_inner;
identifier text.inner_names;
identifier text.shown_inner;
type T, T1;
parameter list[n] others;
@@
  T
- other_inner(T1, others)
+ shown_inner(T1 inner_names)
  ;

@depends on named && wrap@
identifier text.other_inner;
identifier text.inner_names;
identifier text.shown_inner;
identifier x;
type T, T1;
parameter list[n] others;
@@
  T
- other_inner(T1 x, others)
+ shown_inner(T1 inner_names)
  ;

@depends on named && wrap@
identifier text.bare;
identifier text.body;
identifier text.tail;
identifier virtual.inner;
identifier virtual.predicate;
@@
 bare(...)
 {
+ 	if (predicate())
+ 		body;
-	inner();
+	tail;
 }

@depends on named && wrap@
identifier text.block;
identifier text.body;
identifier text.tail;
identifier virtual.inner;
identifier virtual.predicate;
@@
 block(...)
 {
+ 	if (predicate()) {
+ 		body;
+ 	}
-	inner();
+	tail;
 }

@depends on named && wrap@
identifier virtual.fn;
identifier virtual.predicate;
statement S;
@@
 fn(...)
 {
 	if (predicate()) S
+
 	...
 }

@depends on named && wrap@
identifier text.gap;
identifier virtual.predicate;
statement S;
@@
 gap(...)
 {
 	if (predicate()) S
 	...
 }
+

// --- with names: the .c file -----------------------------------------------

// what is left of a condition of several lines is aligned anew
@several depends on named && !wrap@
identifier virtual.predicate;
statement S;
position p;
@@
 if@p (<+... predicate() ...+>) S

@script:python shorter@
p << several.p;
fn << virtual.fn;
predicate << virtual.predicate;
left;
@@
with open(p[0].file, errors="replace") as f:
	text = "\n".join(f.read().split("\n")[int(p[0].line) - 1:][:20])
head, _, text = text.partition("(")
operands, depth = [""], 1
for i, c in enumerate(text):
	depth += (c == "(") - (c == ")")
	if not depth:
		break
	if depth == 1 and text[i:i + 2] == "||":
		operands.append("")
	elif depth > 1 or c != "|":
		operands[-1] += c
text = text[:i]
rest = [o.strip() for o in operands
	if not re.fullmatch(r"(unlikely\()?%s\(\)(?(1)\))" % predicate, o.strip())]
if p[0].current_element != fn or "\n" not in text or not 0 < len(rest) < len(operands) or \
   re.search(r"/[*/]|[?]|[^|]\|[^|]", text):
	cocci.include_match(False)
coccinelle.left = flow(head + "(", " || ".join(rest))

@depends on shorter@
identifier shorter.left;
position several.p;
expression E;
statement S;
@@
 if@p (
- E
+ left
 ) S

// spatch does not always align what it breaks in the head of a function
@old depends on named && !wrap@
identifier virtual.fn;
type T1;
identifier x;
parameter list[n] others;
position p, q;
@@
 fn@p(T1 x@q, others) { ... }

@script:python parameters@
p << old.p;
q << old.q;
inner << virtual.inner;
flowed;
@@
with open(p[0].file, errors="replace") as f:
	text = f.read().split("\n")
l0, c0 = int(p[0].line) - 1, int(p[0].column)
l1, c1 = int(q[0].line) - 1, int(q[0].column)
first = text[l0][int(p[0].column_end):c1 if l1 == l0 else None]
first = " ".join([first] + text[l0 + 1:l1] + [text[l1][:c1]] * (l1 > l0))
first = re.sub(r"^\s*\(\s*|\s+(?=\s)", "", first)
rest, depth = "", 1
for c in "\n".join([text[l1][c1:]] + text[l1 + 1:l1 + 40]):
	depth += (c == "(") - (c == ")")
	if not depth:
		break
	rest += c
whole = flow(text[l0][:c0] + inner + "(", first + rest)
coccinelle.flowed = whole[len(first):]

@head_of depends on named@
identifier virtual.fn;
identifier virtual.inner;
identifier parameters.flowed;
type old.T1;
identifier old.x;
parameter list[old.n] old.others;
@@
- fn(T1 x, others)
+ inner(T1 flowed)
  { ... }

@no_list depends on named && !wrap && !head_of@
identifier virtual.fn;
identifier virtual.inner;
@@
- fn
+ inner
  (...)
  { ... }

@def depends on named && !wrap@
identifier virtual.inner;
@@
 inner(...) { ... }

@depends on named && def@
identifier virtual.fn;
identifier virtual.inner;
declarer name EXPORT_SYMBOL;
@@
- EXPORT_SYMBOL(fn);
+ EXPORT_SYMBOL(inner);

@depends on named && def@
identifier virtual.fn;
identifier virtual.inner;
declarer name EXPORT_SYMBOL_GPL;
@@
- EXPORT_SYMBOL_GPL(fn);
+ EXPORT_SYMBOL_GPL(inner);

@depends on named && def@
identifier virtual.fn;
identifier virtual.inner;
expression space;
declarer name EXPORT_SYMBOL_NS;
@@
- EXPORT_SYMBOL_NS(fn, space);
+ EXPORT_SYMBOL_NS(inner, space);

@depends on named && def@
identifier virtual.fn;
identifier virtual.inner;
expression space;
declarer name EXPORT_SYMBOL_NS_GPL;
@@
- EXPORT_SYMBOL_NS_GPL(fn, space);
+ EXPORT_SYMBOL_NS_GPL(inner, space);

@depends on named && def disable neg_if, ne_if, drop_else@
identifier virtual.inner;
identifier virtual.predicate;
expression E;
statement S, S1;
@@
  inner(...) {
  <...
(
  if (E) S
- else if (unlikely(predicate())) S1
|
  if (E) S
  else
- if (unlikely(!predicate()))
  S1
)
  ...>
  }

@depends on named && def disable neg_if, ne_if, drop_else@
identifier virtual.inner;
identifier virtual.predicate;
expression E;
identifier f;
statement S1, S2;
statement list SL;
declaration D;
@@
  inner(...) {
  <...
(
  if (unlikely(!predicate())) {
  	D
  	...
  }
|
  if (unlikely(predicate())) S1 else {
  	D
  	...
  }
|
  if (unlikely(<+... f(...) ...+> && predicate())) S1
|
- if (unlikely(predicate())) S1 else {
  SL
- }
|
- if (unlikely(predicate())) S1 else
  S2
|
- if (unlikely(predicate())) S1
|
- if (unlikely(predicate() && E)) S1
|
- if (unlikely(E && predicate())) S1
|
- if (unlikely(!predicate())) {
  SL
- }
|
- if (unlikely(!predicate()))
  S1
)
  ...>
  }

@depends on named && def@
identifier virtual.inner;
identifier virtual.predicate;
identifier assert =~ "^(VM_)?(BUG|WARN)(_ON)?";
expression E, E1, E2;
@@
  inner(...) {
  <...
(
  assert(...)
|
- (unlikely(predicate())) || (E)
+ E
|
- (unlikely(predicate())) || E
+ E
|
- E || (unlikely(predicate()))
+ E
|
- (unlikely(!predicate())) && E
+ E
|
- E && (unlikely(!predicate()))
+ E
|
- (unlikely(predicate())) ? E1 : E2
+ E2
|
- (unlikely(!predicate())) ? E1 : E2
+ E1
)
  ...>
  }

// nothing jumps there any more
@label depends on named && def@
identifier virtual.inner;
identifier l;
position p;
@@
  inner(...) {
  ... when any
l:@p
  ... when any
  }

@used depends on label@
identifier virtual.inner;
identifier label.l;
position q;
@@
  inner(...) {
  <+...
  goto l;@q
  ...+>
  }

@script:python unused depends on label@
l << label.l;
q << used.q = [];
gone;
@@
if q:
	cocci.include_match(False)
coccinelle.gone = l

@depends on named && def@
identifier virtual.inner;
identifier unused.gone;
@@
  inner(...) {
  ... when any
- gone:
  ... when any
  }

// --- without names: what is called for each page or folio -------------------

@inside depends on !named@
identifier f;
position p;
@@
 static f@p(...) {
 	<+...
 	mem_cgroup_disabled()
 	...+>
 }

@outline depends on !named@
identifier f, x;
identifier unit = { page, folio };
statement S;
parameter list[n] others;
position p != inside.p;
@@
 f@p(struct unit *x, others) {
 	... when != S
 	if (mem_cgroup_disabled()) return ...;
 	... when any
 }

@depends on context@
identifier outline.f;
position outline.p;
@@
* f@p(...)
  { ... }

@script:python depends on org@
p << outline.p;
f << outline.f;
@@
coccilib.org.print_todo(p[0], "%s() is called to find that the feature is off" % f)

@script:python depends on report@
p << outline.p;
f << outline.f;
@@
coccilib.report.print_report(p[0], "%s() is called to find that the feature is off" % f)

@value depends on patch@
identifier outline.f;
expression E;
statement S;
@@
 f(...) {
 	... when != S
 	if (mem_cgroup_disabled()) return E;
 	... when any
 }

@script:python naming depends on patch@
f << outline.f;
taken;
@@
coccinelle.taken = "__" + f

@clash@
identifier naming.taken;
position p;
@@
 taken@p(...) { ... }

@head depends on patch@
identifier outline.f;
type T;
parameter list PL;
position p;
@@
 T f(PL)@p;

// a name that is taken already needs somebody who finds another
@script:python job@
f << outline.f;
E << value.E = "";
at << clash.p = [];
p << head.p;
PL << head.PL;
name_of;
leave;
call;
gap;
@@
if at:
	cocci.include_match(False)
args = ", ".join(re.split(r"\W+", part.strip())[-1] for part in str(PL).split(","))
coccinelle.name_of = f
coccinelle.leave = ("return " + E).strip()
coccinelle.call = ("return " if E else "") + flow("\treturn ", "__%s(%s)" % (f, args))
coccinelle.gap = f if below(p[0]) else "_"

@depends on patch@
identifier job.name_of;
type head.T;
parameter list head.PL;
@@
- extern
  T name_of(PL);

@move depends on patch@
identifier job.name_of;
fresh identifier behind = "__" ## name_of;
type head.T;
parameter list head.PL;
@@
  T
- name_of(PL)
+ behind(PL)
  ;
+
+ static inline T name_of(PL)
+ {
+ 	behind();
+ }

@renamed depends on patch@
identifier job.name_of;
identifier move.behind;
identifier x;
identifier unit = { page, folio };
parameter list[n] others;
statement S;
type T;
@@
  T
- name_of
+ behind
  (struct unit *x, others)
  {
  	... when != S
- 	if (mem_cgroup_disabled()) return ...;
  	... when any
  }

@depends on patch && renamed@
identifier job.name_of;
identifier move.behind;
declarer name EXPORT_SYMBOL;
@@
- EXPORT_SYMBOL(name_of);
+ EXPORT_SYMBOL(behind);

@depends on patch && renamed@
identifier job.name_of;
identifier move.behind;
declarer name EXPORT_SYMBOL_GPL;
@@
- EXPORT_SYMBOL_GPL(name_of);
+ EXPORT_SYMBOL_GPL(behind);

@depends on patch && renamed@
identifier job.name_of;
identifier move.behind;
expression space;
declarer name EXPORT_SYMBOL_NS;
@@
- EXPORT_SYMBOL_NS(name_of, space);
+ EXPORT_SYMBOL_NS(behind, space);

@depends on patch && renamed@
identifier job.name_of;
identifier move.behind;
expression space;
declarer name EXPORT_SYMBOL_NS_GPL;
@@
- EXPORT_SYMBOL_NS_GPL(name_of, space);
+ EXPORT_SYMBOL_NS_GPL(behind, space);

@filled depends on patch@
identifier job.name_of, job.leave, job.call;
identifier move.behind;
@@
 name_of(...)
 {
+ 	if (mem_cgroup_disabled())
+ 		leave;
- 	behind();
+ 	call;
 }

@depends on patch && filled@
identifier job.name_of;
statement S;
@@
 name_of(...)
 {
 	if (mem_cgroup_disabled()) S
+
 	...
 }

@depends on patch && filled@
identifier job.gap;
statement S;
@@
 gap(...)
 {
 	if (mem_cgroup_disabled()) S
 	...
 }
+
