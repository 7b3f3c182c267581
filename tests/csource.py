# SPDX-License-Identifier: GPL-2.0-only
"""C as text, as far as the tests that change real trees need it."""
import re

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PAIRS = {"(": ")", "{": "}", "[": "]"}


def mask(text):
    """The same text with comments and literals blanked, all places kept."""
    return NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def closing(masked, at):
    """The place of the bracket that closes the one at @at, or -1."""
    open_, close, depth = masked[at], PAIRS[masked[at]], 0
    for m in re.compile("[%s]" % re.escape(open_ + close)).finditer(masked, at):
        depth += 1 if m[0] == open_ else -1
        if not depth:
            return m.start()
    return -1


class Function:
    """One definition: text[start:end]; the body is text[body:end], braces too."""

    def __init__(self, name, start, paren, body, end):
        self.name, self.start, self.paren, self.body, self.end = name, start, paren, body, end


def functions(text, masked=None):
    """Every function that is defined with its name in column 0's declaration."""
    masked = masked or mask(text)
    found = []
    for m in re.finditer(r"^(?![#\s{}])[^\n;{}()=]*?\b(\w+)\s*\(", masked, re.M):
        paren = m.end() - 1
        end = closing(masked, paren)
        if end < 0:
            continue
        after = re.compile(r"\s*(?:__\w+\s*(?:\([^()]*\))?\s*)*\{").match(masked, end + 1)
        if not after:
            continue
        body = after.end() - 1
        stop = closing(masked, body)
        if stop < 0 or m[1] in ("if", "for", "while", "switch"):
            continue
        start = m.start()
        # the type may stand on the line before the name
        before = masked.rfind("\n", 0, start - 1) + 1
        line = masked[before:max(start - 1, 0)]
        if start and re.fullmatch(r"(?!#)[A-Za-z_][\w\s*]*", line) and ";" not in line:
            start = before
        found.append(Function(m[1], start, paren, body, stop + 1))
    return found


def function(text, name, inside=None):
    """
    The definition of @name. Where there are two, as with a stub, the one
    whose body has @inside.
    """
    for f in functions(text):
        if f.name == name and (inside is None or inside in text[f.body:f.end]):
            return f
    return None


class Statement:
    def __init__(self, kind, start, end):
        self.kind, self.start, self.end = kind, start, end


def statement(masked, at):
    """The statement that begins at or after @at, or None."""
    m = re.compile(r"\s*").match(masked, at)
    at = m.end()
    if at >= len(masked) or masked[at] == "}":
        return None
    if masked[at] == "#":
        stop = masked.find("\n", at)
        return Statement("cpp", at, stop if stop >= 0 else len(masked))
    if masked[at] == "{":
        return Statement("block", at, closing(masked, at) + 1)
    word = re.compile(r"\w+").match(masked, at)
    word = word[0] if word else ""
    if word in ("if", "for", "while", "switch") or re.match(r"\w*for_each\w*", word):
        paren = masked.find("(", at)
        stop = closing(masked, paren)
        inner = statement(masked, stop + 1)
        if not inner:
            return None
        end = inner.end
        if word == "if":
            m = re.compile(r"\s*else\b").match(masked, end)
            if m:
                inner = statement(masked, m.end())
                if not inner:
                    return None
                end = inner.end
        return Statement(word if word in ("if", "switch") else "loop", at, end)
    if word == "do":
        inner = statement(masked, at + 2)
        if not inner:
            return None
        return Statement("loop", at, masked.find(";", inner.end) + 1)
    m = re.compile(r"(\w+|case\b[^:;?]*)\s*:(?!:)").match(masked, at)
    if m:
        return Statement("label", at, m.end())
    depth = 0
    for i in range(at, len(masked)):
        c = masked[i]
        if c in "({[":
            depth += 1
        elif c in ")}]":
            depth -= 1
        elif c == ";" and not depth:
            kind = "return" if word in ("return", "goto") else "simple"
            if kind == "simple" and is_declaration(masked[at:i]):
                kind = "decl"
            return Statement(kind, at, i + 1)
    return None


def is_declaration(text):
    return bool(re.match(
        r"(?:static|const|unsigned|signed|struct|union|enum|int|long|bool|u8|u16|u32|u64|s64|"
        r"char|size_t|gfp_t|[a-z]\w*_t|[A-Z]\w+|DEFINE_\w+\(|LIST_HEAD\()\s*[\s*]*\w+", text)) and not \
        re.match(r"\w+\s*(?:\(|->|\.|\[|[-+|&]?=|\+\+|--)", text)


def statements(masked, body):
    """Those of the block whose brace is at @body; None if one is not understood."""
    out, at, stop = [], body + 1, closing(masked, body)
    while masked[at:stop].strip():
        s = statement(masked, at)
        if not s or s.end <= at:
            return None
        out.append(s)
        at = s.end
    return out
