"""Places: where in a paper a paragraph can be put without changing the text around it."""

from __future__ import annotations

from typing import Literal

from revkit.model import Edit, Paper

Position = Literal["start", "end", "after-abstract", "before-references"]
_BEGIN, _END = "\\begin{document}", "\\end{document}"
_ABSTRACT_ENDS = ("\\end{abstract}", "</abstract>")


def insertion(paper: Paper, position: Position, paragraph: str) -> Edit | str:
    """Return the edit that inserts ``paragraph`` into the paper, or the reason why there is no
    place for it.

    The start is that of the text, after front matter or a LaTeX preamble; the end comes before
    ``\\end{document}``.
    """
    text = paper.text
    if position == "start":
        place = _start(paper)
    elif position == "end":
        found = text.rfind(_END)
        place = found if found >= 0 else len(text.rstrip())
    elif position == "after-abstract":
        after = _after_abstract(paper)
        if after is None:
            return "no abstract"
        place = after
    else:
        before = _references(paper)
        if before is None:
            return "no reference list"
        place = before
    head = "" if not text[:place].strip() else _missing(text[:place], at_end=True)
    tail = "" if not text[place:].strip() else _missing(text[place:], at_end=False)
    return Edit(place, place, f"{head}{paragraph}{tail}", f"instruction, {position}")


def _missing(text: str, *, at_end: bool) -> str:
    """Return the line breaks that must be added at one end of ``text`` to make a blank line."""
    bare = text.rstrip(" \t\n") if at_end else text.lstrip(" \t\n")
    blank = text[len(bare) :] if at_end else text[: len(text) - len(bare)]
    return "\n" * max(0, 2 - blank.count("\n"))


def _start(paper: Paper) -> int:
    begin = paper.text.find(_BEGIN)
    if begin >= 0:
        return begin + len(_BEGIN)
    first = paper.blocks[0] if paper.blocks else None
    return first.end if first is not None and first.kind == "front-matter" else 0


def _after_abstract(paper: Paper) -> int | None:
    end = None
    for block in paper.blocks:
        if block.role == "abstract":
            if block.kind != "heading":
                end = block.end
        elif end is not None:
            break
    if end is None:
        return None
    rest = paper.text[end:]
    bare = rest.lstrip()
    for mark in _ABSTRACT_ENDS:
        if bare.startswith(mark):
            return end + len(rest) - len(bare) + len(mark)
    return end


def _references(paper: Paper) -> int | None:
    for block in paper.blocks:
        if block.role == "references":
            return paper.text.rfind("\n", 0, block.start) + 1
    return None
