"""LaTeX definitions: expansion of the macros and environments of a paper that may hide text, also
with optional arguments, as copies of other commands, and by way of each other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, zip_longest

from revkit.dataclass import dataclass
from revkit.papers.latex_groups import Needles, Nesting, brace_end
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
_BRACKET = re.compile(r"\\.|[{}\]]", re.DOTALL)
_COLOR_ENVIRONMENT = re.compile(r"\\(begin|end)\s{0,3}\{color\}")
_MARK = re.compile(r"#([1-9])")
_MARKS = re.compile(r"#[1-9]|[^#]{1,20}")
_USED = re.compile(r"\\([A-Za-z@]+)")
_VALUE = re.compile(r"\s{0,3}[\w.!:,-]{1,40}\s{0,3}")
_WORDS = re.compile(r"(?:[^\W\d_]{2,40}[\s,.;:]{1,3})[^\W\d_]{2}")
_BEFORE_VALUE = re.compile(r"[\[{=,!]\s{0,3}\Z")
_LOOKS = re.compile(r"\\(?:text)?(?:color|transparent)|\\(?:opacity|fontsize|phantom|tikz|node)")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z@]{1,60}\Z")
_UNREAD = re.compile(
    r"%|\\(?:if|else|or)|\\begin\s?\{(?!verb|Verb|lst|minted|alltt|filecon)|(?!\\)"
)
_DROPPED = re.compile(r"\\(?P<name>[A-Za-z@]{1,60})")
_LINE_AFTER = re.compile(r"\n(?![ \t]*\n)[ \t]*")
_USE = re.compile(
    r"\\(?:(?P<act>begin|end)\s{0,3}\{(?P<name>[A-Za-z@*]{1,60})\}|(?P<macro>[A-Za-z@]{1,60})(?![A-Za-z@]))"
)
_LONGEST_BODY = 20_000
_MOST_IN_BODIES = 2_000_000
_LONGEST_SPEC = 400
_MOST_DEFINITIONS = 10_000
_MOST_VARIANTS = 6
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
    copied: str = ""


@dataclass(slots=True)
class _Variant:
    """One of the texts that the definitions of a name give it, and where they are."""

    definition: _Definition
    starts: list[int]


_Known = dict[str, list[_Variant]]


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

    def __init__(
        self,
        text: str,
        code: _Spans,
        signs: re.Pattern[str],
        hides: Callable[[str, str], int],
    ) -> None:
        self.text = text
        self.code = list(code)
        self.is_whole = True
        self._left = (0, 0)
        self._hides = hides
        self._rounds: list[tuple[list[_Piece], list[int]]] = []
        self._expand(signs)

    def origin(self, start: int, end: int, *, after: int = 0) -> tuple[int, int]:
        """The span of the first text, or of that ``after`` some rounds, that a span of the expanded
        one is from."""
        for pieces, starts in reversed(self._rounds[after:]):
            first = pieces[bisect_right(starts, start) - 1]
            last = pieces[max(0, bisect_right(starts, end - 1) - 1)]
            start = first.first + (start - first.start if first.exact else 0)
            end = last.first + end - last.start if last.exact else last.last
        return start, max(start, end)

    def first_use(self) -> tuple[int, int]:
        """The place of the first use that was not expanded, where the expansion is not whole."""
        return self._left

    def _expand(self, signs: re.Pattern[str]) -> None:
        text = self.text
        unread = [span for span in self.code if _UNREAD.match(text, span[0])]
        if unread:
            self._apply((start, _unread_end(text, start, end), []) for start, end in unread)
        if "\\csname" in self.text or "\\@name" in self.text:
            self._apply(
                (*match.span(), [f"{_by_name(match)} "]) for match in _BY_NAME.finditer(self.text)
            )
        if "{color}" in self.text:
            self._apply(
                (*match.span(), ["{\\color " if match[1] == "begin" else "}"])
                for match in _COLOR_ENVIRONMENT.finditer(self.text)
            )
        read, self.is_whole = _read(self.text, self.code)
        macros, environments, is_whole = _definitions(read, signs)
        self.is_whole &= is_whole
        macros = _that_may_hide(macros, signs)
        environments = {
            name: found
            for name, found in environments.items()
            if any(_is_sign(each.definition, signs, macros) for each in found)
        }
        bodies = {
            name: (0, " ".join(each.definition.body for each in found))
            for name, found in macros.items()
        }
        for name in endless_of(bodies):
            # A loop of a program, without a colour or the like, hides nothing.
            if not _LOOKS.search(bodies[name][1]):
                del macros[name]
        if not macros and not environments:
            return
        # A macro that has a definition without text counts as one that ignores its argument.
        self.code = [
            span
            for span in self.code
            if (drop := _DROPPED.match(self.text, span[0])) is None or drop["name"] not in macros
        ]
        ranks = {
            id(each.definition): self._rank(each.definition, signs, macros)
            for known in (macros, environments)
            for found in known.values()
            for each in found
        }
        base = len(self._rounds)
        most = len(self.text) + _MOST_GROWTH
        for _ in range(_ROUNDS):
            found = list(islice(self._uses(macros, environments, ranks, base), _MOST_USES))
            if not found:
                return
            size = sum(
                len(part) if isinstance(part, str) else part[1] - part[0]
                for _, _, parts in found
                for part in parts
            )
            self._left = self.origin(*found[0][:2])
            if len(self.text) + size > most + sum(end - start for start, end, _ in found):
                break
            self._apply(iter(found))
        self.is_whole = False

    def _rank(self, definition: _Definition, signs: re.Pattern[str], macros: _Known) -> int:
        """How likely a definition hides: 3 and 2 if its text does, 1 if it may, or else 0."""
        rank = self._hides(definition.body, self.text)
        if rank:
            return 1 + rank
        return int(_is_sign(definition, signs, macros) or bool(_WORDS.search(definition.body)))

    def _uses(
        self, macros: _Known, environments: _Known, ranks: dict[int, int], base: int
    ) -> Iterator[tuple[int, int, list[str | tuple[int, int]]]]:
        """The uses of macros and environments, each with what takes its place: texts, and spans of
        the text before."""
        text = self.text
        needles = Needles(text)
        defined = [(each.start, each.end) for _, _, each in _read(text, self.code)[0]]
        skipped = sorted([*self.code, *defined])
        place = position = 0
        for match in _USE.finditer(text):
            name = match["macro"] or match["name"]
            is_macro = match["macro"] is not None
            known = macros.get(name) if is_macro else environments.get(name) or macros.get(name)
            if known is None:
                continue
            start = match.start()
            while place < len(skipped) and skipped[place][1] <= start:
                place += 1
            if start < position or (place < len(skipped) and skipped[place][0] <= start):
                continue
            at = self.origin(start, start + 1, after=base)[0]
            chosen = _chosen(known, at, ranks)
            is_value = all(not each.parameters and _VALUE.fullmatch(each.body) for each in chosen)
            if is_value:
                if is_macro and not _BEFORE_VALUE.search(text, max(0, start - 5), start):
                    continue
                chosen = chosen[-1:]
            if match["act"] == "end":
                position = match.end()
                yield start, position, [*(each.close or "" for each in chosen), "}"]
                continue
            parts: list[str | tuple[int, int]] = [] if is_macro else ["{"]
            end = -1
            for each in chosen:
                found = _arguments(text, match.end(), each.parameters, needles)
                if found is None:
                    continue
                arguments, last = found
                end = max(end, last)
                parts += _filled(each.body, arguments)
                if _COMMAND_AT_END.search(each.body) and text[last : last + 1].isalpha():
                    parts.append(" ")
            if end >= 0:
                position = end
                yield start, position, parts

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


def _unread_end(text: str, start: int, end: int) -> int:
    """Where the text goes on behind an unread span: a comment hides the end of its line, too."""
    line = _LINE_AFTER.match(text, end) if text.startswith("%", start) else None
    return line.end() if line else end


def _chosen(found: Sequence[_Variant], at: int, ranks: dict[int, int]) -> list[_Definition]:
    """What a name may mean at ``at``. Which of several definitions is in force depends on what TeX
    reads, so all that may hide count, the most likely last; of others, only the last counts."""
    before = [
        (ranks[id(each.definition)], each.starts[bisect_left(each.starts, at) - 1], number)
        for number, each in enumerate(found)
        if each.starts[0] < at
    ]
    if not before:
        first = min(range(len(found)), key=lambda number: found[number].starts[0])
        return [found[first].definition]
    likely = sorted(each for each in before if each[0])
    if not likely:
        likely = [max(before, key=lambda each: each[1])]
    return [found[number].definition for _, _, number in likely]


def _that_may_hide(macros: _Known, signs: re.Pattern[str]) -> _Known:
    """The macros with a sign of hiding, a value or words, or that use such a macro."""
    users: dict[str, set[str]] = {}
    for name, found in macros.items():
        for each in found:
            for used in _USED.findall(each.definition.body):
                users.setdefault(used, set()).add(name)
    open_ = [
        name
        for name, found in macros.items()
        if any(
            signs.search(each.definition.body)
            or (not each.definition.parameters and _has_text(each.definition.body))
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


def _has_text(body: str) -> bool:
    return bool(_VALUE.fullmatch(body) or _WORDS.search(body))


def _is_sign(definition: _Definition, signs: re.Pattern[str], macros: _Known) -> bool:
    body = definition.body
    return bool(signs.search(body)) or not macros.keys().isdisjoint(_USED.findall(body))


def _definitions(
    read: Sequence[tuple[str, bool, _Definition]], signs: re.Pattern[str]
) -> tuple[_Known, _Known, bool]:
    """The macros and the environments by name, and whether each name has few enough texts."""
    macros: _Known = {}
    environments: _Known = {}
    is_whole = True
    open_: list[tuple[str, _Definition]] = []

    def add(known: _Known, name: str, definition: _Definition) -> bool:
        variants = known.setdefault(name, [])
        key = definition.parameters, definition.body, definition.close
        for each in variants:
            other = each.definition
            if (other.parameters, other.body, other.close) == key:
                each.starts.append(definition.start)
                return True
        variants.append(_Variant(definition, [definition.start]))
        if len(variants) > _MOST_VARIANTS:
            del variants[0]
            return False
        return True

    def copy(definition: _Definition, body: str) -> _Definition:
        return _Definition(definition.start, definition.end, (), body)

    for name, is_macro, definition in read:
        copied = definition.copied
        if not copied:
            is_whole &= add(macros if is_macro else environments, name, definition)
        elif signs.match(f"\\{copied}"):
            is_whole &= add(macros, name, copy(definition, f"\\{copied}"))
        elif copied in macros:
            # A copy keeps the meaning that the command has where it is copied.
            for each in list(macros[copied]):
                said = each.definition
                new = _Definition(definition.start, definition.end, said.parameters, said.body)
                is_whole &= add(macros, name, new)
        else:
            open_.append((name, definition))
    for name, definition in open_:
        copied = definition.copied
        bodies = (each.definition.body for each in macros.get(copied, ()))
        if copied in macros and not any(name in _USED.findall(body) for body in bodies):
            is_whole &= add(macros, name, copy(definition, f"\\{copied}"))
    for known in (macros, environments):
        for found in known.values():
            for each in found:
                each.starts.sort()
    return macros, environments, is_whole


def _read(text: str, code: _Spans) -> tuple[list[tuple[str, bool, _Definition]], bool]:
    """The definitions of ``text`` outside ``code``, each with its name and whether it is one of a
    macro, and whether all of them were read."""
    found: list[tuple[str, bool, _Definition]] = []
    spans = sorted(code)
    place = length = 0
    is_whole = True
    for match in _DEFINITION.finditer(text):
        while place < len(spans) and spans[place][1] <= match.start():
            place += 1
        if place < len(spans) and spans[place][0] <= match.start():
            continue
        if len(found) >= _MOST_DEFINITIONS or length > _MOST_IN_BODIES:
            return found, False
        definition = _definition(text, match)
        if definition is None:
            continue
        size = definition.end - definition.start
        if size > _LONGEST_BODY:
            is_whole = is_whole and not _LOOKS.search(text, definition.start, definition.end)
            length += size
        length += len(definition.body)
        macro = next(
            filter(None, map(match.group, ("macro", "document", "old", "copy", "font"))), None
        )
        name = macro or match["environment"] or match["documented"]
        found.append((name, macro is not None, definition))
    return found, is_whole


def _definition(text: str, match: re.Match[str]) -> _Definition | None:
    if match["copied"]:
        return _Definition(match.start(), match.end(), (), "", copied=match["copied"])
    at = match.end()
    parameters: tuple[_Parameter, ...]
    if match["document"] or match["documented"]:
        spec = _group(text, at)
        if spec is None or spec[1] - spec[0] > _LONGEST_SPEC:
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
            if default is None or default[1] - default[0] > _LONGEST_SPEC:
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
        said = f"{{{text[body[0] : min(body[1], body[0] + _LONGEST_BODY)]} #1}}"
        return _Definition(match.start(), body[1] + 1, (_Parameter("m"),), said)
    close = None
    end = body[1] + 1
    if match["environment"] or match["documented"]:
        last = _group(text, end)
        if last is None:
            return None
        close, end = text[last[0] : min(last[1], last[0] + _LONGEST_BODY)], last[1] + 1
    if end - match.start() > _LONGEST_BODY:
        return _Definition(match.start(), end, parameters, "", "" if close is not None else None)
    # Within another definition, the marks of arguments are doubled.
    said = text[body[0] : body[1]].replace("##", "#")
    return _Definition(match.start(), end, parameters, said, close)


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
    text: str, at: int, parameters: Sequence[_Parameter], needles: Needles
) -> tuple[list[_Argument], int] | None:
    """The arguments behind a macro, as spans or as defaults, and where they end."""
    found: list[_Argument] = []
    if not parameters:
        return found, at + 2 if text.startswith("{}", at) else at
    for each, after in zip_longest(parameters, parameters[1:]):
        start = at
        if each.kind == "m" and after is not None and after.kind == "x":
            end = needles.find(after.marks, at)
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
                end = -1 if closing == "]" else needles.find(closing, at + 1)
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
    end = brace_end(text, at + 1)
    return (at + 1, end) if end >= 0 else None


@lru_cache(maxsize=4)
def _brackets(text: str) -> Nesting:
    return Nesting(text, _BRACKET, end="]")


def _bracket(text: str, at: int) -> tuple[int, int] | None:
    end = _brackets(text).end(at)
    return (at, end) if end >= 0 else None
