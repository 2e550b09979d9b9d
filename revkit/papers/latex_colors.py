"""LaTeX colours: what the names and mixtures of `xcolor` mean where they are used."""

from __future__ import annotations

import colorsys
import re
from bisect import bisect_left

from revkit.model.colors import WHITE, Color
from revkit.papers.styles import named_color

_NAMES: dict[str, Color] = {
    "black": (0, 0, 0), "white": WHITE, "red": (255, 0, 0), "green": (0, 255, 0),
    "blue": (0, 0, 255), "cyan": (0, 255, 255), "magenta": (255, 0, 255), "yellow": (255, 255, 0),
    "gray": (128, 128, 128), "darkgray": (64, 64, 64), "lightgray": (191, 191, 191),
    "brown": (191, 128, 64), "lime": (191, 255, 0), "olive": (128, 128, 0),
    "orange": (255, 128, 0), "pink": (255, 191, 191), "purple": (191, 0, 64),
    "teal": (0, 128, 128), "violet": (128, 0, 128), "snow": (255, 250, 250),
    "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240), "mintcream": (245, 255, 250), "azure": (240, 255, 255),
}  # fmt: skip
_NAME = r"[\w@.: -]{1,60}"
_DEFINITION = re.compile(
    r"\\(?:x?definecolor|providecolor)\*?\s{0,3}(?:\[[^\[\]]{0,20}\]\s{0,3})?"
    rf"\{{(?P<name>{_NAME})\}}\s{{0,3}}\{{(?P<model>[\w ]{{1,12}})\}}\s{{0,3}}"
    r"\{(?P<spec>[^{}]{1,60})\}"
    rf"|\\colorlet\s{{0,3}}(?:\[[^\[\]]{{0,20}}\]\s{{0,3}})?\{{(?P<new>{_NAME})\}}\s{{0,3}}"
    r"(?:\[[^\[\]]{0,20}\]\s{0,3})?\{(?P<mixture>[^{}]{1,80})\}"
)
_PAGE = re.compile(
    r"\\pagecolor\s{0,3}(?:\[(?P<model>[\w ]{1,12})\]\s{0,3})?\{(?P<spec>[^{}]{1,80})\}"
)
_FULL = {"gray": 1.0, "Gray": 15.0, "rgb": 1.0, "RGB": 255.0, "cmy": 1.0, "cmyk": 1.0, "hsb": 1.0}
_PARTS = {"gray": 1, "Gray": 1, "rgb": 3, "RGB": 3, "cmy": 3, "cmyk": 4, "hsb": 3}
_HEX = re.compile("[0-9a-fA-F]{6}")


class Colors:
    """The colours that a text in LaTeX defines, by place, and the colour of its pages."""

    def __init__(self, text: str) -> None:
        self._defined: dict[str, list[tuple[int, Color | None]]] = {}
        self._pages: list[tuple[int, Color | None]] = []
        if "color" not in text:
            return
        for match in _DEFINITION.finditer(text):
            name, spec = match["name"] or match["new"], match["spec"] or match["mixture"]
            found = self.color(match.start(), match["model"], spec)
            self._defined.setdefault(name.strip(), []).append((match.start(), found))
        for match in _PAGE.finditer(text):
            found = self.color(match.start(), match["model"], match["spec"])
            self._pages.append((match.start(), found))

    def color(self, place: int, model: str | None, spec: str) -> Color | None:
        """The colour of ``spec``, a name or a mixture, or numbers in ``model``; None if unknown."""
        model = (model or "").strip()
        if model in ("", "named"):
            return self._mixed(place, spec)
        return _of_numbers(model, spec)

    def page(self, place: int) -> Color | None:
        """The colour of the page at ``place``: that of the last command before it."""
        return _last(self._pages, place, WHITE)

    def _named(self, place: int, name: str) -> Color | None:
        name = name.strip()
        found = self._defined.get(name)
        if found is None and name not in _NAMES:
            # Options of `xcolor` name the colours of CSS, "White" or "Snow1" for "snow".
            return named_color(name.lower().removesuffix("1"))
        return _NAMES.get(name) if found is None else _last(found, place, found[0][1])

    def _mixed(self, place: int, spec: str) -> Color | None:
        """A mixture such as ``red!20!white``: of each pair the first, with this percentage."""
        name, *rest = spec.strip().lstrip("-").split("!")
        color = self._named(place, name)
        for at in range(0, len(rest), 2):
            other = self._named(place, rest[at + 1]) if at + 1 < len(rest) else WHITE
            try:
                share = min(max(float(rest[at]) / 100, 0.0), 1.0)
            except ValueError:
                return None
            if color is None or other is None:
                return None
            red, green, blue = (
                one * share + two * (1 - share) for one, two in zip(color, other, strict=True)
            )
            color = red, green, blue
        return color


def _last(found: list[tuple[int, Color | None]], place: int, default: Color | None) -> Color | None:
    number = bisect_left(found, place, key=lambda pair: pair[0])
    return found[number - 1][1] if number else default


def _of_numbers(model: str, spec: str) -> Color | None:
    if model == "HTML":
        match = _HEX.search(spec)
        if match is None:
            return None
        value = bytes.fromhex(match[0])
        return value[0], value[1], value[2]
    try:
        parts = [float(part) / _FULL[model] for part in spec.split(",")]
    except (KeyError, ValueError):
        return None
    if len(parts) != _PARTS[model]:
        return None
    parts = [min(max(part, 0.0), 1.0) for part in parts]
    if model in ("gray", "Gray"):
        return parts[0] * 255, parts[0] * 255, parts[0] * 255
    if model == "hsb":
        red, green, blue = colorsys.hsv_to_rgb(*parts)
    elif model in ("cmy", "cmyk"):
        black = parts[3] if model == "cmyk" else 0.0
        red, green, blue = (1 - min(1.0, part + black) for part in parts[:3])
    else:
        red, green, blue = parts
    return red * 255, green * 255, blue * 255
