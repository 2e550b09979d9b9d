"""Switches of LaTeX source: which branch of a conditional TeX reads, where the source alone shows
it.

``\\newif\\ifdraft``, ``\\draftfalse``, ``\\if0``, ``\\ifnum1=2``, toggles and booleans of packages,
excluded environments and macros that drop their argument are followed in the order of the text. A
condition on anything else stays unknown, and both of its branches count.
"""

from __future__ import annotations

import re

# A command that a switch consists of; it ends where the name of the command ends.
SWITCH = (
    r"\\newif\s*\\if(?P<new>[A-Za-z@]+)"
    r"|\\let\s*\\if(?P<let>[A-Za-z@]+)\s*+=?\s*+\\if(?P<value>true|false)(?![A-Za-z@])"
    r"|\\(?:set(?:toggle|bool|boolean)|newboolean|newbool|newtoggle)\s*\{\s*(?P<flag>[\w@-]+)\s*\}"
    r"(?:\s*\{\s*(?P<flagged>true|false)\s*\})?"
    r"|\\(?:toggle|bool)(?P<flips>true|false)\s*\{\s*(?P<flipped>[\w@-]+)\s*\}"
    r"|\\if(?:toggle|bool)\s*\{\s*(?P<choice>[\w@-]+)\s*\}\s*(?=\{)"
    r"|\\ifthenelse\s*\{\s*(?P<negated>\\not\s*)?\\boolean\s*\{\s*(?P<boolean>[\w@-]+)\s*\}\s*\}\s*(?=\{)"
    r"|\\if(?P<if>[A-Za-z@]*)(?![A-Za-z@])"
    r"|\\(?P<flow>else|or|fi)(?![A-Za-z@])"
    r"|\\(?P<set>[A-Za-z@]+?)(?P<to>true|false)(?![A-Za-z@])"
    r"|\\(?:(?:re)?newcommand|providecommand|[egx]?def)\*?\s*+\{?\s*+\\(?P<macro>[A-Za-z@]+)\s*+\}?"
    r"(?:\s*(?:\[1\]|\#1)\s*(?P<drops>\{\s*\})|\s*\{\s*(?P<number>\d{1,4})\s*\})?"
    r"|\\excludecomment\s*\{\s*(?P<excluded>[A-Za-z@]+\*?)\s*\}"
    r"|\\(?:re)?newenvironment\*?\s*\{\s*(?P<commented>[A-Za-z@]+\*?)\s*\}\s*\{\s*\\comment\s*\}"
)
# Within a branch that TeX skips, only conditionals count. These begin with "if" and are none.
_CONDITION = re.compile(
    r"\\newif\s*\\if[A-Za-z@]+|\\let\s*\\if[A-Za-z@]+\s*+=?\s*+\\if[A-Za-z@]+"
    r"|\\(?:(?P<fi>fi)|(?P<other>else|or)|(?P<if>if[A-Za-z@]*))(?![A-Za-z@])|\\.|%[^\n]*"
)
_NO_CONDITIONS = re.compile(
    r"(?:thenelse|empty|blank|strequal|stre|def(?:void|string|macro)|toggle|bool|cs(?:un)?def"
    r"|(?:un)?def\Z|num(?:comp|equal|greater|less)|package|inlist)"
)
_DIGIT = r"(\d{1,6}|\\[A-Za-z@]+)"
_COMPARED = re.compile(rf"\s*{_DIGIT}\s*([=<>])\s*{_DIGIT}")
_ODD = re.compile(rf"\s*{_DIGIT}")
_CHARACTERS = re.compile(r"[ \t]?(?:(\d)|\\([A-Za-z@]+)[ \t]*)(?:(\d)|\\([A-Za-z@]+)|\s)")
_NAME = re.compile(r"\s*\\([A-Za-z@]+)")
_EITHER = re.compile(
    r"\s*\\(?:undefined|@undefined)\s*\\([A-Za-z@]+)|\s*\\([A-Za-z@]+)\s*\\@?undefined(?![A-Za-z@])"
)
_MOST_READ = 2_000_000
_NEAR = 40
_BRACE = re.compile(r"\\.|[{}]|%[^\n]*", re.DOTALL)


