// SPDX-License-Identifier: GPL-2.0-only
/// Test whether the feature is off before any work
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function (.c or .h, static inline too)
//   -D predicate=P     what is tested, without "()"
//   -D leave=TEXT      "return", "return 0", "return f(x)": raw, no ';'
//   -D work=TEXT       optional: raw statements that run before it leaves,
//                      without the last ';'; lines after the first start
//                      with two tabs
// The same as guard.cocci, and each other test of P() in F goes as in
// unguard.cocci. "if (P()) leave;" goes below the declarations. A declaration whose
// initialiser runs code or loads through a pointer gets its value below the
// guard; where that cannot be (const, static, arrays, records) it stays.
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named

// --- with names ------------------------------------------------------------

@initialize:python depends on named@
@@
import re

lines = {}
declared, moved = [], []	# (line, column, name, text before, initialiser), as written

def source(path):
	if path not in lines:
		with open(path, errors="replace") as f:
			lines[path] = f.read().split("\n")
	return lines[path]

def between(path, l0, c0, l1, c1):
	part = source(path)[l0 - 1:l1]
	part[-1] = part[-1][:c1]
	part[0] = part[0][c0:]
	return "\n".join(part)

def works(e):
	"""Does it run code or load through a pointer?"""
	e = re.sub(r'"(\\.|[^"])*"' + r"|'(\\.|[^'])*'|/\*.*?\*/", "0", e, flags=re.S)
	e = re.sub(r"\b(sizeof|typeof|offsetof)\s*\([^()]*\)", "0", e)
	e = re.sub(r"&\s*\w+(->|\.|\b)(\w|\.|\[\w+\])*", "0", e)
	return bool(re.search(r"\w\s*\(|->|\[|(^|[-+=(,!&|?:/%<>~^])\s*\*\s*[\w(]", e))

def mentions(text, name):
	return re.search(r"(?<!\.)(?<!->)\b" + name + r"\b", text)

def is_comment(line):
	return re.match(r"\s*(/\*|\*|//)", line) or line.rstrip().endswith("*/")

def fixed(d):
	"""Can it not be given its value later?"""
	before = d["before"]
	return bool(re.search(r"\b(static|auto|__auto_type)\b|cleanup|__free", before) or
		    re.search(r"\bconst\b[^*]*$", before) or
		    not re.match(r"\s*=\s*$", d["equals"]))

def foreign(d, declared, path):
	"""Does it read a variable that is no parameter and no local?"""
	n, text = d["line"] - 1, source(path)
	while n > 0 and text[n] != "{":
		n -= 1
	top = n
	while top > 0 and text[top - 1].strip() and not text[top - 1].rstrip().endswith((";", "}", "*/")):
		top -= 1
	known = set(re.findall(r"\w+", " ".join(text[top:n] + [x["x"] for x in declared])))
	e = re.sub(r"&\s*\w+(->|\.|\b)(\w|\.|\[\w+\])*", "0", d["e"])
	e = re.sub(r"(->|\.)\s*\w+", "", e)
	return bool(set(re.findall(r"\b[a-z_]\w*", e)) - known - {"true", "false"})

def choose(declared, end, path):
	"""Those that move below the guard: the others do not need them."""
	moved = []
	for d in declared:
		# behind one that moves even a load of a variable stays behind it
		if not fixed(d) and (works(d["e"]) or
				     any(mentions(d["e"], m["x"]) for m in moved) or
				     (moved and foreign(d, declared, path))):
			moved.append(d)
	for m in reversed(list(moved)):
		rest = source(path)[m["line"] - 1:end]
		rest[0] = rest[0][m["to"]:] if m["line_end"] == m["line"] else ""
		text = "\n".join(rest)
		for other in moved:
			text = text.replace(other["e"], "")
		if mentions(text, m["x"]):
			moved.remove(m)
	return moved

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

@init depends on named@
identifier virtual.fn;
identifier x;
expression e;
statement S;
type T;
position p, q;
@@
 fn(...) {
 	... when != S
 	    when any
 	T x@p = e@q;
 	... when any
 }

@script:python@
x << init.x;
p << init.p;
q << init.q;
@@
path = p[0].file
l0, c0 = int(p[0].line), int(p[0].column)
l1, c1 = int(q[0].line), int(q[0].column)
l2, c2 = int(q[0].line_end), int(q[0].column_end)
before = "\n".join(source(path)[max(0, l0 - 4):l0 - 1] + [source(path)[l0 - 1][:c0]])
declared.append({"at": (p[0].line, p[0].column), "line": l0, "x": x, "line_end": l2, "to": c2,
		 "before": re.split(r"[;{}]", before)[-1],
		 "equals": between(path, l0, c0 + len(x), l1, c1),
		 "e": between(path, l1, c1, l2, c2)})

@top depends on named@
identifier virtual.fn;
declaration D;
statement S, S1;
position p;
@@
 fn(...) {
 	... when != S
 	    when any
 	D
 	S1@p
 	... when any
 }

@first depends on named@
identifier virtual.fn;
statement S1;
position p;
@@
 fn(...) {
 	S1@p
 	... when any
 }

@script:python text depends on named@
p << top.p = [];
q << first.p = [];
fn << virtual.fn;
leave << virtual.leave;
work << virtual.work = "";
body;
rest;
bare;
block;
bare_first;
block_first;
then;
gap;
gap_first;
@@
if p:
	path, end = p[0].file, int(p[0].line) - 1
	declared.sort(key=lambda d: (d["line"], d["to"]))
	moved.extend(choose(declared, end, path))
	while is_comment(source(path)[end - 1]):
		end -= 1
