"""The structure of 102 real papers against labels made by reading them.

The labels are checksums of what was read (title, ends of the abstract, headings, first and last
entry) and the number of entries, so that no text of a paper is in this repository. A second
reading by rules on the raw text was compared with ours, and every difference was decided by
looking at the source.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypedDict

import pytest

from revkit.model.intake import decode
from revkit.model.paper import Paper
from revkit.papers import find_title

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
LABELS = Path(__file__).parent / "structure_labels.json"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not present"),
]


class Label(TypedDict):
    title: str
    abstract: tuple[str, str]
    headings: str
    entries: int
    first: str
    last: str


def squeezed(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "", text.lower())


def checksum(text: str) -> str:
    return f"{zlib.crc32(squeezed(text).encode()):08x}"


@cache
def counts() -> Counter[str]:
    """How often each item is right, false or missed over all papers."""
    labels: dict[str, Label] = json.loads(LABELS.read_text(encoding="utf-8"))
    found: Counter[str] = Counter()
    for name, label in labels.items():
        paper = Paper("p", decode((DATA / name).read_bytes())[0])
        blocks = paper.blocks
        heads = {
            checksum(paper.text[block.start : block.end])
            for block in blocks
            if block.kind == "heading"
        }
        wanted = set(label["headings"].split())
        found["headings right"] += len(heads & wanted)
        found["headings false"] += len(heads - wanted)
        found["headings missed"] += len(wanted - heads)
        prose = [block for block in blocks if block.role == "abstract" and block.is_prose]
        abstract = squeezed(paper.text[prose[0].start : prose[-1].end]) if prose else ""
        entries = paper.references
        found["papers"] += 1
        found["title"] += checksum(find_title(paper.text)) == label["title"]
        found["abstract start"] += checksum(abstract[:30]) == label["abstract"][0]
        found["abstract end"] += checksum(abstract[-30:]) == label["abstract"][1]
        found["entries exact"] += len(entries) == label["entries"]
        found["entries within 2"] += abs(len(entries) - label["entries"]) <= 2
        found["first entry"] += checksum(squeezed(entries[0].text)[:20]) == label["first"]
        found["last entry"] += checksum(squeezed(entries[-1].text)[:20]) == label["last"]
    return found


def test_headings() -> None:
    found = counts()
    right = found["headings right"]
    assert right / (right + found["headings false"]) > 0.99
    assert right / (right + found["headings missed"]) > 0.99


@pytest.mark.parametrize(
    ("item", "missing"),
    [
        ("title", 2),
        ("abstract start", 0),
        ("abstract end", 1),
        ("entries exact", 1),
        ("entries within 2", 0),
        ("first entry", 0),
        ("last entry", 0),
    ],
)
def test_other_items(item: str, missing: int) -> None:
    found = counts()
    assert found["papers"] == 102
    assert found["papers"] - found[item] <= missing
