"""PeerRead: the real files, and each irregularity by hand."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit_corpora.peerread import PeerRead

Load = Callable[[PeerRead], tuple[list[Paper], list[Skipped]]]
SECTIONS = [{"heading": "1 Introduction", "text": "We show it [1]."}]


def put(
    root: Path,
    id_: str = "7",
    review: dict[str, Any] | str | None = None,
    parsed: dict[str, Any] | str | None = None,
    venue: str = "iclr_2017",
    split: str = "train",
) -> None:
    """Write the two files of one paper."""
    for folder, suffix, content in (
        ("reviews", ".json", review),
        ("parsed_pdfs", ".pdf.json", parsed),
    ):
        if content is not None:
            path = root / venue / split / folder / f"{id_}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content))


def metadata(**fields: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "title": "A Title",
            "abstractText": "In short.",
            "sections": SECTIONS,
            **fields,
        }
    }


def test_native_files(shared_data: Path, load: Load) -> None:
    """Five review files; one of them has a parsed paper."""
    papers, skipped = load(PeerRead(path=str(shared_data / "peerread")))
    assert [(s.id, s.reason) for s in skipped] == [
        ("acl_2017/104", "no parsed paper"),
        ("arxiv.cs.cl_2007-2017/1609.08824", "no parsed paper"),
        ("conll_2016/25", "no parsed paper"),
        ("iclr_2017/304", "no parsed paper"),
    ]
    (paper,) = papers
    assert paper.id == "acl_2017/435"
    assert paper.title == "Neural Disambiguation of Causal Lexical Markers based on Context"
    assert (paper.labels.accept, paper.labels.decision) == (None, "")
    assert paper.labels.ratings == (2.0, 3.0)
    assert paper.labels.rating_scale == "acl-2017"
    assert paper.labels.confidences == (4.0, 4.0)
    assert any("line numbers" in note for note in paper.notes)
    assert paper.text.startswith(f"# {paper.title}\n\n1 000\n011\n")
    headings = [line for line in paper.text.split("\n") if line.startswith("#")]
    assert headings[1:5] == [
        "## Abstract",
        "## 1 Introduction",
        "## 2 Related Work",
        "## 3 Causality classification",
    ]
    assert "### 3.1 Definition" in headings
    assert (
        paper.text.rstrip()
        .split("\n")[-25]
        .startswith("1. Steven Bethard, James H. Martin. Learning")
    )
    assert paper.text.rstrip().split("\n")[-1].startswith("25. ")


def test_one_venue_needs_no_prefix(shared_data: Path, load: Load) -> None:
    papers, skipped = load(PeerRead(path=str(shared_data / "peerread"), venue="acl_2017"))
    assert ([p.id for p in papers], [s.id for s in skipped]) == (["435"], ["104"])
    papers, skipped = load(PeerRead(path=str(shared_data / "peerread/data/acl_2017/test")))
    assert ([p.id for p in papers], skipped) == (["435"], [])
    assert papers[0].labels.extra == {"venue": "acl_2017", "split": "test"}


def test_converted_iclr_2017(shared_data: Path, load: Load) -> None:
    """102 papers, all with a decision: 42 poster and 6 oral; 42 reject and 12 workshop."""
    root = shared_data / "peerread_layout"
    papers, skipped = load(PeerRead(path=str(root)))
    assert (len(papers), skipped) == (102, [])
    assert Counter(p.labels.accept for p in papers) == {True: 48, False: 54}
    assert sum(len(p.labels.ratings) for p in papers) == 313
    with (root / "index.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    for paper in papers:
        row = rows[paper.id]
        assert paper.labels.ratings == tuple(float(r) for r in row["ratings"].split(";"))
        assert str(paper.labels.accept) == row["accepted"]
        assert paper.labels.extra["split"] == row["split"]
    assert sum(None in p.labels.confidences for p in papers) == 3
    assert 10.0 in next(p for p in papers if p.id == "H1oyRlYgg").labels.ratings
    empty = [n for p in papers for n in p.notes if "with a heading only" in n]
    assert sum(int(note.split()[0]) for note in empty) == 70


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_splits_add_up(shared_data: Path, split: str) -> None:
    corpus = PeerRead(path=str(shared_data / "peerread_layout"), split=split)  # type: ignore[arg-type]
    assert corpus.count() == {"train": 81, "dev": 14, "test": 7}[split]


def test_reviews_of_304_are_counted_once(shared_data: Path, tmp_path: Path, load: Load) -> None:
    """Seven records given twice: one meta-review, three with a rating (8, 8, 9), three without."""
    native = shared_data / "peerread/data/iclr_2017/train/reviews/304.json"
    put(tmp_path, "304", native.read_text(encoding="utf-8"), metadata())
    (paper,), _ = load(PeerRead(path=str(tmp_path)))
    assert paper.labels.ratings == (8.0, 8.0, 9.0)
    assert paper.labels.confidences == (4.0, 3.0, 5.0)
    assert paper.labels.accept is True
    assert "7 reviews occurring twice: counted once" in paper.notes
    assert "1 meta-review: not counted as ratings" in paper.notes
    assert "3 reviews without a rating" in paper.notes


def test_text_of_a_parsed_paper(tmp_path: Path, load: Load) -> None:
    sections = [
        {"heading": None, "text": "Before."},
        {"heading": "1 First", "text": "# of steps\n\nText."},
        {"heading": "1.1 Sub", "text": ""},
        {"heading": "1.1.1 Deep", "text": "Deep text."},
        {"heading": "A.2 Appendix part", "text": "More."},
        {"heading": None, "text": "No head."},
    ]
    references = [
        {
            "title": "A work.",
            "author": ["A. Lee.", "B. Roe"],
            "venue": "Venue, 2010.",
            "year": 2010,
        },
        {"title": "Why?", "author": [], "venue": "", "year": 2011},
        {"title": "Plain, 1994", "author": [], "venue": "", "year": 1994},
        {"title": "", "author": [], "venue": None, "year": None},
        "odd",
        {"title": "No year", "author": ["C. Day"], "venue": "Press", "year": None},
    ]
    put(
        tmp_path,
        parsed=metadata(sections=sections, references=references),
        review={"title": "A title!"},
    )
    (paper,), _ = load(PeerRead(path=str(tmp_path)))
    assert paper.text == (
        "# A title!\n\nBefore.\n\n## Abstract\n\nIn short.\n\n"
        "## 1 First\n\n\\# of steps\n\nText.\n\n"
        "### 1.1 Sub\n\n#### 1.1.1 Deep\n\nDeep text.\n\n"
        "### A.2 Appendix part\n\nMore.\n\nNo head.\n\n"
        "## References\n\n1. A. Lee, B. Roe. A work. Venue, 2010.\n2. Why? 2011.\n3. Plain, 1994.\n"
        "4. C. Day. No year. Press.\n"
    )
    assert paper.notes == (
        "escaped 1 line that would be parsed as a heading",
        "1 section with a heading only",
        "left out 2 references without content",
    )


def test_irregular_reviews(tmp_path: Path, load: Load) -> None:
    reviews = [
        {
            "RECOMMENDATION": "4",
            "REVIEWER_CONFIDENCE": "2",
            "comments": "x",
            "is_meta_review": None,
        },
        {"RECOMMENDATION": 11, "comments": "off"},
        {"RECOMMENDATION": 5, "comments": ""},
        {"RECOMMENDATION": 5, "comments": ""},
        {"RECOMMENDATION": 6, "is_meta_review": True},
        "odd",
    ]
    put(tmp_path, "104", {"id": "105", "accepted": False, "reviews": reviews}, metadata())
    (paper,), _ = load(PeerRead(path=str(tmp_path)))
    assert paper.labels.ratings == (4.0, 5.0, 5.0)
    assert paper.labels.confidences == (2.0, None, None)
    assert (paper.labels.accept, paper.labels.decision) == (False, "accepted: false")
    assert paper.notes == (
        "the file's own id is '105'; the file name counts",
        "review 6 is not an object: left out",
        "1 meta-review: not counted as ratings",
        "review 2: rating '11' is outside the scale 1 to 10: left out",
    )


def test_irregular_files(tmp_path: Path, load: Load) -> None:
    put(tmp_path, "a", {}, "{")
    put(tmp_path, "b", {}, {"metadata": {"sections": None}})
    put(tmp_path, "c", {}, metadata(sections=[{"heading": "1 X", "text": " "}]))
    put(tmp_path, "d", "[1]", metadata())
    put(tmp_path, "e", None, metadata())
    put(tmp_path, "f", '{"accepted": false}\n{"accepted": true}\n', metadata())
    put(tmp_path, "2604.01960", {"id": 2604.0196}, metadata(abstractText=None))
    put(tmp_path, "g", {"title": "\ud835 x\x00"}, metadata(title=None))
    papers, skipped = load(PeerRead(path=str(tmp_path)))
    assert {s.id: s.reason for s in skipped} == {
        "a": "iclr_2017/train/parsed_pdfs/a.pdf.json: malformed JSON at line 1, column 2: "
        "Expecting property name enclosed in double quotes",
        "b": "the parsed paper has no section with text",
        "c": "the parsed paper has no section with text",
        "d": "iclr_2017/train/reviews/d.json: not an object",
    }
    by_id = {paper.id: paper for paper in papers}
    assert sorted(by_id) == ["2604.01960", "e", "f", "g"]
    assert "no review file: no labels" in by_id["e"].notes
    assert by_id["f"].labels.accept is True
    assert "f.json holds 2 lines: last read" in by_id["f"].notes
    assert "no abstract" in by_id["2604.01960"].notes
    assert by_id["g"].title == "\ufffd x"


def test_same_id_in_two_venues_and_two_splits(tmp_path: Path, load: Load) -> None:
    put(tmp_path, parsed=metadata())
    put(tmp_path, parsed=metadata(), venue="acl_2017")
    put(tmp_path, parsed=metadata(), split="test")
    papers, skipped = load(PeerRead(path=str(tmp_path)))
    assert [p.id for p in papers] == ["acl_2017/7", "iclr_2017/7"]
    assert [s.id for s in skipped] == ["iclr_2017/7"]
    assert skipped[0].reason.startswith("duplicate id; the first is in iclr_2017/test/")


def test_wrong_folder_and_wrong_choice(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="contains no folder 'reviews'"):
        PeerRead(path=str(tmp_path)).papers(context())
    put(tmp_path, parsed=metadata())
    with pytest.raises(RunError, match="did you mean 'iclr_2017'"):
        PeerRead(path=str(tmp_path), venue="iclr_2016").papers(context())
    with pytest.raises(RunError, match="no paper in split 'dev'; there are: train"):
        PeerRead(path=str(tmp_path), split="dev").papers(context())


def test_endings_in_capitals_are_read_and_others_named(tmp_path: Path, load: Load) -> None:
    for folder in ("reviews", "parsed_pdfs"):
        (tmp_path / "train" / folder).mkdir(parents=True)
    section = {"heading": "1 Introduction", "text": "We study gates."}
    parsed = {"name": "1.pdf", "metadata": {"title": "Gates", "sections": [section]}}
    record = {"id": "1", "title": "Gates", "reviews": [{"RECOMMENDATION": 4, "comments": "Good."}]}
    (tmp_path / "train/reviews/1.JSON").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "train/parsed_pdfs/1.PDF.JSON").write_text(json.dumps(parsed), encoding="utf-8")
    (tmp_path / "train/reviews/2.bak").write_text("{}", encoding="utf-8")
    papers, skipped = load(PeerRead(path=str(tmp_path)))
    assert [(paper.id, paper.labels.ratings) for paper in papers] == [("1", (4,))]
    assert [each.id for each in skipped] == ["train/reviews/2.bak"]
