#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
explain --annotate: which instruction is meant by the one that has the samples,
in the form of perf and that of opannotate, and which finding it belongs to.
"""
import json
import os
import sys

import nctest
from nctest import Run, Tap

FILES = {"include/linux/more.h": """#ifndef _LINUX_MORE_H
#define _LINUX_MORE_H
#include <linux/memcontrol.h>
#ifdef CONFIG_MEMCG
static inline void more_help(struct task_struct *task, unsigned int n)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), n);
}
void more_one(struct task_struct *task);
void more_twice(struct task_struct *task);
#else
static inline void more_one(struct task_struct *task) { }
#endif
#endif
""", "mm/more.c": """#include <linux/more.h>

void more_one(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		more_help(task, 2);
	rcu_read_unlock();
}

void more_twice(struct task_struct *task)
{
	rcu_read_lock();
	more_help(task, 1);
	rcu_read_unlock();
	rcu_read_lock();
	more_help(task, 3);
	rcu_read_unlock();
}
"""}
USE = """#include <linux/more.h>

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	more_one(current);
	return 0;
}
"""
FAULT = """#include <linux/charge.h>

int use_fault(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	__SetPageUptodate(page);
	return mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);
}
"""

# a barrier of the caller is paid for where the callee first waits for memory
ENTERED = """/*
 * Command line: opannotate --assembly
 */

               :ffffffff811c15f0 <mem_cgroup_charge>: /* mem_cgroup_charge total: 155760 2.9505 */
     1  0.0006 :ffffffff811c15f0:	callq  ffffffff8166a3c0 <__fentry__>
               :ffffffff811c15f5:	push   %rbp
     2  0.0012 :ffffffff811c15f6:	mov    0x8(%rdi),%rdx
               :ffffffff811c15fa:	and    $0x10000,%edx
155757 99.9979 :ffffffff811c1600:	test   %rdx,%rdx
               :ffffffff811c1603:	jne    ffffffff811c1640 <mem_cgroup_charge+0x50>
               :ffffffff811c1605:	retq