class Switches:
    """The switches of one text and its open conditionals, up to the place read so far."""

    def __init__(self) -> None:
        self._state: dict[str, bool | None] = {}
        self._flags: dict[str, bool | None] = {}
        self._macros: dict[str, str] = {}
        # Macros with a name like that of a conditional.
        self._no_conditions: set[str] = set()
        # For each open conditional: its first branch is read, its last is, or that is unknown.
        self._open: list[bool | None] = []
        self._unsure = -1
        # Whether all branches skipped so far had an end: TeX stops at one without.
        self._closed = True
        # Characters of arguments that may still be read, since they may be nested.
        self._left = _MOST_READ
        self.excluded: set[str] = set()
        self.dropping: set[str] = set()

    def read(self, text: str, match: re.Match[str]) -> tuple[int, int] | None:
        """Read the command of `SWITCH` that ``match`` found in ``text``; return the span that TeX
        skips there, if any.
        """
        start, end = match.span()
        if match["flow"]:
            return self._flow(text, match["flow"], start, end)
        if match["if"] is not None:
            return self._condition(text, match["if"], start, end)
        if match["choice"] or match["boolean"]:
            value = self._flags.get(match["choice"] or match["boolean"])
            if value is None and match["boolean"]:
                value = self._state.get(match["boolean"])
            return self._chosen(text, end, value if not match["negated"] else _opposite(value))
        if match["macro"]:
            self._define(match)
        elif match["excluded"] or match["commented"]:
            self.excluded.add(match["excluded"] or match["commented"])
        else:
            self._set(text, match)
        return None

    def drop(self, text: str, end: int) -> tuple[int, int] | None:
        """Return the argument of a macro that drops it, whose name ends at ``end``, if any."""
        while text[end : end + 1] in (" ", "\t"):
            end += 1
        close = self._brace_end(text, end)
        return (end, close) if close > end else None

    def _set(self, text: str, match: re.Match[str]) -> None:
        if match["new"] or match["let"]:
            name = match["new"] or match["let"]
            self._state[name] = match["value"] == "true"
            return
        name = match["flag"] or match["flipped"] or match["set"]
        value: bool | None = (match["flagged"] or match["flips"] or match["to"]) == "true"
        before = text[max(0, match.start() - 40) : match.start()].rstrip()
        near = 0 <= self._unsure >= match.start() - _NEAR
        chained = near and not text[self._unsure : match.start()].strip()
        # In the body of a macro, in a group or in an open branch it may never be read.
        if before.endswith("{") or chained or None in self._open[-_NEAR:]:
            value = None
            self._unsure = match.end()
        (self._state if match["set"] else self._flags)[name] = value

    def _define(self, match: re.Match[str]) -> None:
        name = match["macro"]
        if name.startswith("if"):
            self._no_conditions.add(name[2:])
            self._state.pop(name[2:], None)
        self._macros[name] = match["number"] or ""
        if match["drops"]:
            self.dropping.add(name)
        else:
            self.dropping.discard(name)

    def _flow(self, text: str, name: str, start: int, end: int) -> tuple[int, int] | None:
        if not self._open:
            return None
        if name == "fi":
            self._open.pop()
        elif self._open[-1] is True and self._closed:
            last, _ = self._skipped(text, end, whole=True)
            self._closed = last > 0
            if last > 0:
                self._open.pop()
                return start, last
        return None

    def _condition(self, text: str, name: str, start: int, end: int) -> tuple[int, int] | None:
        if not self._is_condition(name):
            return None
        value = self._value(text, name, end)
        if value is not False or not self._closed:
            self._open.append(value)
            return None
        last, in_other = self._skipped(text, end)
        self._closed = last > 0
        if last <= 0:
            return None
        if in_other:
            self._open.append(False)
        return start, last

    def _is_condition(self, name: str) -> bool:
        return name not in self._no_conditions and _NO_CONDITIONS.match(name) is None

    def _value(self, text: str, name: str, end: int) -> bool | None:
        if name in ("true", "false"):
            return name == "true"
        if name == "":
            return self._equal_characters(text, end)
        if name == "num":
            compared = _COMPARED.match(text, end)
            low = self._number(compared[1]) if compared else None
            high = self._number(compared[3]) if compared else None
            if compared is None or low is None or high is None:
                return None
            return {"=": low == high, "<": low < high, ">": low > high}[compared[2]]
        if name == "odd":
            odd = _ODD.match(text, end)
            number = self._number(odd[1]) if odd else None
            return None if number is None else number % 2 == 1
        if name == "defined":
            defined = _NAME.match(text, end)
            return True if defined and defined[1] in self._macros else None
        if name == "x":
            either = _EITHER.match(text, end)
            return False if either and (either[1] or either[2]) in self._macros else None
        return self._state.get(name)

    def _equal_characters(self, text: str, end: int) -> bool | None:
        found = _CHARACTERS.match(text, end)
        if found is None:
            return False if re.match(r"\s?0(?![\d\\])", text[end : end + 3]) else None
        first, second = found[1], found[3] or ""
        if found[2] is not None:
            first = self._macros.get(found[2], "")
            if not first:
                return None
        if found[4] is not None:
            if found[4] not in self._macros:
                # "\\if0\\section{...}": a command of LaTeX never equals a digit.
                return False if found[4] in _COMMANDS else None
            second = self._macros[found[4]]
        return first == second

    def _number(self, written: str) -> int | None:
        digits = self._macros.get(written[1:], "") if written[0] == "\\" else written
        return int(digits) if digits else None

    def _chosen(self, text: str, end: int, value: bool | None) -> tuple[int, int] | None:
        """Return the span of the argument that is not chosen, of the two from ``end``."""
        if value is None:
            return None
        first = self._brace_end(text, end)
        if first < 0 or not value:
            return (end, first) if first > 0 else None
        start = first
        while text[start : start + 1].isspace():
            start += 1
        second = self._brace_end(text, start)
        return (start, second) if second > 0 else None

    def _brace_end(self, text: str, at: int) -> int:
        """Return where the group that opens at ``at`` ends, or -1; groups may hold paragraphs."""
        if text[at : at + 1] != "{" or not self._closed:
            return -1
        depth = 0
        for match in _BRACE.finditer(text, at, at + self._left):
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            if depth == 0:
                self._left -= match.end() - at
                return match.end()
        self._closed = False
        return -1

    def _skipped(self, text: str, position: int, *, whole: bool = False) -> tuple[int, bool]:
        """Return where the branch that starts at ``position`` ends, after its ``\\fi`` or
        ``\\else``, and whether that is ``\\else``; if ``whole``, after its ``\\fi``. 0 if there is
        none: TeX would then stop, and nothing is removed.
        """
        depth = 1
        for match in _CONDITION.finditer(text, position):
            if match["fi"]:
                depth -= 1
            elif match["if"]:
                depth += self._is_condition(match["if"][2:])
            elif match["other"] and depth == 1 and not whole:
                return match.end(), True
            if depth == 0:
                return match.end(), False
        return 0, False


_COMMANDS = frozenset(
    str.split(
        "section subsection subsubsection paragraph chapter part begin end textbf textit emph"
        " cite citep citet item noindent par input include label footnote vspace hspace"
    )
)


def _opposite(value: bool | None) -> bool | None:
    return None if value is None else not value
