"""Taking entries of a reference list out of a paper, with their marks in the prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revkit.model import Edit, Paper
from revkit.papers import CitedEntries
from revkit_defenses.marks import cut

_LONGEST_NOTE = 160


def edits_without(paper: Paper, why: Mapping[int, str]) -> list[Edit]:
    """Return the edits that take the entries at the places in ``why`` out of ``paper``.

    A mark stays if one of the entries that it can mean stays, or if it means none of the list.
    ``why`` gives the reason of each, for the notes.
    """
    return [*_mark_edits(paper, why), *_entry_edits(paper, why)]


def _note(paper: Paper, why: Mapping[int, str], places: Sequence[int]) -> str:
    titles = "; ".join(paper.references[place].text for place in places)
    if len(titles) > _LONGEST_NOTE:
        titles = titles[: _LONGEST_NOTE - 1] + "…"
    outcomes = dict.fromkeys(why[place] for place in places)
    return f"{', '.join(outcomes)}: {titles}"


def _mark_edits(paper: Paper, why: Mapping[int, str]) -> list[Edit]:
    edits: list[Edit] = []
    unknown = set(why)
    entries = CitedEntries(paper)
    for citation in paper.citations:
        meant = entries.places(citation)
        gone = {key for key, places in enumerate(meant) if places and unknown.issuperset(places)}
        if gone:
            places = sorted({place for key in gone for place in meant[key]})
            note = _note(paper, why, places)
            edit = cut(paper, citation, gone, note)
            if edit is not None:
                edits.append(edit)
    return edits


def _entry_edits(paper: Paper, why: Mapping[int, str]) -> list[Edit]:
    """One edit for each entry, with the blank before it; the first of the list, with that after it.

    So the gaps between the entries that stay are those that they had, and the list ends as before.
    """
    text, references = paper.text, paper.references
    edits: list[Edit] = []
    leading = True
    for place in sorted(why):
        start, end = references[place].start, references[place].end
        leading = leading and place == len(edits)
        if leading and place + 1 < len(references):
            after = references[place + 1].start
            end = after if not text[end:after].strip() else end
        elif place and not leading:
            before = references[place - 1].end
            start = before if not text[before:start].strip() else start
        edits.append(Edit(start, end, "", _note(paper, why, [place])))
    return edits
