"""Styles: whether a declaration of CSS takes text out of sight, and what colour a word means."""

from __future__ import annotations

import colorsys
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape

from revkit.dataclass import dataclass
from revkit.model.colors import Color
from revkit.papers.selectors import Selector, read_selectors

Declarations = dict[str, str]

_LEAST_OPACITY = 0.1
_TINY = 1.35
_FAR = -900.0
_MOST_RULES = 10_000
_MOST_KEPT = 2_000
_DEEPEST = 20
_NAMES: Mapping[str, str] = {
    "canvas": "ffffff", "window": "ffffff", "field": "ffffff",
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
    r"([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})(?:e[+-]?\d{1,2})?)\s?(px|pt|em|rem|ex|ch|cm|mm|in|pc|vw|vh|%)?"
)
_SIZE = re.compile(r"\d{0,9}(?:\.\d{0,9})?(?:[a-z]{2,3}|%)")
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "cm": 37.8,
    "mm": 3.78, "in": 96.0, "pc": 16.0, "vw": 10.0, "vh": 10.0, "%": 10.0,
}  # fmt: skip
_WORDS = re.compile(r"[\s,/()]+")
_PARTS = re.compile(r"[\s,/]+")
_HEX = re.compile(r"#[0-9a-f]{3,8}")
_CALL = re.compile(r"(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(([^()]{1,80})\)")
_MOVE = re.compile(r"(?:translate[xy]?|translate3d)\(([^()]{1,80})\)")
_SCALE = re.compile(r"scale[xy]?\(\s?(?:0(?:\.0\d*)?|\.0\d*)\s?[,)]")
_CLIP = re.compile(
    r"inset\(\s?(?:100|[5-9]\d)(?:\.\d{1,9})?%|(?:circle|ellipse)\(\s?0"
    r"|polygon\(\s?(?P<corner>[\w.%]{1,12}\s[\w.%]{1,12})(?:\s?,\s?(?P=corner)){1,99}\s?\)"
    r"|rect\((?:\s{0,3}[01]?(?:px)?[\s,]{1,3}){3}\s{0,3}[01]?(?:px)?\s{0,3}\)"
)
_BLOCK_END = re.compile(r"[{};]|\"[^\"\n]*\"|'[^'\n]*'|\\\\.")
_IMPORTANT = re.compile(r"!\s{0,9}important", re.IGNORECASE)
_VARIABLE = re.compile(
    r"var\(\s{0,9}(?P<name>--[\w-]{1,80})\s{0,9}(?:,(?P<default>[^()]{0,200}))?\)"
)
_CONDITION = re.compile(r"\(\s{0,9}(?P<name>[a-z-]{1,40})\s{0,9}(?::(?P<value>[^()]{1,60}))?\)")
_ARITHMETIC = re.compile(r"(?P<name>calc|min|max|clamp|)\((?P<inner>[^()]{1,200})\)")
_TERM = re.compile(
    r"\s{0,9}(?P<sign>[+*/-]?)\s{0,9}(?P<number>[+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}))"
    r"(?P<unit>px|pt|em|rem|ex|ch|cm|mm|in|pc|vw|vh|vmin|vmax|%)?"
)
_MOST_CALLS = 50
_LONGEST_VALUE = 2_000
# Functions whose values are evaluated, or do not hide text.
_EVALUATED = re.compile(
    r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark|translate[xyz]?|translate3d|scale[xyz]?|scale3d"
    r"|rotate[xyz]?|rotate3d|skew[xy]?|inset|circle|rect|xywh|opacity|brightness|contrast|saturate"
    r"|grayscale|sepia|hue-rotate|drop-shadow|cubic-bezier|steps)\("
)
_FUNCTION = re.compile(r"[a-z-]{2,40}\(")
_FULL_BLUR = re.compile(r"blur\((?P<size>[^()]{1,40})\)|invert\((?P<share>[^()]{0,40})\)")
_FILTER_OPACITY = re.compile(r"opacity\(\s{0,9}(?P<share>[\d.]{1,20}%?)\s{0,9}\)")
_PLACES = (
    "left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top",
    "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end",
    "inset-inline", "inset-block", "margin-inline-start", "margin-block-start",
)  # fmt: skip
_FLIPPED = re.compile(r"rotate[xy]\(\s{0,9}-?(?:90|270)deg")
_DECIDING = (
    "display", "visibility", "opacity", "font-size", "font", "color", "-webkit-text-fill-color",
    "filter", "clip-path", "mask", "mask-image", "-webkit-mask", "-webkit-mask-image", "transform",
    "scale", "zoom", "content-visibility",
)  # fmt: skip