blank = p and source(path)[end - 1].strip() == ""
def when(condition):
	return fn if condition else "_"
coccinelle.body = (work + ";\n\t\t" if work else "") + leave
coccinelle.rest = ";\n\t".join(d["x"] + " = " + flow("\t%s = " % d["x"], d["e"]) for d in moved) or "_"
coccinelle.bare = when(p and not work)
coccinelle.block = when(p and work)
coccinelle.bare_first = when(q and not p and not work)
coccinelle.block_first = when(q and not p and work)
coccinelle.then = when(moved)
coccinelle.gap = when(p and not moved and not blank)
coccinelle.gap_first = when(q and not p)

@script:python split depends on init@
x << init.x;
p << init.p;
later;
@@
here = (p[0].line, p[0].column)
coccinelle.later = x if any(d["at"] == here for d in moved) else "_"

@depends on named@
identifier split.later;
expression e;
type T;
position init.p;
@@
 T later@p
- = e
 ;

@depends on named disable neg_if, ne_if, drop_else@
identifier virtual.fn;
identifier virtual.predicate;
expression E;
statement S, S1;
@@
  fn(...) {
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

@depends on named disable neg_if, ne_if, drop_else@
identifier virtual.fn;
identifier virtual.predicate;
expression E;
identifier f;
statement S1, S2;
statement list SL;
declaration D;
@@
  fn(...) {
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

@depends on named@
identifier virtual.fn;
identifier virtual.predicate;
identifier assert =~ "^(VM_)?(BUG|WARN)(_ON)?";
expression E, E1, E2;
@@
  fn(...) {
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
@label depends on named@
identifier virtual.fn;
identifier l;
position p;
@@
  fn(...) {
  ... when any
l:@p
  ... when any
  }

@used depends on label@
identifier virtual.fn;
identifier label.l;
position q;
@@
  fn(...) {
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

@depends on named@
identifier virtual.fn;
identifier unused.gone;
@@
  fn(...) {
  ... when any
- gone:
  ... when any
  }

@depends on named@
identifier text.bare;
identifier text.body;
identifier virtual.predicate;
declaration D;
statement S, S1;
@@
 bare(...) {
 	... when != S
 	    when any
 	D
+
+ 	if (predicate())
+ 		body;
 	S1
 	... when any
 }

@depends on named@
identifier text.block;
identifier text.body;
identifier virtual.predicate;
declaration D;
statement S, S1;
@@
 block(...) {
 	... when != S
 	    when any
 	D
+
+ 	if (predicate()) {
+ 		body;
+ 	}
 	S1
 	... when any
 }

@depends on named@
identifier text.bare_first;
identifier text.body;
identifier virtual.predicate;
@@
 bare_first(...) {
+ 	if (predicate())
+ 		body;
 	...
 }

@depends on named@
identifier text.block_first;
identifier text.body;
identifier virtual.predicate;
@@
 block_first(...) {
+ 	if (predicate()) {
+ 		body;
+ 	}
 	...
 }

// what did not run before the guard, and the blank lines that were missing
@depends on named@
identifier text.then;
identifier text.rest;
identifier virtual.predicate;
declaration D;
statement S;
@@
 then(...) {
 	... when any
 	D
 	if (predicate()) S
+
+ 	rest;
 	... when any
 }

@depends on named@
identifier text.gap;
identifier virtual.predicate;
declaration D;
statement S;
@@
 gap(...) {
 	... when any
 	D
 	if (predicate()) S
+
 	... when any
 }

@depends on named@
identifier text.gap_first;
identifier virtual.predicate;
statement S;
@@
 gap_first(...) {
 	if (predicate()) S
+
 	... when any
 }

// --- without names: a call stands right before the test ---------------------

@late depends on !named@
identifier fn;
identifier f !~ "^(__)?(VM_|BUG|WARN|lockdep|might_)";
position p;
@@
 fn(...) {
 	... when any
 	f@p(...);
 	if (mem_cgroup_disabled()) return ...;
 	... when any
 }

// what the function does without the feature is not late
@stub depends on late@
identifier late.fn;
identifier late.f;
position q;
@@
 fn(...) {
 	... when != mem_cgroup_disabled()
 	f@q(...);
 	... when != mem_cgroup_disabled()
 }

@initialize:python depends on !named@
@@
needed = set()

@script:python@
fn << late.fn;
f << late.f;
q << stub.q;
@@
needed.add((fn, f))

@script:python found@
fn << late.fn;
f << late.f;
p << late.p;
callee;
@@
if (fn, f) in needed:
	cocci.include_match(False)
coccinelle.callee = f

// what takes something that another function gives back does not move
@depends on patch@
identifier late.fn;
identifier found.callee !~ "lock|save|disable|get|begin|enter|start";
statement S;
expression list es;
@@
 fn(...) {
 	... when any
- 	callee(es);
 	if (mem_cgroup_disabled()) S
+
+ 	callee(es);
 	... when any
 }

@depends on context@
identifier found.callee;
position late.p;
@@
* callee@p(...);
  if (mem_cgroup_disabled()) return ...;

@script:python depends on org@
p << late.p;
f << found.callee;
@@
coccilib.org.print_todo(p[0], "%s() is called before the feature is known to be off" % f)

@script:python depends on report@
p << late.p;
f << found.callee;
@@
coccilib.report.print_report(p[0], "%s() is called before the feature is known to be off" % f)
