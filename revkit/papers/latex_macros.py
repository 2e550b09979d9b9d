"""Expand the simple macros that a paper defines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from revkit.model.latex_source import hidden_spans, visible_text
from revkit.papers.latex_groups import brace_end

_DEFINITION = re.compile(
    r"\\(?:newcommand|providecommand)\*?\s?(?:\{\s?\\(?P<braced>[A-Za-z]+)\s?\}|\\(?P<bare>[A-Za-z]+))"
    r"\s?(?:\[(?P<count>[1-9])\])?\s?(?P<new>\{)"
    r"|\\def\s?\\(?P<old>[A-Za-z]+)(?P<marks>(?:#[1-9]){0,9})\s?(?P<def>\{)"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SKIPPED = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|minted|alltt|filecontents\*?|Verbatim)\}|(?<!\\)%[^\n]*"
)
_LONGEST_BODY = 400
_LONGEST_ARGUMENT = 20_000
_MOST_MACROS = 500
_ROUNDS = 4
_MOST_GROWTH = 200_000
# Bodies that define, branch or count are programs, not texts.
_PROGRAM = re.compile(
    r"\\(?:def|edef|gdef|let|newcommand|renewcommand|if|else|fi|csname|expandafter|the|catcode|loop"
    r"|@|write|read|input|setcounter|addtocounter)(?![a-z])|##"
)
_ARGUMENT = re.compile(r"#([1-9])")
_USED = re.compile(r"\\([A-Za-z]+)")
_SPACE = re.compile(r"\\xspace(?![A-Za-z])")


def _group(text: str, brace: int, longest: int) -> int:
    """Return where the group that opens at ``brace`` ends, after its brace, or -1."""
    depth = 0
    for match in _BRACE.finditer(text, brace, brace + longest):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return -1


def _definitions(text: str) -> dict[str, tuple[int, str]]:
    """Return the simple macros that ``text`` defines, each with its number of arguments and its
    body. A name that is defined twice is ignored.
    """
    found: dict[str, tuple[int, str]] = {}
    twice: set[str] = set()
    for match in _DEFINITION.finditer(text):
        name = match["braced"] or match["bare"] or match["old"]
        group = "new" if match["new"] else "def"
        end = _group(text, match.start(group), _LONGEST_BODY)
        if end < 0:
            continue
        body = text[match.end(group) : end - 1]
        count = int(match["count"] or 0) if group == "new" else len(match["marks"]) // 2
        if name in found:
            twice.add(name)
        highest = max(map(int, _ARGUMENT.findall(body)), default=0)
        simple = highest <= count and not _PROGRAM.search(body)
        if simple and len(found) < _MOST_MACROS:
            found[name] = count, body
    return {name: found[name] for name in found if name not in twice}


def endless_of(macros: Mapping[str, tuple[int, str]]) -> frozenset[str]:
    """The macros that use themselves, also by way of others."""
    used = {
        name: sorted(macros.keys() & set(_USED.findall(body))) for name, (_, body) in macros.items()
    }
    endless: set[str] = set()
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    # Macros that use each other are the strong components of the graph (Tarjan 1972).
    for first in used:
        open_ = [(first, iter(used[first]))] if first not in number else []
        while open_:
            name, others = open_[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                path.append(name)
                on_path.add(name)
            for other in others:
                if other not in number:
                    open_.append((other, iter(used[other])))
                    break
                if other in on_path:
                    lowest[name] = min(lowest[name], number[other])
            else:
                open_.pop()
                if open_:
                    user = open_[-1][0]
                    lowest[user] = min(lowest[user], lowest[name])
                if lowest[name] == number[name]:
                    group = [path.pop()]
                    while group[-1] != name:
                        group.append(path.pop())
                    on_path.difference_update(group)
                    if len(group) > 1 or name in used[name]:
                        endless.update(group)
    return frozenset(endless)


def endless_macros(text: str) -> tuple[str, ...]:
    """The names of the simple macros of LaTeX ``text`` that use themselves, also by way of others,
    and that are used behind ``\\begin{document}``, or by a macro that is. `expand_macros` leaves
    them as they are, and expands the macros that use them.
    """
    macros, start = _macros_of(text)
    endless = endless_of(macros)
    if not endless:
        return ()
    open_ = set(_USED.findall(text, start))
    reached: set[str] = set()
    while open_:
        name = open_.pop()
        reached.add(name)
        if name in macros and name not in endless:
            open_.update(set(_USED.findall(macros[name][1])) - reached)
    return tuple(sorted(endless & reached))


def _macros_of(text: str) -> tuple[dict[str, tuple[int, str]], int]:
    """The simple macros of ``text``, and where its document begins; none without a document."""
    start = text.find("\\begin{document}")
    if start < 0 or not any(sign in text for sign in ("\\newcommand", "\\def", "\\providecommand")):
        return {}, start
    return _definitions(visible_text(text, hidden_spans(text))), start


def expand_macros(text: str) -> tuple[str, int]:
    """Return LaTeX ``text`` with its own simple macros expanded behind ``\\begin{document}``, and
    how many uses were.

    Simple is a macro of ``\\newcommand``, ``\\providecommand`` or ``\\def`` with at most nine
    arguments in braces, none of them optional, whose body is short and no program. A macro that
    uses itself (`endless_macros`) is left as it is.
    """
    macros, start = _macros_of(text)
    endless = endless_of(macros)
    macros = {name: macro for name, macro in macros.items() if name not in endless}
    if not macros:
        return text, 0
    names = "|".join(sorted(map(re.escape, macros), key=len, reverse=True))
    use = re.compile(rf"\\(?P<name>{names})(?![A-Za-z@])")
    head, body = text[:start], text[start:]
    uses = 0
    for _ in range(_ROUNDS):
        new, count = _expand_once(body, use, macros)
        if not count or len(new) > len(body) + _MOST_GROWTH:
            break
        body, uses = new, uses + count
    return head + body, uses


def _expand_once(
    text: str, use: re.Pattern[str], macros: dict[str, tuple[int, str]]
) -> tuple[str, int]:
    skipped = _skipped(text)
    parts: list[str] = []
    position = count = place = 0
    for match in use.finditer(text):
        start = match.start()
        while place < len(skipped) and skipped[place][1] <= start:
            place += 1
        within = place < len(skipped) and skipped[place][0] <= start
        if start < position or within or _is_defined(text, start):
            continue
        found = arguments_after(text, match.end(), macros[match["name"]][0])
        if found is None:
            continue
        arguments, end = found
        new = _filled(macros[match["name"]][1], arguments)
        if _SPACE.search(new):
            new = _SPACE.sub(" " if text[end : end + 1].isalnum() else "", new)
        parts += text[position:start], new
        position = end
        count += 1
    parts.append(text[position:])
    return "".join(parts), count


def _filled(body: str, arguments: list[str]) -> str:
    return _ARGUMENT.sub(lambda mark: arguments[int(mark[1]) - 1], body)


def _skipped(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    while match := _SKIPPED.search(text, position):
        position = match.end()
        if match[1]:
            end = text.find(f"\\end{{{match[1]}}}", position)
            position = end if end >= 0 else len(text)
        spans.append((match.start(), position))
    return spans


def _is_defined(text: str, start: int) -> bool:
    return text[max(0, start - 20) : start].rstrip("{ ").endswith(("command", "command*", "\\def"))


def arguments_after(text: str, position: int, count: int) -> tuple[list[str], int] | None:
    """The arguments behind a macro and where they end, or `None` where one is not in braces. A
    macro without arguments takes the blanks behind it, as TeX does, and an empty group."""
    if not count:
        if text.startswith("{}", position):
            return [], position + 2
        end = position
        while end < len(text) and text[end] in " \t":
            end += 1
        follows_word = text[end : end + 1].isalnum() and end > position
        # The blank is not part of the text that TeX sets; here it would join two words.
        return [], position if follows_word else end
    arguments: list[str] = []
    for _ in range(count):
        while position < len(text) and text[position].isspace():
            position += 1
        end = brace_end(text, position + 1) if text.startswith("{", position) else -1
        if end < 0 or end - position >= _LONGEST_ARGUMENT:
            return None
        arguments.append(text[position + 1 : end])
        position = end + 1
    return arguments, position