def declarations(style: str) -> Declarations:
    """The properties that ``style`` states, in small letters, each with its last value."""
    plain = _without_remarks(unescape(style))
    if "\\" in plain:
        plain = _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)), plain)
    found: Declarations = {}
    for part in plain.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = simplified(_IMPORTANT.sub("", value).strip())
    return found


def simplified(value: str) -> str:
    """``value`` with the results of ``calc()``, ``min()``, ``max()`` and ``clamp()``, as far as
    they can be evaluated: numbers of numbers, percentages of percentages, and else pixels."""
    if not any(name in value for name in ("calc(", "min(", "max(", "clamp(")):
        return value
    if len(value) > _LONGEST_VALUE:
        return value
    for _ in range(_MOST_CALLS):
        match = next((each for each in _ARITHMETIC.finditer(value) if _is_call(value, each)), None)
        if match is None:
            break
        results = [_sum(part) for part in match["inner"].split(",")]
        numbers = [number for number in results if number is not None]
        if len(numbers) != len(results):
            break
        if match["name"] == "clamp" and len(numbers) == 3:
            result = max(numbers[0], min(numbers[1], numbers[2]))
        else:
            result = max(numbers) if match["name"] == "max" else min(numbers)
        units = {term["unit"] or "" for term in _TERM.finditer(match["inner"])}
        unit = "px"
        if units == {""}:
            unit = ""
        elif units <= {"", "%"}:
            unit, result = "%", result / _PIXELS["%"]
        value = f"{value[: match.start()]}{result:.6f}{unit}{value[match.end() :]}"
    return value


def _is_call(value: str, match: re.Match[str]) -> bool:
    """Whether ``match`` is arithmetic, and not the arguments of another function."""
    return bool(match["name"]) or not value[: match.start()][-1:].isalnum()


def _sum(text: str) -> float | None:
    """The result of sums and products in pixels; None for other text."""
    total, product, position, first = 0.0, 0.0, 0, True
    while text[position:].strip():
        match = _TERM.match(text, position)
        if match is None or (not match["sign"] and not first):
            return None
        position = match.end()
        # A share of the size of the element around is that of the size of its letters.
        number = float(match["number"]) * _PIXELS.get(match["unit"] or "", 10.0)
        if match["sign"] in "*/" and match["sign"]:
            if match["sign"] == "/" and number == 0:
                return None
            product = product * number if match["sign"] == "*" else product / number
        else:
            total += product
            product = -number if match["sign"] == "-" else number
        first = False
    return None if first else total + product


def _without_remarks(style: str) -> str:
    first, *others = style.split("/*")
    return first + "".join(other.partition("*/")[2] for other in others)


def colour_of(value: str) -> Color | None:
    """The first colour that ``value`` states, or `None`. A colour with an opacity below 0.1 is
    `None` too.
    """
    value = value.strip().lower()
    if "color-mix(" in value or "unknown(" in value or "(from " in value:
        return None
    if match := _HEX.search(value):
        digits = match[0][1:]
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if len(digits) not in (6, 8) or (len(digits) == 8 and int(digits[6:], 16) < 26):
            return None
        return _of_hex(digits)
    if match := _CALL.search(value):
        return _of_call(match[1], match[2])
    words = _WORDS.split(value)
    return next((_of_hex(_NAMES[word]) for word in words if word in _NAMES), None)


def named_color(name: str) -> Color | None:
    """The colour that CSS calls ``name``, in small letters; `None` if there is none."""
    return _of_hex(_NAMES[name]) if name in _NAMES else None


