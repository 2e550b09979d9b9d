"""Word colours: text, shades and fills of a Word file as red, green and blue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from typing import Literal
from xml.etree.ElementTree import Element

from revkit.model.colors import Rgb

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
VML = "{urn:schemas-microsoft-com:vml}"
WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)
Fill = Rgb | Literal["none", "unknown"]
"""The colour of a ground; "none" where what is below shows, "unknown" for pictures and
gradients."""

_HEX = re.compile(r"#?([0-9A-Fa-f]{6})")
_SHORT_HEX = re.compile(r"#([0-9A-Fa-f]{3})")
_PERCENT = re.compile(r"pct(\d{1,2})")
_HIGHLIGHTS: Mapping[str, Rgb] = {
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "cyan": (0, 255, 255),
    "green": (0, 255, 0),
    "magenta": (255, 0, 255),
    "red": (255, 0, 0),
    "yellow": (255, 255, 0),
    "white": (255, 255, 255),
    "darkBlue": (0, 0, 128),
    "darkCyan": (0, 128, 128),
    "darkGreen": (0, 128, 0),
    "darkMagenta": (128, 0, 128),
    "darkRed": (128, 0, 0),
    "darkYellow": (128, 128, 0),
    "darkGray": (128, 128, 128),
    "lightGray": (192, 192, 192),
}
_NAMED: Mapping[str, Rgb] = {
    "black": (0, 0, 0),
    "silver": (192, 192, 192),
    "gray": (128, 128, 128),
    "white": (255, 255, 255),
    "maroon": (128, 0, 0),
    "red": (255, 0, 0),
    "purple": (128, 0, 128),
    "fuchsia": (255, 0, 255),
    "green": (0, 128, 0),
    "lime": (0, 255, 0),
    "olive": (128, 128, 0),
    "yellow": (255, 255, 0),
    "navy": (0, 0, 128),
    "blue": (0, 0, 255),
    "teal": (0, 128, 128),
    "aqua": (0, 255, 255),
    "window": WHITE,
    "windowtext": BLACK,
}
_MAPPED: Mapping[str, str] = {
    "bg1": "lt1",
    "tx1": "dk1",
    "bg2": "lt2",
    "tx2": "dk2",
    "background1": "lt1",
    "text1": "dk1",
    "background2": "lt2",
    "text2": "dk2",
    "light1": "lt1",
    "dark1": "dk1",
    "light2": "lt2",
    "dark2": "dk2",
    "hyperlink": "hlink",
    "followedHyperlink": "folHlink",
}
_SLOTS: Mapping[str, str] = {
    "background1": "bg1",
    "text1": "t1",
    "background2": "bg2",
    "text2": "t2",
    "bg1": "bg1",
    "tx1": "t1",
    "bg2": "bg2",
    "tx2": "t2",
}


class Palette:
    """The colours of a file's theme. A file without one has white paper and black text."""

    def __init__(self, theme: Element | None, settings: Element | None) -> None:
        self._colors: dict[str, Rgb] = {"lt1": WHITE, "dk1": BLACK}
        scheme = theme.find(f".//{A}clrScheme") if theme is not None else None
        for slot in scheme if scheme is not None else ():
            found = slot.find(f"{A}srgbClr")
            value = found.get("val", "") if found is not None else ""
            if found is None and (found := slot.find(f"{A}sysClr")) is not None:
                value = found.get("lastClr", "")
            color = of_hex(value)
            if color:
                self._colors[slot.tag.removeprefix(A)] = color
        mapping = settings.find(f"{W}clrSchemeMapping") if settings is not None else None
        self._mapping = {
            key.removeprefix(W): value
            for key, value in (mapping.items() if mapping is not None else ())
        }

    def _named(self, name: str) -> Rgb | None:
        mapped = self._mapping.get(_SLOTS.get(name, ""), name)
        return self._colors.get(_MAPPED.get(mapped, mapped))

    def word_color(self, element: Element, value: str, theme: str) -> Rgb | Literal["auto"]:
        """The colour in the attributes ``value`` and ``theme`` of ``element``, with the tint and
        the shade of the second; "auto" for none and for what cannot be read."""
        color = self._named(element.get(f"{W}{theme}", ""))
        if color is None:
            return of_hex(element.get(f"{W}{value}", "")) or "auto"
        prefix = theme.removesuffix("Color")
        for key, towards in (("Tint", 1.0), ("Shade", 0.0)):
            amount = element.get(f"{W}{prefix}{key}", "")
            if re.fullmatch("[0-9A-Fa-f]{1,2}", amount):
                share = int(amount, 16) / 255
                color = _lighten(color, share, (1 - share) * towards)
        return color

    def text_color(self, properties: Element) -> Rgb | Literal["auto"] | None:
        """The colour of text that ``properties`` state, None where they state none."""
        color = properties.find(f"{W}color")
        return None if color is None else self.word_color(color, "val", "themeColor")

    def shade(self, properties: Element | None) -> Fill | None:
        """The shade that ``properties`` state, None where they state none."""
        shade = properties.find(f"{W}shd") if properties is not None else None
        if shade is None:
            return None
        kind = shade.get(f"{W}val", "clear")
        fill = self.word_color(shade, "fill", "themeFill")
        if kind == "nil":
            return "none"
        if kind == "clear":
            return "none" if fill == "auto" else fill
        front = self.word_color(shade, "color", "themeColor")
        percent = _PERCENT.fullmatch(kind)
        share = 1.0 if kind == "solid" else int(percent[1]) / 100 if percent else 0.5
        return mix(BLACK if front == "auto" else front, WHITE if fill == "auto" else fill, share)

    def drawn_color(self, holder: Element | None, prefix: str = A) -> tuple[Rgb | None, float]:
        """The colour within ``holder`` of a drawing and its opacity, 0 to 1; None for an unknown
        one."""
        for element in holder if holder is not None else ():
            key = element.tag.removeprefix(prefix)
            value = element.get("val", "") or element.get(f"{prefix}val", "")
            color = {
                "srgbClr": of_hex(value),
                "sysClr": of_hex(element.get("lastClr", "")),
                "schemeClr": self._named(value),
                "prstClr": _NAMED.get(value.lower()),
            }.get(key)
            if color is None:
                continue
            opacity = 1.0
            for change in element:
                amount = change.get("val", "") or change.get(f"{prefix}val", "")
                share = int(amount) / 100_000 if re.fullmatch(r"\d{1,7}", amount) else 1.0
                kind = change.tag.removeprefix(prefix)
                if kind in ("lumMod", "shade"):
                    color = _lighten(color, share, 0)
                elif kind == "lumOff":
                    color = _lighten(color, 1, share)
                elif kind == "tint":
                    color = _lighten(color, share, 1 - share)
                elif kind == "alpha":
                    # Text of Word 2010 states how transparent it is, a drawing how opaque.
                    opacity = 1 - share if prefix == W14 else share
            return color, min(1.0, max(0.0, opacity))
        return None, 1.0

    def shape_fill(self, shape: Element) -> Fill:
        """The fill of a shape of a drawing (DrawingML or VML)."""
        if shape.tag.startswith(VML):
            return _vml_fill(shape)
        properties = shape.find(f"{WPS}spPr")
        for element in properties if properties is not None else ():
            kind = element.tag.removeprefix(A)
            if kind == "noFill":
                return "none"
            if kind == "solidFill":
                return self._solid(element)
            if kind in ("gradFill", "blipFill", "pattFill", "grpFill"):
                return "unknown"
        styled = shape.find(f"{WPS}style/{A}fillRef")
        if styled is None or styled.get("idx", "0") == "0":
            return "none"
        return self._solid(styled)

    def _solid(self, holder: Element) -> Fill:
        color, opacity = self.drawn_color(holder)
        if color is None:
            return "unknown"
        return "none" if opacity < 0.1 else mix(color, WHITE, opacity)


