# SPDX-License-Identifier: GPL-2.0-only
"""
Changes to a kernel's text whose effect on the findings is known.

A mutant is one change of one kind in one function. It is made from the text
alone; which functions are guarded and hot is what the program says of the
unchanged tree.
"""
import os
import re
import subprocess

import csource

# words before a bracket that are no work: macros, plain loads, assertions
NO_WORK = re.compile(
    r"[A-Z_0-9]+|if|for|while|switch|return|sizeof|typeof|likely|unlikely|do_memsw_account|"
    r"cgroup_subsys_on_dfl|rcu_dereference\w*|container_of|lockdep_\w+|might_\w+|trace_\w+|"
    r"min|max|min_t|max_t|data_race|page_folio|folio_nr_pages|thp_nr_pages|compound_nr|"
    r"compound_head|page_memcg\w*|folio_memcg\w*|page_pgdat|folio_pgdat|page_to_nid|folio_nid|"
    r"mem_cgroup_is_root|folio_test_\w+|atomic\w*_read|lruvec_pgdat|css_get|css_put|mem_cgroup_id|"
    r"PageKsm|vm_swap_full|list_empty|READ_ONCE|parent_mem_cgroup|mem_cgroup_from_css|"
    r"mem_cgroup_disabled|folio_memcg_kmem|local_irq_\w+|smp_\w+|barrier|swp_\w+|virt_to_\w+|"
    r"memcg_stats_index|memcg_events_index")


class Edit:
    def __init__(self, path, start, end, text):
        self.path, self.start, self.end, self.text = path, start, end, text


class Mutant:
    def __init__(self, kind, function, edits, names=()):
        self.kind, self.function, self.edits = kind, function, edits
        self.names = {function, *names}  # functions that it touches
        self.accept = set()              # (rule, function) pairs that show it
        self.anywhere = None             # a rule that shows it wherever it is
        self.also = set()                # as good, but told apart
        self.alone = False               # shares a copy with no other

    def in_header(self):
        return any(e.path.endswith(".h") for e in self.edits)

    def __str__(self):
        return f"{self.kind} {self.function}"


class Site:
    """A guarded function where it is defined."""

    def __init__(self, tree, path, name, predicate):
        self.tree, self.path, self.name, self.test = tree, path, name, predicate + "()"
        with open(os.path.join(tree, path), errors="surrogateescape", newline="") as f:
            self.text = f.read()
        self.masked = csource.mask(self.text)
        self.fn = next((f for f in csource.functions(self.text, self.masked)
                        if f.name == name and self.test in self.masked[f.body:f.end]), None)
        self.body = self.masked[self.fn.body:self.fn.end] if self.fn else ""
        self.stmts = csource.statements(self.masked, self.fn.body) if self.fn else None
        self.guard = self.find_guard()

    def find_guard(self):
        """The index of 'if (predicate()) return ...;' among the statements."""
        pattern = re.compile(r"if \(%s\)\s*(?:\{\s*)?(return\b[^;]*;)\s*\}?" % re.escape(self.test))
        for i, s in enumerate(self.stmts or []):
            m = pattern.fullmatch(self.masked[s.start:s.end])
            if m:
                self.leave = m[1]
                return i
            if s.kind not in ("decl", "simple"):
                break
        return None

    def head(self):
        """Return type and parameters, as text without 'static inline'."""
        text = self.text[self.fn.start:self.fn.body].strip()
        return re.sub(r"\b(static|inline|__always_inline)\s+", "", text)

    def inline(self):
        return re.search(r"\binline\b|__always_inline", self.masked[self.fn.start:self.fn.paren]) \
            and self.path.endswith(".h")

    def void(self):
        return re.search(r"\bvoid\s+%s\b" % self.name, self.masked[self.fn.start:self.fn.body])

    def edit(self, start, end, text):
        return Edit(self.path, start, end, text)

    def calls(self, start, end):
        return [w for w in re.findall(r"\b(\w+)\s*\(", self.masked[start:end])
                if not NO_WORK.fullmatch(w)]