def _of_hex(digits: str) -> Color:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _of_call(name: str, inner: str) -> Color | None:
    parts = [part for part in _PARTS.split(inner.strip()) if part]
    if name == "color" and parts:
        # "color(srgb 1 1 1)"; other spaces are as white at their edges.
        del parts[0]
        parts = [part if part.endswith("%") else f"{100 * _number(part)}%" for part in parts]
    numbers = [_number(part) for part in parts]
    if len(numbers) < 3 or (len(numbers) > 3 and numbers[3] * _unit(parts[3]) < _LEAST_OPACITY):
        return None
    first, second, third = numbers[:3]
    if name in ("lab", "lch", "oklab", "oklch"):
        return _of_lightness(name, parts, numbers)
    if name == "hwb":
        white, black = second / 100, third / 100
        whole = max(1.0, white + black)
        bright = [
            channel * (1 - min(1.0, white + black)) + white / whole
            for channel in colorsys.hls_to_rgb(first / 360 % 1, 0.5, 1.0)
        ]
        return bright[0] * 255, bright[1] * 255, bright[2] * 255
    if name.startswith("hsl"):
        red, green, blue = colorsys.hls_to_rgb(first / 360 % 1, third / 100, second / 100)
        return red * 255, green * 255, blue * 255
    steps = [2.55 if part.endswith("%") else 1.0 for part in parts]
    return first * steps[0], second * steps[1], third * steps[2]


def _of_lightness(name: str, parts: Sequence[str], numbers: Sequence[float]) -> Color:
    """A colour of Lab, LCH, Oklab or OKLCH (CSS Color 4, sections 9 and 18)."""
    is_ok = name.startswith("ok")
    full = 1.0 if is_ok else 100.0
    light = numbers[0] * (full / 100 if parts[0].endswith("%") else 1.0)
    first, second = numbers[1], numbers[2]
    if parts[1].endswith("%"):
        first *= 0.004 if is_ok else 1.25
    if name.endswith("lab"):
        second *= (0.004 if is_ok else 1.25) if parts[2].endswith("%") else 1.0
    else:
        angle = math.radians(second)
        first, second = first * math.cos(angle), first * math.sin(angle)
    if is_ok:
        roots = (
            light + 0.3963377774 * first + 0.2158037573 * second,
            light - 0.1055613458 * first - 0.0638541728 * second,
            light - 0.0894841775 * first - 1.2914855480 * second,
        )
        long, middle, short = (root**3 for root in roots)
        linear = (
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        )
    else:
        height = (light + 16) / 116
        curve = (height + first / 500, height, height - second / 200)
        x, y, z = (
            white * (part**3 if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29))
            for white, part in zip((0.9643, 1.0, 0.8251), curve, strict=True)
        )
        linear = (
            3.1338561 * x - 1.6168667 * y - 0.4906146 * z,
            -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
            0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
        )
    red, green, blue = (
        255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
        for part in (min(max(part, 0.0), 1.0) for part in linear)
    )
    return red, green, blue


def _unit(part: str) -> float:
    return 0.01 if part.endswith("%") else 1.0


def _number(part: str) -> float:
    match = _LENGTH.match(part)
    return float(match[1]) if match else 0.0


def is_transparent(value: str) -> bool:
    """Whether ``value`` is a colour that draws nothing."""
    value = value.strip().lower()
    if "color-mix(" in value or "unknown(" in value or "(from " in value:
        return False
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
        or _is_filtered(styles)
    )


def may_take_out_of_sight(styles: Mapping[str, str]) -> bool:
    """Whether ``styles`` have a function or an effect that may hide text and is not evaluated."""
    if not styles:
        return False
    for name in _DECIDING:
        value = styles.get(name, "")
        if value and any(
            not _EVALUATED.match(match[0]) for match in _FUNCTION.finditer(value[:_LONGEST_VALUE])
        ):
            effects = list(_FULL_BLUR.finditer(value)) if name == "filter" else []
            if not effects or any(map(_is_strong, effects)):
                return True
        if "from " in value and "(" in value:
            return True
    return styles.get("mix-blend-mode", "normal") not in ("normal", "inherit", "unset", "initial")


def _is_strong(effect: re.Match[str]) -> bool:
    if effect["size"] is not None:
        pixels = _pixels(effect["size"])
        return pixels is None or pixels >= 4
    share = effect["share"].strip()
    return not share or _number(share) * _unit(share) > 0.5


