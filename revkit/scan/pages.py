"""Pages: the places of a PDF page where an extractor takes text that no reader sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.papers import Box, HiddenText, PageKind, shorten
from revkit.scan.ink import Counts, Inks, Picture
from revkit.scan.signs import Sign

Floats: TypeAlias = NDArray[np.float64]
_FEWEST_LETTERS = 12
_THIN_SHARE = 0.22
"""Of usual letters, a share of 0.33 and more of the box is ink, on average 0.47."""
_COVERED_SHARE = 0.4
_SEEN_SHARE = 0.7
_SHORTEST = 4
_LONGEST_OVERRUN = 40
_TINY = 2.0
_LARGE = 24.0
_PALE = ("background-colour", "transparent", "no-ink")
_NOT_PAINTED = (3, 7)
_FILLED = (0, 2, 4, 6)
_TRANSPARENT = 25
_SCANNED_PICTURE = 0.5
_SCANNED_SHARE = 0.8


@dataclass(frozen=True)
class PageFindings:
    """The findings of one page, the numbers of the characters that no reader sees, and the large
    pale letters, which are a watermark or hidden text.
    """

    findings: tuple[HiddenText, ...]
    hidden: frozenset[int]
    pale: tuple[HiddenText, ...] = ()
    pale_words: str = ""


def find_on_page(
    number: int,
    signs: Sequence[Sign],
    inks: Inks,
    visible: Box,
    *,
    picture: float = 0.0,
    draw_alone: Callable[[], Picture] | None = None,
) -> PageFindings:
    """Find hidden text on page ``number``.

    ``visible`` is the crop box, ``picture`` the share of the page that its largest picture covers:
    on a scanned page, the text layer is not painted, and lies on a picture with marks.
    ``draw_alone`` draws the text alone; it is called only where marks may cover most of a text.
    """
    scanned = _is_scanned(signs, picture)
    counts = inks.counts([sign.box for sign in signs])
    kinds = [
        _kind(sign, int(count), inks, visible, scanned=scanned)
        for sign, count in zip(signs, counts, strict=True)
    ]
    if draw_alone is not None:
        _mark_covered(signs, kinds, counts, inks, draw_alone)
    stretches = [
        (kind, part)
        for kind, part in _stretches(signs, kinds)
        if len(part) >= _SHORTEST and not (kind == "off-page" and _runs_over(part, signs, visible))
    ]
    found: dict[tuple[PageKind, bool], list[Sign]] = {}
    for kind, part in stretches:
        is_pale = kind in _PALE and all(_is_pale(sign, inks) for sign in part)
        found.setdefault((kind, is_pale), []).extend(part)
    findings: list[HiddenText] = []
    pale: list[HiddenText] = []
    said: list[str] = []
    hidden: set[int] = set()
    for (kind, is_pale), part in found.items():
        if _is_text(part):
            (pale if is_pale else findings).append(_finding(number, kind, part))
            said += [_words_of(part)] if is_pale else []
            hidden |= {sign.index for sign in part}
    return PageFindings(tuple(findings), frozenset(hidden), tuple(pale), " ".join(said))


def _mark_covered(
    signs: Sequence[Sign],
    kinds: list[PageKind | None],
    counts: Counts,
    inks: Inks,
    draw_alone: Callable[[], Picture],
) -> None:
    """Set the kind of letters most of whose ink is covered, as by a hatch, and not all of it.

    Windows of letters decide, because lines of a hatch miss single letters.
    """
    at = [place for place, kind in enumerate(kinds) if kind in (None, "no-ink")]
    boxes = [signs[place].box for place in at]
    seen = counts[at].astype(np.float64)
    shares = inks.shares(boxes, counts[at])
    thin = _windows(shares, np.ones(len(at)), _THIN_SHARE)
    if not (seen[thin] > 0).any():
        return
    (near,) = np.nonzero(thin)
    colors = [signs[at[place]].style.color for place in near]
    full = seen.copy()
    full[near] = inks.expected([boxes[place] for place in near], colors, draw_alone())
    full = np.maximum(full, 1)
    marked = thin & _windows(seen, full, _COVERED_SHARE)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    for start, end in edges.reshape(-1, 2):
        (covered,) = np.nonzero(seen[start:end] < _SEEN_SHARE * full[start:end])
        for place in range(start + covered[0], start + covered[-1] + 1) if covered.size else ():
            kinds[at[place]] = "no-ink"


def _windows(parts: Floats, wholes: Floats, least: float) -> NDArray[np.bool_]:
    """Which letters are in a window of twelve whose ``parts`` are less than ``least`` of the
    ``wholes``."""
    marked = np.zeros(len(parts), bool)
    sums = np.concatenate([[0], np.cumsum(parts - least * wholes)])
    for start in np.flatnonzero(sums[_FEWEST_LETTERS:] - sums[:-_FEWEST_LETTERS] < 0):
        marked[start : start + _FEWEST_LETTERS] = True
    return marked


def _is_pale(sign: Sign, inks: Inks) -> bool:
    return sign.style.size >= _LARGE and inks.is_pale_mark(sign.box)


def _is_text(part: Sequence[Sign]) -> bool:
    """Whether ``part`` is long enough to say something: the numbers of an axis that lie outside the
    frame of a picture say nothing.
    """
    letters = sum(sign.text.isalpha() for sign in part)
    return len(part) >= _FEWEST_LETTERS and 2 * letters >= _FEWEST_LETTERS


def _is_scanned(signs: Sequence[Sign], picture: float) -> bool:
    if picture < _SCANNED_PICTURE:
        return False
    unpainted = sum(sign.style.mode in _NOT_PAINTED for sign in signs)
    return unpainted >= _SCANNED_SHARE * len(signs)


def _kind(sign: Sign, count: int, inks: Inks, visible: Box, *, scanned: bool) -> PageKind | None:
    style = sign.style
    x, y = (sign.box[0] + sign.box[2]) / 2, (sign.box[1] + sign.box[3]) / 2
    if not (visible[0] <= x <= visible[2] and visible[1] <= y <= visible[3]):
        return "off-page"
    if style.mode in _NOT_PAINTED:
        return None if scanned and inks.varies(sign.box) else "not-painted"
    if style.mode in _FILLED and style.alpha <= _TRANSPARENT:
        return "transparent"
    if style.size < _TINY:
        return "tiny"
    colored = style.mode == 0 and style.color is not None and max(style.color) > 60
    if colored and style.color is not None and inks.is_like_ground(sign.box, style.color):
        return "background-colour"
    if count:
        return None
    if style.layered:
        return "layer-off"
    return "clipped" if style.clipped else "no-ink"


def _stretches(
    signs: Sequence[Sign], kinds: Sequence[PageKind | None]
) -> Iterable[tuple[PageKind, list[Sign]]]:
    """The longest runs of letters that are hidden in one way."""
    run: list[Sign] = []
    last: PageKind | None = None
    for sign, kind in zip(signs, kinds, strict=True):
        if kind != last:
            if last is not None:
                yield last, run
            run, last = [], kind
        run.append(sign)
    if last is not None:
        yield last, run


def _runs_over(part: Sequence[Sign], signs: Sequence[Sign], visible: Box) -> bool:
    """Whether ``part`` is the end of a line that begins on the page and is too long for it."""
    if len(part) >= _LONGEST_OVERRUN:
        return False
    y, size = part[0].origin[1], max(part[0].style.size, 1.0)
    return any(
        visible[0] <= sign.origin[0] <= visible[2]
        and abs(sign.origin[1] - y) < 0.1 * size
        and 0 < part[0].index - sign.index <= 3
        for sign in signs
    )


def _finding(number: int, kind: PageKind, part: Sequence[Sign]) -> HiddenText:
    style = part[0].style
    color = "a pattern" if style.color is None else "#" + "".join(f"{c:02x}" for c in style.color)
    evidence = (
        f"{len(part)} letters; size {style.size:.2f} pt, render mode {style.mode}, fill {color}, "
        f"opacity {style.alpha / 255:.2f}"
    )
    return HiddenText(kind, None, None, None, words_of(part), number, box_of(part), evidence)


def box_of(part: Sequence[Sign]) -> Box:
    """The box around ``part``."""
    return (
        round(min(sign.box[0] for sign in part), 1),
        round(min(sign.box[1] for sign in part), 1),
        round(max(sign.box[2] for sign in part), 1),
        round(max(sign.box[3] for sign in part), 1),
    )


def words_of(part: Sequence[Sign]) -> str:
    """The letters of ``part`` as words, shortened."""
    return shorten(_words_of(part))


def _words_of(part: Sequence[Sign]) -> str:
    """The letters of ``part`` as words: a gap in their numbers is a blank or a punctuation mark."""
    text = ""
    last: Sign | None = None
    for sign in part:
        if last is not None and sign.index > last.index + 1:
            text += " "
        text += sign.text
        last = sign
    return text