def take_away(site):
    """The guard is gone."""
    if site.guard is not None:
        s = site.stmts[site.guard]
        return [site.edit(s.start, s.end, ";")]
    at = site.fn.body
    return [site.edit(at + m.start(), at + m.end(), "false")
            for m in re.finditer(re.escape(site.test), site.body)]


STORE = re.compile(r"(?:->\s*\w+|\]|(?<![\w)]\s)\*\s*\w+)\s*(?:[-+|&^]?=(?!=)|\+\+|--)")


def value_only(site):
    """Is all that the guard spares to find a value: no call, store or loop?"""
    body = site.body
    if site.guard is not None:
        s = site.stmts[site.guard]
        body = body[:s.start - site.fn.body] + body[s.end - site.fn.body:]
        calls = site.calls(site.fn.body, s.start) + site.calls(s.end, site.fn.end)
    else:
        calls = site.calls(site.fn.body, site.fn.end)
    return not calls and not STORE.search(body) and not re.search(r"\b(for|while|do)\b", body)


def missing(site, guarded=lambda name: False):
    """
    @guarded tells of a function by its name whether it has a test of its own.

    Where the guard spares a value only, nothing is left that costs; without it
    a group that is none is followed, there or by who asks for the value. Where
    it spares nothing but the call of a function that tests as well, that call
    is what is left.
    """
    m = Mutant("missing", site.name, take_away(site))
    if value_only(site):
        m.anywhere, m.alone = "null-when-disabled", True
        return m
    m.accept = {("missing-guard", site.name)}
    calls = set(site.calls(site.fn.body, site.fn.end))
    if site.inline() and len(calls) == 1 and all(map(guarded, calls)):
        m.accept = {("outline-guard", name) for name in calls}
    m.also = {(rule, name) for name in [site.name, *site.calls(site.fn.body, site.fn.end)]
              for rule in ("missing-guard", "null-when-disabled", "late-guard", "outline-guard")}
    return m


def late(site):
    """
    The guard stands below the first statement that does work. Where that may
    not be come to, the mutant would be none: it is not made.
    """
    if site.guard is None:
        return None
    guard = site.stmts[site.guard]
    for s in site.stmts[site.guard + 1:]:
        masked = site.masked[s.start:s.end]
        work = site.calls(s.start, s.end)
        if s.kind not in ("decl", "simple", "return"):
            if work or re.search(r"\b(return|goto|break|continue)\b", masked):
                return None
            continue
        if not work:
            if s.kind == "return":
                return None
            continue
        # "a = b && call()" may not call
        if re.search(r"&&|\|\||\?", masked):
            return None
        text = site.text[guard.start:guard.end]
        if s.kind == "return":
            call = re.fullmatch(r"return\s+(.*);", site.text[s.start:s.end], re.S)
            if not call or site.void():
                return None
            new = f"{{\n\t\ttypeof({call[1]}) __got = {call[1]};\n\n\t\t{text}\n\t\treturn __got;\n\t}}"
            edits = [site.edit(guard.start, guard.end, ";"), site.edit(s.start, s.end, new)]
        else:
            edits = [site.edit(guard.start, guard.end, ";"),
                     site.edit(s.end, s.end, "\n\t" + text)]
        m = Mutant("late", site.name, edits, work)
        m.accept = {("late-guard", site.name)}
        m.also = {(rule, n) for n in work for rule in ("missing-guard", "outline-guard")}
        return m
    return None


def outline(site, home):
    """The header's inline function becomes one out of line, in file @home."""
    if not site.inline() or site.guard is None:
        return None
    body = site.text[site.fn.body:site.fn.end]
    head = site.head()
    with open(os.path.join(site.tree, home), errors="surrogateescape", newline="") as f:
        end = len(f.read())
    m = Mutant("outline", site.name, [
        site.edit(site.fn.start, site.fn.end, head + ";"),
        Edit(home, end, end, f"\n{head}\n{body}\n")])
    m.accept = {("outline-guard", site.name)}
    return m