def _is_filtered(styles: Mapping[str, str]) -> bool:
    match = _FILTER_OPACITY.search(styles.get("filter", ""))
    zoom = styles.get("zoom", "")
    return (match is not None and _is_clear(match["share"])) or (
        zoom[:1].isdigit() and _is_clear(zoom)
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
    for name in _PLACES:
        pixels = _pixels(styles[name]) if name in styles else None
        if pixels is not None and pixels <= _FAR:
            return True
    around = f"{styles.get('margin', '')} {styles.get('inset', '')}"
    if any((_pixels(part) or 0.0) <= _FAR for part in around.split()):
        return True
    moves = _MOVE.search(styles.get("transform", "") + styles.get("translate", ""))
    parts = (_pixels(part.strip()) for part in moves[1].split(",")) if moves else ()
    return any(pixels is not None and pixels <= _FAR for pixels in parts)


def _is_cut(styles: Mapping[str, str]) -> bool:
    turned = styles.get("transform", "")
    if _SCALE.search(turned) or _FLIPPED.search(turned) or _is_clear(styles.get("scale", "")):
        return True
    if _CLIP.search(f"{styles.get('clip', '')} {styles.get('clip-path', '')}"):
        return True
    flows = (styles.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if not any(part.startswith(("hidden", "clip")) for flow in flows for part in flow.split()):
        return False
    sizes = (styles.get(name, "") for name in ("width", "height", "max-width", "max-height"))
    pixels = [_pixels(size) for size in sizes]
    return any(size is not None and size <= 1 for size in pixels)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One rule: where it is among all, what it is for, its declarations and those that are marked
    as important, and whether it applies wherever its selector does."""

    number: int
    selector: Selector
    normal: Declarations
    important: Declarations
    is_certain: bool


@dataclass(slots=True)
class _Block:
    """An open block of a style sheet: its selectors ("" for an at-rule), whether it applies (None
    where that is not known), and what it states."""

    selectors: str
    applies: bool | None
    body: list[str]


class Rules:
    """The rules of style sheets for elements with a given name, class, identifier or attributes.

    A rule for a state such as ``:hover``, and rules within ``@media`` for other than the screen of
    a computer, are left out. What is required of the elements around is not evaluated.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._values: dict[str, set[str]] = {}
        self._kept: dict[object, tuple[Declarations, Declarations]] = {}
        self._count = 0
        self.is_cut = False
        """Whether rules that hide text were left out, because there are too many."""
        for sheet in sheets:
            self._read(_without_remarks(sheet))

    def _read(self, sheet: str) -> None:
        position = 0
        stack: list[_Block] = []
        # A sheet that ends within a rule closes it.
        sheet = sheet + "}" * _DEEPEST
        for match in _BLOCK_END.finditer(sheet):
            if match[0] not in "{};":
                continue
            part = sheet[position : match.start()].strip()
            position = match.end()
            if match[0] == "{":
                if part.startswith("@"):
                    above = stack[-1].selectors if stack else ""
                    stack.append(_Block(above, _applies(part), []))
                else:
                    stack.append(_Block(part, True, []))
                del stack[_DEEPEST:]
            elif stack and part:
                stack[-1].body.append(part)
            if match[0] == "}" and stack:
                block = stack.pop()
                states = [each.applies for each in (*stack, block)]
                if block.selectors and block.body and False not in states:
                    self._add(block.selectors, ";".join(block.body), is_certain=None not in states)

    def _add(self, selectors: str, body: str, *, is_certain: bool) -> None:
        if self._count >= _MOST_RULES:
            self.is_cut = self.is_cut or takes_out_of_sight(declarations(body))
            return
        normal, important = _by_importance(body)
        for name, value in (normal | important).items():
            if name.startswith("--"):
                self._values.setdefault(name, set()).add(value)
        for selector in read_selectors(selectors):
            self._count += 1
            marks = selector.marks
            key = min(marks) if marks else selector.name or "*"
            certain = is_certain and selector.is_whole
            rule = _Rule(self._count, selector, normal, important, certain)
            self._rules.setdefault(key, []).append(rule)

    def styles_of(
        self, name: str, attributes: Mapping[str, str], style: str = ""
    ) -> tuple[Declarations, Declarations]:
        """The declarations for an element with its own ``style``: those that apply, and those with
        rules of which is not known whether they apply. Important declarations are over others, then
        those of narrower selectors over wider ones, and later rules over earlier ones.
        """
        key = name, style, tuple(attributes.items())
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._styles_of(name, attributes, style)
        return self._kept[key]

    def _styles_of(
        self, name: str, attributes: Mapping[str, str], style: str
    ) -> tuple[Declarations, Declarations]:
        own, own_important = _by_importance(style) if style else ({}, {})
        if not self._rules:
            alone = self._resolved(own | own_important)
            return alone, alone
        marks = {f".{each}" for each in attributes.get("class", "").split()}
        if attributes.get("id"):
            marks.add(f"#{attributes['id']}")
        fitting = sorted(
            (
                rule
                for key in (*marks, name, "*")
                for rule in self._rules.get(key, ())
                if rule.selector.fits(name, marks, attributes)
            ),
            key=lambda rule: (rule.selector.weight, rule.number),
        )
        if not (fitting or style):
            nothing: Declarations = {}
            return nothing, nothing
        found = []
        certain = [rule for rule in fitting if rule.is_certain]
        for rules in (certain, fitting)[len(certain) == len(fitting) :]:
            styles: Declarations = {}
            for rule in rules:
                styles |= rule.normal
            styles |= own
            for rule in rules:
                styles |= rule.important
            found.append(self._resolved(styles | own_important))
        return found[0], found[-1]

    def _resolved(self, styles: Declarations) -> Declarations:
        """The declarations with the values of variables, where the sheets state one value."""
        if not any("var(" in value for value in styles.values()):
            return styles
        found = dict(styles)
        for name, value in styles.items():
            said = value
            for _ in range(_DEEPEST):
                if "var(" not in said or len(said) > _LONGEST_VALUE:
                    break
                said = _VARIABLE.sub(lambda match: self._value(match, styles), said)
            said = said.strip()
            found[name] = simplified(said)
            if not said:
                del found[name]
        return found

    def _value(self, match: re.Match[str], styles: Declarations) -> str:
        if match["name"] in styles:
            return styles[match["name"]]
        known = self._values.get(match["name"], set())
        if len(known) > 1:
            return "unknown()"
        return next(iter(known), match["default"] or "")


def _by_importance(body: str) -> tuple[Declarations, Declarations]:
    marked = _IMPORTANT.sub("!important", body) if "!" in body else body
    if "!important" not in marked.lower():
        return declarations(body), {}
    parts = marked.split(";")
    important = [part for part in parts if "!important" in part.lower()]
    normal = [part for part in parts if "!important" not in part.lower()]
    return declarations(";".join(normal)), declarations(";".join(important))


def _applies(head: str) -> bool | None:
    """Whether the rules within an at-rule apply on the screen of a computer; None if that is not
    known."""
    words = head.lower()
    name, _, condition = words.partition(" ")
    name = name.partition("(")[0]
    if name in ("@layer", "@starting-style", "@-moz-document"):
        return name == "@layer"
    if name == "@supports":
        return None if "not" in condition.split("(")[0].split() else True
    if name in ("@container", "@scope", "@when", "@else"):
        return None
    if name != "@media":
        return False
    queries = words.removeprefix("@media").split(",")
    found = [_is_for_screens(query) for query in queries]
    return True if True in found else None if None in found else False


def _is_for_screens(query: str) -> bool | None:
    bare = _CONDITION.sub(" ", query).split()
    negated = "not" in bare
    kinds = [word for word in bare if word not in ("and", "only", "not", "or")]
    known: list[bool | None] = [each in ("screen", "all") for each in kinds]
    known += [_holds(match["name"], match["value"]) for match in _CONDITION.finditer(query)]
    unparsed = "(" in _CONDITION.sub(" ", query) or "or" in bare
    if unparsed:
        return None
    holds = False if False in known else None if None in known else True
    return holds if not negated or holds is None else not holds


def _holds(name: str, value: str | None) -> bool | None:
    """Whether a condition on the screen holds for a window of 1,280 by 800 pixels."""
    if value is None:
        return True if name in ("color", "width", "height", "hover", "pointer") else None
    value = value.strip()
    edge, _, of = name.partition("-")
    if edge in ("min", "max") and of in ("width", "height", "device-width", "device-height"):
        pixels = _pixels(value)
        size = 1280.0 if of.endswith("width") else 800.0
        if pixels is None:
            return None
        return pixels <= size if edge == "min" else size <= pixels
    return {
        "prefers-color-scheme": value in ("light", "no-preference"),
        "prefers-reduced-motion": value == "no-preference",
        "prefers-contrast": value == "no-preference",
        "forced-colors": value == "none",
        "orientation": value == "landscape",
        "hover": value == "hover",
        "any-hover": value == "hover",
        "pointer": value == "fine",
        "any-pointer": value == "fine",
        "display-mode": value == "browser",
        "scripting": value == "enabled",
        "inverted-colors": value == "none",
    }.get(name)
