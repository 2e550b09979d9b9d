"""The style of the plots and their conversion to SVG, in one place.

A plot is drawn with stand-in colours, which become the page's own (CSS variables), so it follows
the reader's light or dark theme. Text stays text. The same numbers give the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from revkit_reports.visible import one_line, short

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Each stand-in is also what shows where no style sheet is, as in a saved image.
INK, MUTED, GRID, BLUE, ORANGE = "#1b1f24", "#5b6470", "#d5d9de", "#0b62a4", "#b4540a"
# Eight colours that differ in hue and in lightness, for readers without colour vision.
SERIES = (
    BLUE,
    ORANGE,
    "#1f7a4d",
    "#8a3fa0",
    "#a38200",
    "#c2315f",
    "#3c8f9e",
    "#6b4a2b",
)
_VARIABLES = {
    INK: "ink",
    MUTED: "muted",
    GRID: "grid",
    BLUE: "blue",
    ORANGE: "orange",
    **{colour: f"series-{number}" for number, colour in enumerate(SERIES[2:], 3)},
}
WIDTH = 10.0
FONT = 10.0
NAME = 30
ELLIPSIS = "\u2026"


@contextmanager
def style() -> Iterator[None]:
    """Apply the matplotlib settings for one plot, and restore the caller's settings afterwards."""
    import matplotlib

    settings: Any = {
        "axes.edgecolor": GRID,
        "axes.labelcolor": MUTED,
        "axes.spines.left": False,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.unicode_minus": True,
        "font.family": ["DejaVu Sans"],
        "font.size": FONT,
        "svg.fonttype": "none",
        "svg.hashsalt": "revkit",
        "text.color": INK,
        "text.parse_math": False,
        "text.usetex": False,
        "xtick.color": GRID,
        "xtick.labelcolor": MUTED,
        "ytick.color": GRID,
        "ytick.labelcolor": INK,
    }
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        # A name may hold a letter that the plot's font lacks; the reader's browser has it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def new_figure(height: float) -> Figure:
    """Return a transparent figure with the width of the page and ``height`` inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height))
    figure.patch.set_visible(False)
    return figure


def label(name: str, limit: int = NAME) -> str:
    """Return a name for a plot: one line of limited length that keeps its end."""
    return short(one_line(name), limit, ELLIPSIS)


def labels(names: Sequence[str], limit: int = NAME) -> list[str]:
    """Return distinct names for one plot; the common beginning of long names is left out."""
    plain = [one_line(name) for name in names]
    if len(plain) > 1 and max(map(len, plain)) > limit:
        shared = _shared_words(plain)
        if shared > 1:
            plain = [ELLIPSIS + name[shared:] for name in plain]
    cut = [_fitting(name, limit) for name in plain]
    return [
        f"{name} ({cut[: i + 1].count(name)})" if cut.count(name) > 1 else name
        for i, name in enumerate(cut)
    ]


def _fitting(name: str, limit: int) -> str:
    """Return ``name`` cut to the space of ``limit`` letters of usual width; fewer wide letters
    fit.
    """
    letters = limit
    while letters > 4 and _em(short(name, letters, ELLIPSIS)) > _em("n") * limit:
        letters -= 1
    return short(name, letters, ELLIPSIS)


def _shared_words(names: Sequence[str]) -> int:
    """Return the length of the common beginning of all ``names``, cut back to the end of a word."""
    cut = 0
    for i, letters in enumerate(zip(*names, strict=False)):
        if len(set(letters)) > 1:
            break
        if letters[0] in " -_/:.":
            cut = i + 1
    return cut


def margin(shown: Sequence[str]) -> float:
    """Return the share of the figure's width that the longest label needs on the left."""
    longest = max((_em(text) for text in shown), default=0.0)
    return min(0.36, 0.02 + longest * FONT / 72 / WIDTH)


def inches(text: str) -> float:
    """Return the estimated width of ``text`` in a plot, in inches, rounded up."""
    return _em(text) * FONT / 72


def _em(text: str) -> float:
    """Return the estimated width in ems, rounded up: wide letters count twice."""
    return sum(0.62 if ord(c) < 0x1100 else 1.05 for c in text)


def plain_axes(axes: Any) -> None:
    """Draw axes with a vertical grid only."""
    axes.patch.set_visible(False)
    axes.tick_params(length=0)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)


_PDF: ContextVar[list[str] | None] = ContextVar("pdf", default=None)


@contextmanager
def collect_pdf() -> Iterator[list[str]]:
    """Collect each figure that is drawn within as the text of a PDF file, "" if it is not ASCII."""
    files: list[str] = []
    token = _PDF.set(files)
    try:
        yield files
    finally:
        _PDF.reset(token)


def _to_pdf(figure: Figure) -> str:
    """Return the figure as a PDF file without compression, which is text: glyphs and lines are
    drawn by operators in words and numbers.
    """
    from matplotlib import rc_context

    buffer = io.BytesIO()
    none = {"CreationDate": None, "Creator": None, "Producer": None}
    with rc_context({"pdf.compression": 0, "pdf.fonttype": 3}):
        figure.savefig(buffer, format="pdf", transparent=True, metadata=none)
    # A comment of four bytes that only states that a file may be binary.
    found = buffer.getvalue().replace(b"%\xac\xdc \xab\xba", b"%PDF  ", 1)
    return found.decode("ascii") if found.isascii() else ""


def to_svg(figure: Figure, key: str, title: str) -> str:
    """Return the figure as an ``svg`` element for a page: with title, sized by its frame, with
    unique ids.
    """
    files = _PDF.get()
    if files is not None:
        files.append(_to_pdf(figure))
    buffer = io.StringIO()
    figure.savefig(
        buffer,
        format="svg",
        transparent=True,
        metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
    )
    root = ElementTree.fromstring(buffer.getvalue())
    for child in list(root):
        if child.tag.endswith("metadata"):
            root.remove(child)
    for element in root.iter():
        _adapt(element, key)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{key}-title")
    heading = ElementTree.Element("title", {"id": f"{key}-title"})
    heading.text = title
    root.insert(0, heading)
    return ElementTree.tostring(root, encoding="unicode")


def _adapt(element: Any, key: str) -> None:
    element.tag = element.tag.rpartition("}")[2]
    for name in list(element.attrib):
        value = element.attrib.pop(name)
        plain = name.rpartition("}")[2]
        if plain == "id":
            value = f"{key}-{value}"
        elif plain == "href":
            value = value.replace("#", f"#{key}-", 1)
        elif plain in ("clip-path", "style"):
            value = value.replace("url(#", f"url(#{key}-")
            for colour, variable in _VARIABLES.items():
                value = value.replace(colour, f"var(--{variable}, {colour})")
        element.set(plain, value)
