"""Word faces: what properties and styles of a Word file state about the look of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Literal
from xml.etree.ElementTree import Element

from revkit.dataclass import dataclass
from revkit.documents.word_colors import W14, Fill, Palette, W, highlight
from revkit.model.colors import Rgb

_OFF = ("0", "false", "off")
Ink = tuple[Rgb | Literal["auto"], float]
"""The colour of text, and its opacity (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Face:
    """What properties state about the look of text; None where they state nothing."""

    vanish: bool | None = None
    inks: tuple[Ink, ...] | None = None
    """Colours of letters and of their outline."""
    size: int | None = None
    """Half points."""
    width: int | None = None
    """Width of the characters, percent."""
    mark: Fill | None = None
    """The highlight."""
    shade: Fill | None = None
    ground: Fill | None = None
    """The shade of the paragraph."""
    line: int | None = None
    """Height of a line, twentieths of a point."""
    rule: str | None = None
    gap: int | None = None
    """Space between letters, twentieths of a point, negative where they are moved together."""
    lift: int | None = None
    """How far text is above its line, half points, negative below it."""
    indent: int | None = None
    """The larger of the indents of the paragraph and of its first line, twentieths of a point."""
    fit: int | None = None
    """The width into which text is pressed, twentieths of a point."""

    def over(self, below: Face) -> Face:
        """This face, with what it does not state from ``below``."""
        if self is _PLAIN or self == below:
            return below
        if below is _PLAIN:
            return self
        mine = {each.name: getattr(self, each.name) for each in fields(self)}
        theirs = {each.name: getattr(below, each.name) for each in fields(below)}
        return Face(**{key: theirs[key] if value is None else value for key, value in mine.items()})


_PLAIN = Face()


def read_face(run: Element | None, paragraph: Element | None, palette: Palette) -> Face:
    """The face that properties of a run (rPr) and of a paragraph (pPr) state."""
    spacing = paragraph.find(f"{W}spacing") if paragraph is not None else None
    line = spacing.get(f"{W}line", "") if spacing is not None else ""
    rule = spacing.get(f"{W}lineRule") if spacing is not None else None
    ground = palette.shade(paragraph)
    height = number(line)
    indent = _indent(paragraph.find(f"{W}ind")) if paragraph is not None else None
    if run is None or not len(run):
        if ground is None and height is None and rule is None and indent is None:
            return _PLAIN
        return Face(ground=ground, line=height, rule=rule, indent=indent)
    vanish = run.find(f"{W}vanish")
    return Face(
        None if vanish is None else value_of(vanish) not in _OFF,
        _inks(run, palette),
        number(value_of(run.find(f"{W}sz"))),
        number(value_of(run.find(f"{W}w")).removesuffix("%")),
        highlight(run),
        palette.shade(run),
        ground,
        height,
        rule,
        _signed(value_of(run.find(f"{W}spacing"))),
        _signed(value_of(run.find(f"{W}position"))),
        indent,
        number(value_of(run.find(f"{W}fitText"))),
    )


def _indent(indents: Element | None) -> int | None:
    """The indent of a paragraph or of its first line that is farther from 0."""
    if indents is None:
        return None
    sides = [indents.get(f"{W}{side}", "") for side in ("left", "start", "right", "end")]
    first = _signed(indents.get(f"{W}firstLine", "")) or 0
    hanging = _signed(indents.get(f"{W}hanging", "")) or 0
    found = [*map(_signed, sides), first, -hanging]
    return max((each for each in found if each is not None), key=abs, default=None)


def _inks(run: Element, palette: Palette) -> tuple[Ink, ...] | None:
    color = palette.text_color(run)
    plain: Ink | None = None if color is None else (color, 1.0)
    fill = run.find(f"{W14}textFill")
    outline = run.find(f"{W14}textOutline")
    if fill is None and outline is None:
        return None if plain is None else (plain,)
    inks: list[Ink] = []
    for holder in (fill, outline):
        solid = holder.find(f"{W14}solidFill") if holder is not None else None
        if solid is not None:
            drawn, opacity = palette.drawn_color(solid, W14)
            inks.append(("auto" if drawn is None else drawn, opacity))
        elif holder is not None and holder.find(f"{W14}gradFill") is not None:
            inks.append(("auto", 1.0))
        elif holder is fill and fill is not None:
            inks.append(("auto", 0.0))
        elif holder is fill:
            inks.append(plain or ("auto", 1.0))
    return tuple(inks)


@dataclass(frozen=True, slots=True)
class TableLook:
    """What a table's style states for its parts: a name of a part ("" for the whole table) with the
    face of its text and the shade of its cells, and the number of rows and columns in a band."""

    parts: Mapping[str, tuple[Face, Fill | None]]
    rows: int = 1
    columns: int = 1
    hidden: frozenset[str] = frozenset()
    """The parts whose rows are hidden."""


class Faces:
    """The faces of a file's styles."""

    def __init__(self, styles: Element | None, palette: Palette) -> None:
        self._palette = palette
        self._styles: dict[str, Element] = {}
        self._known: dict[str, Face] = {}
        self._tables: dict[str, TableLook] = {}
        self._defaults: dict[str, str] = {}
        self.default = _PLAIN
        if styles is None:
            return
        for style in styles.findall(f"{W}style"):
            id_ = style.get(f"{W}styleId", "")
            self._styles[id_] = style
            if style.get(f"{W}default") in ("1", "true", "on"):
                self._defaults[style.get(f"{W}type", "")] = id_
        defaults = styles.find(f"{W}docDefaults")
        if defaults is not None:
            self.default = read_face(
                defaults.find(f"{W}rPrDefault/{W}rPr"),
                defaults.find(f"{W}pPrDefault/{W}pPr"),
                palette,
            )

    def style(self, id_: str, kind: str) -> Face:
        """The face of the style ``id_``, or of the default of its kind ("paragraph", "character")
        where ``id_`` is empty or unknown."""
        id_ = id_ if id_ in self._styles else self._defaults.get(kind, "")
        if id_ not in self._known:
            face = _PLAIN
            for style in self._chain(id_):
                own = read_face(style.find(f"{W}rPr"), style.find(f"{W}pPr"), self._palette)
                face = face.over(own)
            self._known[id_] = face
        return self._known[id_]

    def table(self, id_: str) -> TableLook:
        """What the table style ``id_``, or the default one, states."""
        id_ = id_ if id_ in self._styles else self._defaults.get("table", "")
        if id_ not in self._tables:
            parts: dict[str, tuple[Face, Fill | None]] = {}
            bands = {"Row": 1, "Col": 1}
            hidden: set[str] = set()
            for style in reversed(list(self._chain(id_))):
                for key in bands:
                    size = value_of(style.find(f"{W}tblPr/{W}tblStyle{key}BandSize"))
                    bands[key] = number(size) or bands[key]
                for part in (style, *style.findall(f"{W}tblStylePr")):
                    name = part.get(f"{W}type", "") if part is not style else ""
                    before, shade_before = parts.get(name, (_PLAIN, None))
                    face = read_face(part.find(f"{W}rPr"), part.find(f"{W}pPr"), self._palette)
                    shade = self._palette.shade(part.find(f"{W}tcPr"))
                    if shade is None:
                        shade = self._palette.shade(part.find(f"{W}tblPr"))
                    parts[name] = face.over(before), shade_before if shade is None else shade
                    mark = part.find(f"{W}trPr/{W}hidden")
                    if mark is not None:
                        (hidden.add if is_on(mark) else hidden.discard)(name)
            self._tables[id_] = TableLook(parts, bands["Row"], bands["Col"], frozenset(hidden))
        return self._tables[id_]

    def _chain(self, id_: str) -> Iterator[Element]:
        seen: set[str] = set()
        while id_ in self._styles and id_ not in seen:
            seen.add(id_)
            yield self._styles[id_]
            id_ = value_of(self._styles[id_].find(f"{W}basedOn"))


def value_of(element: Element | None) -> str:
    """The value of a property, "" without one."""
    return "" if element is None else element.get(f"{W}val", "")


def is_on(mark: Element) -> bool:
    """Whether a property that is on or off is on."""
    return value_of(mark) not in _OFF


def _signed(text: str) -> int | None:
    """As `number`, also with a sign and with the unit point."""
    text = text.strip()
    scale = 20 if text.endswith("pt") else 1
    found = number(text.removesuffix("pt").partition(".")[0].lstrip("+-"))
    return None if found is None else found * scale * (-1 if text.startswith("-") else 1)


def number(text: str) -> int | None:
    """The whole number that ``text`` states, at most six digits, None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None
