"""Places: where in a paper a text can be put without changing the text around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from revkit.dataclass import dataclass
from revkit.model import Paper

_BEGIN, _END = "\\begin{document}", "\\end{document}"
_ABSTRACT_ENDS = ("\\end{abstract}", "</abstract>")


@dataclass(frozen=True)
class InsertionPoint:
    """An offset of the paper's text; ``inline`` in the middle of a paragraph, else between two."""

    offset: int
    inline: bool = False


Find = Callable[[Paper], InsertionPoint | str]
"""Finds a place in a paper, or states why there is none."""


def surrounded(text: str, place: InsertionPoint, paragraph: str) -> str:
    """``paragraph`` with the blanks or line breaks that it needs at ``place`` of ``text``."""
    before, after = text[: place.offset], text[place.offset :]
    if place.inline:
        return f" {paragraph}"
    head = "" if not before.strip() else _missing(before, at_end=True)
    tail = "" if not after.strip() else _missing(after, at_end=False)
    return f"{head}{paragraph}{tail}"


def _missing(text: str, *, at_end: bool) -> str:
    """The line breaks that ``text`` needs at one end to make a blank line."""
    bare = text.rstrip(" \t\n") if at_end else text.lstrip(" \t\n")
    blank = text[len(bare) :] if at_end else text[: len(text) - len(bare)]
    return "\n" * max(0, 2 - blank.count("\n"))


def _start(paper: Paper) -> InsertionPoint | str:
    begin = paper.text.find(_BEGIN)
    if begin >= 0:
        return InsertionPoint(begin + len(_BEGIN))
    first = paper.blocks[0] if paper.blocks else None
    return InsertionPoint(first.end if first is not None and first.kind == "front-matter" else 0)


def _end(paper: Paper) -> InsertionPoint | str:
    found = paper.text.rfind(_END)
    return InsertionPoint(found if found >= 0 else len(paper.text.rstrip()))


def _middle(paper: Paper) -> InsertionPoint | str:
    starts = [block.start for block in paper.blocks if block.is_prose and block.kind == "paragraph"]
    if len(starts) < 2:
        return "fewer than two paragraphs"
    return InsertionPoint(min(starts[1:], key=lambda start: abs(start - len(paper.text) / 2)))


def _after_abstract(paper: Paper) -> InsertionPoint | str:
    end = None
    for block in paper.blocks:
        if block.role == "abstract":
            if block.kind != "heading":
                end = block.end
        elif end is not None:
            break
    if end is None:
        return "no abstract"
    rest = paper.text[end:]
    bare = rest.lstrip()
    for mark in _ABSTRACT_ENDS:
        if bare.startswith(mark):
            return InsertionPoint(end + len(rest) - len(bare) + len(mark))
    return InsertionPoint(end)


def _before_references(paper: Paper) -> InsertionPoint | str:
    for block in paper.blocks:
        if block.role == "references":
            return InsertionPoint(paper.text.rfind("\n", 0, block.start) + 1)
    return "no reference list"


def _bibliography(paper: Paper) -> InsertionPoint | str:
    entries = paper.references
    if not entries:
        return "no entry of a reference list"
    return InsertionPoint(entries[len(entries) // 2].end, inline=True)


def _caption(paper: Paper) -> InsertionPoint | str:
    for block in paper.blocks:
        text = paper.text[block.start : block.end]
        if text.lstrip("*_ ").startswith(("Figure ", "Table ", "Fig. ")):
            return InsertionPoint(block.start + len(text.rstrip()), inline=True)
        found = text.find("\\caption{") if block.kind in ("figure", "table") else -1
        if found >= 0:
            return InsertionPoint(block.start + found + len("\\caption{"), inline=True)
    return "no caption"


PLACES: Mapping[str, tuple[Find, ...]] = {
    "start": (_start,),
    "middle": (_middle,),
    "end": (_end,),
    "after-abstract": (_after_abstract,),
    "before-references": (_before_references,),
    "caption": (_caption,),
    "bibliography": (_bibliography,),
    "split": (_start, _middle, _end),
}
"""The places by their names; a text for several places is split into as many parts."""
