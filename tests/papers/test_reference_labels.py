"""Entries and citations of 102 real papers against labels that were read in the source.

``reference_labels.json`` has for each paper up to four entries (the first, the last, and two at
random places) by a place in the text, with the family name of the first author and the year ("-"
for none); and up to three random brackets or years in the text, by their span, with the works that
they cite. A span without works cites nothing: an interval, a superscript, an address. Each label
was read in the source of the paper, without our parser. Brackets in tables and captions were left
out, since citations are those in prose.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypedDict

import pytest

from revkit.model.intake import decode
from revkit.model.paper import Paper
from revkit.model.structure import Reference
from revkit.papers import CitedEntries
from revkit.works import fold_words

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
LABELS = Path(__file__).parent / "reference_labels.json"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not present"),
]


class Label(TypedDict):
    entries: dict[str, str]
    marks: dict[str, list[str]]


def is_work(entry: Reference, work: str) -> bool:
    name, year = work.rsplit(" ", 1)
    return str(entry.year or "-") == year and begins_with(entry, name)


def begins_with(entry: Reference, name: str) -> bool:
    """Whether ``name`` is among the words with which an entry begins."""
    words, wanted = fold_words(entry.text)[:8], fold_words(name)
    return any(words[place : place + len(wanted)] == wanted for place in range(len(words)))


@cache
def counts() -> Counter[str]:
    """How many labels are met, and how much is found beside them."""
    labels: dict[str, Label] = json.loads(LABELS.read_text(encoding="utf-8"))
    found: Counter[str] = Counter(papers=len(labels))
    for name, label in labels.items():
        paper = Paper("p", decode((DATA / name).read_bytes())[0])
        for place, work in label["entries"].items():
            _count_entry(paper, int(place), work, found)
        for span, works in label["marks"].items():
            start, end = map(int, span.split("-"))
            _count_mark(paper, start, end, works, found)
    return found


def _count_entry(paper: Paper, place: int, work: str, found: Counter[str]) -> None:
    author, year = work.rsplit(" ", 1)
    # The place may be on a blank or a bullet before the entry.
    entries = [each for each in paper.references if place < each.end and each.start <= place + 4]
    found["entries"] += 1
    for entry in entries[:1]:
        found["years right"] += str(entry.year or "-") == year
        found["authors right"] += begins_with(entry, author)


def _count_mark(paper: Paper, start: int, end: int, works: list[str], found: Counter[str]) -> None:
    links = CitedEntries(paper)
    marks = [each for each in paper.citations if each.start < end and start < each.end]
    linked = [
        paper.references[place]
        for mark in marks
        for places in links.places(mark)
        for place in places
    ]
    right = sum(any(is_work(entry, work) for entry in linked) for work in works)
    found["links"] += len(works)
    found["links right"] += right
    found["links false"] += sum(not any(is_work(each, work) for work in works) for each in linked)
    found["marks"] += bool(works)
    found["marks right"] += bool(works) and bool(marks)
    found["marks false"] += not works and bool(marks)


def test_years_and_first_authors_of_entries() -> None:
    found = counts()
    assert (found["papers"], found["entries"]) == (102, 404)
    assert found["years right"] == 404
    assert found["authors right"] == 404


def test_citations_and_the_entries_that_they_name() -> None:
    found = counts()
    assert (found["marks"], found["links"]) == (241, 312)
    assert found["marks right"] >= 240  # one is cut by a page break
    assert found["marks false"] <= 6  # superscripts in brackets, of 57 brackets that are no mark
    assert found["links right"] >= 310
    assert found["links false"] == 0
