"""Selectors of CSS: which elements a rule is for, as far as it can be evaluated."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from revkit.dataclass import dataclass

_PART = re.compile(
    r"(?P<mark>[.#](?:[\w-]|[^\x00-\x7f])+)"
    r"|\[\s{0,9}(?P<attribute>[\w:|*-]{1,60})\s{0,9}"
    r"(?:(?P<how>[~|^$*]?=)\s{0,9}(?P<value>\"[^\"]{0,200}\"|'[^']{0,200}'|[^\]\s]{1,200})"
    r"\s{0,9}(?P<case>[iIsS])?\s{0,9})?\]"
    r"|(?P<pseudo>::?[\w-]{1,60})(?P<call>\()?"
    r"|(?P<name>[A-Za-z][\w-]{0,60}|\*|&)"
)
_SIGN = re.compile(r"\\.|[()\[\],\s>+~]|\"[^\"]*\"|'[^']*'", re.DOTALL)
_NOT_BLANK = re.compile(r"\S")
_LISTS = frozenset((":is", ":where", ":matches", ":-webkit-any", ":-moz-any"))
_ALWAYS = frozenset((":link", ":any-link", ":scope", ":enabled", ":read-only", ":defined"))
# States that an element does not have before its reader acts, and parts that hold no text of it.
_NEVER = frozenset(
    str.split(
        ":hover :focus :focus-visible :focus-within :active :visited :target :target-within"
        " :checked :disabled :indeterminate :invalid :valid :user-invalid :user-valid :required"
        " :optional :in-range :out-of-range :placeholder-shown :autofill :fullscreen :modal"
        " :popover-open :open :playing :paused :default :host :host-context :current :past"
        " :future :before :after ::before ::after ::marker ::selection ::placeholder ::backdrop"
        " ::file-selector-button ::cue ::part ::slotted ::first-letter :first-letter"
        " ::target-text ::grammar-error ::spelling-error ::view-transition"
    )
)
_MOST = 64
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Selector:
    """What an element must have: a name ("" for any), marks (".class", "#id") and attributes, each
    with an operator and a value. ``is_whole`` states that there is no other condition; ``weight``
    is the specificity."""

    name: str = ""
    marks: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    is_whole: bool = True
    weight: tuple[int, int, int] = (0, 0, 0)

    def fits(self, name: str, marks: Collection[str], attributes: Mapping[str, str]) -> bool:
        """Whether an element has what this selector requires, as far as it was evaluated."""
        return (
            self.name in ("", name)
            and self.marks.issubset(marks)
            and all(_has(attributes, *each) for each in self.attributes)
        )


def read_selectors(text: str) -> Iterator[Selector]:
    """The selectors of the list ``text``, each by its last part: what is required of elements
    around it is not evaluated. Those for states such as ``:hover`` are left out.
    """
    count = 0
    for part in _last_parts(text):
        for each in _read(part, 0):
            count += 1
            if count > _MOST:
                return
            yield each


def _last_parts(text: str) -> Iterator[str]:
    depth = start = 0
    end = len(text)
    for match in _SIGN.finditer(text[:20_000]):
        sign = match[0]
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth = max(0, depth - 1)
        elif depth == 0 and sign == ",":
            yield text[start : match.start()].strip()
            start = match.end()
        elif depth == 0 and len(sign) == 1 and (sign.isspace() or sign in ">+~"):
            following = _NOT_BLANK.search(text, match.end())
            if following and following[0] != ",":
                start = match.end()
    yield text[start:end].strip()


def _read(text: str, depth: int) -> Iterator[Selector]:
    found = [Selector()]
    position = 0
    parts = 0
    while position < len(text):
        parts += 1
        if parts > _MOST:
            found = [_narrow(each, is_whole=False) for each in found]
            break
        match = _PART.match(text, position)
        if match is None:
            # An escape, or a syntax that is not known.
            found = [_narrow(each, is_whole=False) for each in found]
            position += 1
            continue
        position = match.end()
        if match["mark"]:
            ids = int(match["mark"][0] == "#")
            found = [
                _narrow(each, marks=frozenset((match["mark"],)), weight=(ids, 1 - ids, 0))
                for each in found
            ]
        elif match["attribute"]:
            value = (match["value"] or "").strip("\"'")
            how = (match["how"] or "") + (match["case"] or "").lower().replace("s", "")
            wanted = ((match["attribute"].lower(), how, value),)
            found = [_narrow(each, attributes=wanted, weight=(0, 1, 0)) for each in found]
        elif match["name"]:
            if match["name"] not in "*&":
                name = match["name"].lower()
                found = [_narrow(each, name=name, weight=(0, 0, 1)) for each in found]
        else:
            argument = ""
            if match["call"]:
                close = _close(text, position)
                argument, position = text[position:close], close + 1
            kind = match["pseudo"].lower()
            if kind in _LISTS and depth < _DEEPEST:
                others = [each for part in _last_parts(argument) for each in _read(part, depth + 1)]
                found = [_both(one, other) for one in found for other in others][:_MOST]
            elif kind == ":root":
                found = [_narrow(each, name="html", weight=(0, 1, 0)) for each in found]
            elif kind in _NEVER or kind.startswith(("::-", ":-")):
                return
            elif kind not in _ALWAYS:
                found = [_narrow(each, is_whole=False, weight=(0, 1, 0)) for each in found]
    if text:
        yield from found


def _narrow(
    selector: Selector,
    *,
    name: str = "",
    marks: frozenset[str] = frozenset(),
    attributes: tuple[tuple[str, str, str], ...] = (),
    is_whole: bool = True,
    weight: tuple[int, int, int] = (0, 0, 0),
) -> Selector:
    return _both(selector, Selector(name, marks, attributes, is_whole, weight))


def _both(one: Selector, other: Selector) -> Selector:
    first, second = one.weight, other.weight
    return Selector(
        other.name or one.name,
        one.marks | other.marks,
        (*one.attributes, *other.attributes),
        one.is_whole and other.is_whole,
        (first[0] + second[0], first[1] + second[1], first[2] + second[2]),
    )


def _close(text: str, position: int) -> int:
    depth = 0
    for match in _SIGN.finditer(text, position):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            if depth == 0:
                return match.start()
            depth -= 1
    return len(text)


def _has(attributes: Mapping[str, str], name: str, how: str, value: str) -> bool:
    given = attributes.get(name)
    if given is None:
        return False
    if how.endswith("i"):
        given, value, how = given.lower(), value.lower(), how[:-1]
    match how:
        case "":
            return True
        case "=":
            return given == value
        case "~=":
            return value in given.split()
        case "|=":
            return given == value or given.startswith(f"{value}-")
        case "^=":
            return bool(value) and given.startswith(value)
        case "$=":
            return bool(value) and given.endswith(value)
        case _:
            return bool(value) and value in given