def redundant(site, callee):
    """@callee, a Site without a test that only @site calls, tests as well."""
    at = callee.fn.body + 1
    head = callee.masked[callee.fn.start:callee.fn.paren]
    value = "" if callee.void() else " NULL" if "*" in head else " 0"
    m = Mutant("redundant", callee.name,
               [callee.edit(at, at, f"\n\tif ({site.test})\n\t\treturn{value};\n")], [site.name])
    m.accept = {("redundant-guard", callee.name)}
    m.also = {("redundant-guard", site.name)}
    return m


def null(site):
    m = Mutant("null", site.name, take_away(site))
    # where the group is followed may be some calls away
    m.anywhere, m.alone = "null-when-disabled", True
    return m


def dynamic(tree, predicate):
    """The predicate reads a field of the subsystem's record."""
    with open(os.path.join(tree, "include/linux/memcontrol.h"), newline="") as f:
        header = f.read()
    m = re.search(r"return !cgroup_subsys_enabled\((\w+)\);", header)
    with open(os.path.join(tree, "include/linux/cgroup-defs.h"), newline="") as f:
        defs = f.read()
    s = re.search(r"struct cgroup_subsys \{\n", defs)
    if not m or not s:
        return None
    mutant = Mutant("dynamic", predicate, [
        Edit("include/linux/memcontrol.h", m.start(), m.end(), f"return {m[1]}.disabled;"),
        Edit("include/linux/cgroup-defs.h", s.end(), s.end(), "\tint disabled;\n")])
    mutant.accept = {("dynamic-guard", predicate)}
    mutant.alone = True
    return mutant


# --- changes that change nothing

def rename_local(site):
    """A local gets another name."""
    for s in site.stmts or []:
        if s.kind != "decl":
            continue
        m = re.match(r"(?:struct |unsigned |const )*\w+\s[\s*]*(\w+)\s*[;=]", site.masked[s.start:s.end])
        if not m or f"{m[1]}_mutated" in site.text:
            continue
        name = m[1]
        # not a member's name, nor a word of a macro that names locals
        if re.search(r"(?:\.|->)\s*%s\b" % name, site.body) or re.search(r"\b%s:" % name, site.body):
            continue
        edits = [site.edit(site.fn.body + n.start(), site.fn.body + n.end(), name + "_mutated")
                 for n in re.finditer(r"\b%s\b" % name, site.body)
                 if not re.search(r"\bstruct\s+$", site.body[:n.start()])]
        return Mutant("rename", site.name, edits)
    return None


def reorder_declarations(site):
    """Two declarations that know nothing of each other change places."""
    decls = [s for s in site.stmts or [] if s.kind == "decl"]
    for a, b in zip(decls, decls[1:]):
        ta, tb = site.text[a.start:a.end], site.text[b.start:b.end]
        na = re.search(r"(\w+)\s*(?:\[[^]]*\])?\s*[;=]", csource.mask(ta))
        if na and not re.search(r"\b%s\b" % na[1], tb) and "(" not in csource.mask(ta + tb):
            return Mutant("reorder", site.name, [site.edit(a.start, a.end, tb),
                                                 site.edit(b.start, b.end, ta)])
    return None


def guard_in_helper(site):
    """The test is asked by way of an inline helper."""
    if not site.stmts:
        return None
    helper = f"{site.name}_is_off"
    at = site.fn.body
    edits = [site.edit(site.fn.start, site.fn.start,
                       f"static inline bool {helper}(void)\n{{\n\treturn {site.test};\n}}\n\n")]
    edits += [site.edit(at + m.start(), at + m.end(), helper + "()")
              for m in re.finditer(re.escape(site.test), site.body)]
    return Mutant("helper", site.name, edits)


