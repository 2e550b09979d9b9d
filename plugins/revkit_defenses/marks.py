"""Remove works from citation markers so that the sentence around a marker stays readable."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from revkit.model import Citation, Edit, Paper

UNKNOWN = "[?]"
"""Replaces a mark that cannot be removed without breaking its sentence."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")
_BRACKETED = re.compile(r"[(\[]{1,2}\s{0,3}(?:19|20)\d\d")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_PARENTHETICAL = frozenset(("cite", "citep", "Citep", "parencite", "autocite", "supercite"))
_STARTS = re.compile(r"(?<!\bal)[.!?]\s*\Z")
_LEANS = re.compile(
    r"(?:^|[\s(])(?:in|by|of|from|to|with|see|and|or|than|following|as|like|via|per|cf\.?|e\.g\.,?|both"
    r"|between|on|at|for|reference|ref\.|refs\.)\s*\Z",
    re.IGNORECASE,
)


def cut(paper: Paper, citation: Citation, gone: Collection[int], note: str) -> Edit | None:
    """Return the edit that removes the keys at the indices ``gone`` from the marker.

    What is left of a group keeps its order. A mark with nothing left goes with the blank before it;
    the narrative form keeps its names ("Lee et al. (2021) show" becomes "Lee et al. show"), and a
    mark that its sentence reads aloud ("as in [7]", "\\\\citet{lee} show") becomes ``[?]``.
    None: nothing in the mark can be cut (one of two years of a narrative mark).
    """
    text = paper.text
    mark = text[citation.start : citation.end]
    left = [key for place, key in enumerate(citation.keys) if place not in gone]
    if citation.style == "author-year" and mark[0] not in "([" and mark[-1] in ")]":
        return None if left else _cut_year(citation, mark, note)
    if left:
        return Edit(citation.start, citation.end, _rewritten(citation, mark, left, gone), note)
    if _is_read_aloud(text, citation, mark):
        return Edit(citation.start, citation.end, UNKNOWN, note)
    start = citation.start
    if start and text[start - 1] in " ~\t\n" and text[citation.end : citation.end + 1] not in "([":
        start -= 1
    return Edit(start, citation.end, "", note)


def _cut_year(citation: Citation, mark: str, note: str) -> Edit:
    """Remove the bracketed year of a narrative citation and leave the names."""
    year = _BRACKETED.search(mark)
    if year is None:
        return Edit(citation.start, citation.end, UNKNOWN, note)
    names = mark[: year.start()].rstrip().rstrip(",")
    return Edit(citation.start + len(names), citation.end, "", note)


def _is_read_aloud(text: str, citation: Citation, mark: str) -> bool:
    """Return whether the sentence needs a word in place of the marker."""
    if citation.style == "latex" and mark[0] == "\\":
        command = _COMMAND.match(mark)
        if command is not None and command[1] not in _PARENTHETICAL:
            return True
    elif citation.style == "author-year" and mark[0] not in "([":
        return True
    elif mark[0] not in "([":
        return False
    before = text[max(0, citation.start - 24) : citation.start].replace("~", " ")
    return before.isspace() or bool(_STARTS.search(before) or _LEANS.search(before))


def _rewritten(citation: Citation, mark: str, left: Sequence[str], gone: Collection[int]) -> str:
    """Return the marker with only the keys ``left``, in its own brackets and with its own
    separator.
    """
    if citation.style == "latex" and mark.startswith("\\"):
        opening = mark.rindex("{") + 1
        separator = ", " if ", " in mark[opening:] else ","
        return f"{mark[:opening]}{separator.join(left)}}}"
    if citation.style == "latex":
        return "[" + "; ".join(f"@{key}" for key in left) + "]"
    if citation.style == "numeric":
        digits = re.search(r"\d.*\d|\d", mark, re.DOTALL)
        first, last = digits.span() if digits else (1, len(mark) - 1)
        separator = ";" if ";" in mark else ","
        separator += " " if f"{separator} " in mark or separator not in mark else ""
        return f"{mark[:first]}{separator.join(left)}{mark[last:]}"
    return _without_pieces(mark, left, gone)


def _without_pieces(mark: str, left: Sequence[str], gone: Collection[int]) -> str:
    """Return an author-year group without the parts whose works are removed.

    Pieces are separated by semicolons and may hold several years. Where they cannot be
    distinguished, the group is written again from its keys.
    """
    bracketed = mark[0] in "(["
    inner = mark[1:-1] if bracketed else mark
    pieces = inner.split(";")
    sizes = [len(_YEAR.findall(piece)) for piece in pieces]
    place = 0
    kept: list[str] = []
    clean = sum(sizes) == len(left) + len(gone) and all(sizes)
    for piece, size in zip(pieces, sizes, strict=True):
        lost = sum(n in gone for n in range(place, place + size))
        place += size
        named = not _YEAR.match(piece.strip())
        clean = clean and lost in (0, size) and (named or lost == size)
        if not lost:
            kept.append(piece.strip())
    joined = "; ".join(kept) if clean else "; ".join(left)
    return f"{mark[0]}{joined}{mark[-1]}" if bracketed else joined