def highlight(properties: Element) -> Fill | None:
    """The highlight that ``properties`` state, None where they state none."""
    element = properties.find(f"{W}highlight")
    return None if element is None else _HIGHLIGHTS.get(element.get(f"{W}val", ""), "none")


def of_hex(value: str) -> Rgb | None:
    """The colour "RRGGBB", with or without "#"; None for any other text."""
    match = _HEX.fullmatch(value)
    if match is None:
        return None
    number = int(match[1], 16)
    return number >> 16, number >> 8 & 255, number & 255


def mix(front: Rgb, ground: Rgb, share: float) -> Rgb:
    """``front`` over ``ground`` with the opacity ``share``, 0 to 1."""
    red, green, blue = (
        round(share * a + (1 - share) * b) for a, b in zip(front, ground, strict=True)
    )
    return red, green, blue


def _lighten(color: Rgb, factor: float, offset: float) -> Rgb:
    hue, light, saturation = rgb_to_hls(*(value / 255 for value in color))
    changed = hls_to_rgb(hue, min(1.0, max(0.0, light * factor + offset)), saturation)
    red, green, blue = (round(255 * value) for value in changed)
    return red, green, blue


def _vml_fill(shape: Element) -> Fill:
    fill = shape.find(f"{VML}fill")
    off = ("f", "false", "0")
    if shape.get("filled", "t") in off or (fill is not None and fill.get("on", "t") in off):
        return "none"
    if fill is not None and (
        fill.get("type", "solid") != "solid" or fill.get("opacity", "1") in ("0", "0f", "0%")
    ):
        return "none" if fill.get("type", "solid") == "solid" else "unknown"
    # Word writes the number of the theme's colour behind it: "#1f3864 [3204]".
    value = shape.get("fillcolor") or (fill.get("color") if fill is not None else None) or "white"
    value = value.split(" ")[0]
    if short := _SHORT_HEX.fullmatch(value):
        value = "".join(2 * sign for sign in short[1])
    return of_hex(value) or _NAMED.get(value.lower()) or "unknown"