def invert(site):
    """'if (off) return; rest' becomes 'if (!off) { rest }'."""
    if site.guard is None or site.guard + 1 >= len(site.stmts):
        return None
    rest = site.stmts[site.guard + 1:]
    if any(s.kind in ("label", "cpp", "decl") for s in rest) or "goto" in site.body:
        return None
    guard = site.stmts[site.guard]
    inner = site.text[rest[0].start:rest[-1].end]
    if site.leave == "return;":
        new = f"if (!{site.test}) {{\n\t{inner}\n\t}}"
    else:
        new = f"if (!{site.test}) {{\n\t{inner}\n\t}} else {{\n\t\t{site.leave}\n\t}}"
        if rest[-1].kind != "return":
            return None
    return Mutant("invert", site.name, [site.edit(guard.start, rest[-1].end, new)])


def comments(site):
    """Comments and blank lines between the statements."""
    if not site.stmts:
        return None
    return Mutant("comments", site.name, [
        site.edit(s.start, s.start, f"/* note {i}: if ({site.test}) return; */\n\n\t")
        for i, s in enumerate(site.stmts) if s.kind != "cpp"])


def blank_lines(site):
    """All below moves down by nine lines."""
    return Mutant("blank", site.name, [site.edit(site.fn.start, site.fn.start, "\n" * 9)])


def braces(site):
    """The guard's return stands in braces."""
    if site.guard is None:
        return None
    s = site.stmts[site.guard]
    return Mutant("braces", site.name, [
        site.edit(s.start, s.end, f"if ({site.test}) {{\n\t\t{site.leave}\n\t}}")])


NEUTRAL = [rename_local, reorder_declarations, guard_in_helper, invert, comments,
           blank_lines, braces]


# what charges, itself or by way of a callee, where its object stands, and what
# writes a flag behind a barrier
CHARGES = {"mem_cgroup_charge": 0, "mem_cgroup_try_charge": 0, "mem_cgroup_newpage_charge": 0,
           "mem_cgroup_cache_charge": 0, "mem_cgroup_swapin_charge_folio": 0,
           "shmem_add_to_page_cache": 0, "add_to_page_cache": 0, "add_to_page_cache_lru": 0,
           "add_to_page_cache_locked": 0, "filemap_add_folio": 1}
CHARGE = re.compile(r"\b(%s)\s*\(" % "|".join(CHARGES))
FLAG = re.compile(r"^(\t+)((?:__)?(?:SetPageUptodate|folio_mark_uptodate)\([^;]+\);)$", re.M)
# those without a barrier
PLAIN_FLAG = re.compile(r"^(\t+)((?:__SetPage(?:Locked|SwapBacked)|__set_page_locked|"
                        r"__folio_set_(?:locked|swapbacked))\([^;]+\);)$", re.M)
# what may let go of an object, or show it to others
NOT_IDLE = re.compile(r"put|add|charge|insert|map|lock|install|free|release|uptodate", re.I)


def statement_start(masked, at, floor):
    """Where the statement begins that @at is in."""
    line = masked.rfind("\n", 0, at) + 1
    while line > floor:
        above = masked[masked.rfind("\n", 0, line - 1) + 1:line - 1].strip()
        if not above or above[-1] in ";{}:":
            break
        line = masked.rfind("\n", 0, line - 1) + 1
    return line


def bodies(tree, folders, words):
    """(path, text, masked, function) of the .c files that have one of @words, a pattern."""
    done = subprocess.run(["grep", "-rlE", "--include=*.c", words,
                           *[f for f in folders if os.path.isdir(os.path.join(tree, f))]],
                          cwd=tree, stdout=subprocess.PIPE, text=True)
    for path in sorted(done.stdout.split()):
        with open(os.path.join(tree, path), errors="surrogateescape", newline="") as f:
            text = f.read()
        masked = csource.mask(text)
        for fn in csource.functions(text, masked):
            yield path, text, masked, fn


