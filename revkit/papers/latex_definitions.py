"""LaTeX definitions: expansion of the macros and environments of a paper that may hide text, also
with optional arguments, as copies of other commands, and by way of each other."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from revkit.dataclass import dataclass
from revkit.papers.latex_macros import endless_of

_NAME = r"(?:\{{\s{{0,3}})?\\(?P<{0}>[A-Za-z@]{{1,60}})(?:\s{{0,3}}\}})?\s{{0,3}}"
_COPIED = r"(?:=\s?)?\\(?P<{0}>[A-Za-z@]{{1,60}})(?![A-Za-z@])"
_COUNT = r"(?:\[(?P<count_{0}>[0-9])\]\s{{0,3}})?(?P<first_{0}>\[)?"
_ENVIRONMENT = r"\{{(?P<{0}>[A-Za-z@*]{{1,60}})\}}\s{{0,3}}"
_DEFINITION = re.compile(
    r"\\(?:(?:new|renew|provide)(?:command(?P<named>x)?|robustcmd)|DeclareRobustCommand)\*?\s{0,3}"
    + _NAME.format("macro")
    + _COUNT.format("macro")
    + r"|\\(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand\s{0,3}"
    + _NAME.format("document")
    + r"(?=\{)"
    r"|\\(?P<primitive>[egx]?def)\s{0,3}\\(?P<old>[A-Za-z@]{1,60})(?P<marks>[^{}\\\n]{0,60})(?=\{)"
    r"|\\(?:let|LetLtxMacro|NewCommandCopy|RenewCommandCopy|DeclareCommandCopy)\s{0,3}"
    + _NAME.format("copy")
    + r"(?:\{\s{0,3})?"
    + _COPIED.format("copied")
    + r"|\\DeclareTextFontCommand\s{0,3}"
    + _NAME.format("font")
    + r"(?=\{)"
    r"|\\(?:new|renew|provide)environment\*?\s{0,3}"
    + _ENVIRONMENT.format("environment")
    + _COUNT.format("environment")
    + r"|\\(?:New|Renew|Provide|Declare)DocumentEnvironment\s{0,3}"
    + _ENVIRONMENT.format("documented")
)
# "\csname name\endcsname" and its kind, as "\name".
_BY_NAME = re.compile(
    r"\\csname\s{0,3}(?P<name>[A-Za-z@]{1,60})\s{0,3}\\endcsname"
    r"|\\@nameuse\s{0,3}\{(?P<used>[A-Za-z@]{1,60})\}"
    r"|\\@namedef\s{0,3}\{(?P<defined>[A-Za-z@]{1,60})\}"
)
_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[{}\]]", re.DOTALL)
_MARK = re.compile(r"#([1-9])")
_MARKS = re.compile(r"#[1-9]|[^#]{1,20}")
_USED = re.compile(r"\\([A-Za-z@]+)")
_VALUE = re.compile(r"\s{0,3}[\w.!:,-]{1,40}\s{0,3}")
_WORDS = re.compile(r"(?:[^\W\d_]{2,40}[\s,.;:]{1,3})[^\W\d_]{2}")
_BEFORE_VALUE = re.compile(r"[\[{=,!]\s{0,3}\Z")
_LOOKS = re.compile(r"\\(?:text)?(?:color|transparent)|\\(?:opacity|fontsize|phantom|tikz|node)")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z@]{1,60}\Z")
_LONGEST_ARGUMENT = 20_000
_MOST_DEFINITIONS = 2_000
_MOST_USES = 20_000
_MOST_GROWTH = 200_000
_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class _Parameter:
    """One parameter: its kind in the letters of `xparse`, with "x" for a text that must follow, and
    the text that it has where it is left out."""

    kind: str
    default: str = ""
    marks: str = ""


@dataclass(frozen=True, slots=True)
class _Definition:
    """A macro, or an environment, whose text at the end is ``close``."""

    start: int
    end: int
    parameters: tuple[_Parameter, ...]
    body: str
    close: str | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of an expanded text: where it begins, and the span of the text before that it is from.
    A part that is exact is that span itself."""

    start: int
    first: int
    last: int
    exact: bool


_Spans = Sequence[tuple[int, int]]


