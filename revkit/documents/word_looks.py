"""Word looks: the runs of a Word file that its reader does not see, by property, colour or size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from revkit.dataclass import dataclass
from revkit.documents.text import Look
from revkit.documents.word_colors import VML, WHITE, WPS, Fill, Palette, W, mix
from revkit.documents.word_faces import Face, Faces, TableLook, is_on, number, read_face, value_of
from revkit.model.colors import Rgb, are_alike

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_OFF = ("0", "false", "off")
_TINY = 5  # half points
_FLAT = 50  # twentieths of a point: the same height
_FAR_UP = 600  # half points
_FAR_ASIDE = 12_240  # twentieths of a point: the width of a page
_FAR_DOWN = 16_838  # twentieths of a point: the height of a page
# Letters are half as wide as they are high, so they lie on each other with less space than this.
_LEAST_SPACE = -0.4
_LEAST_FIT = 0.1  # of the height of the letters
_WORD_SIZE = 20  # half points, where a file states no size
_SHAPES = (f"{WPS}wsp", *(f"{VML}{kind}" for kind in ("shape", "rect", "roundrect", "oval")))
_GROUPS = ("}wgp", "}wpc", "}grpSp", "}group")
_PICTURES = ("}blip", "}imagedata")
_LOOK_BITS = {
    "firstRow": 0x20,
    "lastRow": 0x40,
    "firstColumn": 0x80,
    "lastColumn": 0x100,
    "noHBand": 0x200,
    "noVBand": 0x400,
}
_FEWEST_LETTERS = 12


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a run lies: the ground below its paragraph (None where it is unknown), the faces that a
    table and the paragraph give, whether a row leaves it no height or is hidden, whether a frame is
    outside the page, whether it is in a text box and whether this has no fill, and whether the
    group of shapes around it has pictures or coloured shapes (None where there is no group)."""

    ground: Rgb | None
    table: Face
    paragraph: Face
    flat: bool = False
    hidden: bool = False
    away: bool = False
    in_box: bool = False
    unfilled: bool = False
    painted: bool | None = None


@dataclass(frozen=True, slots=True)
class Covert:
    """A text outside the body that a reader does not see, and where it is."""

    text: str
    look: Look
    place: str


