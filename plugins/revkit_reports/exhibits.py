"""Select places of papers to look at: what a reader sees, beside what a program reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.model.edits import Edit, apply_edits
from revkit.papers import find_hidden_text, visible_edits
from revkit_reports.visible import one_line, visible

MOST = 60
_CONTEXT = 300
_LONGEST = 2_000
_PASSES = 5
_RUN_SHOWN = 6  # signs of a run that are shown
_RUN = re.compile(r"(?:\[U\+[0-9A-F]{4,5}\]){20,}")


@dataclass(frozen=True)
class BothViews:
    """One place: the picture as a PNG in base64 ("" without one), the text that a reader sees, and
    the text that a program reads."""

    title: str
    seen: str
    read: str
    picture: str = ""


def exhibits_of(run: RunView) -> list[BothViews]:
    """Return the places that tables show, then one for each family whose edits hide text."""
    tables = [
        BothViews(one_line(each.title), _spelled(each.seen), _spelled(each.read), each.picture)
        for table in run.tables
        for each in table.exhibits
    ]
    return list(islice((*tables, *_hidden_by_edits(run)), MOST))


def _hidden_by_edits(run: RunView) -> list[BothViews]:
    """Return the first edit of each family that puts text into a paper which its reader does not
    see."""
    found: dict[str, BothViews] = {}
    tried: set[str] = set()
    for row in run.records.variants:
        if row.perturbation in tried or row.outcome != "made":
            continue
        tried.add(row.perturbation)
        edits = run.edits_of(row.paper, row.perturbation, row.index)
        place = _place(run.text_of(row.paper), edits)
        if place is not None:
            title = f"{row.perturbation}: {run.title_of(row.paper) or row.paper}"
            found[row.perturbation] = BothViews(one_line(title), *place)
    return list(found.values())


def _place(text: str, edits: Sequence[Edit]) -> tuple[str, str] | None:
    """The surroundings of the first edit that hides text: as seen and as read."""
    for edit in edits:
        if not edit.new or len(edit.new) > _LONGEST:
            continue
        start, end = max(0, edit.start - _CONTEXT), min(len(text), edit.end + _CONTEXT)
        start = text.rfind("\n", start, edit.start) + 1 or start
        after = text.find("\n", edit.end, end)
        end = after if after >= 0 else end
        own = Edit(edit.start - start, edit.end - start, edit.new)
        read = apply_edits(text[start:end], [own])
        if not find_hidden_text(read) or find_hidden_text(text[start:end]):
            continue
        return _spelled(_seen(read)), _spelled(read)
    return None


def _spelled(text: str) -> str:
    """``text`` with signs without a shape spelled out; the middle of a long run of them is left
    out."""
    return _RUN.sub(_run, visible(text, _LONGEST))


def _run(match: re.Match[str]) -> str:
    signs = match[0].split("][")
    kept = "][".join(signs[:_RUN_SHOWN])
    return f"{kept}][... {len(signs) - _RUN_SHOWN:,} more signs without a shape ...]"


def _seen(text: str) -> str:
    for _ in range(_PASSES):
        edits = visible_edits(text)
        if not edits:
            break
        text = apply_edits(text, edits)
    return text