def flag_sites(tree, folders, flag=FLAG):
    """(path, text, masked, function, match) of each flag write in a .c file."""
    for path, text, masked, fn in bodies(tree, folders, "SetPage|set_page_locked|folio_"):
        for m in flag.finditer(masked, fn.body, fn.end):
            yield path, text, masked, fn, m


def above_charge(masked, path, fn, charge, write):
    at = statement_start(masked, charge.start(), fn.body)
    return Edit(path, at, at, re.match(r"\s*", masked[at:])[0] + write + "\n")


def flag_of(masked, charge):
    """A flag write for what @charge is given, or None if that has no plain name."""
    inside = masked[charge.end():csource.closing(masked, charge.end() - 1)]
    args = re.split(r",(?![^()]*\))", inside)
    nth = CHARGES[charge[1]]
    arg = args[nth].strip() if nth < len(args) else ""
    page = re.fullmatch(r"page_folio\(([\w>*.-]+)\)", arg)
    if page:
        return f"__SetPageUptodate({page[1]});"
    if not re.fullmatch(r"[\w>.-]+", arg):
        return None
    return f"__SetPageUptodate({arg});" if "page" in arg or "page_cache" in charge[1] and \
        not charge[1].startswith("shmem") else f"__folio_mark_uptodate({arg});"


def flag_first(tree, folders):
    """
    A flag write that comes after a charge in its function goes above it.
    Where it is another function that writes the flag later, the write is
    there as well from now on: only the first one is behind a barrier that
    orders nothing.
    """
    out, done = [], set()
    for path, text, masked, fn, m in flag_sites(tree, folders):
        charges = list(CHARGE.finditer(masked, fn.body, m.start()))
        if charges and (path, fn.name) not in done:
            done.add((path, fn.name))
            out.append(Mutant("order", fn.name, [above_charge(masked, path, fn, charges[-1], m[2]),
                                                 Edit(path, m.start(2), m.end(2), ";")]))
    for path, text, masked, fn in bodies(tree, folders, CHARGE.pattern):
        charge = CHARGE.search(masked, fn.body, fn.end)
        write = charge and flag_of(masked, charge)
        if write and (path, fn.name) not in done:
            done.add((path, fn.name))
            out.append(Mutant("order", fn.name, [above_charge(masked, path, fn, charge, write)]))
    for one in out:
        one.accept = {("charge-after-flag", one.function)}
    return out


def behind_charge(masked, fn, charge):
    """The end of the statement that leaves when the charge has failed, or None."""
    s = csource.statement(masked, statement_start(masked, charge.start(), fn.body))
    if s and not masked.startswith("if", s.start):
        s = csource.statement(masked, s.end)
    if not s or not masked.startswith("if", s.start) or \
            not re.search(r"\b(return|goto)\b", masked[s.start:s.end]):
        return None
    return s.end


def flag_elsewhere(tree, folders):
    """
    A flag write changes places with a plain statement that is no charge and
    shows the object to nobody; one goes as far up as it can behind its charge;
    and one without a barrier goes above the charge.
    """
    out, done = [], set()
    plain = re.compile(r"^(\t+)(\w[\w>.\-]* [-+|&]?= [^;(){}]*;|\w+\([^;{}]*\);)\n$")
    both = re.compile(FLAG.pattern[:-1] + "$|" + PLAIN_FLAG.pattern, re.M)
    for path, text, masked, fn, m in flag_sites(tree, folders, both):
        end = m.end() + 1
        below = masked[end:masked.find("\n", end) + 1]
        above_at = masked.rfind("\n", 0, m.start() - 1) + 1
        above = masked[above_at:m.start()]
        if (path, fn.name) in done:
            continue
        for at, line in ((end, below), (above_at, above)):
            s = plain.match(line)
            if not s or s[1] != (m[1] or m[3]) or NOT_IDLE.search(PLAIN_FLAG.sub("", line)):
                continue
            lo, hi = min(m.start(), at), max(end, at + len(line))
            first, second = (m[0] + "\n", line) if at > m.start() else (line, m[0] + "\n")
            done.add((path, fn.name))
            out.append(Mutant("reordered", fn.name, [Edit(path, lo, hi, second + first)]))
            break
    done = set()
    for flag in (FLAG, PLAIN_FLAG):
        for path, text, masked, fn, m in flag_sites(tree, folders, flag):
            charges = list(CHARGE.finditer(masked, fn.body, m.start()))
            if not charges or (path, fn.name, flag) in done:
                continue
            done.add((path, fn.name, flag))
            if flag is PLAIN_FLAG:
                to = above_charge(masked, path, fn, charges[-1], m[2])
            else:
                at = behind_charge(masked, fn, charges[-1])
                if not at or not text[at:m.start()].strip():
                    continue
                to = Edit(path, at, at, "\n" + m[1] + m[2])
            out.append(Mutant("reordered", fn.name, [to, Edit(path, m.start(2), m.end(2), ";")]))
    return out


