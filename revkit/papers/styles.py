"""Styles: whether a declaration of CSS takes text out of sight, and what colour a word means."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable, Mapping
from html import unescape

from revkit.model.colors import Color

Declarations = dict[str, str]

_LEAST_OPACITY = 0.1
_TINY = 1.35
_FAR = -900.0
_MOST_RULES = 500
_NAMES: Mapping[str, str] = {
    "white": "ffffff", "snow": "fffafa", "ivory": "fffff0", "ghostwhite": "f8f8ff",
    "floralwhite": "fffaf0", "mintcream": "f5fffa", "azure": "f0ffff", "whitesmoke": "f5f5f5",
    "aliceblue": "f0f8ff", "honeydew": "f0fff0", "seashell": "fff5ee", "lightyellow": "ffffe0",
    "lightcyan": "e0ffff", "beige": "f5f5dc", "linen": "faf0e6", "lavender": "e6e6fa",
    "oldlace": "fdf5e6", "cornsilk": "fff8dc", "lavenderblush": "fff0f5",
    "lemonchiffon": "fffacd", "gainsboro": "dcdcdc", "lightgray": "d3d3d3", "lightgrey": "d3d3d3",
    "silver": "c0c0c0", "gray": "808080", "grey": "808080", "darkgray": "a9a9a9",
    "darkgrey": "a9a9a9", "dimgray": "696969", "black": "000000", "red": "ff0000",
    "green": "008000", "blue": "0000ff", "navy": "000080", "maroon": "800000", "purple": "800080",
    "teal": "008080", "olive": "808000", "orange": "ffa500", "yellow": "ffff00", "lime": "00ff00",
    "cyan": "00ffff", "aqua": "00ffff", "magenta": "ff00ff", "fuchsia": "ff00ff",
    "pink": "ffc0cb", "brown": "a52a2a", "gold": "ffd700", "indigo": "4b0082",
    "violet": "ee82ee", "crimson": "dc143c", "darkblue": "00008b", "darkgreen": "006400",
    "darkred": "8b0000", "steelblue": "4682b4", "slategray": "708090", "royalblue": "4169e1",
}  # fmt: skip
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_LENGTH = re.compile(
    r"([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}))\s?(px|pt|em|rem|ex|ch|cm|mm|in|pc|vw|vh|%)?"
)
_SIZE = re.compile(r"\d{0,9}(?:\.\d{0,9})?(?:[a-z]{2,3}|%)")
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "cm": 37.8,
    "mm": 3.78, "in": 96.0, "pc": 16.0, "vw": 10.0, "vh": 10.0, "%": 10.0,
}  # fmt: skip
_PARTS = re.compile(r"[\s,/]+")
_HEX = re.compile(r"#[0-9a-f]{3,8}")
_CALL = re.compile(r"(rgba?|hsla?)\(([^()]{1,80})\)")
_MOVE = re.compile(r"(?:translate[xy]?|translate3d)\(([^()]{1,80})\)")
_SCALE = re.compile(r"scale[xy]?\(\s?(?:0(?:\.0\d*)?|\.0\d*)\s?[,)]")
_CLIP = re.compile(
    r"inset\(\s?(?:100|[5-9]\d)(?:\.\d{1,9})?%|circle\(\s?0"
    r"|rect\((?:\s{0,3}[01]?(?:px)?[\s,]{1,3}){3}\s{0,3}[01]?(?:px)?\s{0,3}\)"
)
_SELECTOR_PART = re.compile(r"[\s>+~]+")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_MARK = re.compile(r"[.#][\w-]+")
_BLOCK_END = re.compile(r"[{};]")


def declarations(style: str) -> Declarations:
    """The properties that ``style`` states, in small letters, each with its last value."""
    plain = _without_remarks(unescape(style))
    if "\\" in plain:
        plain = _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)), plain)
    found: Declarations = {}
    for part in plain.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").replace("! important", "").strip()
    return found


def _without_remarks(style: str) -> str:
    first, *others = style.split("/*")
    return first + "".join(other.partition("*/")[2] for other in others)


def colour_of(value: str) -> Color | None:
    """The first colour that ``value`` states, or `None`. A colour with an opacity below 0.1 is
    `None` too.
    """
    value = value.strip().lower()
    if match := _HEX.search(value):
        digits = match[0][1:]
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if len(digits) not in (6, 8) or (len(digits) == 8 and int(digits[6:], 16) < 26):
            return None
        return _of_hex(digits)
    if match := _CALL.search(value):
        return _of_call(match[1], match[2])
    return next((_of_hex(_NAMES[word]) for word in _PARTS.split(value) if word in _NAMES), None)


def named_color(name: str) -> Color | None:
    """The colour that CSS calls ``name``, in small letters; `None` if there is none."""
    return _of_hex(_NAMES[name]) if name in _NAMES else None


def _of_hex(digits: str) -> Color:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _of_call(name: str, inner: str) -> Color | None:
    parts = [part for part in _PARTS.split(inner.strip()) if part]
    numbers = [_number(part) for part in parts]
    if len(numbers) < 3 or (len(numbers) > 3 and numbers[3] * _unit(parts[3]) < _LEAST_OPACITY):
        return None
    first, second, third = numbers[:3]
    if name.startswith("hsl"):
        red, green, blue = colorsys.hls_to_rgb(first / 360 % 1, third / 100, second / 100)
        return red * 255, green * 255, blue * 255
    steps = [2.55 if part.endswith("%") else 1.0 for part in parts]
    return first * steps[0], second * steps[1], third * steps[2]


def _unit(part: str) -> float:
    return 0.01 if part.endswith("%") else 1.0


def _number(part: str) -> float:
    match = _LENGTH.match(part)
    return float(match[1]) if match else 0.0


def is_transparent(value: str) -> bool:
    """Whether ``value`` is a colour that draws nothing."""
    value = value.strip().lower()
    clear = value == "transparent" or bool(_HEX.search(value)) or bool(_CALL.search(value))
    return clear and colour_of(value) is None


def takes_out_of_sight(styles: Mapping[str, str]) -> bool:
    """Whether ``styles`` hide text whatever its colour: not shown, too small, clear, or moved out
    of the page.
    """
    if not styles:
        return False
    get = styles.get
    return (
        get("display", "").startswith("none")
        or get("visibility", "").startswith(("hidden", "collapse"))
        or get("content-visibility", "") == "hidden"
        or _is_clear(get("opacity", ""))
        or _is_tiny(styles)
        or _is_far(styles)
        or _is_cut(styles)
    )


def _is_clear(value: str) -> bool:
    match = _LENGTH.match(value)
    return match is not None and float(match[1]) * _unit(value) < _LEAST_OPACITY


def _pixels(value: str) -> float | None:
    match = _LENGTH.match(value)
    return float(match[1]) * _PIXELS[match[2] or ""] if match else None


def _is_tiny(styles: Mapping[str, str]) -> bool:
    size = styles.get("font-size", "")
    if not size and "font" in styles:
        sizes = (part.partition("/")[0] for part in styles["font"].split())
        # A number without a unit is a weight, except for nothing.
        size = next((part for part in sizes if part == "0" or _SIZE.fullmatch(part)), "")
    if size.endswith("%"):
        return _number(size) <= 10
    pixels = _pixels(size)
    return pixels is not None and pixels <= (1.6 if size.endswith(("em", "ex", "ch")) else _TINY)


def _is_far(styles: Mapping[str, str]) -> bool:
    for name in ("left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"):
        pixels = _pixels(styles[name]) if name in styles else None
        if pixels is not None and pixels <= _FAR:
            return True
    margin = (_pixels(part) for part in styles.get("margin", "").split())
    if any(pixels is not None and pixels <= _FAR for pixels in margin):
        return True
    moves = _MOVE.search(styles.get("transform", "") + styles.get("translate", ""))
    parts = (_pixels(part.strip()) for part in moves[1].split(",")) if moves else ()
    return any(pixels is not None and pixels <= _FAR for pixels in parts)


def _is_cut(styles: Mapping[str, str]) -> bool:
    if _SCALE.search(styles.get("transform", "")):
        return True
    if _CLIP.search(f"{styles.get('clip', '')} {styles.get('clip-path', '')}"):
        return True
    if not styles.get("overflow", "").startswith(("hidden", "clip")):
        return False
    sizes = (styles.get(name, "") for name in ("width", "height", "max-width", "max-height"))
    pixels = [_pixels(size) for size in sizes]
    return any(size is not None and size <= 1 for size in pixels)


class Rules:
    """The rules of style sheets for elements with a given name, class or identifier.

    A rule for a state such as ``:hover``, and rules within ``@media`` for other than the screen,
    are left out.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, list[tuple[int, str, frozenset[str], Declarations]]] = {}
        self._count = 0
        for sheet in sheets:
            self._read(_without_remarks(sheet))

    def _read(self, sheet: str) -> None:
        position = skipped = depth = 0
        head = ""
        for match in _BLOCK_END.finditer(sheet):
            part = sheet[position : match.start()].strip()
            if match[0] == "{":
                depth += 1
                head = "" if part.startswith("@") else part
                if part.startswith("@") and not _is_for_screens(part) and not skipped:
                    skipped = depth
                body = match.end()
            elif match[0] == "}":
                if head and not skipped and self._count < _MOST_RULES:
                    self._add(head, sheet[body : match.start()])
                head = ""
                if skipped == depth:
                    skipped = 0
                depth = max(0, depth - 1)
            position = match.end()

    def _add(self, selectors: str, body: str) -> None:
        found = declarations(body)
        for selector in selectors.split(","):
            last = _SELECTOR_PART.split(selector.strip())[-1]
            match = _SIMPLE.fullmatch(last)
            if match is None or not last:
                continue
            self._count += 1
            marks = frozenset(_MARK.findall(match[2] or ""))
            name = (match[1] or "").lower().strip("*")
            key = min(marks) if marks else name or "*"
            self._rules.setdefault(key, []).append((self._count, name, marks, found))

    def styles_of(self, name: str, classes: Iterable[str], identifier: str) -> Declarations:
        """The declarations for an element, of later rules over those of earlier ones."""
        if not self._rules:
            return {}
        marks = {f".{each}" for each in classes} | ({f"#{identifier}"} if identifier else set())
        fitting = [
            (number, found)
            for key in (*marks, name, "*")
            for number, wanted, needed, found in self._rules.get(key, ())
            if wanted in ("", name) and needed <= marks
        ]
        styles: Declarations = {}
        for _, found in sorted(fitting, key=lambda rule: rule[0]):
            styles |= found
        return styles


def _is_for_screens(head: str) -> bool:
    words = head.lower()
    return (
        words.startswith(("@media", "@supports", "@layer"))
        and "print" not in words
        and "(" not in words
    )