class Looks:
    """Which runs of a file a reader does not see."""

    def __init__(
        self, styles: Element | None, settings: Element | None, theme: Element | None
    ) -> None:
        self._palette = Palette(theme, settings)
        self._faces = Faces(styles, self._palette)
        shown = settings.find(f"{W}displayBackgroundShape") if settings is not None else None
        self._draws_page = shown is not None and value_of(shown) not in _OFF
        self._page: Rgb | None = WHITE
        self._hidden: dict[Element, Look] = {}
        self.covert: list[Covert] = []

    def read_page(self, document: Element) -> None:
        """Take the colour of the page from the root of the text part."""
        background = document.find(f"{W}background")
        if background is None or not self._draws_page:
            return
        color = self._palette.word_color(background, "color", "themeColor")
        self._page = WHITE if color == "auto" else color
        fill = background.find(f".//{VML}fill")
        if fill is not None and fill.get("type", "solid") != "solid":
            self._page = None

    def read(self, root: Element, part: str = "") -> None:
        """Find the hidden runs below ``root``: a body, notes, a header or a footer. The texts of a
        ``part`` other than the body, and of text boxes, are added to `covert`."""
        before = len(self.covert)
        self._walk(root, _Place(self._page, Face(), self._faces.style("", "paragraph")), part)
        self.covert[before:] = [each for each in self.covert[before:] if each.text.strip()]

    def of(self, run: Element) -> Look | None:
        """Why a reader does not see ``run``, None where it is seen."""
        return self._hidden.get(run)

    def _walk(self, parent: Iterable[Element], place: _Place, part: str) -> None:
        for element in parent:
            tag = element.tag
            if tag == f"{W}p":
                self._paragraph(element, place, part)
            elif tag == f"{W}tbl":
                self._table(element, place, part)
            elif tag == f"{W}r":
                look = self._look(element, place)
                if look is not None:
                    self._hidden[element] = look
                self._walk(element, place, part)
            elif tag in (f"{W}del", f"{W}moveFrom", f"{W}rPr", f"{W}pPr"):
                continue
            elif tag == f"{_MC}AlternateContent":
                chosen = element.find(f"{_MC}Choice")
                if chosen is None:
                    chosen = element.find(f"{_MC}Fallback")
                self._walk(() if chosen is None else chosen, place, part)
            elif tag in _SHAPES:
                self._walk(element, self._box(element, place), part)
            elif tag.endswith(_GROUPS):
                painted = place.painted
                if painted is None:
                    painted = self._is_painted(element)
                self._walk(element, replace(place, painted=painted), part)
            elif tag == f"{W}txbxContent":
                inner = replace(place, table=Face(), flat=False, away=False, in_box=True)
                self._walk(element, inner, part)
            else:
                self._walk(element, place, part)

    def _box(self, shape: Element, place: _Place) -> _Place:
        fill = self._palette.shape_fill(shape)
        if fill == "none":
            return replace(place, ground=None if place.painted else self._page, unfilled=True)
        return replace(place, ground=None if fill == "unknown" else fill, unfilled=False)

    def _is_painted(self, group: Element) -> bool:
        """Whether a group of shapes has a picture or a coloured shape, which may lie below a box
        without fill."""
        for element in group.iter():
            if element.tag.endswith(_PICTURES):
                return True
            if element.tag in _SHAPES:
                fill = self._palette.shape_fill(element)
                if fill == "unknown" or (
                    fill != "none" and self._page is not None and not are_alike(fill, self._page)
                ):
                    return True
        return False

    def _paragraph(self, element: Element, place: _Place, part: str) -> None:
        properties = element.find(f"{W}pPr")
        id_ = value_of(properties.find(f"{W}pStyle")) if properties is not None else ""
        style = self._faces.style(id_, "paragraph")
        own = read_face(None, properties, self._palette)
        frame = properties.find(f"{W}framePr") if properties is not None else None
        away = place.away or (frame is not None and _is_away(frame))
        inner = replace(place, paragraph=own.over(style), away=away)
        self._walk(element, inner, part)
        if not (part or place.in_box):
            return
        texts: dict[Look, str] = {}
        for run in _runs(element):
            look = self._hidden.get(run)
            if look is not None:
                said = "".join(each.text or "" for each in run.findall(f"{W}t"))
                texts[look] = texts.get(look, "") + said
        for look, said in texts.items():
            short = sum(sign.isalnum() for sign in said) < _FEWEST_LETTERS
            if not (short and place.unfilled and look == "background-colour"):
                self.covert.append(Covert(said, look, "text box" if place.in_box else part))

    def _table(self, table: Element, place: _Place, part: str) -> None:
        properties = table.find(f"{W}tblPr")
        id_ = value_of(properties.find(f"{W}tblStyle")) if properties is not None else ""
        styled = self._faces.table(id_)
        on = _conditions(properties.find(f"{W}tblLook") if properties is not None else None)
        whole = self._palette.shade(properties)
        rows = list(_within(table, f"{W}tr"))
        for row_number, row in enumerate(rows):
            height = row.find(f"{W}trPr/{W}trHeight")
            flat = height is not None and height.get(f"{W}hRule") == "exact"
            tall = number(height.get(f"{W}val", "")) if height is not None else None
            cells = list(_within(row, f"{W}tc"))
            mark = row.find(f"{W}trPr/{W}hidden")
            for cell_number, cell in enumerate(cells):
                names = list(_parts(on, styled, row_number, cell_number, len(rows), len(cells)))
                face, shade = Face(), None
                for name in names:
                    text, fill = styled.parts.get(name, (Face(), None))
                    face = text.over(face)
                    shade = shade if fill is None else fill
                shade = whole if whole is not None else shade
                own = self._palette.shade(cell.find(f"{W}tcPr"))
                shade = shade if own is None else own
                styled_away = not styled.hidden.isdisjoint(names)
                inner = replace(
                    place,
                    ground=_ground(shade, place.ground),
                    table=face,
                    flat=place.flat or (flat and tall is not None and tall < _FLAT),
                    hidden=place.hidden or (styled_away if mark is None else is_on(mark)),
                )
                self._walk(cell, inner, part)

    def _look(self, run: Element, place: _Place) -> Look | None:
        properties = run.find(f"{W}rPr")
        own = read_face(properties, None, self._palette)
        id_ = value_of(properties.find(f"{W}rStyle")) if properties is not None else ""
        style = self._faces.style(id_, "character")
        below = place.paragraph.over(place.table).over(self._faces.default)
        face = own.over(style).over(below)
        hidden = own.vanish
        if hidden is None:
            # Two styles that hide text cancel each other out (ECMA-376, 17.7.3).
            styles = (style, place.paragraph, place.table)
            hidden = sum(bool(each.vanish) for each in styles) % 2 == 1
            hidden = hidden or bool(self._faces.default.vanish)
        if hidden or place.hidden:
            return "hidden-mark"
        ground = place.ground
        for fill in (face.ground, face.shade, face.mark):
            ground = _ground(fill, ground)
        inks = face.inks or ()
        if inks and ground is not None and all(_is_unseen(*ink, ground) for ink in inks):
            return "background-colour"
        size = _WORD_SIZE if face.size is None else face.size
        wide = 100 if face.width is None else face.width
        thin = face.rule == "exact" and face.line is not None and face.line < _FLAT
        if size < _TINY or size * wide < 100 * _TINY or thin or place.flat:
            return "tiny"
        if place.away or abs(face.lift or 0) >= _FAR_UP or abs(face.indent or 0) >= _FAR_ASIDE:
            return "off-page"
        said = sum(len(each.text or "") for each in run.findall(f"{W}t"))
        height = 10 * size  # twentieths of a point
        if (face.gap or 0) * 100 <= _LEAST_SPACE * height * wide or (
            face.fit is not None and said > 1 and face.fit <= _LEAST_FIT * height * said
        ):
            return "no-width"
        return None