"""
# perf, with source; a line of more_one that is left when off
SOURCE = """ Percent |	Source code & Disassembly of vmlinux for cycles (1000 samples, percent: local period)
---------------------------------------------------------------------------------------------
         :
         :
         :            Disassembly of section .text:
         :
         :            ffffffff81100000 <more_one>:
         :            more_one():
         :            void more_one(struct task_struct *task)
         :            {
    0.00 :   ffffffff81100000:       push   %rbx
         :            rcu_read_lock();
    5.00 :   ffffffff81100001:       lock addl $0x0,-0x4(%rsp)
   85.00 :   ffffffff81100007:       mov    0x10(%rdi),%rax
         :            if (!mem_cgroup_disabled())
   10.00 :   ffffffff8110000b:       ret
"""
# what is inlined, by lines of debug information; dead when off
INLINED = """ Percent |	Source code & Disassembly of vmlinux for cycles
         :            ffffffff81100000 <more_one>:
         :            more_one():
         :            /usr/src/linux/mm/more.c:4
    1.00 :   ffffffff81100000:       push   %rbx
         :            /usr/src/linux/mm/more.c:5 (discriminator 2)
   60.00 :   ffffffff81100001:       mov    (%rdi),%rax
         :            more_help():
         :            /usr/src/linux/include/linux/more.h:7
   39.00 :   ffffffff81100004:       inc    %rcx
"""
# perf of today: a number before what is no instruction; two lines of one text
NUMBERED = """ Percent |	Source code & Disassembly of vmlinux for cycles:P (10 samples, percent: local period)
-----------------------------------------------------------------------------------------------
         :
         : 3            Disassembly of section .text:
         :
         : 5            ffffffff81100000 <more_twice>:
         : 6            more_twice():
         : 13           rcu_read_lock();
    0.00 :   ffffffff81100000:       lock addl $0x0,-0x4(%rsp)
   60.00 :   ffffffff81100007:       inc    %rcx
         : 16           rcu_read_lock();
    0.00 :   ffffffff8110000a:       lock addl $0x0,-0x4(%rsp)
   40.00 :   ffffffff81100011:       ret
"""
ARM = """  Percent |      Source code & Disassembly of vmlinux for cycles
         :   ffff800010200000 <more_one>:
   0.00 :   ffff800010200000:       f9400401        ldr     x1, [x0, #8]
   0.00 :   ffff800010200004:       91000400        add     x0, x0, #0x1
  50.00 :   ffff800010200008:       b4000041        cbz     x1, ffff800010200010 <more_one+0x10>
   0.00 :   ffff80001020000c:       d5033abf        dmb     ishst
  50.00 :   ffff800010200010:       d65f03c0        ret
"""


def listing(*lines, name="more_one"):
    """Lines of an instruction and its samples, 4 bytes each."""
    out = f"0000000000001000 <{name}>:\n" if name else ""
    for i, (samples, text) in enumerate(lines):
        out += f"{samples or '':>8} :{0x1000 + 4 * i:x}:\t{text}\n"
    return out


# what is written, which line is dear, what is said of it
SKID = [
    ("the load that is used", [(0, "mov (%rdi),%rax"), (0, "add $1,%rcx"), (9, "cmp $3,%eax")], 0, "first to need"),
    ("the same in the other syntax", [(0, "mov rax,QWORD PTR [rdi]"), (9, "cmp eax,0x3")], 0, "first to need"),
    ("a register that is only written needs nothing", [(0, "mov (%rdi),%rax"), (0, "nop"), (9, "mov $3,%eax")], 1,
     "neither goes to memory"),
    ("a store before it", [(0, "push %rbp"), (0, "mov %rax,0x8(%rdi)"), (9, "inc %rcx")], 1, "a store"),
    ("a load before it, of something else", [(0, "mov 0x8(%rdi),%rdx"), (9, "inc %rcx")], 0, "a load, and samples"),
    ("a fence", [(0, "mfence"), (9, "mov 0x8(%rdi),%rdx")], 0, "seen by all"),
    ("a fence, one further", [(0, "mfence"), (0, "inc %rcx"), (9, "mov 0x8(%rdi),%rdx")], 0, "seen by all"),
    ("an exchange is one", [(0, "xchg %rax,(%rdi)"), (9, "inc %rcx")], 0, "seen by all"),
    ("of registers it is none", [(0, "mov (%rdi),%rax"), (0, "xchg %ax,%ax"), (9, "inc %rcx")], 1, "neither goes"),
    ("a barrier before a call is not", [(0, "mfence"), (0, "call 2000 <other>"), (9, "inc %rcx")], 1,
     "the end of 'other'"),
    ("an atomic has them itself", [(0, "push %rbp"), (9, "lock incl (%rdi)"), (0, "ret")], 1, "seen by all"),
    ("exclusive", [(0, "ldaxr x1, [x0]"), (9, "add x2, x2, #1")], 0, "seen by all"),
    ("the first instruction", [(9, "push %rbp"), (0, "ret")], 0, "what the caller did last"),
    ("a jump from one place", [(0, "mov (%rdi),%rax"), (0, "je 1010 <more_one+0x10>"), (0, "ret"), (0, "ret"),
                               (9, "test %rax,%rax")], 0, "first to need"),
    ("a jump from two", [(0, "je 100c <x>"), (0, "je 100c <x>"), (0, "ret"), (9, "inc %rax")], 3, "more than one place"),
    ("a return before it, and no jump", [(0, "ret"), (9, "mov (%rdi),%rax")], 1, "from none that is listed"),
]


def main():
    tap = Tap()
    nctest.need_program()
    home = nctest.scratch("annotate")
    tree = nctest.make_tree(os.path.join(home, "tree"), {
        **{k: (v, "MEMCG") for k, v in FILES.items()}, "mm/use.c": (USE, None), "mm/fault.c": (FAULT, None)})
    path = os.path.join(home, "annotated")

    def explain(text, *args):
        nctest.write(path, text)
        return Run("explain", "--annotate", path, tree, *args, cache=home)

    def dear(text, *args):
        got = explain(text, "--format", "json", *args)
        return got.json()["dear"] if got.status == 0 else str(got)

    found = Run("check", "--format", "json", tree, cache=home).json()["findings"]
    id_of = {(f["rule"], f["function"]): f["id"] for f in found}
    late = id_of.get(("late-guard", "more_one"))
    order = id_of.get(("charge-after-flag", "use_fault"))
    tap.ok(late and order, "there are findings", id_of)

    got = explain(ENTERED)
    tap.ok(got.status == 0 and "'mem_cgroup_charge': 100.00 %, 155757 of 155760 samples" in got.out
           and "sampled  ffffffff811c1600: test   %rdx,%rdx" in got.out
           and "dear     ffffffff811c15f6: mov    0x8(%rdi),%rdx" in got.out, "opannotate: the load before", got)
    tap.ok(f"{order}, before the call: a barrier there is paid for here" in got.out,
           "and a barrier of the caller's, with its finding", got.out)
    tap.ok("not understood" not in got.err, "every line is understood", got.err)
    after = ENTERED.replace("push   %rbp", "lock incl (%rdi)").replace("	and    $0x10000,%edx", "	lfence")
    one = dear(after)
    tap.ok(one[0]["dear"]["text"].startswith("lfence") and order not in [f["id"] for f in one[0]["findings"]],
           "not where the function has one of its own", one)

    got = explain(SOURCE)
    tap.ok("dear     ffffffff81100001: lock addl $0x0,-0x4(%rsp)" in got.out and "seen by all" in got.out,
           "perf: the barrier before", got)
    tap.ok("place    mm/more.c:5, which is left when off: rcu_read_lock();" in got.out, "the line of its source", got.out)
    tap.ok(f"finding  {late}, on this function" in got.out, "its finding", got.out)
    why = next(f["why"][0] for f in found if f["id"] == late)
    swapped = INLINED.replace("inc    %rcx", "inc    %rdx\n   30.00 :   ffffffff81100007:       mov (%rdx),%rdx\n"
                              "   99.00 :   ffffffff8110000a:       test %rdx,%rdx")
    one = dear(swapped.replace("more_help", "rcu_read_lock").replace("include/linux/more.h:7",
                                                                     f"{why['file']}:{why['line']}"))
    tap.ok(one[0]["inlined"] == "rcu_read_lock" and [(f["id"], f["nearness"]) for f in one[0]["findings"]] ==
           [(late, "on this line")], "the line of a finding's reason", one[0])
    one = dear(INLINED)
    tap.ok(len(one) == 2 and [d["share"] for d in one] == [60, 39], "the dear ones, with most first", one)
    tap.ok((one[0]["file"], one[0]["line"]) == ("mm/more.c", 5) and one[0]["findings"][0]["id"] == late,
           "lines of debug information", one[0])
    one = dear(INLINED.replace("more.c:5", "more.c:7"))
    tap.ok(one[0]["line"] == 7 and "the feature was on" in one[0]["state"],
           "a line that does not run when off is told", one[0])
    one = dear(swapped)
    tap.ok(one[0]["inlined"] == "more_help" and one[0]["line"] == 7 and one[0]["file"] == "include/linux/more.h",
           "whose code it is, of what is inlined", one[0])
    one = dear(NUMBERED)
    tap.ok([(d["function"], d["file"], d["line"]) for d in one] == [
        ("more_twice", "mm/more.c", 13), ("more_twice", "mm/more.c", 16)], "lines of one text, by the number nearby", one)
    got = explain(NUMBERED.replace(": 13 ", ":    ").replace(": 16 ", ":    "))
    tap.ok("not known in the tree: rcu_read_lock();" in got.out, "without one it is not known which", got.out)
    got = explain(NUMBERED.replace("more_twice", "load0").replace("load0():", ""))
    tap.ok("does not say whose" in got.out, "perf's name for code of a running kernel is none", got.out)
    one = dear(ARM)
    tap.ok([d["dear"]["text"].split()[0] for d in one] == ["ldr", "dmb"], "arm64, with bytes", one)

    for name, lines, index, why in SKID:
        one = dear(listing(*lines))
        tap.ok(one[0]["dear"]["address"] == f"{0x1000 + 4 * index:x}" and why in one[0]["why"], f"skid: {name}", one)

    flat = listing(*[(5, "inc %rax")] * 20, (6, "ret"))
    got = explain(flat)
    tap.ok("no instruction stands out" in got.out and got.out.count("sampled") == 1, "none is dear", got.out)
    one = dear(listing((9, "inc %rax"), name="strange"))
    tap.ok(one[0]["findings"] == [] and "finding  none" in explain(listing((9, "inc %rax"), name="strange")).out,
           "no finding", one)
    nameless = listing((0, "je 1010 <more_one+0x10>"), (9, "inc %rax"), name=None)
    tap.ok(dear(nameless)[0]["function"] == "more_one", "the function, by its jumps", dear(nameless))
    nameless = listing((0, "inc %rax"), (9, "inc %rax"), name=None)
    tap.ok("does not say whose" in explain(nameless).out, "whose code is not known", explain(nameless).out)
    tap.ok(dear(nameless, "more_one")[0]["findings"][0]["id"] == late, "unless it is given")
    two = listing((9, "inc %rax")) + listing((8, "inc %rax"), name="strange")
    tap.ok([d["function"] for d in dear(two)] == ["more_one", "strange"]
           and [d["function"] for d in dear(two, "strange")] == ["strange"], "one function of several")
    got = explain(two, "nobody")
    tap.ok(got.status == 2 and "it has no sample of 'nobody'" in got.err, "one that is not in it", got)
    got = explain("In the thread:\n" + two + "and so on\n")
    tap.ok(got.status == 0 and "annotated: 2 lines were not understood, the first is line 1" in got.err,
           "what is not understood is told", got)
    for text, said in (("", "annotated:0: this is the end, and there is no instruction"),
                       ("/*\n\nnothing of the kind\n", "annotated:3: this is no line of an annotated disassembly"),
                       ("    12.00%  a.out  [k] more_one\n", "annotated:1: this is no line"),
                       (listing((0, "inc %rax")), "no sample of an instruction"), ("a\0b", "annotated:1: this is")):
        got = explain(text)
        tap.ok(got.status == 2 and said in got.err, f"what is none: {text[-20:]!r}", got)
    got = Run("explain", "--annotate", os.path.join(home, "none"), tree, cache=home)
    tap.ok(got.status == 2 and "No such file" in got.err, "a file that is not there", got)
    got = Run("check", "--annotate", path, tree, cache=home)
    tap.ok(got.status == 2 and "has no use for --annotate" in got.err, "only explain has it", got)
    got = explain(SOURCE, "--profile", path)
    tap.ok(got.status == 2 and "--profile" in got.err, "not with a profile", got)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