class Expansion:
    """LaTeX with those of its own macros and environments expanded that may hide what they print.

    ``text`` is the expanded text, ``code`` the spans of it in which no command is read, and
    ``is_whole`` whether the expansion ended within its bounds.
    """

    def __init__(self, text: str, code: _Spans, signs: re.Pattern[str]) -> None:
        self.text = text
        self.code = list(code)
        self.is_whole = True
        self._left = (0, 0)
        self._rounds: list[tuple[list[_Piece], list[int]]] = []
        self._expand(signs)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the first text that a span of the expanded one is from."""
        for pieces, starts in reversed(self._rounds):
            first = pieces[bisect_right(starts, start) - 1]
            last = pieces[max(0, bisect_right(starts, end - 1) - 1)]
            start = first.first + (start - first.start if first.exact else 0)
            end = last.first + end - last.start if last.exact else last.last
        return start, max(start, end)

    def first_use(self) -> tuple[int, int]:
        """The place of the first use that was not expanded, where the expansion is not whole."""
        return self._left

    def _expand(self, signs: re.Pattern[str]) -> None:
        if "\\csname" in self.text or "\\@name" in self.text:
            self._apply(
                (*match.span(), [f"{_by_name(match)} "])
                for match in islice(_BY_NAME.finditer(self.text), _MOST_USES)
            )
        macros, environments = _definitions(self.text)
        macros = _that_may_hide(macros, signs)
        environments = {
            name: found
            for name, found in environments.items()
            if any(_is_sign(each, signs, macros) for each in found)
        }
        for name in endless_of({name: (0, each[-1].body) for name, each in macros.items()}):
            # A loop of a program, without a colour or the like, hides nothing.
            if not any(_LOOKS.search(each.body) for each in macros[name]):
                del macros[name]
        if not macros and not environments:
            return
        most = len(self.text) + _MOST_GROWTH
        use = _pattern(macros, environments)
        for _ in range(_ROUNDS):
            found = list(islice(self._uses(use, macros, environments), _MOST_USES))
            if not found:
                return
            size = sum(
                len(part) if isinstance(part, str) else part[1] - part[0]
                for _, _, parts in found
                for part in parts
            )
            self._left = self.origin(*found[0][:2])
            if len(self.text) + size > most:
                break
            self._apply(iter(found))
        self.is_whole = False

    def _uses(
        self,
        use: re.Pattern[str],
        macros: dict[str, list[_Definition]],
        environments: dict[str, list[_Definition]],
    ) -> Iterator[tuple[int, int, list[str | tuple[int, int]]]]:
        """The uses of macros and environments, each with what takes its place: texts, and spans of
        the text before."""
        text = self.text
        skipped = sorted([*self.code, *_defined_spans(text)])
        place = position = 0
        for match in use.finditer(text):
            start = match.start()
            while place < len(skipped) and skipped[place][1] <= start:
                place += 1
            if start < position or (place < len(skipped) and skipped[place][0] <= start):
                continue
            name, is_macro = match["macro"] or match["name"], match["macro"] is not None
            known = (macros if is_macro else environments)[name]
            at = self.origin(start, start + 1)[0]
            chosen = [each for each in known if each.start < at] or known[:1]
            definition = chosen[-1]
            is_value = not definition.parameters and _VALUE.fullmatch(definition.body)
            if is_macro and is_value and not _BEFORE_VALUE.search(text, max(0, start - 5), start):
                continue
            if match["act"] == "end":
                position = match.end()
                yield start, position, [f"{definition.close or ''}}}"]
                continue
            found = _arguments(text, match.end(), definition.parameters)
            if found is None:
                continue
            arguments, position = found
            parts = list(_filled(definition.body, arguments))
            if _COMMAND_AT_END.search(definition.body) and text[position : position + 1].isalpha():
                parts.append(" ")
            yield start, position, parts if is_macro else ["{", *parts]

    def _apply(self, uses: Iterator[tuple[int, int, list[str | tuple[int, int]]]]) -> None:
        text = self.text
        parts: list[str] = []
        pieces: list[_Piece] = []
        length = position = 0

        def add(first: int, last: int, said: str, *, exact: bool) -> None:
            nonlocal length
            if said:
                pieces.append(_Piece(length, first, last, exact))
                parts.append(said)
                length += len(said)

        for start, end, new in uses:
            if start < position:
                continue
            add(position, start, text[position:start], exact=True)
            for part in new:
                if isinstance(part, str):
                    add(start, end, part, exact=False)
                else:
                    add(*part, text[part[0] : part[1]], exact=True)
            position = end
        add(position, len(text), text[position:], exact=True)
        if not pieces:
            return
        firsts = [(piece.first, piece) for piece in pieces if piece.exact]
        firsts.sort(key=lambda pair: pair[0])
        keys = [first for first, _ in firsts]
        code = []
        for start, end in self.code:
            number = bisect_right(keys, start) - 1
            if number >= 0 and end <= firsts[number][1].last:
                piece = firsts[number][1]
                code.append((start - piece.first + piece.start, end - piece.first + piece.start))
        self.code = sorted(code)
        self.text = "".join(parts)
        self._rounds.append((pieces, [piece.start for piece in pieces]))


def _by_name(match: re.Match[str]) -> str:
    name = match["name"] or match["used"] or match["defined"]
    return f"\\def\\{name}" if match["defined"] else f"\\{name}"


def _pattern(
    macros: dict[str, list[_Definition]], environments: dict[str, list[_Definition]]
) -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(macros, key=len, reverse=True))) or "(?!)"
    others = "|".join(map(re.escape, environments)) or "(?!)"
    return re.compile(
        rf"\\(?:(?P<macro>{names})(?![A-Za-z@])"
        rf"|(?P<act>begin|end)\s{{0,3}}\{{(?P<name>{others})\}})"
    )


def _that_may_hide(
    macros: dict[str, list[_Definition]], signs: re.Pattern[str]
) -> dict[str, list[_Definition]]:
    """The macros with a sign of hiding, a value or words, or that use such a macro."""
    users: dict[str, set[str]] = {}
    for name, found in macros.items():
        for each in found:
            for used in _USED.findall(each.body):
                users.setdefault(used, set()).add(name)
    open_ = [
        name
        for name, found in macros.items()
        if any(
            signs.search(each.body)
            or (not each.parameters and (_VALUE.fullmatch(each.body) or _WORDS.search(each.body)))
            for each in found
        )
    ]
    kept = set(open_)
    while open_:
        for user in users.get(open_.pop(), set()) - kept:
            kept.add(user)
            open_.append(user)
    # A command that hides text by itself stays what it is.
    return {name: macros[name] for name in macros if name in kept and not signs.match(f"\\{name}")}


def _is_sign(
    definition: _Definition, signs: re.Pattern[str], macros: dict[str, list[_Definition]]
) -> bool:
    body = definition.body
    return bool(signs.search(body)) or not macros.keys().isdisjoint(_USED.findall(body))


def _definitions(
    text: str,
) -> tuple[dict[str, list[_Definition]], dict[str, list[_Definition]]]:
    macros: dict[str, list[_Definition]] = {}
    environments: dict[str, list[_Definition]] = {}
    for match in islice(_DEFINITION.finditer(text), _MOST_DEFINITIONS):
        definition = _definition(text, match)
        if definition is None:
            continue
        name = next(
            filter(None, map(match.group, ("macro", "document", "old", "copy", "font"))), None
        )
        if name is not None:
            macros.setdefault(name, []).append(definition)
        else:
            name = match["environment"] or match["documented"]
            environments.setdefault(name, []).append(definition)
    return macros, environments


def _defined_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in islice(_DEFINITION.finditer(text), _MOST_DEFINITIONS):
        definition = _definition(text, match)
        if definition is not None:
            yield definition.start, definition.end


def _definition(text: str, match: re.Match[str]) -> _Definition | None:
    if match["copied"]:
        return _Definition(match.start(), match.end(), (), f"\\{match['copied']}")
    at = match.end()
    parameters: tuple[_Parameter, ...]
    if match["document"] or match["documented"]:
        spec = _group(text, at)
        if spec is None:
            return None
        parameters, at = _of_spec(text[spec[0] : spec[1]]), spec[1] + 1
    elif match["primitive"]:
        parameters = tuple(
            _Parameter("m") if part[0] == "#" else _Parameter("x", marks=part.strip())
            for part in _MARKS.findall(match["marks"])
            if part.strip()
        )
    else:
        kind = "macro" if match["macro"] else "environment"
        count = int(match[f"count_{kind}"] or 0)
        parameters = (_Parameter("m"),) * count
        if match[f"first_{kind}"]:
            default = _bracket(text, at)
            if default is None:
                return None
            said = text[default[0] : default[1]]
            parameters = (
                tuple(_named(said, count))
                if match["named"]
                else (_Parameter("o", said), *parameters[1:])
            )
            at = default[1] + 1
    body = _group(text, at)
    if body is None:
        return None
    if match["font"]:
        said = f"{{{text[body[0] : body[1]]} #1}}"
        return _Definition(match.start(), body[1] + 1, (_Parameter("m"),), said)
    close = None
    end = body[1] + 1
    if match["environment"] or match["documented"]:
        last = _group(text, end)
        if last is None:
            return None
        close, end = text[last[0] : last[1]], last[1] + 1
    return _Definition(match.start(), end, parameters, text[body[0] : body[1]], close)


def _named(defaults: str, count: int) -> Iterator[_Parameter]:
    """The parameters of a macro of `xargs`, with defaults such as "1=white, 3=x"."""
    given: dict[str, str] = {}
    for part in defaults.split(","):
        number, _, default = part.partition("=")
        given[number.strip()] = default.strip()
    for place in range(1, count + 1):
        known = given.get(str(place))
        yield _Parameter("m") if known is None else _Parameter("o", known)


def _of_spec(spec: str) -> tuple[_Parameter, ...]:
    """The parameters that a specification of `xparse` names, such as "s O{white} m"."""
    found: list[_Parameter] = []
    at = 0
    while at < len(spec) and len(found) < 9:
        sign = spec[at]
        at += 1
        if sign not in "mosOgGtdDrRbv":
            continue
        marks = ""
        if sign in "tdDrR":
            marks = "".join(spec[at:].split())[: 1 if sign == "t" else 2]
            at += len(marks)
        default = ""
        if sign in "OGDR":
            group = _group(spec, at)
            if group is not None:
                default, at = spec[group[0] : group[1]], group[1] + 1
        found.append(_Parameter(sign, default, marks))
    return tuple(found)


_Argument = str | tuple[int, int]


def _arguments(
    text: str, at: int, parameters: Sequence[_Parameter]
) -> tuple[list[_Argument], int] | None:
    """The arguments behind a macro, as spans or as defaults, and where they end."""
    found: list[_Argument] = []
    if not parameters:
        return found, at + 2 if text.startswith("{}", at) else at
    for each, after in zip_longest(parameters, parameters[1:]):
        start = at
        if each.kind == "m" and after is not None and after.kind == "x":
            end = text.find(after.marks, at, at + _LONGEST_ARGUMENT)
            if end < 0:
                return None
            found.append((at, end))
            at = end
            continue
        while at < len(text) and text[at] in " \t\n" and text[at : at + 2] != "\n\n":
            at += 1
        sign = text[at : at + 1]
        if each.kind == "x":
            if not text.startswith(each.marks, at):
                return None
            at += len(each.marks)
        elif each.kind in "st":
            mark = "*" if each.kind == "s" else each.marks
            found.append("")
            at = at + 1 if mark and sign == mark else start
        elif each.kind in "oO" or (each.kind in "dDrR" and each.marks):
            marks = "[]" if each.kind in "oO" else (each.marks + "  ")
            opening, closing = marks[0], marks[1]
            span = None
            if sign == opening:
                end = text.find(closing, at + 1, at + _LONGEST_ARGUMENT)
                span = _bracket(text, at + 1) if closing == "]" else (at + 1, end)
            if span is None or span[1] < 0:
                found.append(each.default)
                at = start
            else:
                found.append(span)
                at = span[1] + 1
        elif each.kind in "gG" and sign != "{":
            found.append(each.default)
            at = start
        else:
            group = _group(text, at) if sign == "{" else _token(text, at)
            if group is None:
                return None
            found.append(group)
            at = group[1] + (sign == "{")
    return found, at


def _token(text: str, at: int) -> tuple[int, int] | None:
    command = _USED.match(text, at, at + 80)
    if command:
        return command.span()
    return (at, at + 1) if at < len(text) and text[at] not in "}\n" else None


def _filled(body: str, arguments: Sequence[_Argument]) -> Iterator[_Argument]:
    """The text of a macro with its arguments; one that it does not have is empty."""
    position = 0
    for mark in _MARK.finditer(body):
        yield body[position : mark.start()]
        number = int(mark[1])
        if number <= len(arguments):
            yield arguments[number - 1]
        position = mark.end()
    yield body[position:]


def _group(text: str, at: int) -> tuple[int, int] | None:
    """What is between the braces of the group that opens at ``at``, or behind blanks there."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if not text.startswith("{", at):
        return None
    return _closed(text, at + 1, _SIGN, "}")


def _bracket(text: str, at: int) -> tuple[int, int] | None:
    return _closed(text, at, _BRACKET, "]")


def _closed(text: str, at: int, signs: re.Pattern[str], closing: str) -> tuple[int, int] | None:
    depth = 0
    for sign in signs.finditer(text, at, at + _LONGEST_ARGUMENT):
        if sign[0] == closing and depth == 0:
            return at, sign.start()
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth < 0:
            return None
    return None