def _is_away(frame: Element) -> bool:
    """Whether the place that a frame states is outside the page."""
    across, down = (_place(frame.get(f"{W}{axis}", "")) for axis in ("x", "y"))
    return not -_FAR_ASIDE < across < _FAR_ASIDE or not -_FAR_DOWN < down < _FAR_DOWN


def _place(text: str) -> int:
    return (number(text.lstrip("-")) or 0) * (-1 if text.startswith("-") else 1)


def _is_unseen(color: Rgb | str, opacity: float, ground: Rgb) -> bool:
    if isinstance(color, str):
        return opacity <= 0.1
    return are_alike(mix(color, ground, opacity), ground)


def _ground(fill: Fill | None, below: Rgb | None) -> Rgb | None:
    """What shows where ``fill`` lies on ``below``."""
    if fill is None or fill == "none":
        return below
    return None if fill == "unknown" else fill


def _runs(paragraph: Element) -> Iterator[Element]:
    """The runs of ``paragraph`` without those in its text boxes."""
    for element in paragraph:
        if element.tag == f"{W}r":
            yield element
        elif element.tag not in (f"{W}del", f"{W}moveFrom"):
            yield from _runs(element)


def _within(parent: Element, tag: str) -> Iterator[Element]:
    """The rows of a table, or the cells of a row, also those in content controls."""
    for element in parent:
        if element.tag == tag:
            yield element
        elif element.tag != f"{W}tbl":
            yield from _within(element, tag)


def _conditions(look: Element | None) -> frozenset[str]:
    """Which parts of a table its style applies to."""
    if look is None:
        return frozenset()
    bits = look.get(f"{W}val", "")
    try:
        set_bits = int(bits, 16) if len(bits) <= 4 else 0
    except ValueError:
        set_bits = 0
    return frozenset(
        name
        for name, bit in _LOOK_BITS.items()
        if (
            look.get(f"{W}{name}", "") not in ("", *_OFF)
            if look.get(f"{W}{name}") is not None
            else set_bits & bit
        )
    )


def _parts(
    on: frozenset[str], styled: TableLook, row: int, column: int, rows: int, columns: int
) -> Iterator[str]:
    """The parts of a table style that apply to a cell, the weakest first (ECMA-376, 17.7.6)."""
    first_row, last_row = "firstRow" in on and row == 0, "lastRow" in on and row == rows - 1
    first = "firstColumn" in on and column == 0
    last = "lastColumn" in on and column == columns - 1
    yield ""
    yield "wholeTable"
    if "noVBand" not in on and not (first or last):
        band = (column - ("firstColumn" in on)) // styled.columns % 2
        yield f"band{band + 1}Vert"
    if "noHBand" not in on and not (first_row or last_row):
        band = (row - ("firstRow" in on)) // styled.rows % 2
        yield f"band{band + 1}Horz"
    for name, applies in (
        ("firstCol", first),
        ("lastCol", last),
        ("firstRow", first_row),
        ("lastRow", last_row),
        ("nwCell", first_row and first),
        ("neCell", first_row and last),
        ("swCell", last_row and first),
        ("seCell", last_row and last),
    ):
        if applies:
            yield name
