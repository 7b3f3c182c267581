// SPDX-License-Identifier: GPL-2.0-only
/// Pass a batch whole to a function that takes all of it
///
// Confidence: Moderate
//
// With names (-D named), in one file:
//   -D fn=F            the function with the loop
//   -D whole=C         what takes an array and how many there are in it
//   -D cursor=P        a local: where in the array the next call begins
//   -D part=N          a local: how many are in one call
//   -D left=L          a local: how many are left, where that is counted down
// The loop goes, and what it did for a part is done for all.
//
// With -D hold as well, for a callee that holds a lock while it goes over an
// array:
//   -D fn=F            the function that goes over the array
//   -D array=A         the array, a parameter
//   -D limit=N         it lets go of the lock after so many
//
// Options: --no-includes --include-headers

virtual patch
virtual context
virtual org
virtual report
virtual named
virtual hold

// --- with names: what is left is counted down --------------------------------

@loop depends on named && !hold@
identifier virtual.fn, virtual.whole, virtual.part, virtual.cursor;
identifier virtual.left;
identifier i;
type T, I;
expression E;
expression list es;
statement S;
@@
  fn(...) {
  <...
- while (\(left\|left > 0\)) {
- 	T part = E;
- 	I i;
-
- 	for (i = 0; i < part; i++)
- 		S
- 	whole(cursor, part, es);
(
- 	cursor += part;
- 	left -= part;
|
- 	left -= part;
- 	cursor += part;
)
- }
+ for (i = 0; i < left; i++)
+ 	S
+ whole(cursor, left, es);
  ...>
  }

@placed depends on loop@
identifier virtual.fn, virtual.cursor;
identifier loop.i;
type loop.I;
type T;
expression E;
@@
  fn(...) {
  <+...
  T cursor = E;
+ I i;
  ...+>
  }

@first depends on loop && !placed@
identifier virtual.fn;
identifier loop.i;
type loop.I;
declaration D;
@@
  fn(...) {
  D
+ I i;
  ... when any
  }

@depends on loop && !placed && !first@
identifier virtual.fn;
identifier loop.i;
type loop.I;
@@
  fn(...) {
+ I i;
+
  ... when any
  }

@depends on named && !hold@
identifier virtual.fn, virtual.whole, virtual.part, virtual.cursor;
identifier virtual.left;
type T;
expression E, C;
expression list es;
@@
  fn(...) {
  <...
- while (\(left\|left > 0\)) {
(
- 	T part = E;
|
- 	T part = E;
- 	if (part > C)
- 		part = C;
|
- 	part = E;
)
- 	whole(cursor, part, es);
(
- 	cursor += part;
- 	left -= part;
|
- 	left -= part;
- 	cursor += part;
)
- }
+ whole(cursor, left, es);
  ...>
  }

// --- with names: the cursor goes up to a limit --------------------------------

@depends on named && !hold@
identifier virtual.fn, virtual.whole, virtual.part, virtual.cursor;
expression A, E, N;
expression list es;
@@
  fn(...) {
  <...
- for (cursor = 0; cursor < N; cursor += part) {
- 	part = E;
- 	whole(\(&A[cursor]\|A + cursor\), part, es);
- }
+ whole(A, N, es);
  ...>
  }

@depends on named && !hold@
identifier virtual.fn, virtual.whole, virtual.cursor;
expression A, N;
expression list es;
@@
  fn(...) {
  <...
- for (cursor = 0; cursor < N; \(cursor++\|++cursor\))
- 	whole(\(&A[cursor]\|A + cursor\), 1, es);
+ whole(A, N, es);
  ...>
  }

// what nothing uses any more
@depends on named && !hold@
identifier virtual.fn, virtual.part;
type T;
@@
  fn(...) {
  ... when != part
- T part;
  ... when != part
  }

@depends on named && !hold@
identifier virtual.fn, virtual.cursor;
type T;
@@
  fn(...) {
  ... when != cursor
- T cursor;
  ... when != cursor
  }

// --- with names: a lock that is held over the whole array --------------------

@held depends on named && hold@
identifier virtual.fn;
identifier holder, other, lock, unlock, take, flags;
@@
  fn(...) {
  <+...
  if (other != holder) {
  	if (holder)
  		unlock(&holder->lock, flags);
+ 	lock_batch = 0;
  	holder = other;
  	take(&holder->lock, flags);
  }
  ...+>
  }

@bounded depends on held@
identifier virtual.fn, virtual.array, virtual.limit;
identifier held.holder, held.lock, held.unlock, held.flags;
identifier i, element;
type T;
statement S;
@@
  fn(...) {
  <+...
  T element = array[i];
+
+ 	/* whoever waits for the lock shall not wait for all of them */
+ 	if (holder && ++lock_batch == limit) {
+ 		unlock(&holder->lock, flags);
+ 		holder = NULL;
+ 	}
  S
  ...+>
  }

@depends on bounded@
identifier virtual.fn;
identifier held.holder;
type T;
@@
  fn(...) {
  <+...
  T holder = NULL;
+ unsigned int lock_batch = 0;
  ...+>
  }

// --- without names: pages released a vector at a time -------------------------

@parts depends on !named@
identifier release = { release_pages, free_pages_and_swap_cache };
identifier part, cursor, left;
type T;
expression C;
position p;
@@
  while (\(left\|left > 0\)) {
  	T part = \(min(left, C)\|min_t(..., left, C)\);
  	... when != cond_resched(...)
  	    when != spin_lock(...)
  	    when != spin_lock_irq(...)
  	    when != spin_lock_irqsave(...)
  	    when != mutex_lock(...)
  	release@p(cursor, part, ...);
  	cursor += part;
  	left -= part;
  }

@ploop depends on patch@
identifier parts.release, parts.part, parts.cursor, parts.left;
position parts.p;
identifier f, i;
type T, I;
expression E;
expression list es;
statement S;
@@
  f(...) {
  <+...
- while (\(left\|left > 0\)) {
- 	T part = E;
- 	I i;
-
- 	for (i = 0; i < part; i++)
- 		S
- 	release@p(cursor, part, es);
- 	cursor += part;
- 	left -= part;
- }
+ for (i = 0; i < left; i++)
+ 	S
+ release(cursor, left, es);
  ...+>
  }

@pplaced depends on ploop@
identifier ploop.f, ploop.i, parts.cursor;
type ploop.I;
type T;
expression E;
@@
  f(...) {
  <+...
  T cursor = E;
+ I i;
  ...+>
  }

@pfirst depends on ploop && !pplaced@
identifier ploop.f, ploop.i;
type ploop.I;
declaration D;
@@
  f(...) {
  D
+ I i;
  ... when any
  }

@depends on ploop && !pplaced && !pfirst@
identifier ploop.f, ploop.i;
type ploop.I;
@@
  f(...) {
+ I i;
+
  ... when any
  }

@depends on patch@
identifier parts.release, parts.part, parts.cursor, parts.left;
type T;
expression E;
expression list es;
@@
- while (\(left\|left > 0\)) {
- 	T part = E;
- 	release(cursor, part, es);
- 	cursor += part;
- 	left -= part;
- }
+ release(cursor, left, es);

@depends on context@
identifier parts.release;
position parts.p;
@@
* release@p(...);

@script:python depends on org@
p << parts.p;
f << parts.release;
@@
coccilib.org.print_todo(p[0], "%s() takes all of them, and here it is given a few at a time" % f)

@script:python depends on report@
p << parts.p;
f << parts.release;
@@
coccilib.report.print_report(p[0], "%s() takes all of them, and here it is given a few at a time" % f)
