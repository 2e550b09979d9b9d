"""Papers that other programs took apart: TEI of GROBID, JATS of journals, JSON of S2ORC."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Corpus
from revkit.model.consensus import consensus_of
from revkit.model.paper import Paper, Skipped
from revkit_corpora.jats import Jats
from revkit_corpora.s2orc import S2orc
from revkit_corpora.tei import Tei
from tests.plugins.revkit_corpora.article_files import (
    ELIFE,
    F1000,
    S2ORC_TEXT,
    TEI,
    TEI_TEXT,
    jats,
    report,
    s2orc,
)

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]


def kinds(paper: Paper) -> list[str]:
    return [block.kind for block in paper.blocks]


def test_tei_text_and_structure(tmp_path: Path, load: Load) -> None:
    (tmp_path / "gates.grobid.tei.xml").write_text(TEI, encoding="utf-8")
    [paper], skipped = load(Tei(path=str(tmp_path)))
    assert (paper.id, paper.title) == ("gates", "Sparse Gates & Dense Bridges")
    assert paper.text == TEI_TEXT
    assert [(entry.label, entry.year) for entry in paper.references] == [("1", 2014), ("2", 1999)]
    assert paper.citation_style == "numeric"
    assert {"math", "table", "figure", "reference"} <= {*kinds(paper)}
    assert skipped == []


def test_tei_of_author_year_marks_has_no_labels(tmp_path: Path, load: Load) -> None:
    text = TEI.replace(">[1]<", ">(Lee and Xu, 2014)<").replace(">[2]<", ">(2014)<")
    (tmp_path / "gates.tei").write_text(text, encoding="utf-8")
    (tmp_path / "labels.csv").write_text("id,accept\ngates,true\n", encoding="utf-8")
    [paper], _ = load(Tei(path=str(tmp_path / "gates.tei"), labels=str(tmp_path / "labels.csv")))
    assert paper.labels.accept is True
    assert [entry.label for entry in paper.references] == ["", ""]


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>&b;</text></TEI>'
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><TEI><text>&a;</text></TEI>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (BOMB, "declares an entity"),
        (OUTSIDE, "declares an entity"),
        ("<TEI><text>", "damaged"),
        ("", "damaged"),
        ("# Markdown", "damaged"),
        ("<html><body/></html>", "its root is 'html'"),
        ("<TEI>" + "<div>" * 500 + "</div>" * 500 + "</TEI>", "nested too deep"),
        (
            '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/></TEI>',
            "no text",
        ),
    ],
)
def test_bad_xml_is_skipped_with_its_reason(
    content: str, reason: str, tmp_path: Path, load: Load
) -> None:
    (tmp_path / "bad.xml").write_text(content, encoding="utf-8")
    (tmp_path / "good.xml").write_text(TEI, encoding="utf-8")
    papers, [skipped] = load(Tei(path=str(tmp_path)))
    assert [paper.id for paper in papers] == ["good"]
    assert reason in skipped.reason
    (tmp_path / "good.xml").write_text(ELIFE, encoding="utf-8")
    _, skips = load(Jats(path=str(tmp_path)))
    assert [each.source for each in skips] == ["bad.xml"]


def test_f1000_reports_are_reviews_with_recommendations(tmp_path: Path, load: Load) -> None:
    (tmp_path / "a.xml").write_text(F1000, encoding="utf-8")
    [paper], _ = load(Jats(path=str(tmp_path)))
    assert paper.id == "f1000research.1234.1"
    assert paper.labels.ratings == (2.0, 1.0, 0.0)
    assert paper.labels.scale is not None
    assert (paper.labels.scale.minimum, paper.labels.scale.maximum) == (0, 2)
    consensus = consensus_of(paper.labels)
    assert consensus is not None
    assert consensus.severity == 50  # the mean of 2, 1 and 0 is the middle of the scale
    assert [review.text.splitlines()[-1] for review in paper.reviews] == [
        "The counts are sound.",
        "Two towns are missing.",
        "No method.",
    ]
    assert "Thank you" not in repr(paper)


def test_elife_reports_and_the_text_of_an_article(tmp_path: Path, load: Load) -> None:
    (tmp_path / "elife.xml").write_text(ELIFE, encoding="utf-8")
    [paper], _ = load(Jats(path=str(tmp_path)))
    assert (paper.id, paper.title) == ("eLife.54321", "Gates of three towns")
    assert [review.meta for review in paper.reviews].count(True) == 1
    assert len(paper.reviews) == 3
    assert paper.labels.ratings == ()
    assert paper.labels.accept is None
    assert any("1 other parts" in note for note in paper.notes)
    assert "Marsh" not in paper.text
    assert "A digest" not in paper.text
    assert "We counted gates." in paper.text
    assert "1. old ones\n2. new ones" in paper.text
    assert "$$\ns = a + b\n\\tag{1}\n$$" in paper.text
    assert "Figure 1: Gates. All of them." in paper.text
    assert [entry.year for entry in paper.references] == [2014, 1999]
    assert [entry.label for entry in paper.references] == ["1", "2"]
    assert "van Dam K and Gate Group. Bridges. Gate Letters, 7, 1-9, 1999." in paper.text
    assert [len(citation.keys) for citation in paper.citations] == [1, 1]


def test_reviews_of_jats_as_texts(tmp_path: Path, load: Load) -> None:
    text = jats("", report("decision-letter", "Please revise.") + report("reply", "We did."))
    (tmp_path / "plain.xml").write_text(text, encoding="utf-8")
    [review], _ = load(Jats(path=str(tmp_path), items="reviews"))
    assert (review.id, review.text) == ("plain/1", "Please revise.")
    assert review.labels.extra["meta-review"] is True


def dumped(folder: Path, *records: dict[str, Any]) -> S2orc:
    path = folder / "papers.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return S2orc(path=str(path))


def test_s2orc_text_and_structure(tmp_path: Path, load: Load) -> None:
    [paper], skipped = load(dumped(tmp_path, s2orc()))
    assert (paper.id, paper.title, skipped) == ("77", "Sparse Gates", [])
    assert paper.text == S2ORC_TEXT
    assert [(entry.label, entry.year) for entry in paper.references] == [("1", 2014)]


def test_cord19_and_the_form_with_offsets(tmp_path: Path, load: Load) -> None:
    parsed = s2orc()["pdf_parse"]
    cord = {"paper_id": "c1", "metadata": {"title": "Sparse Gates"}, **parsed}
    text = "Sparse Gates\nWe count.\nIntroduction\nGates are known (Lee 2014).\nLee. Gates. 2014."

    def spans(*parts: str) -> str:
        places = [(text.index(part), text.index(part) + len(part)) for part in parts]
        return json.dumps([{"start": s, "end": str(e)} for s, e in places])

    annotations = {
        "abstract": spans("We count."),
        "sectionheader": spans("Introduction"),
        "paragraph": spans("Gates are known (Lee 2014)."),
        "bibref": spans("Lee 2014"),
        "bibentry": spans("Lee. Gates. 2014."),
        "title": spans("Sparse Gates"),
    }
    offsets = {"corpusid": 9, "content": {"text": text, "annotations": annotations}}
    papers, _ = load(dumped(tmp_path, cord, offsets))
    assert papers[0].text == S2ORC_TEXT
    assert papers[1].id == "9"
    assert papers[1].text == (
        "# Sparse Gates\n\n## Abstract\n\nWe count.\n\n## Introduction\n\n"
        "Gates are known (Lee 2014).\n\n## References\n\nLee. Gates. 2014.\n"
    )


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"title": "No id", "abstract": "Words."}, "no id"),
        ({"paper_id": "x", "title": "No text"}, "no text"),
        ({"paper_id": "x", "pdf_parse": {"body_text": "text"}, "abstract": 3}, "no text"),
        ({"corpusid": 5, "content": {"text": None, "annotations": {}}}, "no text"),
    ],
)
def test_records_without_a_paper(
    record: dict[str, Any], reason: str, tmp_path: Path, load: Load
) -> None:
    papers, [skipped] = load(dumped(tmp_path, s2orc(), record))
    assert len(papers) == 1
    assert reason in skipped.reason


def test_malformed_annotations_are_left_out_with_a_note(tmp_path: Path, load: Load) -> None:
    content = {"text": "Gates are known.", "annotations": {"paragraph": "[{", "bibref": 7}}
    [paper], _ = load(dumped(tmp_path, {"corpusid": 5, "content": content}))
    assert paper.text == "Gates are known.\n"
    assert any("malformed JSON" in note for note in paper.notes)