def call_sites(tree, names, folders):
    """{name: [(path, line text)]}: where each is named outside of prototypes."""
    if not names:
        return {}
    pattern = r"\b(%s)\s*\(" % "|".join(map(re.escape, sorted(names)))
    have = [f for f in folders if os.path.isdir(os.path.join(tree, f))]
    done = subprocess.run(["grep", "-rnE", "--include=*.c", "--include=*.h", pattern, *have],
                          cwd=tree, stdout=subprocess.PIPE, text=True, errors="replace")
    sites = {name: [] for name in names}
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(":")
        _, _, text = rest.partition(":")
        # a definition or prototype begins in column 0
        if re.match(r"\s", text):
            for name in re.findall(pattern, text):
                sites[name].append((path, text.strip()))
    return sites


def batches(mutants, size):
    """
    Groups of mutants that do not feed each other: of different functions, of
    which none names another's, with edits that do not meet.
    """
    groups = []
    for m in mutants:
        for g in groups:
            if len(g) < size and not any(meet(m, other) for other in g):
                g.append(m)
                break
        else:
            groups.append([m])
    return groups


def meet(a, b):
    if a.alone or b.alone or a.names & b.names:
        return True
    for x in a.edits:
        for y in b.edits:
            if x.path == y.path and x.start < y.end and y.start < x.end:
                return True
            # both at the end of one file is fine; at one other place is not
            if x.path == y.path and x.start == y.start and not x.path.endswith(".c"):
                return True
    return False


class Copy:
    """
    A copy of a tree made of hard links. A file is changed by a new one that
    is renamed over its name: the original's inode is never written.
    """

    def __init__(self, tree, directory):
        self.tree, self.directory, self.changed = tree, directory, set()
        done = subprocess.run(["cp", "-al", tree, directory], stderr=subprocess.DEVNULL)
        if done.returncode:
            subprocess.run(["rm", "-rf", directory], check=True)
            subprocess.run(["cp", "-a", tree, directory], check=True)

    def apply(self, mutants):
        by_path = {}
        for m in mutants:
            for e in m.edits:
                by_path.setdefault(e.path, []).append(e)
        for path, edits in by_path.items():
            with open(os.path.join(self.tree, path), errors="surrogateescape", newline="") as f:
                text = f.read()
            for e in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
                text = text[:e.start] + e.text + text[e.end:]
            place = os.path.join(self.directory, path)
            with open(place + ".mutant", "w", errors="surrogateescape", newline="") as f:
                f.write(text)
            os.rename(place + ".mutant", place)
            self.changed.add(path)

    def restore(self):
        for path in self.changed:
            place = os.path.join(self.directory, path)
            with open(os.path.join(self.tree, path), "rb") as f:
                data = f.read()
            with open(place + ".mutant", "wb") as f:
                f.write(data)
            os.rename(place + ".mutant", place)
        self.changed.clear()
